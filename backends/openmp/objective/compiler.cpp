#include "compiler.hpp"

#include <clopt/crash.hpp>
#include <clopt/detail/activity.hpp>
#include <clopt/detail/cache.hpp>
#include <clopt/detail/kernel_source.hpp>
#include <clopt/detail/system_message.hpp>
#include <clopt/error.hpp>
#include <clopt/version.hpp>
#include <objective/casts.hpp>
#include <openmp/guard/status.hpp>
#include <support/files/temporary_folder.hpp>
#include <support/numbers/instruction_set.hpp>
#include <support/process/environment.hpp>
#include <support/process/helper_program.hpp>
#include <support/process/log.hpp>
#include <support/threads/process_mutex.hpp>

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "text_source.hpp"

namespace clopt::openmp {
namespace {

namespace fs = std::filesystem;

/// The compiler refuses the text.
class TextError : public BuildError {
 public:
  using BuildError::BuildError;
};

// Types of numbers to which a real may be converted.
constexpr const char* reals[] = {"float", "double", "bool", "number"};

constexpr std::size_t most_shown = 160;

// What a compiler may take, beyond any text that is not made to exhaust it.
constexpr unsigned longest_seconds = 120;
constexpr unsigned long most_bytes = 8UL << 30;

/// Makes a folder for the compiler's files.
TemporaryFolder make_folder() {
  TemporaryFolder folder("objective");
  if (folder.path().empty())
    throw InvalidInput(
        fmt::format("the objective needs a temporary folder to be compiled in, and {} gives none: set "
                    "TMPDIR to a folder that may be written",
                    TemporaryFolder::parent().string()));
  return folder;
}

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

// The file that a command's name stands for, or nothing.
std::optional<fs::path> find_command(const std::string& command) {
  const auto is_program = [](const fs::path& file) {
    std::error_code ignored;
    return ::access(file.c_str(), X_OK) == 0 && fs::is_regular_file(file, ignored);
  };
  if (command.find('/') != std::string::npos)
    return is_program(command) ? std::optional<fs::path>(command) : std::nullopt;
  for (const auto& folder : environment::command_path())
    if (const auto file = folder / command; is_program(file)) return file;
  return std::nullopt;
}

// The environment's CXX may hold a wrapper and options: "ccache g++".
std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = std::min(text.find(' ', begin), text.size());
    if (end > begin) words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

std::vector<std::string> find_compiler() {
  if (auto words = words_of(environment::compiler()); !words.empty()) {
    if (!find_command(words.front()))
      throw InvalidInput(fmt::format("the environment's CXX names the compiler '{}', which is not there, or no program",
                                     words.front()));
    if (std::find(words.begin(), words.end(), "-w") != words.end())
      throw InvalidInput(
          "the environment's CXX has the option -w, which hides warnings that clopt needs; take that out");
    return words;
  }
  for (const char* command : {"c++", "g++", "clang++"})
    if (find_command(command)) return {command};
  throw InvalidInput(
      "an objective or a model in OpenCL C is compiled by a C++ compiler when it runs on OpenMP, and there is none: "
      "install g++, "
      "or "
      "take an OpenCL device of the processor (Debian: pocl-opencl-icd)");
}

// What the code depends on beside its text: the compiler, and the processor that it is compiled for.
std::string surroundings(const std::vector<std::string>& compiler) {
  std::string text = fmt::format("clopt {}\n{}\n", version(), fmt::join(compiler, " "));
  const auto file = fs::canonical(*find_command(compiler.front()));
  std::error_code ignored;
  text += fmt::format("{} {} {}\n", file.string(), fs::file_size(file, ignored),
                      fs::last_write_time(file, ignored).time_since_epoch().count());
  std::ifstream processor("/proc/cpuinfo");
  for (std::string line; std::getline(processor, line);) {
    if (line.starts_with("model name") || line.starts_with("flags") || line.starts_with("Features"))
      text += line + "\n";
    if (line.empty()) break;
  }
  return text;
}

// This processor's instructions, as far as instruction_set() goes.
std::vector<std::string> processor_options([[maybe_unused]] const Program& program) {
#ifdef __x86_64__
  if (!uses_avx2()) return {"-march=x86-64"};
  if (!uses_avx512()) return {"-march=native", "-mno-avx512f"};
  // Intel's processors fit in half of the time with half a vector, and AMD's in twice the time.
  if (is_of_fits(program) && !__builtin_cpu_is("amd")) return {"-march=native", "-DOBJECTIVE_VECTOR_BYTES=32"};
  // Loops that take half a vector wait for what is written in whole ones, and the reverse. clang, too, passes whole
  // ones to functions that then look for halves.
  return {"-march=native", "-mprefer-vector-width=512"};
#else
  return {"-march=native"};
#endif
}

std::vector<std::string> options_of(const Program& program) {
  const auto processor = processor_options(program);
  std::vector<std::string> options{"-std=c++20", program.quick_build ? "-O1" : "-O3", "-ffp-contract=off",
                                   "-fno-trapping-math", "-fno-math-errno", "-fwrapv", "-fopenmp-simd", "-fPIC",
                                   "-shared", "-fno-diagnostics-color", "-fvisibility=hidden",
                                   // What texts may do, and C++ leaves open.
                                   "-fno-strict-aliasing", "-fsigned-char",
                                   // A real that becomes a whole number by itself, see refuse_hidden_conversions().
                                   "-Wfloat-conversion"};
  // Vectors are computed one after the other, each by long chains of operations: scheduled early, the chains are
  // interleaved. (clang knows the option and does without.)
  if (!program.quick_build) options.emplace_back("-fschedule-insns");
  options.insert(options.end(), processor.begin(), processor.end());
  if (program.fast_math) options.emplace_back("-ffast-math");
  return options;
}

fs::path guard_program() {
  auto file = helper_program("clopt-guard");
  if (!file.empty()) return file;
  throw BuildError(fmt::format(
      "the program clopt-guard, which runs the compilers of objectives, is missing in {}: install clopt again",
      folder_of_this_code().string()));
}

/// A pipe that holds nothing: its reader learns when this process ends.
class LifeLine {
 public:
  LifeLine() {
    if (::pipe2(ends_, O_CLOEXEC) != 0) throw BuildError("the system gives no pipe: too many files are open");
  }
  ~LifeLine() {
    ::close(ends_[0]);
    ::close(ends_[1]);
  }
  LifeLine(const LifeLine&) = delete;
  LifeLine& operator=(const LifeLine&) = delete;
  int reader() const { return ends_[0]; }

