/// \file
/// A line on standard error that says what a long start waits for.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

namespace clopt::apps {

/// While it lives: once drivers, compilers or tests of a device have taken a second, a line names what they do (see
/// clopt/activity.hpp). It is wiped when they are done. It shows nothing where standard error is not a terminal.
class StartNotice {
 public:
  explicit StartNotice(bool wanted);
  ~StartNotice();
  StartNotice(const StartNotice&) = delete;
  StartNotice& operator=(const StartNotice&) = delete;

 private:
  void watch();

  std::mutex mutex_;
  std::condition_variable ended_;
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace clopt::apps
