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

// A preprocessing number: digits, letters, dots, and signs behind an exponent's letter.
std::size_t end_of_number(std::string_view text, std::size_t begin) {
  std::size_t i = begin + 1;
  for (; i < text.size(); ++i) {
    const bool sign = (text[i] == '+' || text[i] == '-') && std::string_view("eEpP").find(text[i - 1]) != text.npos;
    const bool hexadecimal = text.substr(begin, 2) == "0x" || text.substr(begin, 2) == "0X";
    if (sign && hexadecimal && (text[i - 1] == 'e' || text[i - 1] == 'E')) break;
    if (!sign && !is_word(text[i]) && text[i] != '.') break;
  }
  return i;
}

}  // namespace

std::vector<Token> tokens_of(std::string_view text) {
  std::vector<Token> tokens;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    if (text.substr(i, 2) == "//") {
      end = std::min(text.find('\n', i), text.size());
    } else if (text.substr(i, 2) == "/*") {
      const auto close = text.find("*/", i + 2);
      end = close == text.npos ? text.size() : close + 2;
    } else if (text[i] == '"' || text[i] == '\'') {
      end = end_of_literal(text, i);
    } else if (is_digit(text[i]) || (text[i] == '.' && i + 1 < text.size() && is_digit(text[i + 1]))) {
      end = end_of_number(text, i);
      tokens.push_back({Token::Kind::number, i, text.substr(i, end - i)});
    } else if (is_word(text[i])) {
      while (end < text.size() && is_word(text[end])) ++end;
      tokens.push_back({Token::Kind::identifier, i, text.substr(i, end - i)});
    } else if (!is_space(text[i])) {
      tokens.push_back({Token::Kind::other, i, text.substr(i, 1)});
    }
    i = end;
  }
  return tokens;
}

}  // namespace clopt::objective
