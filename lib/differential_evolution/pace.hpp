/// \file
/// How many generations go into a launch.
#pragma once

#include <clopt/device.hpp>

#include <algorithm>
#include <cstdint>

#include "plan.hpp"

namespace clopt::differential_evolution {

/// Launches are long enough for their start not to matter, and short enough for limits, progress and checkpoints; the
/// result does not depend on them.
class Pace {
 public:
  Pace(const Device& device, const Plan& plan, std::size_t problems) : most_(most_for(device)) {
    const auto& settings = plan.settings;
    constexpr double fixed_work = 20;
    const double work = static_cast<double>(problems) * settings.population * (settings.dimensions + fixed_work);
    const bool quick = device.info().kind == DeviceKind::gpu;
    const double a_second = quick ? 1e12 : 1e8 * device.info().compute_units;
    const double least = quick ? 2e-6 : 1e-7;
    step_ = clamped(wanted_seconds / std::max(least, work / a_second));
  }

  std::uint32_t step() const { return step_; }
  /// Learns from a launch.
  void measured(std::uint32_t generations, double seconds) {
    const double wanted = seconds > 0 ? generations * wanted_seconds / seconds : most_;
    step_ = clamped(std::min(wanted, 4.0 * step_));
  }

 private:
  static constexpr double wanted_seconds = 0.05;

  static double most_for(const Device& device) { return device.info().has_long_loops ? 1 << 20 : 1 << 10; }
  std::uint32_t clamped(double generations) const {
    return static_cast<std::uint32_t>(std::clamp(generations, 1.0, most_));
  }

  double most_;
  std::uint32_t step_ = 1;
};

}  // namespace clopt::differential_evolution
