/// \file
/// Models as objectives of residuals.
#include <clopt/detail/characters.hpp>
#include <clopt/detail/text_reader.hpp>
#include <clopt/error.hpp>
#include <clopt/fit.hpp>
#include <objective/text.hpp>
#include <objective/tokens.hpp>
#include <support/threads/process_mutex.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <tuple>

#include "models.hpp"

namespace clopt::fit {
namespace {

using objective::Token;

std::vector<std::string> names_in(std::string_view list) {
  std::vector<std::string> names;
  while (!list.empty()) {
    const auto comma = std::min(list.find(','), list.size());
    auto name = list.substr(0, comma);
    while (!name.empty() && (name.front() == ' ' || name.front() == '\t')) name.remove_prefix(1);
    while (!name.empty() && (name.back() == ' ' || name.back() == '\t' || name.back() == '\r')) name.remove_suffix(1);
    if (!name.empty()) names.emplace_back(name);
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return names;
}

/// Takes the names out of the comment `// clopt: parameters a, b`, which objectives do not know.
std::vector<std::string> take_parameter_names(std::string& text) {
  constexpr std::string_view mark = "// clopt: parameters ";
  auto begin = text.find(mark);
  while (begin != text.npos && begin != 0 && text[begin - 1] != '\n') begin = text.find(mark, begin + 1);
  if (begin == text.npos) return {};
  const auto first = begin + mark.size();
  auto names = names_in(std::string_view(text).substr(first, std::min(text.find('\n', first), text.size()) - first));
  const auto word = text.find("clopt:", begin);
  text.replace(word, 6, 6, ' ');
  return names;
}

/// \throws InvalidInput where two parameters have one name, or a column may not have the name.
void check_names(const std::vector<std::string>& names, const std::string& text_name) {
  for (std::size_t k = 0; k < names.size(); ++k) {
    const auto is_word = [](char each) { return is_letter(each) || is_digit(each) || each == '_'; };
    if (!std::all_of(names[k].begin(), names[k].end(), is_word) || is_digit(names[k].front()))
      throw InvalidInput(
          fmt::format("{}: the parameter '{}' has no name of letters, digits and _ that begins with a letter",
                      text_name, printable(names[k])));
    if (std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(k), names[k]) !=
        names.begin() + static_cast<std::ptrdiff_t>(k))
      throw InvalidInput(
          fmt::format("{}: two parameters are called '{}'; give each a name of its own", text_name, names[k]));
  }
}

/// The parameters of a function that a text defines; none where it defines none.
std::optional<std::size_t> parameters_of(const std::vector<Token>& tokens, std::string_view function) {
  int depth = 0;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (objective::opens(tokens[i])) ++depth;
    if (objective::closes(tokens[i])) --depth;
    if (depth != 0 || tokens[i].text != function || tokens[i + 1].text != "(") continue;
    const auto behind = objective::behind_group(tokens, i + 1);
    if (behind >= tokens.size() || tokens[behind].text != "{") continue;
    return 1 + static_cast<std::size_t>(std::count_if(tokens.begin() + static_cast<std::ptrdiff_t>(i),
                                                      tokens.begin() + static_cast<std::ptrdiff_t>(behind),
                                                      [](const Token& token) { return token.text == ","; }));
  }
  return std::nullopt;
}

/// The residual of a model, on the line behind the text, so that the text's own lines stay where they are.
std::string residual_of(bool has_two_places) {
  return fmt::format("\nreal residual(individual x, uint j) {{ return model(x, {}) - row(x, j); }}\n",
                     has_two_places ? "horizontal(x, j), vertical(x, j)" : "abscissa(x, j)");
}

/// The places of a picture's data, before the text on its first line.
std::string places_of(std::size_t width) {
  return fmt::format(
      "real horizontal(individual x, uint j) {{ return (real)(j % {0}u); }} real vertical(individual x, uint j) {{ "
      "return (real)(j / {0}u); }} ",
      width);
}

Model read_model(std::string text, const std::string& name, std::size_t width) {
  const auto tokens = objective::tokens_of(text);
  const auto model = parameters_of(tokens, "model");
  if (!model && !parameters_of(tokens, "residual"))
    throw InvalidInput(
        fmt::format("{} defines no model: it needs one of real model(individual x, real t), of a picture real "
                    "model(individual x, real t, real u), real residual(individual x, uint j)",
                    name));
  if (model && *model != 2 && *model != 3)
    throw InvalidInput(
        fmt::format("{}:{}: `model` has {} parameters; to be `real model(individual x, real t)`, or of a "
                    "picture `real model(individual x, real t, real u)`",
                    name, objective::line_of(text, "model"), *model));
  auto names = take_parameter_names(text);
  check_names(names, name);
  const bool has_derivative = parameters_of(tokens, "derivative").has_value();
  const bool has_two_places = model == 3U;
  if (has_two_places && (width == 0 || width > UINT32_MAX))
    throw InvalidInput(
        fmt::format("the model {} is of pictures, and `width` is {}; give how many data a row of a "
                    "picture has",
                    name, width));
  if (!has_two_places && width != 0)
    throw InvalidInput(fmt::format("the model {} is not of pictures, and `width` is {}; leave it out", name, width));
  if (model) text += residual_of(has_two_places);
  if (has_two_places) text = places_of(width) + text;
  return {Objective::from_text(std::move(text), name), std::move(names), has_derivative, has_two_places,
          model.has_value()};
}

// Of those read last: many small calls have the same one.
constexpr std::size_t most_models = 64;
constexpr std::size_t longest_text = std::size_t{1} << 16;

}  // namespace

