#include "program.hpp"

#include "casts.hpp"
#include "host_objective.hpp"
#include "operations.hpp"
#include "text.hpp"
#include "tokens.hpp"
#include "violation_calls.hpp"

#include <clopt/devices.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include <support/process/log.hpp>
#include <support/threads/process_mutex.hpp>

namespace clopt::objective {
namespace {

// A message is at most three lines: the first complaint, its line, and none of them without end.
constexpr std::size_t most_shown = 160;

// How a program calls the text: it must fit in an #include, and hide no file of ours.
std::string file_name(const Objective& objective) {
  if (objective.is_builtin()) return fmt::format("builtin_objectives/{}.cl", objective.name());
  auto name = objective.name();
  for (auto& c : name)
    if (c == '"' || c == '\n' || c == '\\' || c == '<' || c == '>') c = '_';
  for (const char* ours : {"shared/", "common/", "builtin_objectives/", "objective/", "checksums/", "random_numbers/",
                           "probes/", "Random123/"})
    if (name.starts_with(ours)) return "./" + name;
  return name.empty() || name == "objective_text.cl" ? "./" + name : name;
}

constexpr std::string_view beyond_floats =
    "which single precision does not hold, 3.4e38 at most; give smaller numbers, or choose the `precision` double";

bool is_beyond_floats(double value) { return std::isfinite(value) && !std::isfinite(static_cast<float>(value)); }

// Of a text; those of built-in objectives are their readers' and makers'.
void require_floats(const Objective& objective) {
  for (const auto& [name, value] : objective.constants())
    if (is_beyond_floats(value))
      throw InvalidInput(fmt::format("the constant {} of {} is {}, {}", name, objective.name(), value, beyond_floats));
  const auto& values = objective.table_values();
  for (const auto& [name, place] : objective.tables())
    for (std::size_t i = 0; i < place.second; ++i)
      if (const auto value = values[place.first + i]; is_beyond_floats(value))
        throw InvalidInput(fmt::format("number {} of the table {} of {} is {}, {}", i + 1, name, objective.name(),
                                       value, beyond_floats));
}

std::string literal(double value, bool double_precision) {
  Defines defines;
  if (double_precision)
    defines.set("value", value);
  else
    defines.set("value", static_cast<float>(value));
  return std::string(defines.find("value"));
}

// Compilers of OpenCL that are made of clang say where a real becomes a whole number by itself, which devices do in
// different ways; that for the host is asked in its own way.
constexpr std::string_view strict_begin =
    "#if defined(__OPENCL_VERSION__) && defined(__clang__)\n#pragma clang diagnostic push\n"
    "#pragma clang diagnostic error \"-Wfloat-conversion\"\n"
    "#pragma clang diagnostic error \"-Wliteral-conversion\"\n#endif\n";
constexpr std::string_view strict_end =
    "#if defined(__OPENCL_VERSION__) && defined(__clang__)\n#pragma clang diagnostic pop\n#endif\n";

// The text between the constants and tables that it may use.
std::string wrapped(const Objective& objective, bool double_precision) {
  // Behind the text its macros have no meaning: what follows is clopt's.
  std::string before;
  std::string after;
  for (const auto& [name, value] : objective.constants()) {
    before += fmt::format("#define {} {}\n", name, literal(value, double_precision));
    after += fmt::format("#undef {}\n", name);
  }
  for (const auto& [name, place] : objective.tables()) {
    before += fmt::format(
        "#define {0}_size {2}u\nOBJECTIVE_FUNCTION real {0}(individual x, uint i) {{ return "
        "objective_table(x, {1}u, {2}u, i); }}\n",
        name, place.first, place.second);
    after += fmt::format("#undef {}_size\n", name);
  }
  if (!objective.is_builtin())
    for (const auto& macro : macros_of(tokens_of(objective.text()))) after += fmt::format("#undef {}\n", macro.name);
  const bool is_strict = !objective.is_builtin();
  return fmt::format("{}{}#include \"{}\"\n{}{}", before, is_strict ? strict_begin : "", file_name(objective),
                     is_strict ? strict_end : "", after);
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

// The number N in "FILE:N" within a line of a compiler's log, or 0.
std::size_t own_line(std::string_view line, std::string_view file) {
  const auto found = line.find(fmt::format("{}:", file));
  if (found == line.npos) return 0;
  std::size_t number = 0;
  for (auto i = found + file.size() + 1; i < line.size() && line[i] >= '0' && line[i] <= '9'; ++i)
    number = number * 10 + static_cast<std::size_t>(line[i] - '0');
  return number;
}

// What a compiler says behind "error:".
std::string_view complaint(std::string_view line) {
  const auto found = line.find("error:");
  auto text = found == line.npos ? line : line.substr(found + 6);
  // Some begin with the word and name the place after it.
  if (const auto place = text.find(": "); found == 0 && place != text.npos) text = text.substr(place + 1);
  const auto first = text.find_first_not_of(' ');
  return first == text.npos ? text : text.substr(first);
}

// Without the namespaces that the texts have on OpenMP, which users do not see.
std::string plain(std::string_view complaint) {
  const bool is_of_reals = complaint.find("'float") != complaint.npos || complaint.find("'double") != complaint.npos ||
                           complaint.find("'real'") != complaint.npos;
  if (is_of_reals && complaint.starts_with("implicit conversion")) return std::string(hidden_conversion);
  std::string text(complaint);
  for (const char* outer : {"clopt::", "shared::", "{anonymous}::", "(anonymous namespace)::", "exact::", "moderate::"})
    for (std::size_t found = 0; (found = text.find(outer)) != text.npos;) text.erase(found, std::string(outer).size());
  // Functions that stand for others.
  for (const auto& [ours, theirs] : {std::pair{"objective_to_", "convert_"},
                                     {"objective_as_", "as_"},
                                     {"objective_fmin_of_violation", "fmin"},
                                     {"objective_fmax_of_violation", "fmax"},
                                     {"objective_min", "min"},
                                     {"objective_max", "max"},
                                     {"objective_clamp", "clamp"},
                                     {"objective_quotient", "a division"},
                                     {"objective_remainder", "a remainder"},
                                     {"objective_copysign", "copysign"}})
    for (std::size_t found = 0; (found = text.find(ours)) != text.npos;)
      text.replace(found, std::string_view(ours).size(), theirs);
  return text.substr(0, most_shown);
}

// "FILE:N" where a line of a compiler's log names a place before its complaint, or nothing.
std::string place_of(std::string_view line) {
  const auto begin = line.starts_with("error: ") ? 7 : line.find_first_not_of(' ');
  if (begin == line.npos) return {};
  const auto colon = line.find(':', begin);
  if (colon == line.npos || colon == begin) return {};
  const auto end = std::min(line.find_first_not_of("0123456789", colon + 1), line.size());
  return end == colon + 1 ? std::string{} : std::string(line.substr(begin, end - begin));
}

// What tokens say of a text.
struct ReadText {
  bool lets_nan_through;
  bool takes_vectors;
  std::uint32_t least_genes;
  std::string defined;  // with the conversions that clopt defines
  std::string defined_in_floats;
};

// The same for each run: a text is read once in a process, that takes as long as many a run.
std::shared_ptr<const ReadText> read_once(const std::string& text, const std::set<std::string>& own) {
  static auto* const mutex = new ProcessMutex(Holding::alone);
  static auto* const known =
      new std::map<std::pair<std::set<std::string>, std::string>, std::shared_ptr<const ReadText>>;
  constexpr std::size_t most_known = 256;
  const std::lock_guard lock(*mutex);
  if (known->size() >= most_known) known->clear();
  auto& read = (*known)[{own, text}];
  if (!read) {
    auto defined = with_defined_conversions(with_nan_through_violation(text, own), own);
    auto defined_in_floats = with_single_precision_literals(defined);
    read =
        std::make_shared<const ReadText>(ReadText{lets_nan_through(text, own), takes_vectors(text, own),
                                                  least_genes(text), std::move(defined), std::move(defined_in_floats)});
  }
  return read;
}

std::set<std::string> own_words(const Objective& objective) {
  std::set<std::string> own;
  for (const auto& [name, value] : objective.constants()) own.insert(name);
  for (const auto& [name, place] : objective.tables()) own.insert(name);
  return own;
}

// Where abscissas and standard deviations are, as individual.h names it.
void define_rows(Program& program, const Objective& objective) {
  constexpr std::uint32_t counted = 0;
  constexpr std::uint32_t table = 3;
  const auto& parts = objective.row_parts();
  const auto place = [&](const char* name, bool in_row, std::uint32_t part) {
    if (objective.tables().contains(name)) return table;
    return in_row ? part : counted;
  };
  program.defines.set("OBJECTIVE_RESIDUAL", true)
      .set("OBJECTIVE_ROW_PARTS", parts.count())
      .set("OBJECTIVE_ABSCISSA", place("abscissa", parts.abscissa, 1))
      .set("OBJECTIVE_SIGMA", place("sigma", parts.sigma, parts.abscissa ? 2 : 1))
      .set("OBJECTIVE_GAPS", parts.gaps)
      .set("OBJECTIVE_DIVIDES", parts.weighted && !mentions(objective.text(), "sigma"));
}

[[noreturn]] void refuse(const Objective& objective, std::size_t number, std::string_view complaint) {
  const auto source = lines_of(objective.text());
  const auto line = number <= source.size() ? source[number - 1] : std::string_view{};
  throw InvalidInput(fmt::format("the objective does not compile\n{}:{}: {}\n  {}", objective.name(), number, complaint,
                                 line.substr(0, most_shown)));
}

// A complaint about one of our lines, each of which compiles with a text that is right.
[[noreturn]] void refuse_caller(const Objective& objective, const std::string& place, std::string_view call,
                                std::string_view line) {
  for (const auto& called : called_functions) {
    if (call.find(fmt::format("{}(", called.name)) == call.npos) continue;
    if (const auto number = line_of(objective.text(), called.name); number != 0)
      refuse(objective, number,
             fmt::format("to be `{} {}({})`: {}", called.type, called.name, called.parameters, plain(complaint(line))));
  }
  throw InvalidInput(
      fmt::format("the objective does not compile\n{}: behind it, at {}: {}\n  look for a bracket that is left open, "
                  "or for a macro or function that has a name of clopt's",
                  objective.name(), place, plain(complaint(line))));
}

// What a program calls of an objective that is a function; null of a text.
std::shared_ptr<const HostFunction> function_of(const Objective& objective, bool maximise, Term term) {
  if (!objective.violation_function() || term == Term::value) return objective.function();
  if (term == Term::violation) return objective.violation_function();
  return constrained(objective.function(), objective.violation_function(), maximise);
}

// The host, where it opens.
std::shared_ptr<Device> find_host() {
  try {
    return open_device("openmp:0", {.threads = 1, .force = false, .self_test = false});
  } catch (const Error&) {
    return nullptr;
  }
}

// \throws BuildError.
void build_on(Device& host, const Program& program, const Objective& objective) {
  switch (objective.kind()) {
    case GeneKind::reals: host.kernel<operations::Evaluate<float, float>>(program); break;
    case GeneKind::integers: host.kernel<operations::Evaluate<std::int32_t, float>>(program); break;
    case GeneKind::bits:
    case GeneKind::permutation: host.kernel<operations::Evaluate<std::uint32_t, float>>(program);
  }
}

// Whether the host's compiler accepts the text; also where there is none to ask. \throws InvalidInput where it refuses
// it.
bool compiles_on_host(const Objective& objective) {
  const auto host = find_host();
  if (!host) return false;
  Program program;
  prepare(program, objective, false);
  build_with(objective, *host, [&] { build_on(*host, program, objective); });
  return true;
}

// What the host's compiler says of the text without the arguments that violation_calls.hpp gives functions; empty where
// it accepts that, or there is none.
std::string log_as_written(const Objective& objective) {
  const auto host = find_host();
  if (!host) return {};
  Program program;
  prepare(program, objective, false);
  program.texts[file_name(objective)] =
      with_single_precision_literals(with_defined_conversions(objective.text(), own_words(objective)));
  try {
    build_on(*host, program, objective);
  } catch (const BuildError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

void prepare(Program& program, const Objective& objective, bool double_precision, std::uint32_t genes, Term term) {
  const bool maximise = objective.direction() == Direction::maximise;
  program.host_function = function_of(objective, maximise, term);
  if (!objective.is_builtin()) program.objective = printable(objective.name());
  program.defines.set("OBJECTIVE_KIND", static_cast<std::uint32_t>(objective.kind()));
  // Where only the value is needed, residuals are a general objective.
  const auto form = objective.is_fit() ? ObjectiveForm::general : objective.form();
  program.defines.set("OBJECTIVE_FORM", static_cast<std::uint32_t>(form));
  program.defines.set("OBJECTIVE_FINISH", objective.has_finish());
  program.defines.set("OBJECTIVE_DOUBLE", double_precision);
  program.defines.set("OBJECTIVE_CHECKED", !objective.is_builtin());
  if (genes != 0) program.defines.set("OBJECTIVE_GENES", genes);
  if (objective.has_violation()) {
    program.defines.set("OBJECTIVE_VIOLATION", true);
    program.defines.set("OBJECTIVE_MAXIMISE", maximise ? 1U : 0U);
    program.defines.set("OBJECTIVE_TERM", static_cast<std::uint32_t>(term));
  }
  if (objective.is_function()) return;
  if (objective.is_fit()) define_rows(program, objective);
  const auto& text = objective.text();
  if (objective.is_builtin() && objective.table_values().empty() && mentions(text, "table_value"))
    throw InvalidInput(fmt::format(
        "the objective '{}' reads data, and has none; `clopt ecga` gives such objectives theirs", objective.name()));
  if (!objective.is_builtin() && mentions(text, "table_value"))
    throw InvalidInput(fmt::format(
        "{}:{}: `table_value` reads the data of built-in objectives; give the text a table, and read it by its name",
        objective.name(), line_of(text, "table_value")));
  if (!double_precision) require_floats(objective);
  const auto read = read_once(text, own_words(objective));
  program.defines.set("OBJECTIVE_LETS_NAN_THROUGH", read->lets_nan_through);
  program.defines.set("OBJECTIVE_TAKES_VECTORS", read->takes_vectors);
  // pow is long: compilers would take seconds for terms with some of them at each place that adds one.
  program.defines.set("OBJECTIVE_TERMS_APART", mentions_outside(text, "pow", {"objective_finish", "violation"}));
  if (read->least_genes != 0) program.defines.set("OBJECTIVE_LEAST_GENES", read->least_genes);
  program.texts["objective_text.cl"] = wrapped(objective, double_precision);
  // Ours have the right literals and conversions already.
  if (objective.is_builtin()) {
    program.texts[file_name(objective)] = text;
    return;
  }
  if (read->defined != text) program.defines.set("OBJECTIVE_CONVERTS", true);
  program.texts[file_name(objective)] = double_precision ? read->defined : read->defined_in_floats;
}

void require_device(const Device& device, const Objective& objective, bool double_precision, std::string_view why) {
  const auto& info = device.info();
  if (objective.is_function() && !info.launches_are_calls)
    throw InvalidInput(
        fmt::format("'{}' is a function of the host, and {} ({}) can call none: take the device "
                    "openmp:0, or give the function as a text in OpenCL C",
                    objective.name(), info.id, info.name));
  if (double_precision && !info.has_double)
    throw InvalidInput(fmt::format(
        "{}, and {} ({}) has none: take another device, such as openmp:0, or the `precision` float",
        why.empty()
            ? "double precision is asked for"
            : fmt::format("the objective {} needs double precision, since {}", printable(objective.name()), why),
        info.id, info.name));
}

// What a compiler says of a text. \param is_longer whether functions have the argument of violation_calls.hpp.
std::string explained(std::string_view line, bool is_longer) {
  auto text = plain(complaint(line));
  if (is_longer && text.find("argument") != text.npos && text.find("macro") == text.npos)
    text += " (where `violation` calls a function of the text, clopt gives it one argument more, the first)";
  return text;
}

void rethrow_build_error(const BuildError& error, const Objective& objective, const Device& device) {
  if (objective.is_function() || objective.is_builtin()) throw error;
  log("build", error.what());
  const bool is_host = device.info().launches_are_calls;
  const auto file = file_name(objective);
  std::string log = error.what();
  // Of a call: what the user has written has no argument more.
  bool is_longer = objective.has_violation() && log.find("argument") != log.npos;
  if (auto written = is_longer ? log_as_written(objective) : std::string(); !written.empty()) {
    log = std::move(written);
    is_longer = false;
  }
  const auto lines = lines_of(log);
  const auto next = [&](std::size_t i) { return i + 1 < lines.size() ? lines[i + 1] : std::string_view{}; };
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].find("error") == lines[i].npos) continue;
    auto number = own_line(lines[i], file);
    // A compiler that knows the whole text only: explain_log() names the place in the next line.
    if (number == 0 && next(i).starts_with("  ")) number = own_line(next(i), file);
    if (number != 0) refuse(objective, number, explained(lines[i], is_longer));
  }
  // What the host compiles is right, and the driver at fault.
  if (!is_host && compiles_on_host(objective)) throw error;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].find("error:") == lines[i].npos) continue;
    const auto known = lines[i].starts_with('<') ? place_of(next(i)) : place_of(lines[i]);
    // Without a place it is the compiler itself that fails.
    if (!known.empty()) refuse_caller(objective, known, next(i), lines[i]);
  }
  for (const auto line : lines)
    for (const char* missing :
         {"undefined symbol", "undefined reference", "Unresolved extern", "Cannot find symbol", "Symbols not found"})
      if (const auto found = line.find(missing); found != line.npos)
        throw InvalidInput(fmt::format("the objective {} calls a function that is defined nowhere\n  {}",
                                       objective.name(), line.substr(found, line.find(". ", found) - found)));
  throw error;
}

}  // namespace clopt::objective
