/// \file
/// What models' texts read of a datum.
#include "consecutive.hpp"

#include <objective/tokens.hpp>

#include <algorithm>
#include <string_view>

namespace clopt::fit {
namespace {

using objective::Token;
using Tokens = std::vector<Token>;

/// Whether the token is the number of a datum in `abscissa(x, j)`.
bool is_of_abscissa(const Tokens& tokens, std::size_t i) {
  return i >= 4 && i + 1 < tokens.size() && tokens[i - 1].text == "," && tokens[i - 3].text == "(" &&
         tokens[i - 4].text == "abscissa" && tokens[i + 1].text == ")";
}

/// Whether the function `derivative(individual x, uint j, uint k)` that begins at a token takes only the place of j.
bool takes_places(const Tokens& tokens, std::size_t derivative) {
  const auto body = objective::behind_group(tokens, derivative + 1);
  if (body >= tokens.size() || body != derivative + 11) return false;
  const auto number = tokens[derivative + 6].text;
  const auto end = objective::behind_group(tokens, body);
  for (auto i = body; i < end; ++i)
    if ((tokens[i].text == number) != is_of_abscissa(tokens, i)) return false;
  return true;
}

}  // namespace

bool takes_consecutive_data(const Model& model) {
  if (!model.has_curve || model.has_two_places || !model.residuals.tables().empty()) return false;
  // Less the residual that every model's text ends with.
  const std::string_view text = model.residuals.text();
  const auto tokens = objective::tokens_of(text.substr(0, text.rfind("\nreal residual(")));
  constexpr std::string_view others[] = {"row", "columns", "sigma", "residual"};
  const auto is_other = [&](const Token& token) {
    return token.in_directive || std::find(std::begin(others), std::end(others), token.text) != std::end(others);
  };
  if (std::any_of(tokens.begin(), tokens.end(), is_other)) return false;
  const auto named = [&](std::string_view name) {
    return std::find_if(tokens.begin(), tokens.end(), [&](const Token& token) { return token.text == name; });
  };
  const auto derivative = named("derivative");
  if (derivative == tokens.end()) return named("abscissa") == tokens.end();
  // A model before it has no datum's number to take the place of.
  const auto first = named("abscissa");
  return first > derivative && takes_places(tokens, static_cast<std::size_t>(derivative - tokens.begin()));
}

}  // namespace clopt::fit
