/// \file
/// What several runs show together.
#include <clopt/error.hpp>
#include <clopt/runs.hpp>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>
#include <vector>

using namespace clopt;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<RunOutcome> runs_of(const std::vector<double>& values, std::size_t successes = 0) {
  std::vector<RunOutcome> runs;
  runs.reserve(values.size());
  for (const double value : values)
    runs.push_back({.seed = runs.size(), .success = runs.size() < successes, .value = value, .evaluations = 10});
  return runs;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(runs)

// By hand, as numpy.quantile([7, 1, 4, 2], [.25, .5, .75]) gives them.
BOOST_AUTO_TEST_CASE(quartiles_lie_between_values) {
  const auto least = summary_of(runs_of({7, 1, 4, 2}, 3), false);
  BOOST_TEST(least.runs == 4U);
  BOOST_TEST(least.successes == 3U);
  BOOST_TEST(least.best == 1);
  BOOST_TEST(least.lower_quartile == 1.75);
  BOOST_TEST(least.median == 3);
  BOOST_TEST(least.upper_quartile == 4.75);
  BOOST_TEST(least.worst == 7);
  BOOST_TEST(least.evaluations.value() == 40.0 / 3);
  const auto most = summary_of(runs_of({7, 1, 4, 2}), true);
  BOOST_TEST(most.best == 7);
  BOOST_TEST(most.lower_quartile == 1.75);
  BOOST_TEST(most.worst == 1);
  BOOST_TEST(!most.evaluations);
}

BOOST_AUTO_TEST_CASE(nan_is_the_worst_value) {
  const double none = std::nan("");
  BOOST_TEST(summary_of(runs_of({none, 3, 1}), false).worst == infinity);
  BOOST_TEST(summary_of(runs_of({none, 3, 1}), false).median == 3);
  BOOST_TEST(summary_of(runs_of({none, 3, 1}), true).worst == -infinity);
  BOOST_TEST(summary_of(runs_of({none, 3, 1}), true).best == 3);
  // No quartile between two infinities is NaN.
  BOOST_TEST(summary_of(runs_of({none, none, 1}), false).upper_quartile == infinity);
  BOOST_TEST(summary_of(runs_of({none, 3, 1}), true).lower_quartile == -infinity);
}

BOOST_AUTO_TEST_CASE(one_run_is_all_of_them) {
  const auto summary = summary_of(runs_of({-2.5}, 1), false);
  for (const double value :
       {summary.best, summary.lower_quartile, summary.median, summary.upper_quartile, summary.worst})
    BOOST_TEST(value == -2.5);
  BOOST_CHECK_THROW(summary_of({}, false), InvalidInput);
}

BOOST_AUTO_TEST_SUITE_END()
