#include <clopt/detail/kernel_source.hpp>
#include <clopt/detail/numbers.hpp>
#include <clopt/error.hpp>
#include <generated/kernel_entries.hpp>
#include <support/numbers/checksum.hpp>
#include <support/process/environment.hpp>
#include "kernel_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <vector>

namespace clopt {
namespace {

constexpr int most_nested_includes = 32;
// Lines of a compiler's log that a message shows: the first errors are the most useful.
constexpr std::size_t most_log_lines = 30;

std::optional<std::string> find_text(std::string_view file, const Program& program) {
  if (const auto own = program.texts.find(std::string(file)); own != program.texts.end()) return own->second;
  if (const auto folder = environment::kernel_path()) {
    std::ifstream stream(*folder / file, std::ios::binary);
    if (stream) return std::string{std::istreambuf_iterator<char>(stream), {}};
  }
  for (const auto& embedded : embedded_kernel_texts())
    if (embedded.file == file) return std::string(embedded.text);
  return std::nullopt;
}

// The name in `#include "name"` or `#include <name>`, or nothing for any other line.
std::string_view included_file(std::string_view line) {
  const auto start = line.find_first_not_of(" \t");
  if (start == line.npos || line[start] != '#') return {};
  const auto word = line.find_first_not_of(" \t", start + 1);
  if (word == line.npos || !line.substr(word).starts_with("include")) return {};
  const auto open = line.find_first_of("\"<", word);
  if (open == line.npos) return {};
  const auto close = line.find_first_of("\">", open + 1);
  return close == line.npos ? std::string_view{} : line.substr(open + 1, close - open - 1);
}

// The rest of a line that begins with a directive, such as "ifdef X"; empty for other lines.
std::string_view directive_of(std::string_view line) {
  const auto start = line.find_first_not_of(" \t");
  if (start == line.npos || line[start] != '#') return {};
  const auto word = line.find_first_not_of(" \t", start + 1);
  return word == line.npos ? std::string_view{} : line.substr(word);
}

/// How deep a line stands in conditions (#if) of its text. The guard of a header, which is its first directive and is
/// defined by its second, is not a condition.
class Conditions {
 public:
  void pass(std::string_view line) {
    const auto directive = directive_of(line);
    if (directive.empty()) return;
    ++directives_;
    if (directives_ == 1 && directive.starts_with("ifndef ")) guard_ = directive.substr(7);
    if (directives_ == 2 && !guard_.empty())
      is_guarded_ = directive.starts_with("define ") && directive.substr(7) == guard_;
    if (directive.starts_with("if")) ++depth_;
    if (directive.starts_with("endif")) --depth_;
  }
  bool is_guarded() const { return is_guarded_; }
  bool is_conditional() const { return depth_ > (is_guarded_ ? 1 : 0); }

 private:
  std::size_t directives_ = 0;
  std::string_view guard_;
  bool is_guarded_ = false;
  int depth_ = 0;
};

class Expander {
 public:
  explicit Expander(const Program& program) : program_(program) {}

  // A header whose guard is known to be defined is left out: some hundred copies of it take a compiler time.
  void expand(std::string_view text, std::string_view name, int depth, bool is_conditional) {
    if (depth > most_nested_includes) throw BuildError(fmt::format("the includes of '{}' never end", name));
    result_ += fmt::format("#line 1 \"{}\"\n", name);
    std::size_t number = 0;
    Conditions conditions;
    for (std::size_t begin = 0; begin < text.size();) {
      const auto end = std::min(text.find('\n', begin), text.size());
      const auto line = text.substr(begin, end - begin);
      begin = end + 1;
      ++number;
      conditions.pass(line);
      const auto file = included_file(line);
      const auto included = file.empty() ? std::nullopt : find(file, name);
      if (!included) {
        // An include of some other file stays: it may stand in a branch that is not for OpenCL C.
        result_.append(line).push_back('\n');
      } else if (defined_.contains(included->file)) {
        result_.push_back('\n');
      } else {
        expand(included->text, included->file, depth + 1, is_conditional || conditions.is_conditional());
        result_ += fmt::format("#line {} \"{}\"\n", number + 1, name);
      }
    }
    if (conditions.is_guarded() && !is_conditional) defined_.emplace(name);
  }