 private:
  int ends_[2]{};
};

// Runs a command under the guard. \returns its exit status, GuardStatus, or -1 where it cannot be started.
int run(const std::vector<std::string>& command, const fs::path& folder, const fs::path& log_file) {
  std::vector<std::string> words{guard_program().string(), fmt::format("{}", longest_seconds),
                                 fmt::format("{}", most_bytes), folder.string()};
  words.insert(words.end(), command.begin(), command.end());
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const LifeLine life_line;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, life_line.reader(), 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, log_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  pid_t process = 0;
  const int failed = posix_spawn(&process, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return -1;
  int status = 0;
  while (waitpid(process, &status, 0) < 0)
    if (errno != EINTR) return -1;
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

// Compiles a source to a shared object in the folder.
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

// Its function is null where that cannot be loaded.
CompiledObjective load(const fs::path& object, const std::string& name) {
  // As C++ it may have code that runs now.
  const RunningObjective running(name.c_str());
  // The folder is removed at once: the code stays mapped.
  void* library = ::dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) return {};
  return {reinterpret_cast<ObjectiveFunction>(::dlsym(library, exported::evaluate)),
          reinterpret_cast<ObjectiveFunction>(::dlsym(library, exported::exact)),
          reinterpret_cast<ObjectiveFunction>(::dlsym(library, exported::residuals)),
          reinterpret_cast<FitFunction>(::dlsym(library, exported::fits)),
          reinterpret_cast<LongRowsFunction>(::dlsym(library, exported::long_rows))};
}

// A text as the compiler gets it, and what its shared object is kept by.
struct Text {
  std::vector<std::string> options;
  bool vectors;
  std::string source;
  std::string key;
};

Text text_of(const Program& program, const std::vector<std::string>& compiler) {
  Text text{options_of(program), can_be_vectors(program), {}, {}};
  text.source = source_of(program, text.vectors);
  text.key = fmt::format("{}{}\n{}", surroundings(compiler), fmt::join(text.options, " "), text.source);
  return text;
}

// What this process has compiled or loaded.
class Compiled {
 public:
  static Compiled& instance() {
    static auto& compiled = *new Compiled;
    return compiled;
  }
  CompiledObjective find(const std::string& key) {
    const std::lock_guard lock(mutex_);
    const auto found = objectives_.find(key);
    return found == objectives_.end() ? CompiledObjective{} : found->second;
  }
  CompiledObjective keep(const std::string& key, const CompiledObjective& objective) {
    const std::lock_guard lock(mutex_);
    return objectives_[key] = objective;
  }
  // Held by the thread that compiles a text; others seldom wait for the same one.
  ProcessMutex& turn_of(const std::string& key) { return turns_[std::hash<std::string>()(key) % turns_.size()]; }

 private:
  Compiled() {
    for (int i = 0; i < 16; ++i) turns_.emplace_back(Holding::others);
  }
  ProcessMutex mutex_{Holding::alone};
  std::map<std::string, CompiledObjective> objectives_;
  std::deque<ProcessMutex> turns_;
};

// An objective that was compiled before, by this process or another one; else its functions are null.
CompiledObjective find_compiled(const Text& text, const std::string& name, const fs::path& object) {
  auto& compiled = Compiled::instance();
  if (const auto found = compiled.find(text.key); found.is_loaded()) return found;
  const auto bytes = Cache::instance().load("objective", text.key);
  if (!bytes) return {};
  write_file(object, *bytes);
  const auto loaded = load(object, name);
  return loaded.is_loaded() ? compiled.keep(text.key, loaded) : loaded;
}

void compile_text(const std::vector<std::string>& compiler, const Text& text, const Program& program,
                  const fs::path& folder, const fs::path& object) {
  try {
    compile(compiler, text.options, text.source, folder, object);
  } catch (const TextError& error) {
    // Texts may do with one number what vectors of them do not know.
    if (!text.vectors) throw;
    log("build", fmt::format("an objective takes no vectors of individuals: {}", error.what()));
    compile(compiler, text.options, source_of(program, false), folder, object);
  }
}

}  // namespace

CompiledObjective compile_objective(const Program& program) {
  const auto compiler = find_compiler();
  const auto text = text_of(program, compiler);
  auto& compiled = Compiled::instance();
  const std::lock_guard lock(compiled.turn_of(text.key));
  if (const auto found = compiled.find(text.key); found.is_loaded()) return found;
  const TemporaryFolder folder = make_folder();
  const auto object = folder.path() / "objective.so";
  if (program.quick_build) {
    auto optimised = program;
    optimised.quick_build = false;
    if (const auto found = find_compiled(text_of(optimised, compiler), program.objective, object); found.is_loaded())
      return found;
  }
  if (const auto found = find_compiled(text, program.objective, object); found.is_loaded()) return found;
  auto& cache = Cache::instance();
  // Of processes that want the same one, one compiles it.
  const auto turn = [&] {
    const Activity activity("waiting for a process that compiles the same objective");
    return cache.wait_for_turn("objective", text.key);
  }();
  // Another one's turn may have ended since it was looked for.
  if (const auto found = find_compiled(text, program.objective, object); found.is_loaded()) return found;
  compile_text(compiler, text, program, folder.path(), object);
  const auto loaded = load(object, program.objective);
  if (!loaded.is_loaded())
    throw BuildError(
        fmt::format("the compiled objective cannot be loaded: {}. Set TMPDIR to a folder from which "
                    "programs may run",
                    loader_message()));
  cache.store("objective", text.key, read_file(object));
  return compiled.keep(text.key, loaded);
}

}  // namespace clopt::openmp