Model Model::from_text(std::string text, const std::string& name, std::size_t width) {
  static auto& mutex = *new ProcessMutex(Holding::alone);
  static auto& models = *new std::map<std::tuple<std::string, std::string, std::size_t>, Model>;
  if (text.size() > longest_text) return read_model(std::move(text), name, width);
  const std::tuple key(text, name, width);
  {
    const std::lock_guard lock(mutex);
    if (const auto found = models.find(key); found != models.end()) return found->second;
  }
  auto model = read_model(std::move(text), name, width);
  const std::lock_guard lock(mutex);
  if (models.size() >= most_models) models.clear();
  models.emplace(key, model);
  return model;
}

Model Model::named(const std::string& name, std::size_t width) {
  std::vector<std::string> names;
  for (const auto& model : library()) {
    if (model.name == name) {
      auto found = from_text(model.text, name, width);
      found.names = names_in(model.parameters);
      return found;
    }
    names.emplace_back(model.name);
  }
  std::string list;
  for (const auto& each : names) list += (list.empty() ? "" : ", ") + each;
  throw InvalidInput(
      fmt::format("there is no model '{}'; there are {}, and files that end in .cl", printable(name), list));
}

Model Model::find(const std::string& name_or_file, std::size_t width) {
  if (!name_or_file.ends_with(".cl") && name_or_file.find('/') == std::string::npos) return named(name_or_file, width);
  auto text = TextReader(name_or_file).rest();
  if (text.find('\0') != text.npos)
    throw InvalidInput(fmt::format("{} is not a text: it should be a model in OpenCL C", printable(name_or_file)));
  return from_text(std::move(text), std::filesystem::path(name_or_file).filename().string(), width);
}

std::vector<std::string> names_of_parameters(const Problem& problem) {
  auto names = problem.model.names;
  for (std::size_t k = names.size(); k < problem.parameters; ++k) names.push_back(fmt::format("x{}", k));
  return names;
}

std::vector<ModelSummary> models() {
  std::vector<ModelSummary> summaries;
  for (const auto& model : library())
    summaries.push_back({std::string(model.name), std::string(model.formula), names_in(model.parameters)});
  return summaries;
}

}  // namespace clopt::fit
