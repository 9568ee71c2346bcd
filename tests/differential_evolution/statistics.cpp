/// \file
/// Statistics of generations that a launch carries together: those of runs that end with each of them.
#include <clopt/differential_evolution.hpp>
#include <support/device.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include <support/pretended.hpp>
#include "host.hpp"

using namespace clopt;
namespace de = clopt::differential_evolution;
namespace utf = boost::unit_test;

namespace {

constexpr std::uint64_t generations = 23;

struct Observed {
  std::vector<de::Statistics> rows;
  de::Result result;
};

Observed observe(const de::Problem& problem, de::Options options) {
  Observed observed;
  options.statistics = [&](const de::Statistics& row) { observed.rows.push_back(row); };
  observed.result = de::solve(problem, options, test::device());
  return observed;
}

// The row of the last generation of a run without statistics.
void require_end_of(const de::Problem& problem, de::Options options, const de::Statistics& row) {
  options.generations = row.generation;
  const auto result = de::solve(problem, options, test::device());
  const auto [least, greatest] = std::minmax_element(result.values.begin(), result.values.end());
  BOOST_TEST(row.best == *least);
  BOOST_TEST(row.worst == *greatest);
  const auto sum = std::accumulate(result.values.begin(), result.values.end(), 0.0);
  BOOST_TEST(row.mean == sum / static_cast<double>(result.values.size()));
  BOOST_TEST(row.evaluations == result.total_evaluations);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(statistics)

BOOST_AUTO_TEST_CASE(are_those_of_each_generation, *utf::label("device")) {
  const auto problem = test::problem_of("rastrigin", 3, 5);
  for (const std::string method : {"offloaded", "staged", "ahead", "merged", "fused"})
    for (const std::string adapt : {"none", "shade"}) {
      if (!test::tries_all() && (method != "fused" || adapt != "none")) continue;
      BOOST_TEST_CONTEXT(method << ", " << adapt) {
        auto options = test::classical();
        options.method = method;
        options.adapt = adapt;
        options.population = 7;
        options.generations = generations;
        const auto observed = observe(problem, options);
        BOOST_REQUIRE(observed.rows.size() == generations + 1);
        for (std::uint64_t n = 0; n <= generations; ++n) BOOST_TEST(observed.rows[n].generation == n);
        for (const std::uint64_t n : {1U, 2U, 7U, 22U, 23U}) require_end_of(problem, options, observed.rows[n]);
        // A launch has several of them.
        if (method == "fused") BOOST_TEST(observed.result.launches < generations);
      }
    }
}

// Problems end in the middle of a launch, and populations shrink.
BOOST_AUTO_TEST_CASE(do_not_depend_on_methods, *utf::label("device")) {
  const auto problem = test::problem_of("sphere", 2, 49);
  for (const std::string adapt : {"none", "jde", "lshade"}) {
    if (!test::tries_all() && adapt != "lshade") continue;
    auto options = test::classical();
    options.adapt = adapt;
    options.population = 20;
    options.generations = 49;
    options.target = 1e-2;
    options.method = "staged";
    const auto expected = observe(problem, options);
    BOOST_TEST(expected.rows.back().running < 49U);
    BOOST_TEST(expected.rows.back().evaluations == expected.result.total_evaluations);
    for (const std::string method : {"merged", "fused"}) {
      BOOST_TEST_CONTEXT(method << ", " << adapt) {
        options.method = method;
        const auto observed = observe(problem, options);
        BOOST_TEST(observed.result.checksum == expected.result.checksum);
        test::require_same(observed.rows, expected.rows);
      }
    }
  }
}

// More problems than the mean has sums, and not a multiple of them.
BOOST_AUTO_TEST_CASE(are_of_all_problems, *utf::label("device")) {
  for (const std::size_t problems : {1U, 7U, 8U, 9U, 29U}) {
    if (!test::tries_all() && problems != 9) continue;
    const auto problem = test::problem_of("rastrigin", 2, problems);
    auto options = test::classical();
    options.population = 5;
    options.generations = 3;
    const auto observed = observe(problem, options);
    const auto& values = observed.result.values;
    const auto mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(problems);
    BOOST_TEST(observed.rows.back().mean == mean, boost::test_tools::tolerance(1e-14));
    BOOST_TEST(observed.rows.back().best == *std::min_element(values.begin(), values.end()));
    BOOST_TEST(observed.rows.back().worst == *std::max_element(values.begin(), values.end()));
  }
}

// Values of all problems together are numbers with one spelling: zeros and NaN.
BOOST_AUTO_TEST_CASE(have_no_signs_of_zeros, *utf::label("device")) {
  auto objective = Objective::from_text("real objective(individual x) { return gene(x, 0u) > 2 ? 1 : 0; }\n");
  objective.set_direction(Direction::maximise);
  de::Problem problem{objective};
  problem.dimensions = 2;
  problem.problems = 9;
  problem.lower = {-1};
  problem.upper = {1};
  auto options = test::classical();
  options.population = 5;
  options.generations = 3;
  for (const auto& row : observe(problem, options).rows)
    for (const double value : {row.best, row.mean, row.worst}) {
      BOOST_TEST(value == 0);
      BOOST_TEST(!std::signbit(value));
    }
}

// Of devices that cannot add up: without doubles, and with loops that are too short.
BOOST_AUTO_TEST_CASE(are_added_up_by_the_host_elsewhere) {
  auto info = test::device().info();
  info.has_double = false;
  test::Pretended device(test::device(), info);
  const auto problem = test::problem_of("rastrigin", 2, 49);
  auto options = test::classical();
  options.population = 5;
  options.generations = 30;
  const auto expected = observe(problem, options);
  std::vector<de::Statistics> rows;
  options.statistics = [&](const de::Statistics& row) { rows.push_back(row); };
  de::solve(problem, options, device);
  test::require_same(rows, expected.rows);
}

// More of them than a work-group takes at a time, to the last bit.
BOOST_AUTO_TEST_CASE(are_those_of_the_host, *utf::label("device")) {
  for (const std::string precision : {"float", "double"}) {
    if (precision == "double" && !(test::tries_all() && test::device().info().has_double)) continue;
    for (const std::size_t problems : {1U, 49U, 1023U, 1024U, 1025U, 2051U}) {
      if (!test::tries_all() && problems != 1 && problems != 1025) continue;
      BOOST_TEST_CONTEXT(problems << " problems, " << precision) {
        auto problem = test::problem_of("rastrigin", 2, problems);
        auto options = test::classical();
        options.precision = precision;
        options.population = 5;
        options.generations = 7;
        const auto observed = observe(problem, options);
        BOOST_TEST(observed.rows.back().running == problems);
        std::vector<de::Statistics> expected;
        options.statistics = [&](const de::Statistics& row) { expected.push_back(row); };
        de::solve(problem, options, *test::host(1));
        test::require_same(observed.rows, expected);
        // Several devices add up on the host.
        expected.clear();
        const std::vector devices{test::host(1), test::host(2)};
        de::solve(problem, options, devices);
        test::require_same(observed.rows, expected);
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
