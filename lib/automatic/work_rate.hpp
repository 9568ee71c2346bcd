/// \file
/// How quickly a run works, by its progress, and whether another device would gain.
#pragma once

#include <clopt/run.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

namespace clopt {

/// What a solver's progress says of its work.
struct WorkMeasure {
  /// Whether `done` grows evenly with the work; else evaluations are counted, and how many there will be is unknown.
  bool done_is_even = false;
  /// The phases, between commas, that are a device's work; empty: all.
  std::string_view phases{};

  bool counts(std::string_view phase) const {
    return phases.empty() ||
           ("," + std::string(phases) + ",").find("," + std::string(phase) + ",") != std::string::npos;
  }
  double work_of(const Progress& progress) const {
    return done_is_even ? progress.done : static_cast<double>(progress.evaluations.value_or(0));
  }
};

/// The progress of a part of a run on one device, in one phase.
class WorkRate {
 public:
  /// \param begin when the part began, in seconds.
  explicit WorkRate(WorkMeasure measure, double begin = 0) : measure_(measure), begin_(begin) {}

  void add(const Progress& progress, double seconds) {
    if (progress.phase != phase_) {
      phase_ = progress.phase;
      samples_ = 0;
    }
    if (!measure_.counts(progress.phase)) return;
    const double work = measure_.work_of(progress);
    if (samples_ == 0) {
      first_ = second_ = last_ = {seconds, work};
      samples_ = 1;
    } else if (work > last_.work) {
      if (samples_ == 1) second_ = {seconds, work};
      step_ = samples_ == 1 ? work - last_.work : std::min(step_, work - last_.work);
      last_ = {seconds, work};
      ++samples_;
    }
  }

  const std::string& phase() const { return phase_; }
  /// Whether the phase is one that counts.
  bool counts() const { return samples_ > 0; }
  std::optional<double> first_seconds() const { return samples_ > 0 ? std::optional(first_.seconds) : std::nullopt; }
  double work() const { return last_.work; }
  double first_work() const { return first_.work; }
  double step() const { return step_; }
  /// Steps of work that were done.
  std::size_t steps() const { return samples_ == 0 ? 0 : samples_ - 1; }
  /// Seconds for which the work was measured. Of several steps the first one, which prepares others, is left out.
  double measured_seconds() const { return samples_ < 2 ? 0 : last_.seconds - from().seconds; }
  bool has_rate() const { return measured_seconds() > 0; }
  /// Work in a second; 0 where it is not known.
  double rate() const { return has_rate() ? (last_.work - from().work) / measured_seconds() : 0; }
  /// What the rate is at most, where a step is not done yet.
  double most_rate(double step, double now) const {
    const double since = std::max(now - (samples_ > 0 ? first_.seconds : begin_), 1e-9);
    return (last_.work - first_.work + step) / since;
  }
  /// What a run of so much work would have taken, which was left \p now; where not even a step was done, the least that
  /// it would. 0 where nothing is known.
  double whole_seconds(double work, double step, double now) const {
    if (!has_rate()) {
      const double most = most_rate(step, now);
      return most > 0 ? work / most : 0;
    }
    const double setup = now - begin_ - (last_.work - first_.work) / rate();
    return std::max(0.0, setup) + work / rate();
  }

 private:
  struct Sample {
    double seconds = 0;
    double work = 0;
  };
  const Sample& from() const { return samples_ > 2 ? second_ : first_; }

  WorkMeasure measure_;
  double begin_;
  std::string phase_;
  std::size_t samples_ = 0;
  double step_ = 0;
  Sample first_;
  Sample second_;
  Sample last_;
};

/// What the rest of a run would take on two devices.
struct RestOfRun {
  double work_done = 0;   ///< since the run began
  double work_begun = 0;  ///< with which it began, where it was resumed
  double rate = 0;        ///< of the device that has it
  double other_rate = 0;
  double step = 0;          ///< the least that is done at once
  double move_seconds = 0;  ///< to begin on the other one
  bool begins_again = false;
  bool work_is_part = false;  ///< whether the whole work is 1
  std::optional<double> seconds_left{};

  struct Estimate {
    double stays = 0;  ///< seconds
    double moves = 0;
    bool gains = false;
  };
  /// Where the end is unknown, as much is expected as was done.
  Estimate estimate() const {
    const double done = work_done - work_begun;
    const double left = work_is_part ? std::max(0.0, 1 - work_done) : done + step;
    Estimate result{left / rate, (left + (begins_again ? done : 0)) / other_rate + move_seconds};
    if (seconds_left && result.stays > *seconds_left) {
      // The limit of time ends it: what counts is how far it comes.
      const double moved = other_rate * std::max(0.0, *seconds_left - move_seconds) - (begins_again ? done : 0);
      result.gains = moved > least_gain * rate * *seconds_left;
    } else {
      result.gains = result.moves * least_gain < result.stays;
    }
    return result;
  }
  static constexpr double least_gain = 1.1;
};

}  // namespace clopt
