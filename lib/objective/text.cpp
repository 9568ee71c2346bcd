#include "text.hpp"

#include <clopt/detail/numbers.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tokens.hpp"

namespace clopt::objective {
namespace {

bool is_floating_without_suffix(std::string_view number) {
  const bool hexadecimal = number.starts_with("0x") || number.starts_with("0X");
  const bool floating = number.find_first_of(hexadecimal ? ".pP" : ".eE") != number.npos;
  return floating && std::string_view("fFlLhH").find(number.back()) == std::string_view::npos;
}

double number_of(std::string_view word, std::string_view value, std::string_view name) {
  if (const auto number = number_in<double>(value)) return *number;
  throw InvalidInput(fmt::format("{}: the comment 'clopt:' says '{}' of '{}', which is not a finite number", name,
                                 printable(value), word));
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") + 1 - first);
}

void read_statement(Header& header, std::string_view statement, std::string_view name) {
  const auto space = statement.find_first_of(" \t");
  const auto word = statement.substr(0, space);
  const auto value = space == statement.npos ? std::string_view{} : trimmed(statement.substr(space));
  if (word == "lower")
    header.lower = number_of(word, value, name);
  else if (word == "upper")
    header.upper = number_of(word, value, name);
  else if (word == "optimum")
    header.optimum = number_of(word, value, name);
  else if (statement == "minimise" || statement == "minimize")
    header.direction = Direction::minimise;
  else if (statement == "maximise" || statement == "maximize")
    header.direction = Direction::maximise;
  else if (statement == "bits")
    header.kind = GeneKind::bits;
  else if (statement == "reals")
    header.kind = GeneKind::reals;
  else if (statement == "integers")
    header.kind = GeneKind::integers;
  else if (statement == "permutation")
    header.kind = GeneKind::permutation;
  else
    throw InvalidInput(
        fmt::format("{}: the comment 'clopt:' says '{}'; it may say bits, reals, integers or permutation, minimise or "
                    "maximise, lower V, upper V, optimum V, with commas between them",
                    name, statement));
}

}  // namespace

Definitions find_definitions(std::string_view text, std::string_view name) {
  constexpr std::array<std::string_view, 5> functions{"objective", "objective_term", "objective_count",
                                                      "objective_word", "residual"};
  constexpr auto residual = static_cast<std::size_t>(ObjectiveForm::residual);
  std::vector<std::size_t> found;
  Definitions definitions;
  const auto tokens = tokens_of(text);
  int depth = 0;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    // What stands there defines nothing, see refuse_ambiguities().
    if (tokens[i].in_directive) continue;
    if (tokens[i].text == "{") ++depth;
    if (tokens[i].text == "}") --depth;
    if (depth != 0 || tokens[i].kind != Token::Kind::identifier || tokens[i + 1].text != "(") continue;
    // What is only declared counts when it is defined.
    auto close = i + 2;
    while (close < tokens.size() && tokens[close].text != ")") ++close;
    if (close + 1 >= tokens.size() || tokens[close + 1].text != "{") continue;
    if (tokens[i].text == "objective_finish") definitions.has_finish = true;
    // Of an individual alone; a function of that name with other parameters is a helper of the text's own.
    const auto has = [&](std::string_view word) {
      return std::any_of(tokens.begin() + static_cast<std::ptrdiff_t>(i + 2),
                         tokens.begin() + static_cast<std::ptrdiff_t>(close),
                         [&](const Token& token) { return token.text == word; });
    };
    if (tokens[i].text == "violation" && has("individual") && !has(",")) definitions.has_violation = true;
    const auto function = std::find(functions.begin(), functions.end(), tokens[i].text);
    if (function != functions.end()) found.push_back(static_cast<std::size_t>(function - functions.begin()));
  }
  if (found.empty())
    throw InvalidInput(
        fmt::format("{} defines no objective: it needs one of real objective(individual x), real "
                    "objective_term(individual x, uint i), int objective_count(individual x, uint i), int "
                    "objective_word(individual x, uint w), real residual(individual x, uint j)",
                    name));
  if (std::any_of(found.begin(), found.end(), [](std::size_t function) { return function != residual; }))
    std::erase(found, residual);
  if (found.size() > 1)
    throw InvalidInput(fmt::format("{} defines both {} and {}: an objective has one of them", name, functions[found[0]],
                                   functions[found[1]]));
  definitions.form = static_cast<ObjectiveForm>(found[0]);
  return definitions;
}

