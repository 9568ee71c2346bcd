/// \file
/// Launches that need not end, since what they compute is dropped.
#pragma once

#include <clopt/error.hpp>
#include <clopt/export.hpp>

#include <stop_token>

namespace clopt {

/// A launch was left where it was; its buffers hold anything. It is no failure of its device.
class CLOPT_API LaunchDropped : public Error {
 public:
  LaunchDropped() : Error("the launch was dropped: another device does its work") {}
};

/// Lets the launches of the calling thread be dropped, where its device can: they throw LaunchDropped once a stop is
/// requested.
class CLOPT_API DroppedLaunches {
 public:
  /// \param stop must outlive the object.
  explicit DroppedLaunches(const std::stop_token& stop);
  ~DroppedLaunches();
  DroppedLaunches(const DroppedLaunches&) = delete;
  DroppedLaunches& operator=(const DroppedLaunches&) = delete;

  /// What is asked for the calling thread's launches; null where they are to end.
  static const std::stop_token* of_this_thread();

 private:
  const std::stop_token* before_;
};

}  // namespace clopt
