/// \file
/// How many generations go into a launch.
#pragma once

#include <clopt/device.hpp>

#include <algorithm>
#include <cstdint>

#include "plan.hpp"

namespace clopt::differential_evolution {

/// What a launch should take.
inline constexpr double wanted_seconds = 0.05;

/// A guess at the seconds of a problem's generation, among many problems.
inline double guessed_seconds(const Device& device, const Plan& plan) {
  const auto& settings = plan.settings;
  constexpr double fixed_work = 20;
  const double work = static_cast<double>(settings.population) * (settings.dimensions + fixed_work);
  const bool quick = device.info().kind == DeviceKind::gpu;
  return work / (quick ? 1e12 : 1e8 * device.info().compute_units);
}

/// How many problems are made ready in a launch.
class PartPace {
 public:
  PartPace(const Device& device, const Plan& plan)
      : takes_all_(plan.problem.objective.is_batch_function()),
        step_(static_cast<std::size_t>(
            takes_all_ ? 1e9 : std::clamp(wanted_seconds / guessed_seconds(device, plan), 1.0, 1e9))) {}

  std::size_t step() const { return step_; }
  /// Learns from a launch.
  void measured(std::size_t problems, double seconds) {
    if (seconds <= 0 || takes_all_) return;
    const double wanted = static_cast<double>(problems) * wanted_seconds / seconds;
    step_ = static_cast<std::size_t>(std::clamp(wanted, 1.0, 4.0 * static_cast<double>(step_)));
  }

 private:
  bool takes_all_;  // a batch function evaluates the start population by one call
  std::size_t step_;
};

/// Launches are long enough for their start not to matter, and short enough for limits, progress and checkpoints; the
/// result does not depend on them.
class Pace {
 public:
  Pace(const Device& device, const Plan& plan, std::size_t problems)
      : most_(plan.problem.objective.is_batch_function() ? 1 : most_for(device)) {
    // The caller's own function may be slow.
    if (plan.problem.objective.is_function()) return;
    const double least = device.info().kind == DeviceKind::gpu ? 2e-6 : 1e-7;
    step_ = clamped(wanted_seconds / std::max(least, static_cast<double>(problems) * guessed_seconds(device, plan)));
  }

  std::uint32_t step() const { return step_; }
  /// Learns from a launch.
  void measured(std::uint32_t generations, double seconds) {
    const double wanted = seconds > 0 ? generations * wanted_seconds / seconds : most_;
    step_ = clamped(std::min(wanted, 4.0 * step_));
  }

 private:
  static double most_for(const Device& device) { return device.info().has_long_loops ? 1 << 20 : 1 << 10; }
  std::uint32_t clamped(double generations) const {
    return static_cast<std::uint32_t>(std::clamp(generations, 1.0, most_));
  }

  double most_;
  std::uint32_t step_ = 1;
};

}  // namespace clopt::differential_evolution
