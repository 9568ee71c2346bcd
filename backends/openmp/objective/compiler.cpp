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
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace clopt::openmp {
namespace {

namespace fs = std::filesystem;

/// The compiler refuses the text.
class TextError : public BuildError {
 public:
  using BuildError::BuildError;
};

constexpr const char* entry_name = "clopt_objective";
constexpr const char* exact_name = "clopt_exact_objective";
constexpr const char* residuals_name = "clopt_residuals";
constexpr const char* fits_name = "clopt_fits";
constexpr const char* long_rows_name = "clopt_long_rows";

// Types of numbers to which a real may be converted.
constexpr const char* reals[] = {"float", "double", "bool", "number"};

// What the compiler says where its options, or a wrapper's, change what is computed.
constexpr const char* other_arithmetic = "clopt's arithmetic is exact";
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
std::vector<std::string> processor_options() {
#ifdef __x86_64__
  if (!uses_avx2()) return {"-march=x86-64"};
  if (!uses_avx512()) return {"-march=native", "-mno-avx512f"};
#endif
  return {"-march=native"};
}

std::vector<std::string> options_of(const Program& program) {
  const auto processor = processor_options();
  std::vector<std::string> options{"-std=c++20", program.few_items ? "-O2" : "-O3", "-ffp-contract=off",
                                   "-fno-trapping-math", "-fno-math-errno", "-fwrapv", "-fopenmp-simd", "-fPIC",
                                   "-shared", "-fno-diagnostics-color", "-fvisibility=hidden",
                                   // What texts may do, and C++ leaves open.
                                   "-fno-strict-aliasing", "-fsigned-char",
                                   // A real that becomes a whole number by itself, see refuse_hidden_conversions().
                                   "-Wfloat-conversion"};
  // Vectors are computed one after the other, each by long chains of operations: scheduled early, the chains are
  // interleaved. (clang knows the option and does without.)
  if (!program.few_items) options.emplace_back("-fschedule-insns");
  options.insert(options.end(), processor.begin(), processor.end());
  if (program.fast_math) options.emplace_back("-ffast-math");
  return options;
}

// Whether vectors of individuals may go through the whole text. (Of sums, the loops take many individuals anyway.)
bool can_be_vectors(const Program& program) {
  return program.defines.find("OBJECTIVE_FORM") == "0U" && program.defines.find("OBJECTIVE_KIND") == "1U" &&
         program.defines.find("OBJECTIVE_TAKES_VECTORS") == "1" && program.defines.find("FIT_LANES") != "0" &&
         !program.fast_math && !program.few_items;
}

// A program with what is compiled at run time as texts.
Program with_run_time_texts(const Program& program) {
  Program whole = program;
  static constexpr struct {
    const char* file;
    const char* text;
  } texts[] = {
#include <generated/run_time_texts.inc>
  };
  for (const auto& text : texts) whole.texts[text.file] = text.text;
  return whole;
}

bool is_of_fits(const Program& program) { return !program.defines.find("FIT_PARAMETERS").empty(); }

// What stands before every reading of a text.
std::string opening_of(const Program& program) {
  std::string source;
  if (!program.fast_math)
    source = fmt::format(
        "#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || "
        "defined(__NO_SIGNED_ZEROS__) || __FINITE_MATH_ONLY__ || __FLT_EVAL_METHOD__ == 2\n#error {0}\n#endif\n"
        "static_assert(sizeof 1.0 == sizeof(double), \"{0}\");\n",
        other_arithmetic);
  source +=
      "#include \"shared/elementary/elementary.h\"\n#include \"shared/objective/constraint.h\"\n"
      "#include \"shared/objective/scalar.h\"\n#include \"objective/batch.hpp\"\n";
  if (is_of_fits(program)) source += "#include \"objective/fit_batch.hpp\"\n#include <new>\n";
  for (const auto& [name, value] : program.defines.entries())
    if ((name.starts_with("OBJECTIVE_") || name.starts_with("FIT_")) && name != "OBJECTIVE_GENES" &&
        name != "OBJECTIVE_EXACT")
      source += fmt::format("#define {} {}\n", name, value);
  // Words of OpenCL C that mean nothing here.
  return source +
         "#define global\n#define __global\n#define local\n#define __local\n#define private\n#define __private\n"
         "#define constant static const\n#define __constant static const\n#define restrict __restrict\n"
         "#define OBJECTIVE_CLONES(attributes, result, name, parameters, arguments) attributes static result name "
         "parameters\n"
         // clang passes vectors of 512 bits in other registers to a function that says nothing of their width, once it
         // has made values of references (LLVM's argument promotion).
         "#if defined(__clang__) && defined(__AVX512F__)\n"
         "#pragma clang attribute push(__attribute__((min_vector_width(512))), apply_to = function)\n#endif\n"
         "namespace clopt::shared { namespace {\n";
}

// What stands behind the loops: the end of what opening_of() opens.
constexpr const char* closing =
    "} }\n#if defined(__clang__) && defined(__AVX512F__)\n#pragma clang attribute pop\n#endif\n";

const char* real_of(const Program& program) {
  return program.defines.find("OBJECTIVE_DOUBLE") == "1" ? "double" : "float";
}

std::string exported(const char* name, const char* batch, const char* function) {
  return fmt::format(
      "extern \"C\" __attribute__((visibility(\"default\"))) void {}(const clopt::{}& batch) {{\n"
      "  clopt::shared::{}(batch);\n}}\n",
      name, batch, function);
}

// The program's text twice, as loops.hpp requires it, and the loops; with vectors, a third time.
std::string source_of_loops(const Program& program, bool moderate, bool vectors) {
  auto source = opening_of(program);
  for (const bool second : {false, true})
    source += fmt::format(
        "namespace {} {{\ntypedef {} real;\n#define OBJECTIVE_MODERATE {}\n#include \"shared/objective/individual.h\"\n"
        "#include \"objective_text.cl\"\n#include \"shared/objective/sum.h\"\n#undef OBJECTIVE_MODERATE\n}}\n",
        second ? "moderate" : "exact", real_of(program), second && moderate ? 1 : 0);
  if (vectors)
    source += fmt::format(
        "#define OBJECTIVE_VECTOR_READING\n#define OBJECTIVE_VECTOR\n#define OBJECTIVE_MODERATE {}\n"
        "namespace vectors {{\ntypedef {} scalar;\n#include \"objective/vector_number.hpp\"\n"
        "#include \"objective/vector_individual.hpp\"\n"
        "typedef number real;\n#include \"shared/objective/individual.h\"\n"
        "#include \"objective_text.cl\"\n#include \"shared/objective/sum.h\"\n}}\n"
        "#undef OBJECTIVE_VECTOR\n#undef OBJECTIVE_MODERATE\n",
        moderate ? 1 : 0, real_of(program));
  source += std::string("#include \"objective/loops.hpp\"\n") + closing +
            exported(entry_name, "ObjectiveBatch", "evaluate") +
            exported(exact_name, "ObjectiveBatch", "evaluate_exactly");
  if (program.defines.find("OBJECTIVE_RESIDUAL") == "1")
    source += exported(residuals_name, "ObjectiveBatch", "residuals");
  return source;
}

// The text and the method of fits, once for one fit and, with vectors, once for many. Each brings its own individual.
std::string source_of_fits(const Program& program, bool vectors) {
  constexpr const char* text_and_method =
      "#include \"shared/objective/individual.h\"\n#include \"objective_text.cl\"\n#include "
      "\"shared/objective/sum.h\"\n"
      "#include \"shared/fit/levenberg_marquardt.h\"\n#include \"shared/fit/errors.h\"\n"
      "#include \"shared/fit/sections.h\"\n";
  auto source = opening_of(program);
  source += fmt::format(
      "#define OBJECTIVE_MODERATE 0\n#define OBJECTIVE_STRIDED_ROWS\n#define OBJECTIVE_GENES FIT_PARAMETERS\n"
      "namespace one {{\ntypedef {} real;\n{}}}\n#undef FIT_ANY\n#undef FIT_POWER\n",
      real_of(program), text_and_method);
  if (vectors)
    source += fmt::format(
        "#define FIT_VECTORS\n#define OBJECTIVE_VECTOR\nnamespace vectors {{\ntypedef {} scalar;\n"
        "#include \"objective/vector_number.hpp\"\n#include \"objective/fit_individual.hpp\"\ntypedef number real;\n"
        "{}}}\n",
        real_of(program), text_and_method);
  if (program.defines.find("FIT_LONG_ROWS") == "1")
    return source + "#include \"objective/long_row_loops.hpp\"\n" + closing +
           exported(long_rows_name, "LongRowsBatch", "long_rows");
  return source + "#include \"objective/fit_loops.hpp\"\n" + closing + exported(fits_name, "FitBatch", "fit_batch");
}

std::string source_of(const Program& program, bool moderate, bool vectors) {
  const auto source =
      is_of_fits(program) ? source_of_fits(program, vectors) : source_of_loops(program, moderate, vectors);
  return expand_includes(source, "objective.cpp", with_run_time_texts(program));
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
  return {reinterpret_cast<ObjectiveFunction>(::dlsym(library, entry_name)),
          reinterpret_cast<ObjectiveFunction>(::dlsym(library, exact_name)),
          reinterpret_cast<ObjectiveFunction>(::dlsym(library, residuals_name)),
          reinterpret_cast<FitFunction>(::dlsym(library, fits_name)),
          reinterpret_cast<LongRowsFunction>(::dlsym(library, long_rows_name))};
}

}  // namespace

CompiledObjective compile_objective(const Program& program) {
  static auto& mutex = *new ProcessMutex(Holding::others);
  static std::map<std::string, CompiledObjective> compiled;
  const auto compiler = find_compiler();
  const auto options = options_of(program);
  const bool moderate = program.defines.find("OBJECTIVE_LETS_NAN_THROUGH") == "1";
  const bool vectors = can_be_vectors(program);
  const auto source = source_of(program, moderate, vectors);
  const auto key = fmt::format("{}{}\n{}", surroundings(compiler), fmt::join(options, " "), source);
  const std::lock_guard lock(mutex);
  if (const auto found = compiled.find(key); found != compiled.end()) return found->second;
  const TemporaryFolder folder = make_folder();
  const auto object = folder.path() / "objective.so";
  auto& cache = Cache::instance();
  const auto load_kept = [&]() -> CompiledObjective {
    const auto bytes = cache.load("objective", key);
    if (!bytes) return {};
    write_file(object, *bytes);
    return load(object, program.objective);
  };
  auto function = load_kept();
  if (function.is_loaded()) return compiled[key] = function;
  // Of processes that want the same one, one compiles it.
  const auto turn = [&] {
    const Activity activity("waiting for a process that compiles the same objective");
    return cache.wait_for_turn("objective", key);
  }();
  // Another one's turn may have ended since it was looked for.
  function = load_kept();
  if (!function.is_loaded()) {
    try {
      compile(compiler, options, source, folder.path(), object);
    } catch (const TextError& error) {
      // Texts may do with one number what vectors of them do not know.
      if (!vectors) throw;
      log("build", fmt::format("an objective takes no vectors of individuals: {}", error.what()));
      compile(compiler, options, source_of(program, moderate, false), folder.path(), object);
    }
    function = load(object, program.objective);
    if (!function.is_loaded())
      throw BuildError(
          fmt::format("the compiled objective cannot be loaded: {}. Set TMPDIR to a folder from which "
                      "programs may run",
                      loader_message()));
    cache.store("objective", key, read_file(object));
  }
  return compiled[key] = function;
}

}  // namespace clopt::openmp
