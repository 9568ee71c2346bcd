#include "restrictions.hpp"

#include <clopt/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <vector>

#include "ambiguities.hpp"
#include "casts.hpp"
#include "tokens.hpp"

namespace clopt::objective {
namespace {

using namespace std::string_view_literals;

constexpr std::array directives{"define"sv, "undef"sv, "if"sv,    "ifdef"sv, "ifndef"sv,
                                "elif"sv,   "else"sv,  "endif"sv, "error"sv};
constexpr std::array foreign_words{"asm"sv,           "__asm"sv,       "__asm__"sv,           "__attribute"sv,
                                   "__attribute__"sv, "__declspec"sv,  "_Pragma"sv,           "__pragma"sv,
                                   "__has_include"sv, "__has_embed"sv, "__has_include_next"sv};
// Of C++ alone: in OpenCL C they mean nothing, or something else.
constexpr std::array words_of_cpp{"static_cast"sv, "reinterpret_cast"sv, "const_cast"sv, "dynamic_cast"sv,
                                  "template"sv,    "typename"sv,         "decltype"sv,   "namespace"sv,
                                  "using"sv,       "operator"sv,         "constexpr"sv,  "auto"sv,
                                  "extern"sv,      "thread_local"sv,     "concept"sv,    "requires"sv};
constexpr std::array raw_prefixes{"R"sv, "LR"sv, "uR"sv, "UR"sv, "u8R"sv};

template <std::size_t N>
bool is_among(const std::array<std::string_view, N>& all, std::string_view one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

// A text as compilers read it: lines that end in a backslash continue in the next one.
class JoinedText {
 public:
  explicit JoinedText(std::string_view text) {
    joined_.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\\')
        // Compilers overlook white space behind the backslash.
        if (const auto next = text.find_first_not_of(" \t\v\f\r", i + 1); next != text.npos && text[next] == '\n') {
          joins_.push_back(joined_.size());
          i = next;
          continue;
        }
      joined_ += text[i];
    }
  }

  const std::string& text() const { return joined_; }
  /// The line, from 1, in the text as it was given.
  std::size_t line_of(std::size_t place) const {
    const auto joined = std::upper_bound(joins_.begin(), joins_.end(), place) - joins_.begin();
    return 1 + static_cast<std::size_t>(
                   joined + std::count(joined_.begin(), joined_.begin() + static_cast<std::ptrdiff_t>(place), '\n'));
  }

 private:
  std::string joined_;
  std::vector<std::size_t> joins_;  // where lines were joined, in joined_
};

// What a token begins that no objective may have, and what to do; empty without such.
struct Complaint {
  std::string_view what;
  std::string_view remedy;
};

constexpr std::string_view only_macros =
    "of directives it may have #define, #undef, #error, and #if with what belongs to it";
constexpr std::string_view only_functions = "it is made of functions, constants and macros";
constexpr std::string_view spell_out = "write what it stands for";
constexpr std::string_view only_c = "it is C++, and not OpenCL C";

Complaint complaint_about(const std::string& text, const std::vector<Token>& tokens, std::size_t i) {
  const auto& token = tokens[i];
  const auto following = i + 1 < tokens.size() ? tokens[i + 1].text : std::string_view{};
  const auto from_here = std::string_view(text).substr(token.begin);
  const auto next_character = from_here.substr(token.text.size(), 1);
  const auto both = i + 1 < tokens.size() ? from_here.substr(0, tokens[i + 1].end() - token.begin) : from_here;
  if (token.text == "#" && following == "#") return {both, "write the whole name"};
  if (token.text == "#" && !is_among(directives, following)) return {both, only_macros};
  if (token.kind == Token::Kind::identifier && is_among(foreign_words, token.text)) return {token.text, only_functions};
  if (token.text == "[" && following == "[") return {both, only_functions};
  if (token.kind == Token::Kind::identifier && is_among(words_of_cpp, token.text)) return {token.text, only_c};
  if (from_here.starts_with("::")) return {"::", only_c};
  for (const auto spelling : {"%:"sv, "<:"sv, "<%"sv, ":>"sv, "%>"sv, "??"sv})
    if (from_here.starts_with(spelling)) return {spelling, spell_out};
  if (next_character == "\"" && is_among(raw_prefixes, token.text))
    return {from_here.substr(0, token.text.size() + 1), only_functions};
  if (next_character == "'" && token.kind == Token::Kind::number)
    return {from_here.substr(0, token.text.size() + 1), "write the number without separators"};
  return {};
}

// Functions of OpenCL C, or of C, that each platform computes in its own way; and what gives the same bits everywhere.
const std::map<std::string_view, std::string_view>& replacements() {
  static const std::map<std::string_view, std::string_view> all{{"acos", ""},
                                                                {"acosh", "log(x + sqrt(x * x - 1))"},
                                                                {"acospi", ""},
                                                                {"asin", ""},
                                                                {"asinh", "log(x + sqrt(x * x + 1))"},
                                                                {"asinpi", ""},
                                                                {"atan", ""},
                                                                {"atan2", ""},
                                                                {"atan2pi", ""},
                                                                {"atanh", "log((1 + x) / (1 - x)) / 2"},
                                                                {"atanpi", ""},
                                                                {"cbrt", "copysign(pow(fabs(x), 1 / 3.0), x)"},
                                                                {"cross", ""},
                                                                {"degrees", "x * (180 / M_PI)"},
                                                                {"distance", "hypot"},
                                                                {"dot", "a sum of products"},
                                                                {"erf", ""},
                                                                {"erfc", ""},
                                                                {"exp10", "pow(10, x)"},
                                                                {"expm1", "exp(x) - 1"},
                                                                {"fast_distance", "hypot"},
                                                                {"fast_length", "hypot"},
                                                                {"fast_normalize", "x / sqrt(...)"},
                                                                {"fma", "mad"},
                                                                {"length", "hypot"},
                                                                {"lgamma", ""},
                                                                {"lgamma_r", ""},
                                                                {"log1p", "log(1 + x)"},
                                                                {"mix", "a + (b - a) * t"},
                                                                {"normalize", "x / sqrt(...)"},
                                                                {"pown", "pow"},
                                                                {"powr", "pow"},
                                                                {"radians", "x * (M_PI / 180)"},
                                                                {"rootn", "pow"},
                                                                {"rsqrt", "1 / sqrt(x)"},
                                                                {"sincos", "sin and cos"},
                                                                {"smoothstep", "its formula"},
                                                                {"tanpi", "sinpi(x) / cospi(x)"},
                                                                {"tgamma", ""},
                                                                {"native_divide", "x / y"},
                                                                {"half_divide", "x / y"},
                                                                {"native_recip", "1 / x"},
                                                                {"half_recip", "1 / x"},
                                                                {"native_rsqrt", "1 / sqrt(x)"},
                                                                {"half_rsqrt", "1 / sqrt(x)"},
                                                                {"native_exp10", "pow(10, x)"},
                                                                {"half_exp10", "pow(10, x)"},
                                                                {"native_powr", "pow"},
                                                                {"half_powr", "pow"}};
  return all;
}

// What to take instead of a function: empty if nothing stands for it; none if it is the same everywhere.
const std::string_view* replacement_of(std::string_view function) {
  static constexpr std::string_view place = "what the individual says";
  static constexpr std::string_view plain = "the function without the prefix";
  const auto found = replacements().find(function);
  if (found != replacements().end()) return &found->second;
  if (function.starts_with("native_") || function.starts_with("half_")) return &plain;
  if (function.starts_with("get_global_") || function.starts_with("get_local_") || function.starts_with("get_group_"))
    return &place;
  return nullptr;
}

// The names that the text gives to functions and macros of its own.
std::set<std::string_view> own_functions(const std::vector<Token>& tokens) {
  std::set<std::string_view> names;
  int braces = 0;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (tokens[i].text == "{") ++braces;
    if (tokens[i].text == "}") --braces;
    if (i >= 2 && tokens[i - 1].text == "define" && tokens[i - 2].text == "#") names.insert(tokens[i].text);
    if (braces != 0 || tokens[i].kind != Token::Kind::identifier || tokens[i + 1].text != "(") continue;
    int depth = 1;
    auto close = i + 2;
    for (; close < tokens.size() && depth != 0; ++close) {
      if (tokens[close].text == "(") ++depth;
      if (tokens[close].text == ")") --depth;
    }
    if (close < tokens.size() && tokens[close].text == "{") names.insert(tokens[i].text);
  }
  return names;
}

// Names that compilers, drivers and clopt give a meaning of their own, beside words for address spaces.
bool is_of_compilers(std::string_view name) {
  static constexpr std::array known{"__global"sv,   "__local"sv,          "__private"sv,
                                    "__constant"sv, "OBJECTIVE_DOUBLE"sv, "OBJECTIVE_REAL"sv};
  static constexpr std::array prefixes{"__"sv, "cl_"sv, "CL_"sv, "OBJECTIVE_"sv, "CLOPT_"sv, "INDIVIDUAL_"sv};
  return !is_among(known, name) && std::any_of(prefixes.begin(), prefixes.end(),
                                               [&](std::string_view prefix) { return name.starts_with(prefix); });
}

}  // namespace

