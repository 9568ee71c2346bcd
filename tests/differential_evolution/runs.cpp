/// \file
/// Limits, checkpoints, several devices and functions of the caller's, on the host.
#include <clopt/differential_evolution.hpp>
#include <clopt/error.hpp>
#include <support/device.hpp>
#include <support/failing_device.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include <support/pretended.hpp>
#include "host.hpp"

using namespace clopt;
namespace de = clopt::differential_evolution;

namespace {

using test::host;
using test::problem_of;

}  // namespace

BOOST_AUTO_TEST_SUITE(runs)

BOOST_AUTO_TEST_CASE(threads_do_not_matter) {
  const auto problem = problem_of("rastrigin", 7, 5);
  auto options = test::classical();
  options.generations = 50;
  const auto expected = de::solve(problem, options, *host(1)).checksum;
  for (const unsigned threads : {2U, 3U, 7U})
    BOOST_TEST(de::solve(problem, options, *host(threads)).checksum == expected);
}

BOOST_AUTO_TEST_CASE(several_devices_share_the_problems_out) {
  const auto problem = problem_of("rastrigin", 7, 50);
  auto options = test::classical();
  options.generations = 50;
  const auto expected = de::solve(problem, options, *host(1));
  const std::vector devices{host(1), host(2), host(1)};
  const auto shared = de::solve(problem, options, devices);
  BOOST_TEST(shared.checksum == expected.checksum);
  BOOST_TEST(shared.values == expected.values, boost::test_tools::per_element());
  BOOST_TEST(shared.total_evaluations == expected.total_evaluations);
  BOOST_TEST(expected.devices.empty());
  BOOST_TEST_REQUIRE(shared.devices.size() == devices.size());
  double share = 0;
  for (const auto& part : shared.devices) share += part.share;
  BOOST_TEST(share == 1, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(what_a_failing_device_was_at_is_done_by_the_others) {
  // A function that fails once in the whole run, as a device would.
  std::atomic<int> calls{0};
  const auto make = [&](bool fails) {
    return Objective::from_real_function([&calls, fails](std::span<const double> x) {
      if (fails && ++calls == 500) throw DeviceError("the device is gone");
      return x[0] * x[0] + x[1] * x[1];
    });
  };
  auto options = test::classical();
  options.population = 10;
  options.generations = 20;
  const auto run = [&](bool fails, const std::vector<std::shared_ptr<Device>>& devices) {
    de::Problem problem{make(fails)};
    problem.dimensions = 2;
    problem.problems = 24;
    problem.lower = {-1};
    problem.upper = {1};
    return de::solve(problem, options, devices);
  };
  const auto expected = run(false, {host(1)});
  const auto result = run(true, {host(1), host(2)});
  BOOST_TEST(result.checksum == expected.checksum);
  BOOST_TEST(result.failures.size() == 1U);
  BOOST_TEST(result.devices.at(0).failures.size() + result.devices.at(1).failures.size() == 1U);
  calls = 0;
  BOOST_CHECK_THROW(run(true, {host(1)}), DeviceError);
}

BOOST_AUTO_TEST_CASE(a_device_that_is_lost_anywhere_changes_nothing) {
  const auto problem = problem_of("rastrigin", 4, 30);
  auto options = test::classical();
  options.generations = 400;
  options.adapt = "lshade";
  const auto expected = de::solve(problem, options, *host(1));
  std::size_t failures = 0;
  for (const int launches : {0, 1, 2, 5, 9}) {
    const std::vector<std::shared_ptr<Device>> devices{std::make_shared<test::FailingDevice>(launches), host(1)};
    const auto result = de::solve(problem, options, devices);
    BOOST_TEST(result.checksum == expected.checksum);
    BOOST_TEST(result.values == expected.values, boost::test_tools::per_element());
    failures += result.failures.size();
  }
  // The other device may have done the work before.
  BOOST_TEST(failures > 0U);
  const std::vector<std::shared_ptr<Device>> failing{std::make_shared<test::FailingDevice>(3),
                                                     std::make_shared<test::FailingDevice>(4)};
  BOOST_CHECK_THROW(de::solve(problem, options, failing), DeviceError);
}

BOOST_AUTO_TEST_CASE(statistics_are_of_the_problems_of_all_devices) {
  const auto problem = problem_of("ackley", 4, 31);
  auto options = test::classical();
  options.generations = 30;
  options.target = 1;
  std::vector<de::Statistics> rows;
  options.statistics = [&](const de::Statistics& row) { rows.push_back(row); };
  const auto expected = de::solve(problem, options, *host(1));
  const auto expected_rows = std::exchange(rows, {});
  BOOST_REQUIRE(expected_rows.size() > 1U);
  BOOST_TEST(expected_rows.front().evaluations == 31 * 20U);
  BOOST_TEST(expected_rows.back().evaluations == expected.total_evaluations);
  const auto compare = [&](const std::vector<std::shared_ptr<Device>>& devices, std::size_t failures) {
    rows.clear();
    const auto result = de::solve(problem, options, devices);
    BOOST_TEST(result.checksum == expected.checksum);
    BOOST_TEST(result.failures.size() == failures);
    test::require_same(rows, expected_rows);
  };
  compare({host(1), host(2), host(1)}, 0);
  // While it is made ready, in the only launch of generations, and where their values are found.
  for (const int launches : {0, 1, 2, 3, 4}) compare({std::make_shared<test::FailingDevice>(launches), host(1)}, 1);
}

BOOST_AUTO_TEST_CASE(statistics_survive_devices_that_fail_while_others_are_reported) {
  const auto problem = problem_of("ackley", 4, 31);
  auto options = test::classical();
  // In several launches.
  options.generations = 3000;
  options.method = "staged";
  std::vector<de::Statistics> rows;
  options.statistics = [&](const de::Statistics& row) { rows.push_back(row); };
  const auto expected = de::solve(problem, options, *host(1));
  const auto expected_rows = std::exchange(rows, {});
  std::size_t failures = 0;
  for (const int launches : {0, 1, 500, 2500, 3500, 5000, 7000}) {
    rows.clear();
    const std::vector<std::shared_ptr<Device>> devices{std::make_shared<test::FailingAhead>(launches), host(1)};
    const auto result = de::solve(problem, options, devices);
    BOOST_TEST(result.checksum == expected.checksum);
    test::require_same(rows, expected_rows);
    failures += result.failures.size();
    // Alone, what it has done is reported before the failure.
    rows.clear();
    if (result.failures.empty()) continue;
    BOOST_CHECK_THROW(de::solve(problem, options, *std::make_shared<test::FailingAhead>(launches)), DeviceError);
    test::require_first(rows, expected_rows);
    // Those of the start population, and of the launch before the one that failed.
    if (launches >= 500) BOOST_TEST(rows.size() >= 1U);
    if (launches >= 5000) BOOST_TEST(rows.size() > 1U);
  }
  BOOST_TEST(failures > 3U);
}

// Launches of a C++ function begin with one generation: problems end in some of them, and not in those before.
BOOST_AUTO_TEST_CASE(statistics_continue_where_problems_end_in_later_launches) {
  de::Problem problem{
      Objective::from_real_function([](std::span<const double> x) { return x[0] * x[0] + x[1] * x[1]; })};
  problem.dimensions = 2;
  problem.problems = 13;
  problem.lower = {-1};
  problem.upper = {1};
  auto options = test::classical();
  options.population = 10;
  options.generations = 200;
  options.target = 1e-9;
  const std::vector<std::shared_ptr<Device>> alone{host(1)};
  const std::vector<std::shared_ptr<Device>> two{host(1), host(1)};
  for (const auto& devices : {alone, two}) {
    std::vector<de::Statistics> rows;
    auto observed = options;
    observed.statistics = [&](const de::Statistics& row) { rows.push_back(row); };
    const auto result = de::solve(problem, observed, devices);
    BOOST_TEST(result.solved > 10U);
    BOOST_TEST_REQUIRE(rows.size() > 40U);
    BOOST_TEST(rows[10].running == 13U);
    BOOST_TEST(rows.back().running == 13 - result.solved);
    // As of runs that end there.
    for (std::size_t n = 0; n < rows.size(); n += 7) {
      auto ended = options;
      ended.generations = rows[n].generation;
      const auto end = de::solve(problem, ended, *host(1));
      BOOST_TEST(rows[n].generation == n);
      BOOST_TEST(rows[n].evaluations == end.total_evaluations);
      BOOST_TEST(rows[n].best == *std::min_element(end.values.begin(), end.values.end()));
      BOOST_TEST(rows[n].worst == *std::max_element(end.values.begin(), end.values.end()));
      BOOST_TEST(rows[n].mean == std::accumulate(end.values.begin(), end.values.end(), 0.0) / 13,
                 boost::test_tools::tolerance(1e-14));
    }
  }
}

// The device that takes over has room for fewer generations a launch.
BOOST_AUTO_TEST_CASE(statistics_continue_with_the_room_of_the_least_device) {
  const auto problem = problem_of("ackley", 4, 31);
  auto options = test::classical();
  options.generations = 300;
  std::vector<de::Statistics> rows;
  options.statistics = [&](const de::Statistics& row) { rows.push_back(row); };
  const auto expected = de::solve(problem, options, *host(1));
  const auto expected_rows = std::exchange(rows, {});
  auto info = test::device().info();
  // Room for all problems, and for the values of few generations.
  info.max_allocation_bytes = 100'000;
  std::size_t failures = 0;
  for (const int launches : {3, 4, 5, 9, 20}) {
    rows.clear();
    const std::vector<std::shared_ptr<Device>> devices{std::make_shared<test::FailingAhead>(launches),
                                                       std::make_shared<test::Pretended>(test::device(), info)};
    const auto result = de::solve(problem, options, devices);
    BOOST_TEST(result.checksum == expected.checksum);
    failures += result.failures.size();
    test::require_same(rows, expected_rows);
  }
  BOOST_TEST(failures > 3U);
}

BOOST_AUTO_TEST_CASE(limits_end_a_run_with_the_best_so_far) {
  const auto problem = problem_of("rosenbrock", 10, 40);
  auto options = test::classical();
  options.generations = 1'000'000'000;
  std::stop_source stop;
  int reports = 0;
  RunControl control;
  control.stop = stop.get_token();
  control.progress_interval = 0;
  control.progress = [&](const Progress&) {
    if (++reports == 3) stop.request_stop();
    return true;
  };
  const auto result = de::solve(problem, options, test::device(), control);
  BOOST_TEST(result.interrupted());
  BOOST_TEST(result.values.size() == 40U);
  BOOST_TEST(result.total_generations > 0U);
  // That is asked to stop before it begins.
  const auto stopped = de::solve(problem, options, test::device(), control);
  BOOST_TEST(stopped.interrupted());
  BOOST_TEST(std::isfinite(stopped.values[0]));
  RunControl no_time;
  no_time.time_limit = 0;
  const auto ended = de::solve(problem, options, test::device(), no_time);
  BOOST_TEST((ended.ending == Ending::time));
  BOOST_TEST(std::isfinite(ended.values[0]));
}

BOOST_AUTO_TEST_CASE(a_limit_that_leaves_no_time_to_begin_all_problems_leaves_some_out) {
  auto problem = problem_of("sphere", 100, 4000);
  auto options = test::classical();
  options.population = 100;
  RunControl control;
  control.time_limit = 0;
  const auto result = de::solve(problem, options, *host(1), control);
  BOOST_TEST(std::isfinite(result.values.front()));
  BOOST_TEST(std::isinf(result.values.back()));
  BOOST_TEST(result.total_evaluations > 0U);
  BOOST_TEST(result.total_evaluations < 400'000U);
  BOOST_TEST(result.total_generations == 0U);
}

BOOST_AUTO_TEST_CASE(evaluations_are_a_limit_of_each_problem) {
  const auto problem = problem_of("sphere", 4, 3);
  auto options = test::classical();
  options.population = 20;
  options.evaluations = 219;
  const auto result = de::solve(problem, options, test::device());
  BOOST_TEST(result.total_evaluations == 3 * 200U);
  for (const auto generations : result.generations) BOOST_TEST(generations == 9U);
}

BOOST_AUTO_TEST_CASE(what_a_function_throws_ends_the_run) {
  de::Problem problem{Objective::from_real_function(
      [](std::span<const double>) -> double { throw std::runtime_error("no value today"); })};
  problem.problems = 5;
  problem.lower = {0};
  problem.upper = {1};
  BOOST_CHECK_THROW(de::solve(problem, {}, test::device()), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(what_the_progress_function_throws_ends_the_run) {
  const auto problem = problem_of("rastrigin", 7, 50);
  auto options = test::classical();
  // Without an end: a run that continued after the error would never come back.
  options.generations = 2000000000;
  RunControl control;
  control.progress = [](const Progress&) -> bool { throw std::runtime_error("enough"); };
  for (const std::size_t count : {1U, 3U}) {
    const std::vector<std::shared_ptr<Device>> devices(count, host(1));
    BOOST_CHECK_THROW(de::solve(problem, options, devices, control), std::runtime_error);
  }
}

BOOST_AUTO_TEST_CASE(data_that_are_not_read_are_refused) {
  auto problem = problem_of("rastrigin", 3, 2);
  problem.columns = 2;
  problem.data = {1, 2, 3, 4};
  BOOST_CHECK_THROW(de::solve(problem, {}, test::device()), InvalidInput);
}

BOOST_AUTO_TEST_SUITE_END()
