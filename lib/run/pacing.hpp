/// \file
/// The lengths of launches.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace clopt {

/// How many steps a launch has: enough for its start not to matter, and few enough for limits, progress and
/// checkpoints. Results do not depend on it.
class Pacing {
 public:
  /// \param first steps of the first launch. \param least, most of any launch.
  explicit Pacing(double first, double least = 1, double most = 1e18) : least_(least), most_(most) { set(first); }

  std::uint64_t steps() const { return steps_; }
  void set(double steps) { steps_ = static_cast<std::uint64_t>(std::clamp(steps, least_, most_)); }

  /// Aims at a duration, from one that was measured, at four times the steps at most. \param done steps of that launch.
  void aim_at(double wanted_seconds, std::uint64_t done, double seconds) {
    const double wanted = seconds > 0 ? static_cast<double>(done) * wanted_seconds / seconds : most_;
    set(std::min(wanted, 4.0 * static_cast<double>(steps_)));
  }

  /// Doubles the steps where a launch was shorter than a duration, and halves them where it was longer than another
  /// one. \param growth other than doubling.
  void keep_within(double shortest, double longest, double seconds, double growth = 2) {
    if (seconds < shortest) set(growth * static_cast<double>(steps_));
    if (seconds > longest) set(static_cast<double>(steps_) / 2);
  }

 private:
  double least_;
  double most_;
  std::uint64_t steps_ = 1;
};

}  // namespace clopt
