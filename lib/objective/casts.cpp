#include "casts.hpp"

#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "operands.hpp"
#include "tokens.hpp"

namespace clopt::objective {
namespace {

using namespace std::string_view_literals;

constexpr std::array other_types{"real"sv, "float"sv, "double"sv, "half"sv, "void"sv, "individual"sv};
// Whose result for a NaN is their own, or not defined; see kernels_cl/shared/objective/whole.h.
constexpr std::array defined_functions{"min"sv,    "max"sv,     "clamp"sv,   "copysign"sv,
                                       "as_int"sv, "as_uint"sv, "as_long"sv, "as_ulong"sv};

bool is_vector_type(std::string_view word) {
  const auto digit = word.find_first_of("123468");
  if (digit == word.npos) return false;
  const auto width = word.substr(digit);
  const auto type = word.substr(0, digit);
  return (width == "2" || width == "3" || width == "4" || width == "8" || width == "16") &&
         (is_one_of(whole_types, type) || is_one_of(other_types, type));
}

struct DoubtfulCast {
  std::size_t token;
  std::string_view why;
};

constexpr std::string_view bracket_macro = "set brackets around what the macro stands for, or around its parameter";

class Casts {
 public:
  Casts(std::string_view text, const std::set<std::string>& own) : text_(text), tokens_(tokens_of(text)) {
    for (const auto& macro : macros_of(tokens_)) {
      macros_.emplace(macro.name, macro);
      parameters_.insert(macro.parameters.begin(), macro.parameters.end());
    }
    own_.insert(own.begin(), own.end());
    find_names();
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      read_cast(i);
      read_function(i);
      read_arguments(i);
      read_division(i);
    }
  }

  const std::optional<DoubtfulCast>& doubt() const { return doubt_; }
  const Token& token(std::size_t i) const { return tokens_[i]; }
  std::vector<Change> changes() && { return std::move(changes_); }

 private:
  std::string_view text_of(std::size_t i) const { return i < tokens_.size() ? tokens_[i].text : std::string_view{}; }
  bool is_identifier(std::size_t i) const { return i < tokens_.size() && tokens_[i].kind == Token::Kind::identifier; }
  void set_doubt(std::size_t i, std::string_view why) {
    if (!doubt_) doubt_ = {i, why};
  }

  // The whole type that the tokens from i to end name, or nothing. They may be several words.
  std::string_view whole_type(std::size_t i, std::size_t end) const {
    std::string_view found;
    bool is_unsigned = false;
    bool is_signed = false;
    for (; i < end; ++i) {
      const auto word = text_of(i);
      if (word == "const" || word == "volatile") continue;
      if (word == "unsigned")
        is_unsigned = true;
      else if (word == "signed")
        is_signed = true;
      else if (const auto alias = aliases_.find(word); alias != aliases_.end())
        found = alias->second;
      else if (word == "size_t")
        found = "ulong";
      else if (!is_one_of(whole_types, word))
        return {};
      else if (found.empty() || word != "int")
        found = word;
    }
    if (found.empty() && (is_unsigned || is_signed)) found = "int";
    if (!is_unsigned || found.empty() || found.front() == 'u') return found;
    return found == "char" ? "uchar" : found == "short" ? "ushort" : found == "int" ? "uint" : "ulong";
  }

  bool is_type_word(std::string_view word) const {
    return is_one_of(whole_types, word) || is_one_of(other_types, word) || word == "bool" || word == "unsigned" ||
           word == "signed" || word == "size_t" || is_vector_type(word) || aliases_.contains(word) ||
           types_.contains(word);
  }
  bool is_qualifier(std::string_view word) const {
    static constexpr std::array words{"const"sv,     "volatile"sv, "global"sv,   "__global"sv, "private"sv,
                                      "__private"sv, "local"sv,    "__local"sv,  "constant"sv, "__constant"sv,
                                      "struct"sv,    "union"sv,    "restrict"sv, "enum"sv};
    return is_one_of(words, word);
  }

  // Whether the group at a '(' names a type, as a cast does.
  bool is_type_group(std::size_t open) const {
    const auto end = behind_group(tokens_, open) - 1;
    bool has_type = false;
    for (auto i = open + 1; i < end; ++i) {
      const auto word = text_of(i);
      const bool tagged = text_of(i - 1) == "struct" || text_of(i - 1) == "union" || text_of(i - 1) == "enum";
      if (is_type_word(word) || tagged)
        has_type = true;
      else if (word != "*" && !is_qualifier(word))
        return false;
    }
    return has_type;
  }

