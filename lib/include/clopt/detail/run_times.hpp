/// \file
/// What the caller of a run waits for, of all solvers and callers of the library.
#pragma once

#include <clopt/export.hpp>
#include <clopt/run.hpp>

#include <array>
#include <cstdint>

namespace clopt {

/// What a thread's time is spent on. Of parts that are under way together the last one of this list counts.
enum class TimePart : std::uint8_t { other, compute, build, open };

/// The time of the calling thread from the construction to end() counts as a part. So each moment of a thread counts
/// once, whatever calls what; the threads that it waits for count as what it waits in.
class CLOPT_API TimedPart {
 public:
  explicit TimedPart(TimePart part);
  ~TimedPart() { end(); }
  TimedPart(const TimedPart&) = delete;
  TimedPart& operator=(const TimedPart&) = delete;

  /// To be called by the same thread.
  void end();

 private:
  TimePart part_;
  bool has_ended_ = false;
};

/// The times of the calling thread from the construction on. Runs within runs have their own.
class CLOPT_API RunTimes {
 public:
  RunTimes();

  /// Up to now, of the thread that made this. Their sum is the total.
  RunSeconds seconds() const;

  /// The thread's last seconds, which counted as what is under way, were spent on \p part, as is known now.
  static void recount(TimePart part, double seconds);
  /// Of the thread's time, so much of \p from counts as \p to.
  static void move(TimePart from, TimePart to, double seconds);

 private:
  std::array<double, 4> begin_;  // of each part
};

}  // namespace clopt
