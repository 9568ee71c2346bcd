#include "compiler.hpp"

#include <clopt/crash.hpp>
#include <clopt/detail/activity.hpp>
#include <clopt/detail/cache.hpp>
#include <clopt/detail/dropped_launches.hpp>
#include <clopt/detail/system_message.hpp>
#include <clopt/error.hpp>
#include <clopt/version.hpp>
#include <support/files/temporary_folder.hpp>
#include <support/numbers/instruction_set.hpp>
#include <support/process/environment.hpp>
#include <support/process/log.hpp>
#include <support/threads/process_mutex.hpp>

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "compilation.hpp"
#include "text_source.hpp"

namespace clopt::openmp {
namespace {

namespace fs = std::filesystem;

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
  // Intel's processors fit in half of the time with half a vector; AMD's fit best with whole ones.
  if (is_of_fits(program) && !__builtin_cpu_is("amd")) return {"-march=native", "-DOBJECTIVE_VECTOR_BYTES=32"};
  // Loops that take half a vector wait for what is written in whole ones, and the reverse. clang also passes
  // whole vectors to functions that expect halves.
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
  // A thread compiles a text; others that want the same one wait. No mutex is held meanwhile, for which a fork would
  // wait.
  class Turn {
   public:
    Turn(Compiled& compiled, const std::string& key) : compiled_(compiled), key_(key) {
      while (!compiled_.begin(key_)) {
        DroppedLaunches::require_wanted();
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
      }
    }
    ~Turn() { compiled_.end(key_); }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    Compiled& compiled_;
    const std::string& key_;
  };

 private:
  Compiled() = default;
  bool begin(const std::string& key) {
    const std::lock_guard lock(mutex_);
    const auto [place, is_new] = under_way_.try_emplace(key, number_of_forks());
    // What a fork's parent compiles, no thread of its child does.
    return is_new || std::exchange(place->second, number_of_forks()) != number_of_forks();
  }
  void end(const std::string& key) {
    const std::lock_guard lock(mutex_);
    under_way_.erase(key);
  }

  ProcessMutex mutex_{Holding::alone};
  std::map<std::string, CompiledObjective> objectives_;
  std::map<std::string, unsigned> under_way_;  // the forks of the process
};

// An objective that another process has compiled; else its functions are null.
CompiledObjective load_kept(const Text& text, const std::string& name, const fs::path& object) {
  const auto bytes = Cache::instance().load("objective", text.key);
  if (!bytes) return {};
  write_file(object, *bytes);
  return load(object, name);
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
  const Compiled::Turn own_turn(compiled, text.key);
  if (const auto found = compiled.find(text.key); found.is_loaded()) return found;
  // What is optimised already is taken before anything is compiled quickly.
  std::vector<Text> texts;
  if (program.quick_build) {
    auto optimised = program;
    optimised.quick_build = false;
    texts.push_back(text_of(optimised, compiler));
    if (const auto found = compiled.find(texts.front().key); found.is_loaded()) return compiled.keep(text.key, found);
  }
  texts.push_back(text);
  const TemporaryFolder folder = make_folder();
  const auto object = folder.path() / "objective.so";
  for (const auto& each : texts)
    if (const auto found = load_kept(each, program.objective, object); found.is_loaded())
      return compiled.keep(text.key, found);
  auto& cache = Cache::instance();
  // Of processes that want the same one, one compiles it.
  const auto turn = [&] {
    const Activity activity("waiting for a process that compiles the same objective");
    return cache.wait_for_turn("objective", text.key, DroppedLaunches::token());
  }();
  DroppedLaunches::require_wanted();
  // Another one's turn may have ended since it was looked for.
  if (const auto found = load_kept(text, program.objective, object); found.is_loaded())
    return compiled.keep(text.key, found);
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
