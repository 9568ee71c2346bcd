#include "quick_build.hpp"

#include <clopt/detail/activity.hpp>
#include <clopt/detail/background.hpp>
#include <clopt/error.hpp>
#include <support/process/environment.hpp>
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

}  // namespace

HostCode::HostCode() : forks_(number_of_forks()) {}

std::shared_ptr<HostCode> HostCode::of(const Specialisation& special) {
  static auto& mutex = *new ProcessMutex(Holding::alone);
  static auto& all = *new std::map<std::string, std::shared_ptr<HostCode>>;
  const auto likeness = special.likeness();
  const std::lock_guard lock(mutex);
  if (all.size() >= most_codes && !all.contains(likeness)) all.clear();
  auto& code = all[likeness];
  if (!code || code->forks_ != number_of_forks()) code = std::make_shared<HostCode>();
  return code;
}

void HostCode::optimise(const Specialisation& special, const std::shared_ptr<Device>& host) {
  auto quick = State::quick;
  if (!state_.compare_exchange_strong(quick, State::begun)) return;
  auto build = [own = shared_from_this(), optimised = special.optimised(), host]() mutable {
    const BackgroundWork work(true);
    const HiddenActivities hidden;
    own->state_ = build_beside(optimised, {std::move(host)}, work.stop()) ? State::optimised : State::failed;
  };
  try {
    std::thread(std::move(build)).detach();
  } catch (const std::system_error&) {
    state_ = State::failed;
  }
}

bool suits_quick_build(const Plan& plan, std::uint64_t rows, std::span<const std::shared_ptr<Device>> devices) {
  const auto asked = environment::build();
  if (!asked.empty() && asked != "quick" && asked != "full")
    throw InvalidInput(fmt::format("CLOPT_BUILD is '{}'; it takes quick or full", asked));
  if (!asked.empty()) return asked == "quick";
  const auto host = std::max_element(devices.begin(), devices.end(), [](const auto& one, const auto& other) {
    const auto threads = [](const Device& device) {
      return device.info().launches_are_calls ? device.info().compute_units : 0U;
    };
    return threads(*one) < threads(*other);
  });
  if (host == devices.end() || !(*host)->info().launches_are_calls) return false;
  const auto data = static_cast<double>(rows) * static_cast<double>(plan.problem.columns);
  const auto seconds = data * static_cast<double>(plan.problem.parameters + 1) * seconds_of_datum /
                       static_cast<double>(std::max(1U, (*host)->info().compute_units));
  if (seconds >= seconds_worth_optimisation) return false;
  const Specialisation special(plan);
  const auto code = HostCode::of(special);
  if (code->seconds() + seconds < seconds_worth_optimisation) return true;
  code->optimise(special, *host);
  return !code->has_ended();
}

bool may_build_anew() { return environment::build().empty(); }

}  // namespace clopt::fit
