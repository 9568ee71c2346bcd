#include "ambiguities.hpp"

#include <clopt/detail/numbers.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <set>
#include <vector>

#include "tokens.hpp"

namespace clopt::objective {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view write_out = "a compiler might read its brackets otherwise than clopt; write it out";
constexpr std::string_view plain_definition =
    "clopt must see what it is to call: define it in one place, without macros or brackets around its name";
constexpr std::string_view no_state = "what one call leaves to another would depend on the order of individuals";

// A place in the text that is refused, what stands there, and why.
struct Doubt {
  std::size_t place;
  std::string_view what;
  std::string_view why;
};

struct Reading {
  std::string_view text;
  std::vector<Token> tokens;
  std::vector<Macro> macros;
  std::set<std::string_view> macro_names;

  Doubt at(std::size_t token, std::string_view why) const { return {tokens[token].begin, tokens[token].text, why}; }
  std::string_view text_of(std::size_t token) const {
    return token < tokens.size() ? tokens[token].text : std::string_view{};
  }
};

bool fit(std::string_view open, std::string_view close) {
  return (open == "(" && close == ")") || (open == "[" && close == "]") || (open == "{" && close == "}");
}

// Bytes that end a line or the text for some compilers alone.
std::optional<Doubt> doubt_of_bytes(const Reading& reading) {
  const auto text = reading.text;
  for (auto i = text.find('\r'); i != text.npos; i = text.find('\r', i + 1))
    if (text.substr(i + 1, 1) != "\n")
      return Doubt{i, text.substr(i, 1), "without a line feed it ends a line for some compilers alone"};
  const auto last = text.find_last_not_of(" \t\v\f\r\n");
  if (last != text.npos && text[last] == '\\') return Doubt{last, text.substr(last, 1), "nothing follows it"};
  // A backslash at a line's end must not join words, nor the two characters of a comment's begin or end.
  for (auto i = text.find('\\'); i != text.npos; i = text.find('\\', i + 1)) {
    const auto next = text.find_first_not_of(" \t\v\f\r", i + 1);
    if (next == text.npos || text[next] != '\n' || i == 0 || next + 1 >= text.size()) continue;
    constexpr std::string_view spaces = " \t\v\f\r\n";
    if (spaces.find(text[i - 1]) == spaces.npos && spaces.find(text[next + 1]) == spaces.npos)
      return Doubt{i, text.substr(i, 1), "a line is continued with a space before the backslash"};
  }
  return std::nullopt;
}

std::optional<Doubt> doubt_of_characters(const Reading& reading) {
  constexpr std::string_view known = "()[]{};,.+-*/%<>=!&|^~?:#";
  for (const auto& token : reading.tokens) {
    if (token.kind == Token::Kind::other && known.find(token.text) == known.npos)
      return Doubt{token.begin, token.text, "it is a character of no language's outside comments"};
    if (token.kind != Token::Kind::literal) continue;
    const auto line = token.text.substr(0, token.text.find('\n'));
    if (line.size() < 2 || line != token.text || line.back() != line.front())
      return Doubt{token.begin, line, "a quotation ends on its line"};
  }
  // A comment that is left open would take in what follows the text.
  std::size_t i = reading.tokens.empty() ? 0 : reading.tokens.back().end();
  while (i < reading.text.size()) {
    const auto two = reading.text.substr(i, 2);
    const auto close = two == "/*" ? reading.text.find("*/", i + 2) : two == "//" ? reading.text.find('\n', i) : i;
    if (two == "/*" && close == std::string_view::npos) return Doubt{i, two, "the comment ends nowhere"};
    if (close == std::string_view::npos) break;
    i = close + 1;
  }
  return std::nullopt;
}

// Brackets must match in each macro, in what each condition of the preprocessor chooses, and in the text: then a
// token's depth does not depend on what the preprocessor makes of it.
std::optional<Doubt> doubt_of_brackets(const Reading& reading) {
  const auto& tokens = reading.tokens;
  std::vector<std::size_t> open;
  const auto close = [&](std::size_t i) {
    const bool fits = !open.empty() && fit(tokens[open.back()].text, tokens[i].text);
    if (fits) open.pop_back();
    return fits;
  };
  for (const auto& macro : reading.macros) {
    for (auto i = macro.first; i < macro.last; ++i) {
      if (opens(tokens[i])) open.push_back(i);
      if (closes(tokens[i]) && !close(i)) return reading.at(i, write_out);
    }
    if (!open.empty()) return reading.at(open.back(), write_out);
  }
  std::vector<std::size_t> depths;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].in_directive) {
      if (tokens[i].text != "#") continue;
      const auto directive = reading.text_of(i + 1);
      if (directive.starts_with("if")) depths.push_back(open.size());
      if (!directive.starts_with("el") && directive != "endif") continue;
      if (depths.empty() || depths.back() != open.size()) return reading.at(i + 1, write_out);
      if (directive == "endif") depths.pop_back();
      continue;
    }
    if (opens(tokens[i])) open.push_back(i);
    if (closes(tokens[i]) && !close(i)) return reading.at(i, "no bracket is open that it closes");
  }
  if (open.empty()) return std::nullopt;
  return reading.at(open.back(), "the bracket is left open");
}

