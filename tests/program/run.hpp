/// \file
/// Runs the program as a shell would, and keeps what it says.
#pragma once

#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace clopt::test {

/// How to run the program.
struct Call {
  std::vector<std::string> arguments;
  std::string input;
  /// Changes to the environment; an empty value removes the variable.
  std::map<std::string, std::string> environment;
  double signal_after = 0;           ///< seconds after which to send a signal, from when it is awaited; 0: never
  int signal = SIGINT;               ///< which one
  std::string program{};             ///< another program; empty: clopt
  std::function<void()> in_child{};  ///< called in its process before it begins
  bool to_group = false;             ///< whether it leads a group of processes, to all of which the signal goes
};

/// What it said.
struct Outcome {
  int status = -1;  ///< the exit status
  int signal = 0;   ///< the signal that ended it, or 0
  std::string output;
  std::string error;
  double seconds = 0;

  std::size_t error_lines() const { return static_cast<std::size_t>(std::count(error.begin(), error.end(), '\n')); }
  nlohmann::json json() const { return nlohmann::json::parse(output); }
};

namespace detail {

struct Pipe {
  std::array<int, 2> ends{-1, -1};
  Pipe() {
    if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  }
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void close_end(std::size_t which) {
    if (ends[which] >= 0) ::close(ends[which]);
    ends[which] = -1;
  }
};

// In the child: standard streams, folder and environment as asked for, then the program.
[[noreturn]] inline void become_program(const Call& call, const Pipe& input, const Pipe& output, const Pipe& error) {
  dup2(input.ends[0], STDIN_FILENO);
  dup2(error.ends[1], STDERR_FILENO);
  dup2(output.ends[1], STDOUT_FILENO);
  if (call.to_group) setpgid(0, 0);
  if (call.in_child) call.in_child();
  for (const auto& [name, value] : call.environment)
    if (value.empty())
      unsetenv(name.c_str());
    else
      setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> words{const_cast<char*>("clopt")};
  for (const auto& word : call.arguments) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  execv(call.program.empty() ? CLOPT_PROGRAM : call.program.c_str(), words.data());
  _exit(127);
}

inline int remaining(std::chrono::steady_clock::time_point until) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
  return static_cast<int>(std::max<std::int64_t>(left.count(), 0));
}

// A signal that comes before the program has begun to look for it would end the program, as it does any.
inline void wait_until_signals_are_awaited(pid_t child, int signal, std::chrono::steady_clock::time_point latest) {
  for (; std::chrono::steady_clock::now() < latest; usleep(1000)) {
    std::ifstream status("/proc/" + std::to_string(child) + "/status");
    if (!status) return;
    for (std::string line; std::getline(status, line);) {
      if (line.starts_with("State:\tZ")) return;
      if (line.starts_with("SigBlk:") && (std::stoull(line.substr(7), nullptr, 16) >> (signal - 1) & 1U) != 0) return;
    }
  }
}

}  // namespace detail

/// Runs the program to its end, at most two minutes.
inline Outcome run(const Call& call) {
  using Clock = std::chrono::steady_clock;
  detail::Pipe input;
  detail::Pipe output;
  detail::Pipe error;
  const auto begin = Clock::now();
  const pid_t child = fork();
  if (child == 0) detail::become_program(call, input, output, error);
  input.close_end(0);
  output.close_end(1);
  error.close_end(1);

  Outcome outcome;
  // Inputs here are far smaller than a pipe holds. A program that reads nothing must not end the tests.
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &ignore, nullptr);
  if (!call.input.empty() && ::write(input.ends[1], call.input.data(), call.input.size()) < 0 && errno != EPIPE)
    throw std::runtime_error("no input");
  input.close_end(1);

  const auto seconds = [](double amount) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(amount));
  };
  const auto latest = begin + std::chrono::minutes(5);
  if (call.signal_after > 0 && (call.signal == SIGINT || call.signal == SIGTERM))
    detail::wait_until_signals_are_awaited(child, call.signal, begin + std::chrono::minutes(1));
  const auto ready = Clock::now();
  auto next_signal = call.signal_after > 0 ? ready + seconds(call.signal_after) : latest;
  std::array<pollfd, 2> waiting{{{output.ends[0], POLLIN, 0}, {error.ends[0], POLLIN, 0}}};
  while (waiting[0].fd >= 0 || waiting[1].fd >= 0) {
    poll(waiting.data(), waiting.size(), detail::remaining(next_signal));
    if (next_signal < latest && Clock::now() >= next_signal) {
      kill(call.to_group ? -child : child, call.signal);
      next_signal = latest;
    }
    if (Clock::now() >= latest) kill(child, SIGKILL);
    for (auto& one : waiting) {
      if (one.fd < 0 || one.revents == 0) continue;
      std::array<char, 65536> block;
      const auto count = ::read(one.fd, block.data(), block.size());
      if (count > 0)
        (&one == waiting.data() ? outcome.output : outcome.error).append(block.data(), static_cast<std::size_t>(count));
      else
        one.fd = -1;
    }
  }
  int status = 0;
  waitpid(child, &status, 0);
  outcome.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  if (WIFEXITED(status)) outcome.status = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
  return outcome;
}

inline Outcome run(const std::vector<std::string>& arguments, const std::string& input = {}) {
  Call call;
  call.arguments = arguments;
  call.input = input;
  return run(call);
}

/// A folder that lasts as long as the object.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "clopt-test-XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw std::runtime_error("no folder");
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all, ignored);
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Writes a file into it. \returns its path.
  std::string file(const std::string& name, const std::string& content) const {
    const auto file = path_ / name;
    std::ofstream(file, std::ios::binary) << content;
    return file.string();
  }

 private:
  std::filesystem::path path_;
};

}  // namespace clopt::test
