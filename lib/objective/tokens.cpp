#include "tokens.hpp"

#include <clopt/detail/characters.hpp>

#include <algorithm>

namespace clopt::objective {
namespace {

bool is_word(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

// The end of a string or character literal that begins at `begin`.
std::size_t end_of_literal(std::string_view text, std::size_t begin) {
  std::size_t i = begin + 1;
  while (i < text.size() && text[i] != text[begin] && text[i] != '\n') i += text[i] == '\\' ? 2 : 1;
  return std::min(i + 1, text.size());
}

// A preprocessing number: digits, letters, dots, and signs behind an exponent's letter, also of hexadecimal ones.
std::size_t end_of_number(std::string_view text, std::size_t begin) {
  std::size_t i = begin + 1;
  for (; i < text.size(); ++i) {
    const bool sign = (text[i] == '+' || text[i] == '-') && std::string_view("eEpP").find(text[i - 1]) != text.npos;
    if (!sign && !is_word(text[i]) && text[i] != '.') break;
  }
  return i;
}

// Behind a backslash that joins two lines at `begin`, with white space before the line's end; 0 where there is none.
std::size_t end_of_join(std::string_view text, std::size_t begin) {
  if (text[begin] != '\\') return 0;
  const auto next = text.find_first_not_of(" \t\v\f\r", begin + 1);
  return next != text.npos && text[next] == '\n' ? next + 1 : 0;
}

// The line's end that is not joined.
std::size_t end_of_line(std::string_view text, std::size_t begin) {
  for (std::size_t i = begin; i < text.size();) {
    if (text[i] == '\n') return i;
    const auto join = end_of_join(text, i);
    i = join != 0 ? join : i + 1;
  }
  return text.size();
}

}  // namespace

std::vector<Token> tokens_of(std::string_view text) {
  std::vector<Token> tokens;
  bool line_begins = true;
  bool in_directive = false;
  const auto add = [&](Token::Kind kind, std::size_t begin, std::size_t end) {
    in_directive = in_directive || (line_begins && text[begin] == '#');
    line_begins = false;
    tokens.push_back({kind, begin, text.substr(begin, end - begin), in_directive});
  };
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    if (text.substr(i, 2) == "//") {
      end = end_of_line(text, i);
    } else if (text.substr(i, 2) == "/*") {
      const auto close = text.find("*/", i + 2);
      end = close == text.npos ? text.size() : close + 2;
    } else if (const auto join = end_of_join(text, i); join != 0) {
      end = join;
    } else if (text[i] == '"' || text[i] == '\'') {
      end = end_of_literal(text, i);
      add(Token::Kind::literal, i, end);
    } else if (is_digit(text[i]) || (text[i] == '.' && i + 1 < text.size() && is_digit(text[i + 1]))) {
      end = end_of_number(text, i);
      add(Token::Kind::number, i, end);
    } else if (is_word(text[i])) {
      while (end < text.size() && is_word(text[end])) ++end;
      add(Token::Kind::identifier, i, end);
    } else if (!is_space(text[i])) {
      add(Token::Kind::other, i, end);
    } else if (text[i] == '\n') {
      line_begins = true;
      in_directive = false;
    }
    i = end;
  }
  return tokens;
}

std::vector<Macro> macros_of(const std::vector<Token>& tokens) {
  std::vector<Macro> macros;
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (!tokens[i].in_directive || tokens[i].text != "#" || tokens[i + 1].text != "define") continue;
    Macro macro;
    macro.name = tokens[i + 2].text;
    std::size_t next = i + 3;
    const auto on_line = [&](std::size_t place) {
      return place < tokens.size() && tokens[place].in_directive && tokens[place].text != "#";
    };
    if (on_line(next) && tokens[next].text == "(" && tokens[next].begin == tokens[next - 1].end()) {
      macro.has_parameters = true;
      for (++next; on_line(next) && tokens[next].text != ")"; ++next)
        if (tokens[next].kind == Token::Kind::identifier) macro.parameters.push_back(tokens[next].text);
      next += on_line(next) ? 1 : 0;
    }
    macro.first = next;
    while (on_line(next)) ++next;
    macro.last = next;
    macros.push_back(std::move(macro));
  }
  return macros;
}

std::string with_changes(std::string_view text, std::span<const Change> changes) {
  std::string result;
  std::size_t done = 0;
  for (const auto& change : changes) {
    result.append(text.substr(done, change.place - done)).append(change.with);
    done = change.place + change.length;
  }
  return result.append(text.substr(done));
}

bool opens(const Token& token) { return token.text == "(" || token.text == "[" || token.text == "{"; }
bool closes(const Token& token) { return token.text == ")" || token.text == "]" || token.text == "}"; }

std::size_t behind_group(const std::vector<Token>& tokens, std::size_t open) {
  std::size_t depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    if (tokens[i].in_directive != tokens[open].in_directive) continue;
    if (opens(tokens[i])) ++depth;
    if (closes(tokens[i]) && --depth == 0) return i + 1;
  }
  return tokens.size();
}

}  // namespace clopt::objective