  // Names of types, and of whole types, that the text gives; of functions and macros.
  void find_names() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (text_of(i) != "typedef") continue;
      auto end = i + 1;
      while (end < tokens_.size() && text_of(end) != ";")
        end = opens(tokens_[end]) ? behind_group(tokens_, end) : end + 1;
      auto name = end - 1;
      while (name > i && !is_identifier(name)) --name;
      if (const auto type = whole_type(i + 1, name); !type.empty() && name + 1 == end)
        aliases_[text_of(name)] = type;
      else
        types_.insert(text_of(name));
      if (text_of(i + 1) == "enum") set_doubt(i + 1, "conversions to it are not defined; take int");
    }
    // A macro may stand for one that is defined behind it.
    for (std::size_t round = 0; round < macros_.size(); ++round)
      for (const auto& [name, macro] : macros_)
        if (!macro.has_parameters)
          if (const auto type = whole_type(macro.first, macro.last); !type.empty()) aliases_[name] = type;
    for (const auto& [name, macro] : macros_) {
      if (macro.has_parameters || macro.first == macro.last || aliases_.contains(name)) continue;
      bool is_type = true;
      for (auto i = macro.first; i < macro.last; ++i)
        is_type = is_type && (is_type_word(text_of(i)) || is_qualifier(text_of(i)) || text_of(i) == "*");
      if (is_type) types_.insert(name);
    }
    for (const auto& [name, macro] : macros_) own_.insert(std::string(name));
    int braces = 0;
    for (std::size_t i = 0; i + 1 < tokens_.size(); ++i) {
      if (text_of(i) == "{") ++braces;
      if (text_of(i) == "}") --braces;
      if (braces == 0 && is_identifier(i) && i > 0 && is_identifier(i - 1) && text_of(i + 1) == "(")
        own_.insert(std::string(text_of(i)));
      has_vectors_ = has_vectors_ || is_vector_type(text_of(i));
    }
  }

  std::size_t end_of_line(std::size_t i) const {
    if (!tokens_[i].in_directive) return tokens_.size();
    while (i < tokens_.size() && tokens_[i].in_directive && text_of(i) != "#") ++i;
    return i;
  }

  // The token behind the operand of a cast: a unary expression.
  std::size_t behind_operand(std::size_t i, std::size_t end) {
    const auto is_prefix = [&](std::string_view word) {
      return word == "+" || word == "-" || word == "!" || word == "~" || word == "*" || word == "&" || word == "sizeof";
    };
    while (i < end && (is_prefix(text_of(i)) || (text_of(i) == "(" && is_type_group(i))))
      i = text_of(i) == "(" ? behind_group(tokens_, i) : i + 1;
    if (i >= end) return i;
    require_whole(i);
    i = text_of(i) == "(" ? behind_group(tokens_, i) : i + 1;
    while (i < end) {
      const auto word = text_of(i);
      const bool doubled = text_of(i + 1) == word && tokens_[i + 1].begin == tokens_[i].end();
      const bool arrow = word == "-" && text_of(i + 1) == ">" && tokens_[i + 1].begin == tokens_[i].end();
      if (word == "(" || word == "[")
        i = behind_group(tokens_, i);
      else if (word == "." || ((word == "+" || word == "-") && doubled))
        i += 2;
      else if (arrow)
        i += 3;
      else
        break;
    }
    return std::min(i, end);
  }

  // A macro in an operand must be one of its own: `(int)X` with X as `a + b` casts a alone.
  void require_whole(std::size_t i) {
    if (!is_identifier(i)) return;
    if (tokens_[i].in_directive && parameters_.contains(text_of(i))) set_doubt(i, bracket_macro);
    const auto found = macros_.find(text_of(i));
    if (found == macros_.end()) return;
    const auto& macro = found->second;
    if (depth_ > macros_.size()) return set_doubt(i, bracket_macro);
    ++depth_;
    if (macro.first == macro.last || behind_operand(macro.first, macro.last) != macro.last) set_doubt(i, bracket_macro);
    --depth_;
  }

  void read_cast(std::size_t i) {
    const auto word = text_of(i);
    if (word == "(" && text_of(i + 1) == "enum" && is_type_group(i)) set_doubt(i + 1, "take int");
    if (text_of(i + 1) == "(" && text_of(i + 2) != "*" && !whole_type(i, i + 1).empty() && word != "const" &&
        word != "volatile" && !(i > 1 && text_of(i - 1) == "define"))
      set_doubt(i, "a cast is written (int)x in C");
    if (word != "(") return;
    const auto close = behind_group(tokens_, i) - 1;
    const auto type = whole_type(i + 1, close);
    // A parameter in brackets that something follows might be a type.
    if (close == i + 2 && tokens_[i].in_directive && parameters_.contains(text_of(i + 1)) &&
        close + 1 < end_of_line(i) && (tokens_[close + 1].kind != Token::Kind::other || text_of(close + 1) == "(") &&
        (i == 0 || !is_identifier(i - 1)))
      set_doubt(i + 1, "write the type of a cast, or a function's name, without a parameter");
    if (type.empty()) return;
    if (i > 0 && is_identifier(i - 1) && !is_one_of(before_a_value, text_of(i - 1)) &&
        !(i > 1 && text_of(i - 2) == "define" && tokens_[i - 1].end() != tokens_[i].begin))
      return;
    const auto end = end_of_line(i);
    if (close + 1 >= end) return set_doubt(i, bracket_macro);
    const auto& next = tokens_[close + 1];
    static constexpr std::array begins{"("sv, "+"sv, "-"sv, "!"sv, "~"sv, "*"sv, "&"sv};
    if (next.kind == Token::Kind::other && !is_one_of(begins, next.text)) return;
    const auto behind = behind_operand(close + 1, end);
    changes_.push_back(
        {tokens_[i].begin, tokens_[close].end() - tokens_[i].begin, fmt::format("objective_to_{}(", type)});
    changes_.push_back({tokens_[behind - 1].end(), 0, ")"});
  }

  void read_function(std::size_t i) {
    if (!is_identifier(i) || own_.contains(std::string(text_of(i)))) return;
    if (i > 0 && (text_of(i - 1) == "." || (text_of(i - 1) == ">" && i > 1 && text_of(i - 2) == "-"))) return;
    const auto word = text_of(i);
    if (word.starts_with("convert_") && is_one_of(whole_types, word.substr(8)))
      changes_.push_back({tokens_[i].begin, word.size(), fmt::format("objective_to_{}", word.substr(8))});
    if (is_one_of(defined_functions, word) && !has_vectors_ && text_of(i + 1) == "(")
      changes_.push_back({tokens_[i].begin, word.size(), fmt::format("objective_{}", word)});
  }

  // A type as a macro's argument might become a cast.
  void read_arguments(std::size_t i) {
    const auto macro = macros_.find(text_of(i));
    if (macro == macros_.end() || !macro->second.has_parameters || text_of(i + 1) != "(" ||
        (i > 0 && text_of(i - 1) == "define"))
      return;
    const auto end = behind_group(tokens_, i + 1) - 1;
    for (auto next = i + 2; next < end; next = opens(tokens_[next]) ? behind_group(tokens_, next) : next + 1)
      if (is_type_word(text_of(next)) && (text_of(next + 1) == "," || text_of(next + 1) == ")"))
        set_doubt(next, "a type is not given to a macro; write it where it is used");
  }

  // Where divisions are computed by the device: in functions and macros, not in conditions of the preprocessor, and not
  // in constants outside functions, which compilers compute.
  bool is_computed(std::size_t i) {
    for (; reached_ <= i; ++reached_) {
      if (tokens_[reached_].in_directive) {
        if (text_of(reached_) == "#") is_condition_ = text_of(reached_ + 1) != "define";
        continue;
      }
      if (text_of(reached_) == "{" && (depth_of_body_ > 0 || (reached_ > 0 && text_of(reached_ - 1) == ")")))
        ++depth_of_body_;
      if (text_of(reached_) == "}" && depth_of_body_ > 0) --depth_of_body_;
    }
    return tokens_[i].in_directive ? !is_condition_ : depth_of_body_ > 0;
  }

  // The tokens of a number that is not 0, maybe in brackets; else 0.
  std::size_t tokens_of_number(std::size_t i) const {
    const bool is_bracketed = text_of(i) == "(" && text_of(i + 2) == ")";
    const auto at = is_bracketed ? i + 1 : i;
    if (at >= tokens_.size() || tokens_[at].kind != Token::Kind::number || !is_nonzero(text_of(at))) return 0;
    return is_bracketed ? 3 : 1;
  }

  // A number that is not 0, or a macro that stands for one. \param behind the operand.
  bool is_sure_divisor(std::size_t i, std::size_t behind) const {
    if (const auto length = tokens_of_number(i); length != 0) return behind == i + length;
    const auto macro = macros_.find(text_of(i));
    if (macro == macros_.end() || macro->second.has_parameters || behind != i + 1) return false;
    const auto length = tokens_of_number(macro->second.first);
    return length != 0 && macro->second.last == macro->second.first + length;
  }

  // Whether compilers compute what stands there: of a `case`, an enumeration or an array that is declared.
  bool is_constant(std::size_t i) const {
    std::size_t depth = 0;
    while (i-- > 0) {
      if (tokens_[i].in_directive) continue;
      if (closes(tokens_[i])) {
        ++depth;
      } else if (opens(tokens_[i]) && depth > 0) {
        --depth;
      } else if (opens(tokens_[i])) {
        if (text_of(i) == "[" && i > 1 && is_type_word(text_of(i - 2))) return true;
        if (text_of(i) == "{") return i > 0 && (text_of(i - 1) == "enum" || (i > 1 && text_of(i - 2) == "enum"));
      } else if (depth == 0 && (text_of(i) == "case" || text_of(i) == ";" || text_of(i) == ":")) {
        return text_of(i) == "case";
      }
    }
    return false;
  }

  // Whether a division binds beyond the macro whose body it is in: as `a / b` in `2 * RATIO(a, b)`.
  bool is_open_in_macro(std::size_t i) const {
    if (!tokens_[i].in_directive) return false;
    for (const auto& [name, macro] : macros_) {
      if (i < macro.first || i >= macro.last) continue;
      std::size_t depth = 0;
      for (auto at = macro.first; at < i; ++at) {
        if (opens(tokens_[at])) ++depth;
        if (closes(tokens_[at]) && depth > 0) --depth;
      }
      return depth == 0;
    }
    return false;
  }

  bool names_macro(std::size_t i, std::size_t end) const {
    for (; i < end; ++i)
      if (macros_.contains(text_of(i))) return true;
    return false;
  }

  // The operand before a division; nothing before the body of a macro belongs to it.
  std::size_t begin_of_dividend(std::size_t i, bool assigns) const {
    std::size_t from = 0;
    if (tokens_[i].in_directive)
      for (const auto& [name, macro] : macros_)
        if (macro.first <= i && i < macro.last) from = macro.first;
    const std::span<const Token> before(tokens_.data() + from, i - from);
    const IsCast is_cast = [this, from](std::size_t open) { return is_type_group(from + open); };
    return from + (assigns ? begin_of_variable(before, is_cast) : begin_of_factors(before, is_cast));
  }

  void read_division(std::size_t i) {
    const auto sign = text_of(i);
    if ((sign != "/" && sign != "%") || !is_computed(i) || has_vectors_ || is_open_in_macro(i) || is_constant(i))
      return;
    const bool assigns = text_of(i + 1) == "=" && tokens_[i + 1].begin == tokens_[i].end();
    const auto divisor = i + (assigns ? 2 : 1);
    const auto end = end_of_line(i);
    const auto behind = assigns ? behind_assigned(tokens_, divisor, end) : behind_operand(divisor, end);
    if (divisor >= end || is_sure_divisor(divisor, behind) || text_of(divisor) == "sizeof") return;
    const auto begin = begin_of_dividend(i, assigns);
    // What is assigned to would be written twice.
    if (assigns && (begin == i || names_macro(begin, i))) return;
    if (begin == i) return set_doubt(i, bracket_macro);
    for (auto next = begin; next < i; next = opens(tokens_[next]) ? behind_group(tokens_, next) : next + 1)
      require_whole(next);
    const auto name = sign == "/" ? "objective_quotient(" : "objective_remainder(";
    const auto first = tokens_[begin].begin;
    const auto length = tokens_[divisor - 1].end() - tokens_[i].begin;
    if (assigns) {
      const auto variable = text_.substr(first, tokens_[i - 1].end() - first);
      changes_.push_back({tokens_[i].begin, length, fmt::format("= {}{}, ", name, variable)});
    } else {
      changes_.push_back({first, 0, name});
      changes_.push_back({tokens_[i].begin, length, ","});
    }
    changes_.push_back({tokens_[behind - 1].end(), 0, ")"});
  }

  std::string_view text_;
  std::vector<Token> tokens_;
  std::map<std::string_view, Macro> macros_;
  std::set<std::string_view> parameters_;
  std::map<std::string_view, std::string_view> aliases_;  // of whole types
  std::set<std::string_view> types_;                      // other names of types
  std::set<std::string> own_;
  bool has_vectors_ = false;
  std::size_t depth_ = 0;
  std::size_t reached_ = 0;        // by is_computed()
  std::size_t depth_of_body_ = 0;  // of a function, there
  bool is_condition_ = false;
  std::optional<DoubtfulCast> doubt_;
  std::vector<Change> changes_;
};

}  // namespace

void refuse_doubtful_casts(std::string_view text, std::string_view name) {
  const Casts casts(text, {});
  if (!casts.doubt()) return;
  const auto& token = casts.token(casts.doubt()->token);
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(token.begin), '\n');
  throw InvalidInput(fmt::format("{}:{}: the text of an objective may not have `{}` there: {}", name, line,
                                 printable(token.text), casts.doubt()->why));
}

std::string with_defined_conversions(std::string_view text, const std::set<std::string>& own) {
  auto changes = Casts(text, own).changes();
  // At one place closing brackets come first, then opened ones, of which the last has all others inside, then what
  // gives way.
  const auto order = [](const Change& change) { return change.with == ")" ? 0 : change.length == 0 ? 1 : 2; };
  std::reverse(changes.begin(), changes.end());
  std::stable_sort(changes.begin(), changes.end(), [&](const Change& a, const Change& b) {
    return a.place != b.place ? a.place < b.place : order(a) < order(b);
  });
  return with_changes(text, changes);
}

}  // namespace clopt::objective