// A '[' behind another one is an attribute of C++. What stands between them is nothing where a macro is so.
std::optional<Doubt> doubt_of_attributes(const Reading& reading) {
  if (reading.macros.empty()) return std::nullopt;
  auto changing = reading.macro_names;
  for (const auto& macro : reading.macros) {
    changing.insert(macro.parameters.begin(), macro.parameters.end());
    if (macro.first < macro.last && reading.text_of(macro.first) == "[") return reading.at(macro.first, write_out);
  }
  for (std::size_t i = 0; i < reading.tokens.size(); ++i) {
    if (reading.tokens[i].text != "[") continue;
    if (i > 0 && (reading.text_of(i - 1) == "(" || reading.text_of(i - 1) == ",")) return reading.at(i, write_out);
    auto next = i + 1;
    while (changing.contains(reading.text_of(next))) {
      ++next;
      if (reading.text_of(next) == "(") next = behind_group(reading.tokens, next);
    }
    if (reading.text_of(next) == "[") return reading.at(next, write_out);
  }
  return std::nullopt;
}

// The functions that clopt calls are not made by macros, do not have their names in brackets, or their parameters'
// types behind them: else clopt would not know of a constraint.
std::optional<Doubt> doubt_of_definitions(const Reading& reading) {
  const auto& tokens = reading.tokens;
  for (const auto& macro : reading.macros) {
    if (is_called_by_clopt(macro.name) || macro.name == "individual")
      return Doubt{static_cast<std::size_t>(macro.name.data() - reading.text.data()), macro.name, plain_definition};
    for (auto i = macro.first; i < macro.last; ++i)
      if (is_called_by_clopt(tokens[i].text)) return reading.at(i, plain_definition);
  }
  std::vector<std::size_t> groups;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].in_directive) continue;
    if (opens(tokens[i])) groups.push_back(i);
    if (closes(tokens[i])) groups.pop_back();
    const auto in_body = [&](std::size_t group) { return tokens[group].text == "{"; };
    if (!is_called_by_clopt(tokens[i].text) || std::any_of(groups.begin(), groups.end(), in_body)) continue;
    if (!groups.empty()) {
      // The name of a parameter.
      const auto of = groups.back() == 0 ? std::string_view{} : tokens[groups.back() - 1].text;
      if (tokens[i - 1].kind != Token::Kind::identifier || reading.macro_names.contains(of))
        return reading.at(i, plain_definition);
      continue;
    }
    if (reading.text_of(i + 1) != "(") return reading.at(i, plain_definition);
    const auto behind = behind_group(tokens, i + 1);
    if (reading.text_of(behind) != "{" && reading.text_of(behind) != ";") return reading.at(i, plain_definition);
    for (auto inside = i + 2; inside < behind; ++inside)
      if (reading.macro_names.contains(tokens[inside].text)) return reading.at(inside, plain_definition);
  }
  return std::nullopt;
}

