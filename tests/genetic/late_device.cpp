/// \file
/// Runs on a device that does its work late, and fails anywhere.
#include <clopt/genetic.hpp>
#include <clopt/objective.hpp>
#include <support/late_runs.hpp>

using namespace clopt;

BOOST_AUTO_TEST_SUITE(genetic_late_device)

BOOST_AUTO_TEST_CASE(it_may_fail_anywhere) {
  for (const char* objective : {"onemax", "rastrigin"})
    test::fail_everywhere([&](const test::SharedDevices& devices) {
      genetic::Options options;
      options.population = 33;
      options.generations = 9;
      options.statistics = [](const genetic::Statistics&) {};
      return genetic::solve({Objective::named(objective), 20, {}, {}}, options, devices).checksum;
    });
}

BOOST_AUTO_TEST_SUITE_END()