void require_fit(const Header& header, const Definitions& definitions, std::string_view name) {
  if (header.direction == Direction::maximise)
    throw InvalidInput(fmt::format(
        "{}: the sum of squared residuals is minimised, and its comment says maximise; leave that out", name));
  if (header.kind.value_or(GeneKind::reals) != GeneKind::reals)
    throw InvalidInput(fmt::format("{}: residuals are of reals, and its comment says {}; leave that out", name,
                                   name_of(*header.kind)));
  if (definitions.has_finish)
    throw InvalidInput(fmt::format(
        "{} defines residual and objective_finish: the value of residuals is the sum of their squares", name));
}

Header read_header(std::string_view text, std::string_view name) {
  constexpr std::string_view mark = "// clopt:";
  Header header;
  const auto begin = text.starts_with(mark) ? 0 : text.find(fmt::format("\n{}", mark));
  if (begin == text.npos) return header;
  const auto first = text.find(':', begin) + 1;
  auto line = text.substr(first, std::min(text.find('\n', first), text.size()) - first);
  while (true) {
    const auto comma = line.find(',');
    read_statement(header, trimmed(line.substr(0, comma)), name);
    if (comma == line.npos) break;
    line.remove_prefix(comma + 1);
  }
  if (header.lower.has_value() != header.upper.has_value() || (header.lower && !(*header.lower < *header.upper)))
    throw InvalidInput(fmt::format("{}: the comment 'clopt:' must give both lower and upper, lower below upper", name));
  return header;
}

std::string with_single_precision_literals(std::string_view text) {
  std::string result;
  std::size_t done = 0;
  for (const auto& token : tokens_of(text)) {
    if (token.kind != Token::Kind::number || !is_floating_without_suffix(token.text)) continue;
    const auto end = token.begin + token.text.size();
    result.append(text.substr(done, end - done)).push_back('f');
    done = end;
  }
  result.append(text.substr(done));
  return result;
}

std::uint32_t least_genes(std::string_view text) {
  const auto tokens = tokens_of(text);
  std::uint32_t least = 0;
  for (std::size_t i = 0; i + 5 < tokens.size(); ++i) {
    if (tokens[i].text != "gene" || tokens[i + 1].text != "(" || tokens[i + 3].text != "," || tokens[i + 5].text != ")")
      continue;
    auto number = tokens[i + 4].text;
    while (number.ends_with('u') || number.ends_with('U')) number.remove_suffix(1);
    const bool is_decimal = number.size() == 1 || !number.starts_with('0');
    const auto index = number_in<std::uint32_t>(number);
    if (index && is_decimal && *index < UINT32_MAX) least = std::max(least, *index + 1);
  }
  return least;
}

bool mentions(std::string_view text, std::string_view identifier) {
  // Most are asked for what they do not have.
  if (text.find(identifier) == text.npos) return false;
  for (const auto& token : tokens_of(text))
    if (token.kind == Token::Kind::identifier && token.text == identifier) return true;
  return false;
}

bool mentions_outside(std::string_view text, std::string_view identifier,
                      std::initializer_list<std::string_view> functions) {
  if (text.find(identifier) == text.npos) return false;
  const auto tokens = tokens_of(text);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].text == identifier) return true;
    const bool is_function = std::find(functions.begin(), functions.end(), tokens[i].text) != functions.end();
    if (!is_function || i + 1 == tokens.size() || tokens[i + 1].text != "(") continue;
    const auto body = behind_group(tokens, i + 1);
    if (body < tokens.size() && tokens[body].text == "{") i = behind_group(tokens, body) - 1;
  }
  return false;
}

std::size_t line_of(std::string_view text, std::string_view identifier) {
  for (const auto& token : tokens_of(text))
    if (token.kind == Token::Kind::identifier && token.text == identifier)
      return 1 + static_cast<std::size_t>(std::count(text.begin(), text.begin() + token.begin, '\n'));
  return 0;
}

}  // namespace clopt::objective
