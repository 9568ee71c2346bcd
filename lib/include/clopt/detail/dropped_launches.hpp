/// \file
/// Launches and builds that need not end, since what they compute is dropped.
#pragma once

#include <clopt/error.hpp>
#include <clopt/export.hpp>

#include <stop_token>

namespace clopt {

/// A launch or a build was left where it was; the buffers of a launch hold anything. It is no failure of its device.
class CLOPT_API LaunchDropped : public Error {
 public:
  LaunchDropped() : Error("the work was dropped: another device does it, or none is needed") {}
};

/// Lets the launches and builds of the calling thread be dropped, where its device can: they throw LaunchDropped once a
/// stop is requested. The host's compilers are ended then.
class CLOPT_API DroppedLaunches {
 public:
  /// \param stop must outlive the object.
  explicit DroppedLaunches(const std::stop_token& stop);
  ~DroppedLaunches();
  DroppedLaunches(const DroppedLaunches&) = delete;
  DroppedLaunches& operator=(const DroppedLaunches&) = delete;

  /// What is asked for the calling thread's launches; null where they are to end.
  static const std::stop_token* of_this_thread();
  /// The same as a token, which is never stopped where they are to end.
  static std::stop_token token();
  /// \throws LaunchDropped once the calling thread's stop is requested.
  static void require_wanted();

 private:
  const std::stop_token* before_;
};

}  // namespace clopt
