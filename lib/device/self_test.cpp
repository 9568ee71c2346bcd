#include "self_test.hpp"
#include <clopt/detail/activity.hpp>
#include <clopt/detail/cache.hpp>
#include <clopt/detail/dropped_launches.hpp>
#include <clopt/detail/probe.hpp>
#include <clopt/devices.hpp>
#include <clopt/error.hpp>
#include <clopt/solvers.hpp>
#include <device/device_key.hpp>
#include <device/probe/probe_process.hpp>
#include <device/verification/random_self_test.hpp>
#include <support/process/resource_limits.hpp>
#include <support/stopwatch.hpp>
#include <support/threads/private_run.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace clopt {
namespace {

constexpr std::string_view kind = "self-test";
constexpr std::string_view passed = "passed";
// Compilers of processors take seconds for each kernel, and several times as long where others take the cores.
constexpr double most_seconds = 120;

#define CLOPT_SOLVER(name) KnownAnswer{#name, name::self_test},
constexpr std::array tests{
    KnownAnswer{"random_numbers", random_numbers::self_test},
#include <generated/solvers.inc>
};
#undef CLOPT_SOLVER

std::string key_of(const DeviceInfo& info, std::string_view test) {
  return fmt::format("{}{}\n", device_key(info), test);
}

// A failure may be due to a limit of this process: it is believed under the same ones.
void remember(const DeviceInfo& info, std::string_view test, std::string_view outcome) {
  const auto key = key_of(info, test);
  Cache::instance().store(kind, outcome == passed ? key : key + limits_of_process(), outcome);
}

std::string joined(std::span<const KnownAnswer* const> list) {
  std::string names;
  for (const auto* test : list) names += fmt::format("{}{}", names.empty() ? "" : ", ", test->name);
  return names;
}

}  // namespace

std::span<const KnownAnswer> known_answers() { return tests; }

std::string run_known_answer(const KnownAnswer& test, Device& device) {
  // Other ranks of a job have no part in it, and each makes its own.
  const PrivateRun run;
  std::string wrong;
  try {
    wrong = test.test(device);
  } catch (const NotTested&) {
    return {};
  } catch (const LaunchDropped&) {
    // The run for whose sake the device is tested continues on another one.
    throw;
  } catch (const Error& error) {
    // It may be short of memory today: nothing to remember.
    return fmt::format("{}: {}", test.name, error.what());
  }
  if (!wrong.empty()) wrong = fmt::format("{}: {}", test.name, wrong);
  remember(device.info(), test.name, wrong.empty() ? passed : wrong);
  return wrong;
}

std::string remembered_outcome(const DeviceInfo& info, std::string_view test) {
  const auto& cache = Cache::instance();
  const auto key = key_of(info, test);
  if (auto outcome = cache.load(kind, key)) return *outcome;
  return cache.load(kind, key + limits_of_process()).value_or("");
}

namespace {

std::string result_of(const std::shared_future<std::string>& test) {
  try {
    return test.get();
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace

void KnownAnswers::begin(std::string_view folder) {
  const std::lock_guard lock(mutex_);
  refuse_if_wrong();
  if (begun_.contains(folder)) return;
  std::vector<const KnownAnswer*> wanted;
  for (const auto& test : tests)
    if (test.name == folder || test.name == tests.front().name) wanted.push_back(&test);
  // Kernels that serve several solvers are tested with each of these.
  if (wanted.size() < 2) wanted.clear();
  std::erase_if(wanted, [&](const KnownAnswer* test) {
    const auto outcome = remembered_outcome(device_, test->name);
    if (!outcome.empty() && outcome != passed && wrong_.empty()) wrong_ = outcome;
    return outcome == passed;
  });
  refuse_if_wrong();
  if (device_.kind == DeviceKind::gpu && uses_driver_ && can_ask_apart() && !wanted.empty()) {
    tests_.push_back(std::async(std::launch::async, [this, wanted, hides = HiddenActivities::are_hidden()] {
      const HiddenActivities hidden(hides);
      return outcome_of(wanted);
    }));
    is_unsettled_ = true;
  } else if (!wanted.empty()) {
    wrong_ = outcome_of(wanted);
  }
  // What ends in an exception is tested again.
  begun_.emplace(folder);
  refuse_if_wrong();
}

double KnownAnswers::settle() {
  if (!is_unsettled_) return 0;
  const Stopwatch stopwatch;
  const std::lock_guard lock(mutex_);
  // Threads that waited for this one find nothing left to wait for.
  const auto running = std::exchange(tests_, {});
  const bool waited = !running.empty();
  for (const auto& test : running)
    if (auto found = result_of(test); wrong_.empty()) wrong_ = std::move(found);
  // Every later launch of a device that is wrong is refused, too.
  is_unsettled_ = !wrong_.empty() && !force_;
  refuse_if_wrong();
  return waited ? stopwatch.seconds() : 0;
}

void KnownAnswers::refuse_if_wrong() const {
  if (wrong_.empty() || force_) return;
  is_refused_ = true;
  throw NoDevice(fmt::format(
      "{} ({}) fails its self-test: {}. Use another device, or --force to use it all the same; `clopt devices "
      "--self-test` tests it again",
      device_.id, device_.name, wrong_));
}

std::string KnownAnswers::run_all(const std::function<void(std::string_view name, double done)>& progress) {
  const std::lock_guard lock(mutex_);
  std::string wrong;
  for (std::size_t i = 0; i < tests.size(); ++i) {
    if (remembered_outcome(device_, tests[i].name) == passed) continue;
    if (progress) progress(tests[i].name, static_cast<double>(i) / static_cast<double>(tests.size()));
    if (const auto found = outcome_of({&tests[i]}); !found.empty()) wrong += (wrong.empty() ? "" : "; ") + found;
  }
  return wrong;
}

std::string KnownAnswers::outcome_of(const std::vector<const KnownAnswer*>& wanted) {
  const Activity activity(
      fmt::format("testing {} ({}) before its first use: {}", device_.id, device_.name, joined(wanted)));
  if (!uses_driver_ || !can_ask_apart()) return run_here(wanted);
  std::vector<std::string> names;
  names.reserve(wanted.size());
  for (const auto* test : wanted) names.emplace_back(test->name);
  const auto answer = test_apart(device_, names, most_seconds, stop_.get_token());
  if (answer.end == ProbeEnd::answered) return answer.text;
  if (answer.end == ProbeEnd::not_started) return run_here(wanted);
  auto wrong = fmt::format("its driver {}", answer.fault);
  // Those before the one that was lost have passed.
  const auto lost = std::find_if(wanted.begin(), wanted.end(), [&](const KnownAnswer* test) {
    return remembered_outcome(device_, test->name) != passed;
  });
  if (answer.end == ProbeEnd::lost && lost != wanted.end()) remember(device_, (*lost)->name, wrong);
  return wrong;
}

std::string KnownAnswers::run_here(std::span<const KnownAnswer* const> wanted) {
  const auto device = open_();
  for (const auto* test : wanted)
    if (auto wrong = run_known_answer(*test, *device); !wrong.empty()) return wrong;
  return {};
}

std::string self_test_state(const DeviceInfo& info) {
  std::string wrong;
  bool all = true;
  for (const auto& test : tests) {
    const auto outcome = remembered_outcome(info, test.name);
    if (outcome == passed) continue;
    all = false;
    if (!outcome.empty()) wrong += (wrong.empty() ? "" : "; ") + outcome;
  }
  if (!wrong.empty()) return wrong;
  return std::string(all ? passed : "not run");
}

}  // namespace clopt
