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

// Of a thread, for a datum and a parameter, in code that is not optimised. Models are some three times faster or
// slower.
constexpr double seconds_of_datum = 5e-8;
// What compilers take longer for optimised code, less what a run of that length would still compute with it.
constexpr double seconds_worth_optimisation = 0.5;

/// Seconds of this process, by models' texts.
double add_seconds(const std::string& model, double seconds) {
  static auto& mutex = *new ProcessMutex(Holding::alone);
  static auto& all = *new std::map<std::string, double>;
  const std::lock_guard lock(mutex);
  return all[model] += seconds;
}

}  // namespace

bool suits_quick_build(const Problem& problem, std::uint64_t rows, std::span<const std::shared_ptr<Device>> devices) {
  if (const auto asked = environment::build(); asked == "quick" || asked == "full")
    return asked == "quick";
  else if (!asked.empty())
    throw InvalidInput(fmt::format("CLOPT_BUILD is '{}'; it takes quick or full", asked));
  std::uint64_t threads = 1;
  for (const auto& device : devices)
    if (device->info().launches_are_calls) threads = std::max<std::uint64_t>(threads, device->info().compute_units);
  const auto data = static_cast<double>(rows) * static_cast<double>(problem.columns);
  const auto seconds = data * static_cast<double>(problem.parameters + 1) * seconds_of_datum;
  const auto of_process = add_seconds(problem.model.residuals.text(), seconds / static_cast<double>(threads));
  return of_process < seconds_worth_optimisation;
}

}  // namespace clopt::fit
