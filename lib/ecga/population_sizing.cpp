#include <clopt/devices.hpp>
#include <clopt/ecga_sizing.hpp>
#include <clopt/error.hpp>

#include <algorithm>
#include <cmath>

#include <run/nested_run.hpp>

namespace clopt::ecga {
namespace {

/// Tries populations within the limits of one control.
class Trials {
 public:
  Trials(const Problem& problem, const Options& options, const SizingOptions& sizing, const Devices& devices,
         const RunControl& control)
      : problem_(problem), options_(options), sizing_(sizing), devices_(devices), control_(control), watch_(control) {
    if (!options.target)
      throw InvalidInput("`target` is missing: a population is sized by runs that reach it; give one");
    if (options.checkpoint || options.resume)
      throw InvalidInput("a `checkpoint` belongs to one run, and sizing a population makes several; leave it out");
  }

  // Whether the first `runs` runs all succeed; stops at the first that does not.
  bool succeeds(std::uint64_t population, std::uint32_t runs) {
    Options options = options_;
    options.population = population;
    Trial last;
    for (std::uint32_t run = 0; run < runs; ++run) {
      options.seed = options_.seed + run;
      Trial trial{population, options.seed, false, {}};
      try {
        trial.result = solve(problem_, options, devices_, nested_control(control_, watch_));
      } catch (const Cancelled&) {
        was_cancelled_ = true;
        return false;
      }
      trial.success = trial.result.ending == Ending::target;
      if (watch_.expired() && !trial.success) {
        // The run was ended early: this proves nothing about the population.
        if (sizing_.trial) sizing_.trial(trial);
        return false;
      }
      ++found_.runs;
      found_.evaluations += trial.result.evaluations;
      if (sizing_.trial) sizing_.trial(trial);
      if (!trial.success) {
        found_.failed = std::max(found_.failed, population);
        return false;
      }
      last = std::move(trial);
    }
    found_.last = std::move(last);
    found_.population = population;
    return true;
  }

  std::uint64_t first() const {
    return std::max<std::uint64_t>(
        {sizing_.first, std::uint64_t{sizing_.first == 0 ? 16U : 1U}, options_.tournament, 2U});
  }
  bool ended() const { return was_cancelled_ || watch_.expired(); }
  Sizing take() { return std::move(found_); }

 private:
  const Problem& problem_;
  const Options& options_;
  const SizingOptions& sizing_;
  const Devices& devices_;
  const RunControl& control_;
  Watch watch_;
  bool was_cancelled_ = false;  // before the start population had values
  Sizing found_;
};

}  // namespace

Sizing find_population(const Problem& problem, const Options& options, const SizingOptions& sizing,
                       std::span<const std::shared_ptr<Device>> devices, const RunControl& control) {
  return find_population(problem, options, sizing, Devices({devices.begin(), devices.end()}), control);
}

Sizing find_population(const Problem& problem, const Options& options, const SizingOptions& sizing,
                       const Devices& devices, const RunControl& control) {
  Trials trials(problem, options, sizing, devices, control);
  std::uint64_t high = trials.first();
  std::uint64_t low = 0;
  while (!trials.succeeds(high, sizing.runs)) {
    if (trials.ended() || high > sizing.most / 2) {
      auto found = trials.take();
      found.population = 0;
      return found;
    }
    low = high;
    high *= 2;
  }
  low = std::max(low, high / 2);
  const auto least = trials.first();
  while (high > least && static_cast<double>(high - low) > sizing.width * static_cast<double>(low) && high - low > 1) {
    const auto middle = std::max(least, low + (high - low) / 2);
    if (middle >= high) break;
    if (trials.succeeds(middle, sizing.runs)) {
      high = middle;
    } else {
      if (trials.ended()) break;
      low = middle;
    }
  }
  return trials.take();
}

Sizing double_population(const Problem& problem, const Options& options, const SizingOptions& sizing,
                         std::span<const std::shared_ptr<Device>> devices, const RunControl& control) {
  return double_population(problem, options, sizing, Devices({devices.begin(), devices.end()}), control);
}

Sizing double_population(const Problem& problem, const Options& options, const SizingOptions& sizing,
                         const Devices& devices, const RunControl& control) {
  Trials trials(problem, options, sizing, devices, control);
  for (auto population = trials.first(); population <= sizing.most && !trials.ended(); population *= 2)
    if (trials.succeeds(population, 1)) break;
  return trials.take();
}

std::uint64_t usual_population(std::uint32_t length) {
  return static_cast<std::uint64_t>(std::llround(1.5 * 9.5 * std::pow(static_cast<double>(length), 1.411))) + 16;
}

}  // namespace clopt::ecga
