#include "interruption.hpp"

#include <clopt/detail/activity.hpp>

#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <utility>

#include <frame/options/options.hpp>
#include <frame/output/output.hpp>
#include <frame/status.hpp>

namespace clopt::apps {
namespace {

Interruption* the_one = nullptr;

// What work may take to end after it was asked to. Runs of solvers have a watchdog of their own, which gives them less.
constexpr timespec longest_to_end{10, 0};
constexpr timespec longest_of_reporting_work{1, 700'000'000};

constexpr timespec pause_between_looks{1, 0};
constexpr double seconds_to_await_reader = 2;

// Names a pipe that has had no reader for so long. \returns whether there is one.
bool report_pipe() {
  for (const auto& call : activities()) {
    if (!call.what.starts_with("waiting for a reader of") || call.seconds() < seconds_to_await_reader) continue;
    print_error(fmt::format("clopt: it is {}, which has none\n", printable(call.what)));
    return true;
  }
  return false;
}

}  // namespace

Interruption::Interruption() {
  sigemptyset(&signals_);
  sigaddset(&signals_, SIGINT);
  sigaddset(&signals_, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
  watcher_ = std::thread([this] { watch(); });
  the_one = this;
}

Interruption::~Interruption() {
  ending_ = true;
  pthread_kill(watcher_.native_handle(), SIGINT);  // wakes it; the signal is blocked, so it does nothing else
  watcher_.join();
  the_one = nullptr;
}

Interruption& Interruption::instance() { return *the_one; }

std::stop_token Interruption::begin_work() {
  at_work_ = true;
  return stop_.get_token();
}

ReportingWork::ReportingWork(std::function<void()> report) {
  auto& interruption = Interruption::instance();
  const std::lock_guard lock(interruption.mutex_);
  interruption.report_ = std::move(report);
  stop_ = interruption.begin_work();
}

void ReportingWork::end() {
  auto& interruption = Interruption::instance();
  const std::lock_guard lock(interruption.mutex_);
  interruption.report_ = nullptr;
}

void Interruption::end_process() {
  // Kept to the end of the process: work that ends now prints nothing.
  const std::lock_guard lock(mutex_);
  if (report_) report_();
  const auto calls = activities();
  print_error(with_option_names(fmt::format(
      "clopt: it was interrupted, and does not end{}\n",
      calls.empty() ? "" : fmt::format(": it is {}, for {:.1f} s", calls.front().what, calls.front().seconds()))));
  _exit(Status::interrupted);
}

void Interruption::watch() {
  int signal = -1;
  for (bool has_reported = false; signal < 0;) {
    signal = sigtimedwait(&signals_, nullptr, &pause_between_looks);
    if (signal < 0 && !has_reported) has_reported = report_pipe();
  }
  if (ending_) return;
  if (!at_work_) _exit(Status::interrupted);
  stop_.request_stop();
  const timespec longest = [this] {
    const std::lock_guard lock(mutex_);
    return report_ ? longest_of_reporting_work : longest_to_end;
  }();
  do {
    signal = sigtimedwait(&signals_, nullptr, &longest);
  } while (signal < 0 && errno == EINTR);
  if (ending_) return;
  if (signal < 0) end_process();
  std::signal(signal, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, signal);
  pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  std::raise(signal);
}

}  // namespace clopt::apps
