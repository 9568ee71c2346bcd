#include "quick_build.hpp"

#include <clopt/detail/activity.hpp>
#include <clopt/detail/background.hpp>
#include <clopt/devices.hpp>
#include <clopt/error.hpp>
#include <device/kernels/kernel_cache.hpp>
#include <support/process/environment.hpp>
#include <support/process/log.hpp>
#include <support/threads/process_mutex.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

namespace clopt::fit {
namespace {

// Of a thread, for a datum and a parameter, in code that is not optimised; named models are within a factor of three of
// this. A text may take any time: what runs have taken counts too.
constexpr double seconds_of_datum = 5e-8;
// Seconds that optimisation adds to compiling, less those that the run would take even with it.
constexpr double seconds_worth_optimisation = 0.5;
constexpr std::size_t most_codes = 256;

// The process in which a thread compiles, by its forks and 1; or 0.
std::atomic<unsigned> compiles = 0;

// Whether no thread does; a fork's child has none of its parent's.
bool begins_to_compile() {
  const unsigned own = number_of_forks() + 1;
  auto other = compiles.load();
  return other != own && compiles.compare_exchange_strong(other, own);
}

/// Threads of the device that has most of them, of those that are the host; or 0.
unsigned threads_of(std::span<const std::shared_ptr<Device>> devices) {
  unsigned threads = 0;
  for (const auto& device : devices)
    if (device->info().launches_are_calls) threads = std::max({threads, device->info().compute_units, 1U});
  return threads;
}

}  // namespace

HostCode::HostCode() : forks_(number_of_forks()) {}

std::shared_ptr<HostCode> HostCode::of(const Specialisation& special) {
  static auto& mutex = *new ProcessMutex(Holding::alone);
  static auto& all = *new std::map<std::string, std::shared_ptr<HostCode>>;
  const auto key = KernelCache::key_of(program_of(special.optimised(), true));
  if (key.empty()) return std::make_shared<HostCode>();
  const std::lock_guard lock(mutex);
  if (all.size() >= most_codes && !all.contains(key)) all.clear();
  auto& code = all[key];
  // What a fork's parent compiles does not come to the child.
  if (!code || (code->state_ == State::begun && code->forks_ != number_of_forks())) code = std::make_shared<HostCode>();
  return code;
}

void HostCode::optimise(const Specialisation& special) {
  if (state_ != State::quick || !begins_to_compile()) return;
  forks_ = number_of_forks();
  auto quick = State::quick;
  if (!state_.compare_exchange_strong(quick, State::begun)) {
    compiles = 0;
    return;
  }
  try {
    BackgroundWork::guard_driver();
    auto work = std::make_unique<BackgroundWork>(true);
    std::thread([own = shared_from_this(), optimised = special.optimised(), work = std::move(work)]() mutable {
      // The work ends last.
      const auto under_way = std::move(work);
      const auto code = std::move(own);
      const auto compiled = std::move(optimised);
      code->compile(compiled, under_way->stop());
    }).detach();
  } catch (const std::exception& error) {
    log("build", fmt::format("no optimised code of fits beside runs: {}", error.what()));
    state_ = State::quick;
    compiles = 0;
  }
}

// On a device of its own: the caller's may go before it.
void HostCode::compile(const Specialisation& special, const std::stop_token& stop) {
  const HiddenActivities hidden;
  auto state = State::failed;
  try {
    const auto host = open_device("openmp:0", {.threads = 1, .force = false, .self_test = false});
    if (build_beside(special, {host}, stop)) state = State::optimised;
  } catch (const std::exception& error) {
    log("build", fmt::format("no optimised code of fits beside runs: {}", error.what()));
  }
  state_ = state;
  compiles = 0;
}

void choose_build(Plan& plan, std::uint64_t rows, std::span<const std::shared_ptr<Device>> devices) {
  plan.code = nullptr;
  const auto asked = environment::build();
  if (!asked.empty() && asked != "quick" && asked != "full")
    throw InvalidInput(fmt::format("CLOPT_BUILD is '{}'; it takes quick or full", asked));
  plan.quick_build = asked == "quick";
  const auto threads = threads_of(devices);
  if (!asked.empty() || threads == 0) return;
  const auto data = static_cast<double>(rows) * static_cast<double>(plan.problem.columns);
  const auto seconds = data * static_cast<double>(plan.problem.parameters + 1) * seconds_of_datum / threads;
  if (seconds >= seconds_worth_optimisation) return;
  const Specialisation special(plan);
  auto code = HostCode::of(special);
  if (code->seconds() + seconds >= seconds_worth_optimisation) code->optimise(special);
  plan.quick_build = !code->is_optimised();
  if (plan.quick_build) plan.code = std::move(code);
}

}  // namespace clopt::fit