void refuse_foreign_parts(std::string_view text, std::string_view name) {
  if (text.find('\0') != text.npos)
    throw InvalidInput(fmt::format("{} is not a text: it should be an objective in OpenCL C", name));
  const JoinedText joined(text);
  const auto refuse = [&](std::size_t place, const Complaint& complaint) {
    throw InvalidInput(fmt::format("{}:{}: the text of an objective may not have `{}`; {}", name, joined.line_of(place),
                                   printable(complaint.what), complaint.remedy));
  };
  // A backslash to some compilers, and so it could end a comment for them alone.
  if (const auto place = joined.text().find("?\?/"); place != std::string::npos) refuse(place, {"?\?/", spell_out});
  const auto tokens = tokens_of(joined.text());
  for (std::size_t i = 0; i < tokens.size(); ++i)
    if (const auto complaint = complaint_about(joined.text(), tokens, i); !complaint.what.empty())
      refuse(tokens[i].begin, complaint);
  refuse_ambiguities(text, name);
  refuse_doubtful_casts(text, name);
}

std::string warn_of_functions(std::string_view text, std::string_view name, const std::set<std::string>& own) {
  const auto tokens = tokens_of(text);
  const auto defined = own_functions(tokens);
  std::vector<std::string> called;
  std::vector<std::string> advice;
  std::vector<std::string_view> asked;
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const auto function = tokens[i].text;
    if (tokens[i].kind != Token::Kind::identifier || seen.contains(function)) continue;
    if (defined.contains(function) || own.contains(std::string(function))) continue;
    if (is_of_compilers(function)) {
      seen.insert(function);
      asked.push_back(function);
    }
    if (tokens[i + 1].text != "(") continue;
    const auto* instead = replacement_of(function);
    if (!instead) continue;
    seen.insert(function);
    called.emplace_back(function);
    if (!instead->empty()) advice.push_back(fmt::format("{} for {}", *instead, function));
  }
  auto of_asked =
      asked.empty()
          ? std::string{}
          : fmt::format(
                "{} reads {}, which every device defines in its own way: the run may differ from device to device",
                name, fmt::join(asked, ", "));
  if (called.empty()) return of_asked;
  if (advice.size() < called.size())
    advice.emplace_back(
        fmt::format("{}a formula of the functions that docs/objectives.md lists", advice.empty() ? "" : "else "));
  return fmt::format(
      "{} calls {}, which every device computes in its own way: the run may differ from device to "
      "device; take {}{}{}",
      name, fmt::join(called, ", "), fmt::join(advice, ", "), asked.empty() ? "" : ". ", of_asked);
}

}  // namespace clopt::objective
