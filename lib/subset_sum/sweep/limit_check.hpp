/// \file
/// How often a sweep checks the limits of its run.
#pragma once

#include <clopt/queue.hpp>
#include <clopt/run.hpp>
#include <run/pacing.hpp>

#include <chrono>
#include <cstdint>
#include <string_view>

namespace clopt::subset_sum {

/// Checks a run's limits about every twentieth of a second, however fast the device is. In between, it lets the
/// device be at most one interval ahead of the host.
class LimitCheck {
 public:
  LimitCheck(Queue& queue, const Watch& watch) : queue_(queue), watch_(watch) {}

  /// Whether the run continues. Called before each launch.
  /// \param work of the launch, in capacities; \param done the part of the sweep that is done, from 0 to 1.
  /// \param phase what the progress callback gets.
  bool proceed(std::uint64_t work, double done, std::string_view phase = "sweep") {
    if (begun_ && (since_ += work) < pacing_.steps()) return true;
    before_.wait();
    before_ = queue_.record();
    const auto now = Clock::now();
    if (begun_) {
      const std::chrono::duration<double> took = now - last_;
      pacing_.keep_within(shortest, longest, took.count());
    }
    begun_ = true;
    since_ = 0;
    last_ = now;
    watch_.report(phase, done);
    return !watch_.expired();
  }

 private:
  using Clock = std::chrono::steady_clock;
  // Seconds that an interval may take.
  static constexpr double shortest = 0.02;
  static constexpr double longest = 0.08;

  Queue& queue_;
  const Watch& watch_;
  Event before_;
  Clock::time_point last_;
  Pacing pacing_{1 << 22};  // capacities between two looks
  std::uint64_t since_ = 0;
  bool begun_ = false;
};

}  // namespace clopt::subset_sum
