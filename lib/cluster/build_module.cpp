#include <clopt/cluster.hpp>
#include <clopt/detail/system_message.hpp>
#include <clopt/error.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <string>
#include <vector>

#include "module.hpp"

namespace clopt::cluster {
namespace {

struct Outcome {
  int status = 0;
  std::string output;
};

// Runs a command whose output, both streams, is short.
Outcome run(const std::vector<std::string>& words) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw Error(fmt::format("no pipe: {}", system_message(errno)));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int code = ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  Outcome outcome;
  if (code != 0) {
    ::close(ends[0]);
    throw InvalidInput(fmt::format("'{}' cannot be run: {}; give the compiler's wrapper of your MPI, such as mpicc",
                                   printable(words.front()), system_message(code)));
  }
  std::array<char, 4096> part{};
  for (ssize_t count = 0; (count = ::read(ends[0], part.data(), part.size())) > 0;)
    outcome.output.append(part.data(), static_cast<std::size_t>(count));
  ::close(ends[0]);
  while (::waitpid(child, &outcome.status, 0) < 0 && errno == EINTR) continue;
  return outcome;
}

}  // namespace

void build_module(const std::string& wrapper, const std::filesystem::path& file) {
  const auto source = module_source();
  if (source.empty())
    throw InvalidInput(
        "the module's source is not beside the library; install clopt whole, or build the module with it");
  const auto outcome = run(
      {wrapper, "-O2", "-fPIC", "-fvisibility=hidden", "-shared", "-o", file.string(), (source / "module.c").string()});
  if (outcome.status != 0)
    throw InvalidInput(fmt::format("{} does not compile the module:\n{}", printable(wrapper), outcome.output));
}

}  // namespace clopt::cluster
