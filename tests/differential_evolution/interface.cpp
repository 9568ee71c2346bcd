/// \file
/// What every solver promises: endings, progress, statistics, callbacks, defaults, messages.
#include <clopt/differential_evolution.hpp>
#include <clopt/error.hpp>
#include <support/device.hpp>

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "host.hpp"

using namespace clopt;
namespace de = clopt::differential_evolution;

namespace {

using test::host;
using test::problem_of;

Ending ending_of(const de::Problem& problem, const de::Options& options, const RunControl& control = {}) {
  return de::solve(problem, options, *host(1), control).ending;
}

de::Problem problem_of(const Objective& objective) {
  de::Problem problem{objective};
  problem.dimensions = 2;
  problem.problems = 4;
  problem.lower = {-1};
  problem.upper = {1};
  return problem;
}

constexpr std::uint64_t population = 20;
constexpr std::uint64_t individuals = 4 * population;

}  // namespace

BOOST_AUTO_TEST_SUITE(interface)

BOOST_AUTO_TEST_CASE(an_ending_says_why) {
  const auto problem = problem_of("sphere", 3, 4);
  auto options = test::classical();
  options.generations = 20;
  BOOST_TEST((ending_of(problem, options) == Ending::generations));
  options.evaluations = 100;
  BOOST_TEST((ending_of(problem, options) == Ending::evaluations));
  options.evaluations = 100'000;
  BOOST_TEST((ending_of(problem, options) == Ending::generations));
  options = {};
  options.target = 1e-3;
  BOOST_TEST((ending_of(problem, options) == Ending::target));
  options.generations = 1;
  BOOST_TEST((ending_of(problem, options) == Ending::generations));
  options = {};
  options.spread = 1e-3;
  BOOST_TEST((ending_of(problem, options) == Ending::complete));
  options = {};
  options.generations = 2'000'000'000;
  RunControl control;
  control.time_limit = 0;
  BOOST_TEST((ending_of(problem, options, control) == Ending::time));
  control = {};
  std::stop_source stop;
  stop.request_stop();
  control.stop = stop.get_token();
  BOOST_TEST((ending_of(problem, options, control) == Ending::interrupted));
  // A run that is complete was not interrupted.
  options.generations = 0;
  BOOST_TEST((ending_of(problem, options, control) == Ending::generations));
}

// Problems that reach the target, and others that stop by their spread.
BOOST_AUTO_TEST_CASE(a_run_whose_problems_all_stop_is_complete) {
  auto problem = problem_of("sphere", 3, 20);
  auto options = test::classical();
  options.target = 1e-4;
  options.spread = 1e-3;
  const auto result = de::solve(problem, options, *host(1));
  BOOST_TEST(result.solved > 0U);
  BOOST_TEST(result.solved < 20U);
  BOOST_TEST((result.ending == Ending::complete));
}

BOOST_AUTO_TEST_CASE(options_by_default_run) {
  const auto result = de::solve(problem_of("sphere", 3, 2), {}, *host(1));
  for (const auto generations : result.generations) BOOST_TEST(generations == de::usual_generations);
  BOOST_TEST(result.method == "fused");
  BOOST_TEST(!result.reason.empty());
  BOOST_TEST(result.launches > 0U);
  BOOST_TEST(result.seconds.total >= result.seconds.compute);
  BOOST_TEST(result.seconds.compute > 0);
}

BOOST_AUTO_TEST_CASE(evaluations_alone_are_limit_enough) {
  auto options = test::classical();
  options.population = 4;
  options.evaluations = 4 * 1501;
  BOOST_TEST(de::solve(problem_of("sphere", 3, 1), options, *host(1)).generations[0] == 1500U);
}

BOOST_AUTO_TEST_CASE(no_device_is_bad_input) {
  const std::vector<std::shared_ptr<Device>> none;
  BOOST_CHECK_THROW(de::solve(problem_of("sphere", 3, 2), {}, none), InvalidInput);
  const std::vector<std::shared_ptr<Device>> null(1);
  BOOST_CHECK_THROW(de::solve(problem_of("sphere", 3, 2), {}, null), InvalidInput);
}

