#include "crash_message.hpp"

#include <clopt/crash.hpp>
#include <clopt/detail/streams.hpp>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdlib>

#include <frame/status.hpp>

namespace clopt::apps {
namespace {

bool error_is_terminal = false;

// In a signal's handler: no memory is allocated.
class Message {
 public:
  Message& operator<<(std::string_view text) {
    const auto length = std::min(text.size(), text_.size() - length_);
    std::copy_n(text.begin(), length, text_.begin() + static_cast<std::ptrdiff_t>(length_));
    length_ += length;
    return *this;
  }
  std::string_view text() const { return {text_.data(), length_}; }

 private:
  std::array<char, 1024> text_{};
  std::size_t length_ = 0;
};

void report_objective_crash(const ObjectiveCrash& crash) {
  Message message;
  // A progress bar may be in the line.
  if (error_is_terminal) message << "\r\033[K";
  message << "clopt: the objective " << crash.objective << " crashed with " << crash.name
          << " on openmp, and the run ends\n"
             "look for an index past the end of an array of its own, a division of whole numbers by 0, or a recursion "
             "without end; a checkpoint is as it was written last, and whole\n";
  write_stream_in_handler(STDERR_FILENO, message.text());
  _exit(Status::device_failed);
}

struct Crash {
  int signal;
  const char* name;
};
// Without that of debuggers' breakpoints.
constexpr std::array<Crash, 5> crashes{
    {{SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"}, {SIGFPE, "SIGFPE"}, {SIGILL, "SIGILL"}, {SIGABRT, "SIGABRT"}}};

// What no objective raised: drivers do, where the system refuses what they ask for.
void report_driver_crash(int signal, siginfo_t* information, void*) {
  std::signal(signal, SIG_DFL);
  // As abort() and raise() do.
  const bool is_own = information->si_code == SI_TKILL && information->si_pid == getpid();
  if (information->si_code <= 0 && !is_own) {
    // Sent by another process: it ends this one when the handler returns.
    raise(signal);
    return;
  }
  Message message;
  if (error_is_terminal) message << "\r\033[K";
  message << "clopt: a device's driver or clopt itself crashed with ";
  for (const auto& crash : crashes)
    if (crash.signal == signal) message << crash.name;
  message << ", and the run ends\n"
             "it may lack memory, processes or files (ulimit -v, -u, -f); else take another device; a checkpoint is as "
             "it was written last, and whole\n";
  write_stream_in_handler(STDERR_FILENO, message.text());
  _exit(Status::device_failed);
}

// Set at the end of main().
std::atomic<bool> may_exit = false;

// Compilers within drivers call exit(), where a file of theirs cannot be written.
void report_driver_exit() {
  if (may_exit) return;
  Message message;
  if (error_is_terminal) message << "\r\033[K";
  message << "clopt: a device's driver ended the process, and the run ends\n"
             "it may lack memory, processes or room for its files (ulimit -v, -u, -f; TMPDIR); else take another "
             "device; a checkpoint is as it was written last, and whole\n";
  write_stream_in_handler(STDERR_FILENO, message.text());
  _exit(Status::device_failed);
}

void report_driver_crashes() {
  struct sigaction ours {};
  ours.sa_sigaction = report_driver_crash;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&ours.sa_mask);
  for (const auto& crash : crashes) sigaction(crash.signal, &ours, nullptr);
}

}  // namespace

void report_crashes() {
  error_is_terminal = isatty(STDERR_FILENO) != 0;
  // First: what objectives do not raise is passed on to it.
  report_driver_crashes();
  set_objective_crash_handler(&report_objective_crash);
  std::atexit(&report_driver_exit);
}

void allow_exit() { may_exit = true; }

}  // namespace clopt::apps

// Takes the place of the system's in all libraries, as any symbol of the program does. LLVM, which many drivers have in
// them, puts a handler before ours that restores ours and returns: the system's abort() then ends the process without a
// word. This one gives ours its turn.
extern "C" __attribute__((visibility("default"))) void abort() noexcept {
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, SIGABRT);
  pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  for (int handlers = 0; handlers < 2; ++handlers) std::raise(SIGABRT);
  std::signal(SIGABRT, SIG_DFL);
  std::raise(SIGABRT);
  _exit(clopt::apps::Status::device_failed);
}
