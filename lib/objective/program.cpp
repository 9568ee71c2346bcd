#include "program.hpp"

#include "text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace clopt::objective {
namespace {

// A message is at most three lines: the first complaint, its line, and none of them without end.
constexpr std::size_t most_shown = 160;

// How a program calls the text: it must fit in an #include, and hide no file of ours.
std::string file_name(const Objective& objective) {
  if (objective.is_builtin()) return fmt::format("objectives/{}.cl", objective.name());
  auto name = objective.name();
  for (auto& c : name)
    if (c == '"' || c == '\n' || c == '\\' || c == '<' || c == '>') c = '_';
  for (const char* ours : {"shared/", "common/", "objectives/", "objective/", "primitives/", "Random123/"})
    if (name.starts_with(ours)) return "./" + name;
  return name.empty() || name == "objective_text.cl" ? "./" + name : name;
}

std::string literal(double value, bool double_precision) {
  Defines defines;
  if (double_precision)
    defines.set("value", value);
  else
    defines.set("value", static_cast<float>(value));
  return std::string(defines.find("value"));
}

// The text between the constants and tables that it may use.
std::string wrapped(const Objective& objective, bool double_precision) {
  std::string before;
  std::string after;
  for (const auto& [name, value] : objective.constants()) {
    before += fmt::format("#define {} {}\n", name, literal(value, double_precision));
    after += fmt::format("#undef {}\n", name);
  }
  for (const auto& [name, place] : objective.tables()) {
    before += fmt::format(
        "#define {0}_size {2}u\nOBJECTIVE_FUNCTION real {0}(individual x, uint i) {{ return "
        "table_value(x, {1}u + i); }}\n",
        name, place.first, place.second);
    after += fmt::format("#undef {}_size\n", name);
  }
  return fmt::format("{}#include \"{}\"\n{}", before, file_name(objective), after);
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
  // Some begin with the word and tell the place after it.
  if (const auto place = text.find(": "); found == 0 && place != text.npos) text = text.substr(place + 1);
  const auto first = text.find_first_not_of(' ');
  return first == text.npos ? text : text.substr(first);
}

}  // namespace

void prepare(Program& program, const Objective& objective, bool double_precision, std::uint32_t genes) {
  program.host_function = objective.function();
  program.defines.set("OBJECTIVE_KIND", static_cast<std::uint32_t>(objective.kind()));
  program.defines.set("OBJECTIVE_FORM", static_cast<std::uint32_t>(objective.form()));
  program.defines.set("OBJECTIVE_FINISH", objective.has_finish());
  program.defines.set("OBJECTIVE_DOUBLE", double_precision);
  if (genes != 0) program.defines.set("OBJECTIVE_GENES", genes);
  if (objective.is_function()) return;
  const auto& text = objective.text();
  if (objective.is_builtin() && objective.table_values().empty() && mentions(text, "table_value"))
    throw InvalidInput(fmt::format(
        "the objective '{}' reads data, and has none; `clopt ecga` gives such objectives theirs", objective.name()));
  program.defines.set("OBJECTIVE_LETS_NAN_THROUGH", lets_nan_through(text));
  program.texts["objective_text.cl"] = wrapped(objective, double_precision);
  // Ours have the right literals already.
  const bool as_it_is = double_precision || objective.is_builtin();
  program.texts[file_name(objective)] = as_it_is ? text : with_single_precision_literals(text);
}

void require_device(const Device& device, const Objective& objective, bool double_precision) {
  const auto& info = device.info();
  if (objective.is_function() && !info.launches_are_calls)
    throw InvalidInput(
        fmt::format("'{}' is a C++ function, and {} ({}) can call none: take the device openmp:0, or "
                    "give the function as a text in OpenCL C",
                    objective.name(), info.id, info.name));
  if (double_precision && !info.has_double)
    throw InvalidInput(
        fmt::format("double precision is asked for, and {} ({}) has none: take single precision, or "
                    "another device",
                    info.id, info.name));
}

void rethrow_build_error(const BuildError& error, const Objective& objective) {
  const auto file = objective.is_function() ? std::string{} : file_name(objective);
  if (file.empty()) throw error;
  const auto lines = lines_of(error.what());
  const auto source = lines_of(objective.text());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].find("error") == lines[i].npos) continue;
    auto number = own_line(lines[i], file);
    // A compiler that knows the whole text only: explain_log() tells the place in the next line.
    if (number == 0 && i + 1 < lines.size() && lines[i + 1].starts_with("  ")) number = own_line(lines[i + 1], file);
    if (number == 0) continue;
    const auto line = number <= source.size() ? source[number - 1] : std::string_view{};
    throw InvalidInput(fmt::format("the objective does not compile\n{}:{}: {}\n  {}", objective.name(), number,
                                   complaint(lines[i]).substr(0, most_shown), line.substr(0, most_shown)));
  }
  throw error;
}

}  // namespace clopt::objective
