/// \file
/// The local search of objectives that are no fits.
#include <clopt/devices.hpp>
#include <clopt/differential_evolution.hpp>
#include <clopt/error.hpp>
#include <support/batch_function.hpp>
#include <support/device.hpp>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "host.hpp"

namespace {

using namespace clopt;
namespace de = clopt::differential_evolution;

de::Options polished_options(std::uint64_t generations) {
  auto options = test::classical();
  options.generations = generations;
  options.polish = true;
  return options;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(polish)

BOOST_AUTO_TEST_CASE(smooth_minima_are_found, *boost::unit_test::label("device")) {
  for (const std::string precision : {"float", "double"}) {
    if (precision == "double" && !(test::tries_all() && test::device().info().has_double)) continue;
    for (const std::size_t dimensions : {1U, 2U, 7U}) {
      if (!test::tries_all() && dimensions != 7) continue;
      auto problem = test::problem_of("sphere", dimensions, 7);
      auto options = polished_options(10);
      options.precision = precision;
      const auto result = de::solve(problem, options, test::device());
      BOOST_TEST_CONTEXT(precision << ", " << dimensions) {
        BOOST_TEST(result.polish == "nelder-mead");
        BOOST_TEST(result.polished == 7U);
        for (std::size_t k = 0; k < 7; ++k) {
          BOOST_TEST(result.converged[k] == 1);
          BOOST_TEST(result.values[k] < (precision == "double" ? 1e-16 : 1e-9));
        }
        BOOST_TEST(result.total_evaluations == 7 * 11 * result.population + result.polish_evaluations);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(devices_and_methods_end_with_the_same_bits, *boost::unit_test::label("device")) {
  // Compilers may put 16 vertices into vectors.
  for (const std::uint32_t dimensions : {3U, 17U}) {
    const auto problem = test::problem_of("rosenbrock", dimensions, 7);
    auto options = polished_options(7);
    const auto expected = de::solve(problem, options, *test::host(1));
    for (const std::string method : {"offloaded", "staged", "ahead", "merged", "fused"}) {
      if (!test::tries_all() && method != "merged") continue;
      options.method = method;
      const auto result = de::solve(problem, options, test::device());
      BOOST_TEST(result.checksum == expected.checksum);
      BOOST_TEST(result.values == expected.values, boost::test_tools::per_element());
      BOOST_TEST(result.parameters == expected.parameters, boost::test_tools::per_element());
      BOOST_TEST(result.polish_evaluations == expected.polish_evaluations);
    }
  }
}

BOOST_AUTO_TEST_CASE(vectors_stay_within_their_bounds_and_values_get_better) {
  auto problem = test::problem_of("rosenbrock", 5, 49);
  problem.lower = {-1, -1, -1, -1, -1};
  problem.upper = {0.5, 2, 2, 0.25, 2};
  auto options = polished_options(20);
  const auto polished = de::solve(problem, options, *test::host(2));
  options.polish = false;
  const auto searched = de::solve(problem, options, *test::host(2));
  std::uint64_t better = 0;
  for (std::size_t k = 0; k < problem.problems; ++k) {
    BOOST_TEST(polished.values[k] <= searched.values[k]);
    better += polished.values[k] < searched.values[k] ? 1 : 0;
    for (std::size_t j = 0; j < problem.dimensions; ++j) {
      BOOST_TEST(polished.parameters[5 * k + j] >= problem.lower[j]);
      BOOST_TEST(polished.parameters[5 * k + j] <= problem.upper[j]);
    }
  }
  BOOST_TEST(better == polished.polished);
  BOOST_TEST(better > 40U);
  BOOST_TEST(polished.checksum != searched.checksum);
}

BOOST_AUTO_TEST_CASE(an_objective_that_is_maximised_is_so_to_the_end) {
  auto problem = test::problem_of("sphere", 2, 3);
  problem.objective = Objective::from_real_function(
      [](std::span<const double> genes) { return 5 - genes[0] * genes[0] - (genes[1] - 1) * (genes[1] - 1); });
  problem.objective.set_direction(Direction::maximise);
  problem.lower = {-3};
  problem.upper = {3};
  const auto result = de::solve(problem, polished_options(5), *test::host(2));
  for (const double value : result.values) BOOST_TEST(std::abs(value - 5) < 1e-5);
}

BOOST_AUTO_TEST_CASE(a_batch_function_gets_those_that_continue) {
  auto problem = test::problem_of("sphere", 2, 5);
  problem.lower = {-3};
  problem.upper = {3};
  std::size_t calls = 0;
  std::size_t individuals = 0;
  problem.objective = Objective::from_batch_function(
      [&](std::span<const double> genes, std::span<const double>, std::span<double> values) {
        ++calls;
        individuals += values.size();
        for (std::size_t i = 0; i < values.size(); ++i)
          values[i] = genes[2 * i] * genes[2 * i] + genes[2 * i + 1] * genes[2 * i + 1];
      },
      GeneKind::reals);
  const auto result = de::solve(problem, polished_options(5), *test::host(3));
  BOOST_TEST(individuals == result.total_evaluations);
  BOOST_TEST(calls > 6U);
  for (const double value : result.values) BOOST_TEST(value < 1e-9);
}

BOOST_AUTO_TEST_CASE(limits_are_kept) {
  const auto problem = test::problem_of("rosenbrock", 3, 5);
  for (const std::uint64_t limit : {23U, 100U, 1000U, 3000U}) {
    auto options = test::classical();
    options.evaluations = limit;
    options.polish = true;
    const auto result = de::solve(problem, options, *test::host(1));
    BOOST_TEST(result.total_evaluations <= 5 * limit);
    BOOST_TEST(result.polish_evaluations <= 5 * (limit / 10));
  }
  RunControl control;
  control.time_limit = 0;
  BOOST_TEST(de::solve(problem, polished_options(7), *test::host(1), control).polish_evaluations == 0U);
  auto large = test::problem_of("sphere", 5000, 1);
  BOOST_CHECK_THROW(de::check(large, polished_options(1)), InvalidInput);
}

BOOST_AUTO_TEST_CASE(a_target_may_be_reached_by_it) {
  const auto problem = test::problem_of("sphere", 3, 7);
  auto options = polished_options(10);
  options.target = 1e-8;
  const auto result = de::solve(problem, options, *test::host(1));
  BOOST_TEST(result.solved == 7U);
  BOOST_TEST((result.ending == Ending::target));
}

BOOST_AUTO_TEST_SUITE_END()