  std::string take() { return std::move(result_); }

 private:
  struct Found {
    std::string file;
    std::string text;
  };

  // From the root of kernels_cl, or beside the file that includes it.
  std::optional<Found> find(std::string_view file, std::string_view includer) const {
    if (auto text = find_text(file, program_)) return Found{std::string(file), std::move(*text)};
    const auto beside = (std::filesystem::path(includer).parent_path() / file).lexically_normal().string();
    if (auto text = find_text(beside, program_)) return Found{beside, std::move(*text)};
    return std::nullopt;
  }

  const Program& program_;
  std::string result_;
  std::set<std::string, std::less<>> defined_;  // headers whose guards are defined
};

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find('\n', begin), text.size());
    lines.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

/// Where a line of an expanded source comes from.
struct Place {
  std::string file;  // empty for lines that stand before the first file, and for directives
  std::size_t number = 0;
  std::string text;
};

std::vector<Place> places_of(std::string_view source) {
  std::vector<Place> places;
  std::string file;
  std::size_t number = 0;
  for (auto& line : lines_of(source)) {
    const auto name = line.starts_with("#line ") ? line.find('"') : std::string::npos;
    if (name == line.npos) {
      places.push_back({file, number++, std::move(line)});
      continue;
    }
    number = leading_number(std::string_view(line).substr(6));
    file = line.substr(name + 1, line.rfind('"') - name - 1);
    places.push_back({});
  }
  return places;
}

}  // namespace

std::string_view kernel_file(std::string_view operation) {
  for (const auto& entry : generated::kernel_entries)
    if (entry.name == operation) return entry.file;
  throw BuildError(fmt::format("no file of kernels_cl holds a kernel called '{}'", operation));
}

std::string kernel_source(std::string_view file, const Program& program) {
  const auto text = find_text(file, program);
  if (!text) throw BuildError(fmt::format("there is no kernel file '{}'", file));
  return expand_includes(*text, file, program);
}

std::string expand_includes(std::string_view text, std::string_view name, const Program& program) {
  Expander expander(program);
  expander.expand(text, name, 0, false);
  return expander.take();
}

namespace {

std::string new_fingerprint() {
  Checksum checksum;
  for (const auto& embedded : embedded_kernel_texts()) {
    const auto text = find_text(embedded.file, {}).value_or("");
    checksum.add(std::span<const char>(text));
  };
  return fmt::format("{:016x}", checksum.value());
}

}  // namespace

// Those of a developer's folder may change, and a megabyte of text takes as long as a small run.
std::string kernel_fingerprint() {
  if (environment::kernel_path()) return new_fingerprint();
  static const auto fingerprint = new_fingerprint();
  return fingerprint;
}

std::string explain_log(std::string_view log, std::string_view source) {
  const auto places = places_of(source);
  std::string result;
  std::size_t shown = 0;
  for (const auto& line : lines_of(log)) {
    if (line.empty()) continue;
    if (++shown > most_log_lines) return result + "...\n";
    result.append(line).push_back('\n');
    // Compilers of the clang family begin a message with "file:line:column:", some with a word before that.
    const std::size_t begin = line.starts_with("error: ") ? 7 : line.starts_with("warning: ") ? 9 : 0;
    const auto first = line.find(':', begin);
    if (first == line.npos || first + 1 >= line.size() || line[first + 1] < '0' || line[first + 1] > '9') continue;
    const auto name = std::string_view(line).substr(begin, first - begin);
    const auto number = leading_number(std::string_view(line).substr(first + 1));
    // NVIDIA's compiler calls the text "<kernel>", and counts its lines from the text's beginning.
    if (name.starts_with('<') && number >= 1 && number <= places.size()) {
      const auto& place = places[number - 1];
      result += fmt::format("  {}:{} | {}\n", place.file, place.number, place.text);
      continue;
    }
    const auto place = std::find_if(places.begin(), places.end(),
                                    [&](const Place& each) { return each.file == name && each.number == number; });
    if (place != places.end()) result += fmt::format("  {} | {}\n", number, place->text);
  }
  return result;
}

}  // namespace clopt
