/// \file
/// Runs on a device that does its work late, and fails anywhere.
#include <clopt/differential_evolution.hpp>
#include <clopt/objective.hpp>
#include <support/late_runs.hpp>

using namespace clopt;

BOOST_AUTO_TEST_SUITE(differential_evolution_late_device)

BOOST_AUTO_TEST_CASE(it_may_fail_anywhere) {
  for (const char* method : {"staged", "merged", "fused"})
    test::fail_everywhere([&](const test::SharedDevices& devices) {
      differential_evolution::Options options;
      options.method = method;
      options.population = 12;
      options.generations = 9;
      options.target = 1e-3;
      differential_evolution::Problem problem{Objective::named("sphere")};
      problem.dimensions = 3;
      problem.problems = 5;
      return differential_evolution::solve(problem, options, devices).checksum;
    });
}

BOOST_AUTO_TEST_SUITE_END()
