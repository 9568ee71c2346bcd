/// \file
/// How many generations go into a launch.
#pragma once

#include <clopt/device.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>

#include <differential_evolution/plan.hpp>

namespace clopt::differential_evolution {

/// What a launch should take.
inline constexpr double wanted_seconds = 0.05;

/// The same where a generation is a call of the caller's own function: long enough for the start of a launch not to
/// matter, and short enough for callbacks every few generations.
inline constexpr double wanted_seconds_of_calls = 0.002;
/// A launch whose calls have become slow ends after this time, so that callbacks and checkpoints do not wait for it.
inline constexpr double most_seconds_of_calls = 10 * wanted_seconds_of_calls;

/// Steps of loops that a launch may take on a device without long loops (DeviceInfo::has_long_loops).
inline constexpr double safe_steps = 1 << 14;

/// The most steps that a work-item of the fused method takes in a generation: one for each number of the population.
inline double fused_steps(const Plan& plan) {
  return static_cast<double>(plan.settings.population) * (plan.settings.dimensions + 1.0);
}

/// An estimate of the seconds of a problem's generation, among many problems.
inline double guessed_seconds(const Device& device, const Plan& plan) {
  const auto& settings = plan.settings;
  constexpr double fixed_work = 20;
  const double work = static_cast<double>(settings.population) * (settings.dimensions + fixed_work);
  const bool quick = device.info().kind == DeviceKind::gpu;
  return work / (quick ? 1e12 : 1e8 * device.info().compute_units);
}

/// How many problems are made ready in a launch. Nothing is known of the work of a C++ function: it begins with a
/// problem for each thread.
class PartPace {
 public:
  PartPace(const Device& device, const Plan& plan)
      : takes_all_(needs_whole_generations(plan.objective)),
        least_(plan.objective.is_function() ? std::max<std::size_t>(1, device.info().compute_units) : 1),
        step_(plan.objective.is_function()
                  ? least_
                  : static_cast<std::size_t>(std::clamp(wanted_seconds / guessed_seconds(device, plan), 1.0, 1e9))) {}

  std::size_t step() const { return takes_all_ ? std::numeric_limits<std::size_t>::max() : step_; }
  /// Learns from a launch.
  void measured(std::size_t problems, double seconds) {
    if (seconds <= 0) return;
    const double wanted = static_cast<double>(problems) * wanted_seconds / seconds;
    step_ = static_cast<std::size_t>(std::clamp(wanted, static_cast<double>(least_), 4.0 * static_cast<double>(step_)));
  }

 private:
  bool takes_all_;  ///< the start population of a batch function is one call
  std::size_t least_;
  std::size_t step_;
};

/// Launches are long enough for their start not to matter, and short enough for limits, progress and checkpoints; the
/// result does not depend on them. Of a C++ function the first launch is one generation, so that a run of a slow one
/// ends soon after it is asked to.
class Pace {
 public:
  /// \param ends_between_calls whether a launch ends between two calls of a function that takes whole generations
  ///        where the run is over (Batch::advance_until()); otherwise it has one call.
  Pace(const Device& device, const Plan& plan, std::size_t problems, bool ends_between_calls = false)
      : most_(needs_whole_generations(plan.objective) && !ends_between_calls ? 1 : most_for(device, plan)),
        wanted_seconds_(needs_whole_generations(plan.objective) ? wanted_seconds_of_calls : wanted_seconds) {
    const double least = device.info().kind == DeviceKind::gpu ? 2e-6 : 1e-7;
    const double guess =
        wanted_seconds_ / std::max(least, static_cast<double>(problems) * guessed_seconds(device, plan));
    step_ = plan.objective.is_function() ? 1 : clamped(guess);
  }

  std::uint32_t step() const { return step_; }
  /// Learns from a launch.
  void measured(std::uint32_t generations, double seconds) {
    const double wanted = seconds > 0 ? generations * wanted_seconds_ / seconds : most_;
    step_ = clamped(std::min(wanted, 4.0 * step_));
  }

 private:
  static double most_for(const Device& device, const Plan& plan) {
    if (device.has_long_loops()) return 1 << 20;
    return std::clamp(safe_steps / fused_steps(plan), 1.0, 1024.0);
  }
  std::uint32_t clamped(double generations) const {
    return static_cast<std::uint32_t>(std::clamp(generations, 1.0, most_));
  }

  double most_;
  double wanted_seconds_;
  std::uint32_t step_ = 1;
};

}  // namespace clopt::differential_evolution