BOOST_AUTO_TEST_CASE(progress_has_the_best_so_far) {
  const auto problem = problem_of("sphere", 3, 10);
  auto options = test::classical();
  options.generations = 30'000;
  for (const std::size_t count : {1U, 3U}) {
    double last = std::numeric_limits<double>::infinity();
    double done = 0;
    std::size_t with_best = 0;
    RunControl control;
    control.progress_interval = 0;
    const auto caller = std::this_thread::get_id();
    control.progress = [&](const Progress& progress) {
      BOOST_TEST((std::this_thread::get_id() == caller));
      BOOST_TEST(progress.phase == "generations");
      BOOST_TEST(progress.done >= done);
      BOOST_TEST(progress.done <= 1);
      done = progress.done;
      if (!progress.best) return true;
      ++with_best;
      BOOST_TEST(*progress.best <= last);
      last = *progress.best;
      BOOST_REQUIRE(progress.best_point.size() == 3U);
      double value = 0;
      for (const double parameter : progress.best_point) value += parameter * parameter;
      BOOST_TEST(std::abs(value - last) <= 1e-5 * value + 1e-30);
      return true;
    };
    const std::vector<std::shared_ptr<Device>> devices(count, host(1));
    const auto result = de::solve(problem, options, devices, control);
    // Several devices may be done with their parts at the second report.
    BOOST_TEST(with_best >= (count == 1 ? 2U : 1U));
    BOOST_TEST(last >= result.values[result.best]);
    if (count == 1) BOOST_TEST(last == result.values[result.best]);
    // Nor does it change the result.
    BOOST_TEST(result.checksum == de::solve(problem, options, *host(1)).checksum);
  }
}

BOOST_AUTO_TEST_CASE(progress_is_throttled) {
  int calls = 0;
  RunControl control;
  control.progress_interval = 1e6;
  control.progress = [&](const Progress&) { return ++calls != 0; };
  auto options = test::classical();
  options.statistics = [](const de::Statistics&) {};
  de::solve(problem_of("sphere", 3, 10), options, *host(1), control);
  BOOST_TEST(calls == 1);
}

BOOST_AUTO_TEST_CASE(a_callback_that_says_no_ends_the_run) {
  const auto problem = problem_of("rastrigin", 5, 30);
  for (const bool has_statistics : {false, true})
    for (const std::size_t count : {1U, 3U}) {
      auto options = test::classical();
      options.generations = 2'000'000'000;
      if (has_statistics) options.statistics = [](const de::Statistics&) {};
      int calls = 0;
      RunControl control;
      control.progress_interval = 0;
      control.progress = [&](const Progress&) { return ++calls < 3; };
      const std::vector<std::shared_ptr<Device>> devices(count, host(1));
      const auto result = de::solve(problem, options, devices, control);
      BOOST_TEST((result.ending == Ending::interrupted));
      BOOST_TEST(std::isfinite(result.values[result.best]));
    }
}

BOOST_AUTO_TEST_CASE(statistics_come_on_the_callers_thread) {
  std::set<std::thread::id> threads;
  auto options = test::classical();
  options.generations = 5;
  options.statistics = [&](const de::Statistics&) { threads.insert(std::this_thread::get_id()); };
  const std::vector<std::shared_ptr<Device>> devices(3, host(2));
  de::solve(problem_of("sphere", 3, 10), options, devices);
  BOOST_TEST((threads == std::set{std::this_thread::get_id()}));
}

// Of a C++ function, a launch begins with one generation.
BOOST_AUTO_TEST_CASE(a_function_is_not_called_much_longer_than_it_is_wanted) {
  std::atomic<std::uint64_t> calls{0};
  std::stop_source stop;
  std::uint64_t stop_at = 0;
  bool is_slow = false;
  const auto problem = problem_of(Objective::from_real_function([&](std::span<const double> x) {
    if (++calls == stop_at) stop.request_stop();
    if (is_slow) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return x[0] * x[0] + x[1] * x[1];
  }));
  auto options = test::classical();
  options.population = population;
  RunControl control;
  // While the initial vectors are evaluated, in the first generation, and in a later one of a slow function.
  const auto check = [&](std::uint64_t at, std::uint64_t most) {
    calls = 0;
    stop = {};
    control.stop = stop.get_token();
    stop_at = at;
    const auto result = de::solve(problem, options, *host(1), control);
    BOOST_TEST((result.ending == Ending::interrupted));
    BOOST_TEST(calls >= at);
    BOOST_TEST(calls <= most);
    BOOST_TEST(result.total_evaluations == calls);
  };
  check(1, population);
  check(individuals + 1, 2 * individuals);
  is_slow = true;
  check(3 * individuals + 1, 4 * individuals);
  is_slow = false;
  stop_at = 0;
  stop = {};
  control.stop = {};
  calls = 0;
  control.progress_interval = 0;
  // At the first best value: once the initial vectors are known.
  control.progress = [](const Progress& progress) { return !progress.best.has_value(); };
  BOOST_TEST((de::solve(problem, options, *host(1), control).ending == Ending::interrupted));
  BOOST_TEST(calls == individuals);
  control.progress = [](const Progress&) { return false; };
  calls = 0;
  BOOST_TEST((de::solve(problem, options, *host(1), control).ending == Ending::interrupted));
  BOOST_TEST(calls == population);
}

