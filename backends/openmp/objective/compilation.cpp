#include "compilation.hpp"

#include <clopt/detail/activity.hpp>
#include <clopt/detail/dropped_launches.hpp>
#include <clopt/detail/kernel_source.hpp>
#include <objective/casts.hpp>
#include <openmp/guard/status.hpp>
#include <support/process/helper_program.hpp>
#include <support/process/log.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <stop_token>
#include <string_view>

#include "text_source.hpp"

namespace clopt::openmp {
namespace {

namespace fs = std::filesystem;

// Types of numbers to which a real may be converted.
constexpr const char* reals[] = {"float", "double", "bool", "number"};

constexpr std::size_t most_shown = 160;

// What a compiler may take, beyond any text that is not made to exhaust it.
constexpr unsigned longest_seconds = 120;
constexpr unsigned long most_bytes = 8UL << 30;

fs::path guard_program() {
  auto file = helper_program("clopt-guard");
  if (!file.empty()) return file;
  throw BuildError(fmt::format(
      "the program clopt-guard, which runs the compilers of objectives, is missing in {}: install clopt again",
      folder_of_this_code().string()));
}

/// A pipe whose reader learns when this process ends, or wants it to end.
class LifeLine {
 public:
  LifeLine() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw BuildError("the system gives no pipe: too many files are open");
    reader_ = ends[0];
    writer_ = ends[1];
  }
  ~LifeLine() {
    close_writer();
    ::close(reader_);
  }
  LifeLine(const LifeLine&) = delete;
  LifeLine& operator=(const LifeLine&) = delete;
  int reader() const { return reader_; }
  /// Has the reader end. A child of a fork may keep the pipe open, so that a byte says it too.
  void cut() {
    [[maybe_unused]] const auto written = ::write(writer_, "", 1);
    close_writer();
  }

 private:
  void close_writer() {
    if (writer_ >= 0) ::close(writer_);
    writer_ = -1;
  }

  int reader_;
  int writer_;
};

// Runs a command under the guard. \returns its exit status, GuardStatus, or -1 where it cannot be started. \throws
// LaunchDropped where the calling thread's builds were dropped meanwhile: the guard ends the command.
int run(const std::vector<std::string>& command, const fs::path& folder, const fs::path& log_file) {
  std::vector<std::string> words{guard_program().string(), fmt::format("{}", longest_seconds),
                                 fmt::format("{}", most_bytes), folder.string()};
  words.insert(words.end(), command.begin(), command.end());
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  LifeLine life_line;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, life_line.reader(), 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, log_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  pid_t process = 0;
  const int failed = posix_spawn(&process, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return -1;
  const std::stop_callback end_command(DroppedLaunches::token(), [&life_line] { life_line.cut(); });
  int status = 0;
  while (waitpid(process, &status, 0) < 0)
    if (errno != EINTR) return -1;
  DroppedLaunches::require_wanted();
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// Refuses a real that becomes a whole number where no conversion stands: what is beyond the type's numbers would become
// another one on each device. The compiler warns of such, "conversion from 'T' to 'T'", in words of its own.
void refuse_hidden_conversions(const std::string& log) {
  for (std::size_t begin = 0; begin < log.size();) {
    const auto end = std::min(log.find('\n', begin), log.size());
    const auto line = std::string_view(log).substr(begin, end - begin);
    begin = end + 1;
    const auto warning = line.find(" warning: ");
    const auto to = line.find(" to '");
    if (warning == line.npos || to == line.npos || line.find("conversion]") == line.npos) continue;
    auto type = line.substr(to + 5);
    type = type.substr(0, type.find('\''));
    const auto alias = std::min(line.find(" {aka '", to), line.find(" (aka '", to));
    if (alias == to + 6 + type.size()) type = line.substr(alias + 7);
    type = type.substr(0, type.find('\''));
    if (std::none_of(std::begin(reals), std::end(reals),
                     [&](const char* real) { return type.find(real) != type.npos; }))
      throw TextError(fmt::format("{} error: {}\n", line.substr(0, warning), clopt::objective::hidden_conversion));
  }
}

/// A compiler with its options, and the folder of its files.
struct Compilation {
  std::vector<std::string> command;
  fs::path folder;
  std::ptrdiff_t own_words = 0;  ///< of the command, before clopt's options

  /// Makes a shared object of a source. \returns as run().
  int make(const std::string& source, const fs::path& object) const {
    const auto file = folder / "objective.cpp";
    write_file(file, source);
    std::error_code ignored;
    fs::remove(object, ignored);
    auto words = command;
    words.insert(words.end(), {"-o", object.string(), file.string()});
    log("build", fmt::format("{}", fmt::join(words, " ")));
    return run(words, folder, folder / "log");
  }
};

bool is_library(const fs::path& object) {
  std::ifstream stream(object, std::ios::binary);
  char begin[4] = {};
  stream.read(begin, sizeof begin);
  return std::string_view(begin, sizeof begin) == "\177ELF";
}

// Whether what was not compiled is the compiler's fault. \throws InvalidInput where it does not compile anything.
void require_compiler(const Compilation& compilation) {
  const auto trial = compilation.folder / "trial.so";
  const int status = compilation.make("extern \"C\" int clopt_trial() { return 1; }\n", trial);
  if (status == 0 && is_library(trial)) return;
  const auto log_text = read_file(compilation.folder / "log");
  const auto line = log_text.substr(0, std::min(log_text.find('\n'), most_shown));
  throw InvalidInput(fmt::format(
      "objectives cannot be compiled: '{}' makes no library of C++ ({}); let the environment's CXX name g++ "
      "or clang++",
      fmt::join(compilation.command.begin(), compilation.command.begin() + compilation.own_words, " "),
      !line.empty() ? line
      : status == 0 ? "it makes none"
                    : fmt::format("its status is {}", status)));
}

}  // namespace

std::string read_file(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void write_file(const fs::path& file, const std::string& content) {
  std::ofstream stream(file, std::ios::binary);
  stream.write(content.data(), static_cast<std::streamsize>(content.size()));
  stream.close();
  if (!stream) throw InvalidInput(fmt::format("{} cannot be written: is the disk full?", file.string()));
}

void compile(const std::vector<std::string>& compiler, const std::vector<std::string>& options,
             const std::string& source, const fs::path& folder, const fs::path& object) {
  Compilation compilation{compiler, folder, static_cast<std::ptrdiff_t>(compiler.size())};
  compilation.command.insert(compilation.command.end(), options.begin(), options.end());
  const Activity activity(fmt::format("compiling an objective by {}", compiler.front()));
  const int status = compilation.make(source, object);
  if (status == 0 && is_library(object)) return refuse_hidden_conversions(read_file(folder / "log"));
  if (status == GuardStatus::out_of_time)
    throw BuildError(
        fmt::format("an objective does not compile for openmp:0: {} did not end within {} s, and was ended; make the "
                    "text simpler, or take another compiler by the environment's CXX",
                    compiler.front(), longest_seconds));
  const auto log_text = read_file(folder / "log");
  if (log_text.find(other_arithmetic) != log_text.npos)
    throw InvalidInput(fmt::format(
        "the compiler '{}' of objectives has options that change arithmetic, as -ffast-math, which gives other "
        "results; take that out of the environment's CXX",
        fmt::join(compiler, " ")));
  require_compiler(compilation);
  throw TextError(fmt::format("an objective does not compile for openmp:0\ncommand: {}\n{}",
                              fmt::join(compilation.command, " "), explain_log(log_text, source)));
}

}  // namespace clopt::openmp
