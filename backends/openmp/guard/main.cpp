/// \file
/// clopt-guard SECONDS BYTES FOLDER COMMAND [ARGUMENT...]: runs a compiler that must not outlive its purpose.
///
/// Standard input is a pipe whose other end the starting process holds. The command and all its children are killed,
/// and FOLDER is removed, when that process ends in any way or writes to it; they are killed after SECONDS of wall
/// time, too. Each of them may use SECONDS of processor time and BYTES of address space. It exits with the command's
/// status, with 128 and the signal that ended it, or with one of GuardStatus.
#include <clopt/detail/numbers.hpp>

#include <poll.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "status.hpp"

namespace {

using clopt::openmp::GuardStatus;
using Clock = std::chrono::steady_clock;

struct Order {
  unsigned long seconds;
  unsigned long bytes;
  std::filesystem::path folder;
  char** command;
};

[[noreturn]] void become_command(const Order& order) {
  sigset_t none;
  sigemptyset(&none);
  setpgid(0, 0);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  setenv("TMPDIR", order.folder.c_str(), 1);
  // A compiler finds its own programs by it.
  setenv("PATH", "/usr/local/bin:/usr/bin:/bin", 0);
  // Its complaints are read.
  setenv("LC_ALL", "C", 1);
  const rlimit memory{order.bytes, order.bytes};
  const rlimit time{order.seconds, order.seconds};
  setrlimit(RLIMIT_AS, &memory);
  setrlimit(RLIMIT_CPU, &time);
  ::close(STDIN_FILENO);
  execvp(order.command[0], order.command);
  std::_Exit(GuardStatus::no_command);
}

// Kills the command and its children, which are in a group of their own.
void kill_command(pid_t command) {
  ::kill(-command, SIGKILL);
  while (::waitpid(command, nullptr, 0) < 0 && errno == EINTR) continue;
}

int status_of(int wait_status) {
  if (WIFEXITED(wait_status)) return WEXITSTATUS(wait_status);
  return WTERMSIG(wait_status) == SIGXCPU ? GuardStatus::out_of_time : 128 + WTERMSIG(wait_status);
}

// Waits for the command, for the end of the process that started this, and for the end of the time.
int watch(const Order& order, pid_t command, int children) {
  const auto latest = Clock::now() + std::chrono::seconds(order.seconds);
  for (;;) {
    pollfd waiting[2] = {{children, POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(latest - Clock::now()).count();
    const int ready = left > 0 ? ::poll(waiting, 2, static_cast<int>(left)) : 0;
    if (ready < 0 && errno == EINTR) continue;
    int status = 0;
    if (::waitpid(command, &status, WNOHANG) == command) return status_of(status);
    if (ready == 0) {
      kill_command(command);
      return GuardStatus::out_of_time;
    }
    if (waiting[1].revents != 0) {
      kill_command(command);
      std::error_code ignored;
      std::filesystem::remove_all(order.folder, ignored);
      return GuardStatus::broken;
    }
    signalfd_siginfo child{};
    if (waiting[0].revents != 0 && ::read(children, &child, sizeof child) < 0 && errno != EINTR) {
      kill_command(command);
      return GuardStatus::broken;
    }
  }
}

}  // namespace

int main(int count, char** words) {
  if (count < 5) return GuardStatus::broken;
  const Order order{clopt::leading_number(words[1]), clopt::leading_number(words[2]), words[3], words + 4};
  setpgid(0, 0);  // a terminal's signals are for the program
  std::signal(SIGCHLD, SIG_DFL);
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGCHLD);
  sigprocmask(SIG_BLOCK, &signals, nullptr);
  const int children = signalfd(-1, &signals, SFD_CLOEXEC);
  const pid_t command = ::fork();
  if (children < 0 || command < 0) return GuardStatus::broken;
  if (command == 0) become_command(order);
  setpgid(command, command);  // the child does the same: the order of the two is not known
  return watch(order, command, children);
}