BOOST_AUTO_TEST_CASE(one_device_of_one_thread_calls_a_function_on_the_callers_thread) {
  std::set<std::thread::id> threads;
  const auto problem = problem_of(Objective::from_real_function([&](std::span<const double> x) {
    threads.insert(std::this_thread::get_id());
    return x[0];
  }));
  auto options = test::classical();
  options.generations = 20;
  for (const auto& method : choices_of<de::Options>("method")) {
    options.method = method;
    de::solve(problem, options, *host(1));
  }
  BOOST_TEST((threads == std::set{std::this_thread::get_id()}));
}

BOOST_AUTO_TEST_CASE(messages_name_fields) {
  const auto refused = [](const std::string& field, const std::function<void(de::Problem&, de::Options&)>& change) {
    BOOST_TEST_CONTEXT(field) {
      auto problem = problem_of("sphere", 3, 2);
      auto options = test::classical();
      change(problem, options);
      BOOST_CHECK_EXCEPTION(de::solve(problem, options, *host(1)), InvalidInput, [&](const InvalidInput& error) {
        const std::string message = error.what();
        BOOST_TEST(message.find("--") == std::string::npos);
        return message.find("`" + field + "`") != std::string::npos;
      });
    }
  };
  refused("method", [](auto&, auto& options) { options.method = "fussed"; });
  refused("precision", [](auto&, auto& options) { options.precision = "half"; });
  refused("strategy", [](auto&, auto& options) { options.strategy = "rand1"; });
  refused("adapt", [](auto&, auto& options) { options.adapt = "jDE"; });
  refused("bounds", [](auto&, auto& options) { options.bounds = "mirror"; });
  refused("population", [](auto&, auto& options) { options.population = 3; });
  refused("weight", [](auto&, auto& options) { options.weight = 2.5; });
  refused("crossover", [](auto&, auto& options) { options.crossover = -0.1; });
  refused("generations", [](auto&, auto& options) { options.generations = std::uint64_t{1} << 31; });
  refused("evaluations", [](auto&, auto& options) { options.evaluations = 10; });
  refused("target", [](auto&, auto& options) { options.target = std::nan(""); });
  refused("spread", [](auto&, auto& options) { options.spread = -1; });
  refused("dimensions", [](auto& problem, auto&) { problem.dimensions = 0; });
  refused("problems", [](auto& problem, auto&) { problem.problems = 0; });
  refused("columns", [](auto& problem, auto&) { problem.data = {1}; });
  refused("data", [](auto& problem, auto&) {
    problem.columns = 1;
    problem.data = {1};
  });
  refused("lower", [](auto& problem, auto&) { problem.lower = {1, 2}; });
  refused("upper", [](auto& problem, auto&) { problem.upper = {-100}; });
  refused("objective", [](auto& problem, auto&) { problem.objective = Objective::named("onemax"); });
}

BOOST_AUTO_TEST_CASE(stops_have_names) {
  BOOST_TEST(de::name_of(de::Stop::limit) == "limit");
  BOOST_TEST(de::name_of(de::Stop::target) == "target");
  BOOST_TEST(de::name_of(de::Stop::spread) == "spread");
}

// What is not said is chosen to solve problems; who gives the classical numbers gets the classical algorithm.
BOOST_AUTO_TEST_CASE(adaptation_is_chosen_by_what_is_given) {
  const auto checksum = [](const de::Options& options) {
    return de::solve(problem_of("rastrigin", 3, 2), options, *host(1)).checksum;
  };
  de::Options usual;
  usual.generations = 20;
  auto shade = usual;
  shade.adapt = "shade6";
  BOOST_TEST(de::complete(problem_of("rastrigin", 3, 2), usual).adapt == "shade6");
  BOOST_TEST(de::complete(problem_of("rastrigin", 3, 2), usual).strategy == "currenttopbest1bin");
  BOOST_TEST(checksum(usual) == checksum(shade));
  auto none = usual;
  none.adapt = "none";
  const auto classical = checksum(none);
  BOOST_TEST(classical != checksum(shade));
  auto given = usual;
  given.weight = 0.5;
  BOOST_TEST(de::complete(problem_of("rastrigin", 3, 2), given).adapt == "none");
  BOOST_TEST(checksum(given) == classical);
  given = usual;
  given.crossover = 0.9;
  BOOST_TEST(checksum(given) == classical);
  given = usual;
  given.strategy = "rand1bin";
  BOOST_TEST(checksum(given) == classical);
  given.adapt = "shade";
  BOOST_TEST(de::complete(problem_of("rastrigin", 3, 2), given).adapt == "shade");
  BOOST_TEST((choices_of<de::Options>("adapt") ==
              std::vector<std::string>{"auto", "none", "jde", "shade", "lshade", "shade6"}));
}

BOOST_AUTO_TEST_SUITE_END()
