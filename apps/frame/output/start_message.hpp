/// \file
/// A line on standard error that says what a long start waits for.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

namespace clopt::apps {

/// While it lives: once drivers, compilers or tests of a device have taken a second, a line names what they do (see
/// clopt/detail/activity.hpp). It is wiped when they are done. It shows nothing where standard error is not a terminal.
class StartMessage {
 public:
  explicit StartMessage(bool wanted);
  ~StartMessage();
  StartMessage(const StartMessage&) = delete;
  StartMessage& operator=(const StartMessage&) = delete;

 private:
  void watch();

  std::mutex mutex_;
  std::condition_variable ended_;
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace clopt::apps
