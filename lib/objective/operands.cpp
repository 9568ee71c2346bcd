#include "operands.hpp"

#include <algorithm>

namespace clopt::objective {
namespace {

using namespace std::string_view_literals;

constexpr std::array statements{"return"sv, "case"sv, "else"sv, "do"sv, "goto"sv};
constexpr std::array heads{"if"sv, "while"sv, "for"sv, "switch"sv};

/// Reads expressions from their ends.
class Backwards {
 public:
  Backwards(std::span<const Token> tokens, const IsCast& is_cast) : tokens_(tokens), is_cast_(is_cast) {}

  std::size_t begin_of_factors() const {
    const auto end = tokens_.size();
    auto begin = begin_of_operand(end);
    while (begin > 1 && begin < end && is_factors_sign(begin - 1)) {
      const auto next = begin_of_operand(begin - 1);
      if (next == begin - 1) break;
      begin = next;
    }
    return begin;
  }

  std::size_t begin_of_variable() const {
    const auto end = tokens_.size();
    auto i = end;
    while (i > 0) {
      if (text_of(i - 1) == "]") {
        const auto open = begin_of_group(i - 1);
        if (!may_be_repeated(open + 1, i - 1)) return end;
        i = open;
        continue;
      }
      if (tokens_[i - 1].kind != Token::Kind::identifier || is_one_of(statements, text_of(i - 1))) return end;
      --i;
      if (i > 0 && text_of(i - 1) == ".")
        --i;
      else if (i > 1 && has_arrow(i - 1))
        i -= 2;
      else
        break;
    }
    static constexpr std::array before{";"sv, "{"sv, "}"sv, "("sv, ")"sv, ","sv, "="sv, "?"sv, ":"sv, "else"sv, "do"sv};
    return i == 0 || is_one_of(before, text_of(i - 1)) ? i : end;
  }

 private:
  // Whether the tokens of an index do the same a second time.
  bool may_be_repeated(std::size_t i, std::size_t end) const {
    for (; i < end; ++i) {
      static constexpr std::array changes{"("sv, "="sv, "/"sv, "%"sv};
      if (is_one_of(changes, text_of(i)) || is_doubled(i)) return false;
    }
    return true;
  }
  std::string_view text_of(std::size_t i) const { return tokens_[i].text; }
  bool is_value(std::size_t i) const {
    return tokens_[i].kind != Token::Kind::other && !is_one_of(statements, text_of(i));
  }
  std::size_t begin_of_group(std::size_t close) const {
    std::size_t depth = 0;
    for (auto i = close + 1; i-- > 0;) {
      if (tokens_[i].in_directive != tokens_[close].in_directive) continue;
      if (closes(tokens_[i])) ++depth;
      if (opens(tokens_[i]) && --depth == 0) return i;
    }
    return close;
  }
  bool is_doubled(std::size_t last) const {
    return last > 0 && (text_of(last) == "+" || text_of(last) == "-") && text_of(last - 1) == text_of(last) &&
           tokens_[last - 1].end() == tokens_[last].begin;
  }
  bool has_arrow(std::size_t last) const { return last > 0 && text_of(last) == ">" && text_of(last - 1) == "-"; }
  // A '(' group that is a value: no cast, and not the head of a statement.
  bool is_value_group(std::size_t close) const {
    const auto open = begin_of_group(close);
    return !is_cast_(open) && (open == 0 || !is_one_of(heads, text_of(open - 1)));
  }
  // Whether a value ends with this token, so that a sign behind it has two operands.
  bool ends_value(std::size_t i) const {
    if (text_of(i) == ")") return is_value_group(i);
    if (text_of(i) == "]") return true;
    if (is_doubled(i)) return i > 1 && ends_value(i - 2);
    return is_value(i);
  }
  bool is_factors_sign(std::size_t i) const {
    const auto sign = text_of(i);
    return (sign == "*" || sign == "/" || sign == "%") && tokens_[i].in_directive == tokens_[i - 1].in_directive &&
           ends_value(i - 1);
  }

  std::size_t begin_of_operand(std::size_t end) const {
    auto i = end;
    while (i > 1 && is_doubled(i - 1) && ends_value(i - 1)) i -= 2;
    if (i == 0 || !ends_value(i - 1)) return end;
    i = begin_of_postfix(i);
    while (i > 0 && tokens_[i - 1].in_directive == tokens_[end - 1].in_directive) {
      const auto before = text_of(i - 1);
      static constexpr std::array prefixes{"-"sv, "+"sv, "!"sv, "~"sv, "*"sv, "&"sv};
      const bool is_and =
          i > 1 && before == "&" && text_of(i - 2) == "&" && tokens_[i - 2].end() == tokens_[i - 1].begin;
      if (is_and) break;
      if (before == "sizeof" || (is_one_of(prefixes, before) && (i == 1 || !ends_value(i - 2))))
        --i;
      else if (before == ")" && is_cast_(begin_of_group(i - 1)))
        i = begin_of_group(i - 1);
      else
        break;
    }
    return i;
  }

  // Of `a.b->c(d)[e]`, the first token.
  std::size_t begin_of_postfix(std::size_t i) const {
    for (;;) {
      --i;
      if (closes(tokens_[i])) {
        i = begin_of_group(i);
        const bool follows =
            i > 0 &&
            (text_of(i - 1) == "]" || (text_of(i - 1) == ")" && is_value_group(i - 1)) ||
             (is_value(i - 1) && tokens_[i - 1].kind == Token::Kind::identifier && !is_one_of(heads, text_of(i - 1))));
        if (follows) continue;
        return i;
      }
      if (i > 1 && text_of(i - 1) == ".")
        --i;
      else if (i > 2 && has_arrow(i - 1))
        i -= 2;
      else
        return i;
    }
  }

  std::span<const Token> tokens_;
  const IsCast& is_cast_;
};

}  // namespace

bool is_nonzero(std::string_view number) {
  const bool is_hexadecimal = number.starts_with("0x") || number.starts_with("0X");
  const auto digits = is_hexadecimal ? number.substr(2) : number;
  const auto mantissa = digits.substr(0, digits.find_first_of(is_hexadecimal ? "pP" : "eE"));
  return mantissa.find_first_of(is_hexadecimal ? "123456789abcdefABCDEF" : "123456789") != mantissa.npos;
}

std::size_t begin_of_factors(std::span<const Token> tokens, const IsCast& is_cast) {
  return Backwards(tokens, is_cast).begin_of_factors();
}

std::size_t begin_of_variable(std::span<const Token> tokens, const IsCast& is_cast) {
  return Backwards(tokens, is_cast).begin_of_variable();
}

std::size_t behind_assigned(const std::vector<Token>& tokens, std::size_t begin, std::size_t end) {
  std::size_t choices = 0;
  auto i = begin;
  for (; i < end && tokens[i].text != ";" && tokens[i].text != "," && !closes(tokens[i]);
       i = opens(tokens[i]) ? behind_group(tokens, i) : i + 1) {
    if (tokens[i].text == "?") ++choices;
    if (tokens[i].text == ":" && choices-- == 0) break;
  }
  return std::min(i, end);
}

}  // namespace clopt::objective
