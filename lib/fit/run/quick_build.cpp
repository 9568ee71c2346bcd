#include "quick_build.hpp"

#include <clopt/device.hpp>
#include <clopt/error.hpp>
#include <support/process/environment.hpp>
#include <support/threads/process_mutex.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <string>

namespace clopt::fit {
namespace {

// Of a thread, for a datum and a parameter, in code that is not optimised; named models are within a factor of three of
// this. A text may take any time: what runs have taken counts too.
constexpr double seconds_of_datum = 5e-8;
// Seconds that optimisation adds to compiling, less those that the run would take even with it.
constexpr double seconds_worth_optimisation = 0.5;
constexpr std::size_t most_codes = 256;

/// What differs in the code of runs.
std::string code_of(const Problem& problem, const Options& options, bool is_double) {
  const bool is_bounded = !problem.lower.empty() || !problem.upper.empty() || !problem.fixed.empty();
  return fmt::format("{} {} {} {}", is_double, is_bounded, options.loss, problem.model.residuals.text());
}

/// The seconds that this process has fitted by a code, and adds some.
double add_seconds(const std::string& code, double seconds) {
  static auto& mutex = *new ProcessMutex(Holding::alone);
  static auto& all = *new std::map<std::string, double>;
  const std::lock_guard lock(mutex);
  if (all.size() >= most_codes && !all.contains(code)) all.clear();
  return all[code] += seconds;
}

}  // namespace

bool suits_quick_build(const Problem& problem, const Options& options, bool is_double, std::uint64_t rows,
                       std::span<const std::shared_ptr<Device>> devices) {
  const auto asked = environment::build();
  if (!asked.empty() && asked != "quick" && asked != "full")
    throw InvalidInput(fmt::format("CLOPT_BUILD is '{}'; it takes quick or full", asked));
  if (!asked.empty()) return asked == "quick";
  std::uint64_t threads = 0;
  for (const auto& device : devices)
    if (device->info().launches_are_calls) threads = std::max<std::uint64_t>(threads, device->info().compute_units);
  if (threads == 0) return false;
  const auto data = static_cast<double>(rows) * static_cast<double>(problem.columns);
  const auto seconds = data * static_cast<double>(problem.parameters + 1) * seconds_of_datum;
  const auto spent = add_seconds(code_of(problem, options, is_double), 0);
  return spent + seconds / static_cast<double>(threads) < seconds_worth_optimisation;
}

bool may_build_anew() { return environment::build().empty(); }

void count_quick_build(const Plan& plan, double seconds) {
  add_seconds(code_of(plan.problem, plan.options, plan.is_double), seconds);
}

}  // namespace clopt::fit