// Variables outside functions are constants, and none inside outlives a call: individuals are computed in any order, by
// several threads, and some twice. OpenCL C has no others.
std::optional<Doubt> doubt_of_variables(const Reading& reading) {
  static constexpr std::array constants{"constant"sv, "__constant"sv, "const"sv, "typedef"sv};
  static constexpr std::array types{"struct"sv, "union"sv, "enum"sv};
  const auto& tokens = reading.tokens;
  std::vector<std::size_t> statement;
  const auto has = [&](auto accepts) {
    return std::any_of(statement.begin(), statement.end(), [&](std::size_t i) { return accepts(tokens[i].text); });
  };
  const auto among = [](const auto& words) {
    return [&](std::string_view word) { return std::find(words.begin(), words.end(), word) != words.end(); };
  };
  const auto is = [](std::string_view wanted) { return [=](std::string_view word) { return word == wanted; }; };
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto text = tokens[i].text;
    if (tokens[i].in_directive) {
      if (text == "static" || text == "__local" || text == "local") return reading.at(i, no_state);
      continue;
    }
    if (text == ";") {
      const bool is_function = has(is("(")) && !has(is("="));
      const bool is_type = has(among(types)) && statement.size() <= 3;
      if (!statement.empty() && !is_function && !is_type && !has(among(constants)) &&
          !has([&](std::string_view word) { return reading.macro_names.contains(word); }))
        return reading.at(statement.front(), no_state);
      statement.clear();
      continue;
    }
    statement.push_back(i);
    if (!opens(tokens[i])) continue;
    const auto behind = behind_group(tokens, i);
    const bool is_function = text == "{" && has(is("(")) && !has(is("="));
    for (auto inside = i; is_function && inside < behind; ++inside)
      if (tokens[inside].text == "static") return reading.at(inside, no_state);
    if (is_function) statement.clear();
    i = behind - 1;
  }
  return std::nullopt;
}

// C leaves open what a shift by a number's width gives, and OpenCL C takes the remainder.
std::optional<Doubt> doubt_of_shifts(const Reading& reading) {
  for (std::size_t i = 0; i + 2 < reading.tokens.size(); ++i) {
    const auto sign = reading.text_of(i);
    if ((sign != "<" && sign != ">") || reading.text_of(i + 1) != sign) continue;
    const auto by = i + (reading.text_of(i + 2) == "=" ? 3 : 2);
    auto number = reading.text_of(by);
    while (number.ends_with('u') || number.ends_with('U')) number.remove_suffix(1);
    const auto bits = number_in<unsigned>(number);
    const auto shifted = i > 0 ? reading.text_of(i - 1) : std::string_view{};
    const bool is_int =
        i > 0 && reading.tokens[i - 1].kind == Token::Kind::number && shifted.find_first_of("lL") == shifted.npos;
    if (bits && (*bits >= 64 || (is_int && *bits >= 32)))
      return reading.at(by, "a shift by as many bits as a number has, or more, has another value on other devices");
  }
  return std::nullopt;
}

// A word of clopt's that the text takes away would be the device's own.
std::optional<Doubt> doubt_of_undefined(const Reading& reading) {
  for (std::size_t i = 0; i + 2 < reading.tokens.size(); ++i)
    if (reading.tokens[i].in_directive && reading.text_of(i) == "#" && reading.text_of(i + 1) == "undef" &&
        !reading.macro_names.contains(reading.text_of(i + 2)))
      return reading.at(i + 2, "the text undefines what it does not define");
  return std::nullopt;
}

}  // namespace

void refuse_ambiguities(std::string_view text, std::string_view name) {
  Reading reading{text, tokens_of(text), {}, {}};
  reading.macros = macros_of(reading.tokens);
  for (const auto& macro : reading.macros) reading.macro_names.insert(macro.name);
  for (const auto find : {doubt_of_bytes, doubt_of_characters, doubt_of_brackets, doubt_of_attributes,
                          doubt_of_definitions, doubt_of_variables, doubt_of_shifts, doubt_of_undefined}) {
    const auto doubt = find(reading);
    if (!doubt) continue;
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(doubt->place), '\n');
    // `objective` alone is a field, which has another name on the command line.
    throw InvalidInput(fmt::format("{}:{}: the text of an objective may not have `{}{}` there: {}", name, line,
                                   printable(doubt->what), is_called_by_clopt(doubt->what) ? "()" : "", doubt->why));
  }
}

}  // namespace clopt::objective
