/// \file
/// The times of every solver's runs add up to what the caller waited. A sleep takes at least its time, and nothing here
/// at most some.
#include <clopt/clopt.hpp>
#include <support/failing_device.hpp>

#include <boost/test/unit_test.hpp>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

#include "moved.hpp"

namespace {

using namespace clopt;

constexpr double slept = 0.02;

void sleep() { std::this_thread::sleep_for(std::chrono::duration<double>(slept)); }

/// The processor, whose kernels take their time to build.
class SlowBuild : public test::FailingDevice {
 public:
  SlowBuild() : FailingDevice(1'000'000'000) {}

 protected:
  std::shared_ptr<KernelBase> do_kernel(const OperationInfo& operation, const Program& program) override {
    if (!has_slept_) sleep();
    has_slept_ = true;
    return FailingDevice::do_kernel(operation, program);
  }

 private:
  bool has_slept_ = false;
};

const RunSeconds& seconds_of(const RunResult& result) { return result.seconds; }
const RunSeconds& seconds_of(const subset_sum::AmountsResult& result) { return result.run.seconds; }

template <class Solve>
RunSeconds checked(const Solve& solve) {
  const auto begin = std::chrono::steady_clock::now();
  const auto result = solve();
  const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - begin;
  const auto seconds = seconds_of(result);
  for (const double part : {seconds.open, seconds.build, seconds.compute, seconds.other}) BOOST_TEST(part >= 0);
  BOOST_TEST(seconds.compute > 0);
  BOOST_TEST(seconds.total == seconds.open + seconds.build + seconds.compute + seconds.other);
  BOOST_TEST(seconds.total <= waited.count());
  return seconds;
}

/// Runs where devices are given, and where the work chooses; and what takes its time is found in its part.
template <class Problem, class Options>
void check_times(const Problem& problem, const Options& options) {
  checked([&] { return solve(problem, options, Devices(test::processor())); });
  checked([&] { return solve(problem, options, Devices::automatic()); });
  const auto built = checked([&] { return solve(problem, options, Devices({std::make_shared<SlowBuild>()})); });
  BOOST_TEST(built.build >= slept);
  AutomaticOptions automatic;
  automatic.device = {.threads = 2, .self_test = false};
  automatic.open_accelerator = [] {
    sleep();
    return test::accelerator();
  };
  automatic.moves = [](const Progress&) { return false; };
  const auto opened = checked([&] { return solve(problem, options, chosen_by_work(automatic)); });
  BOOST_TEST(opened.open >= slept);
  // A progress callback is the solver's work for its caller.
  RunControl control;
  control.progress_interval = 0;
  bool is_first = true;
  control.progress = [&](const Progress&) {
    if (is_first) sleep();
    is_first = false;
    return true;
  };
  const auto reported = checked([&] { return solve(problem, options, Devices(test::processor()), control); });
  if (!is_first) BOOST_TEST(reported.compute + reported.other >= slept);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(automatic_times)

BOOST_AUTO_TEST_CASE(times_of_genetic_add_up) {
  genetic::Options options;
  options.population = 64;
  options.generations = 20;
  check_times(genetic::Problem{Objective::named("onemax"), 64, {}, {}}, options);
}

BOOST_AUTO_TEST_CASE(times_of_differential_evolution_add_up) {
  differential_evolution::Problem problem{Objective::named("rastrigin")};
  problem.dimensions = 5;
  differential_evolution::Options options;
  options.generations = 20;
  check_times(problem, options);
}

BOOST_AUTO_TEST_CASE(times_of_ecga_add_up) {
  ecga::Options options;
  options.population = 700;
  const ecga::Problem problem{ecga::find_objective("trap5"), 30};
  check_times(problem, options);
  checked([&] { return ecga::solve_runs(problem, options, {3, {}, {}}, Devices(test::processor())); });
  checked([&] { return ecga::solve_runs(problem, options, {3, {}, {}}, Devices::automatic()); });
}

BOOST_AUTO_TEST_CASE(times_of_exchange_add_up) {
  exchange::Options options;
  options.optimizer = "anneal";
  options.steps_are_bound = true;
  options.replicas = 3;
  const auto problem = exchange::make_problem(exchange::make_topology("mesh:4x4"), "all-to-all");
  check_times(problem, options);
  const auto result = exchange::solve(problem, options, Devices(test::processor()));
  BOOST_TEST(result.bound_seconds <= result.seconds.other);
}

BOOST_AUTO_TEST_CASE(times_of_subset_sum_add_up) {
  const auto instance = subset_sum::make_instance("even-odd:200:100000", 1);
  subset_sum::Options options;
  options.method = "k3-32";
  options.reduce = false;
  check_times(instance, options);
  subset_sum::Amounts amounts;
  for (const auto weight : instance.weights) amounts.numbers.push_back(static_cast<std::int64_t>(weight));
  amounts.capacity = static_cast<std::int64_t>(instance.capacity);
  check_times(amounts, options);
}

BOOST_AUTO_TEST_CASE(what_is_done_beside_a_run_is_no_time_of_its_caller, *boost::unit_test::label("device")) {
  AutomaticOptions automatic;
  automatic.device = {.threads = 2, .self_test = false};
  automatic.begin_after = 0;
  const auto opened = std::make_shared<std::atomic<bool>>(false);
  automatic.open_accelerator = [opened]() -> std::shared_ptr<Device> {
    sleep();
    *opened = true;
    throw NoDevice("there is none");
  };
  genetic::Options options;
  options.preset = "paper";
  options.population = 49;
  options.generations = 1'000'000;
  RunControl control;
  control.progress_interval = 0;
  control.progress = [&](const Progress&) { return !*opened; };
  const genetic::Problem problem{Objective::named("onemax"), 49, {}, {}};
  const auto seconds = checked([&] { return genetic::solve(problem, options, chosen_by_work(automatic), control); });
  BOOST_TEST(seconds.compute >= slept / 2);
  BOOST_TEST(seconds.open <= seconds.total - seconds.compute);
}

BOOST_AUTO_TEST_SUITE_END()
