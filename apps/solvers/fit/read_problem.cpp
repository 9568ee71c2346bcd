#include "read_problem.hpp"

#include <clopt/detail/characters.hpp>
#include <clopt/detail/numbers.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <utility>

#include <frame/files/number_file.hpp>

namespace clopt::apps::fit {
namespace {

namespace solver = clopt::fit;
using Rows = std::vector<std::vector<double>>;

constexpr double absent = std::numeric_limits<double>::quiet_NaN();

std::string required(const Options& options, const std::string& name, const std::string& wanted) {
  if (auto text = options.text(name)) return *std::move(text);
  throw InvalidInput(fmt::format("--{} is missing; give {}", name, wanted));
}

/// One behind the other; what a row lacks is absent.
std::vector<double> joined(const Rows& rows, std::size_t columns) {
  std::vector<double> numbers;
  numbers.reserve(rows.size() * columns);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    numbers.insert(numbers.end(), rows[k].begin(), rows[k].end());
    numbers.resize((k + 1) * columns, absent);
  }
  return numbers;
}

std::vector<double> read_side(const Options& options, const std::string& option, const solver::Problem& problem) {
  const auto file = options.text(option);
  if (!file) return {};
  const auto rows = read_rows_with_gaps(*file);
  if (rows.size() != 1 && rows.size() != problem.rows())
    throw InvalidInput(fmt::format("--{} {}: there are {} rows, and --data has {}; give as many, or one row for all",
                                   option, printable(*file), rows.size(), problem.rows()));
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (rows[k].size() > problem.columns)
      throw InvalidInput(fmt::format("--{} {}: row {} has {} numbers, and the rows of --data have {}", option,
                                     printable(*file), k + 1, rows[k].size(), problem.columns));
  return joined(rows, problem.columns);
}

/// Refuses what begins as numbers do, or as inf and nan, and is no file.
void refuse_numbers(const std::string& option, const std::string& text) {
  std::error_code error;
  if (text.empty() || std::filesystem::exists(text, error)) return;
  const auto first = lower(std::string_view(text).substr(0, text.find(',')));
  const bool is_number = is_digit(text.front()) || text.find_first_of("+-.") == 0;
  if (!is_number && first != "inf" && first != "infinity" && first != "nan") return;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find(',', begin), text.size());
    const auto word = text.substr(begin, end - begin);
    begin = end + 1;
    if (!number_in<double>(word))
      throw InvalidInput(
          fmt::format("--{} {}: '{}' is not a finite number; give a number for each parameter, or a file", option,
                      printable(text), printable(word)));
  }
}

/// Numbers with commas between them, or the rows of a file.
Rows read_parameters(const Options& options, const std::string& option) {
  const auto text = options.text(option);
  if (!text) return {};
  if (const auto numbers = numbers_in<double>(*text)) return {*numbers};
  refuse_numbers(option, *text);
  auto rows = read_rows(*text);
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (rows[k].size() != rows.front().size())
      throw InvalidInput(
          fmt::format("--{} {}: row {} has {} numbers, and the first has {}; give a number for each "
                      "parameter",
                      option, printable(*text), k + 1, rows[k].size(), rows.front().size()));
  return rows;
}

std::vector<double> read_bound(const Options& options, const std::string& option, const solver::Problem& problem) {
  auto rows = read_parameters(options, option);
  if (rows.empty()) return {};
  if (rows.size() == 1 && rows.front().size() == 1) rows.front().resize(problem.parameters, rows.front().front());
  return joined(rows, rows.front().size());
}

/// A parameter, by name or number.
std::size_t parameter_of(const std::string& word, const std::vector<std::string>& names, const std::string& given) {
  const auto name = std::find(names.begin(), names.end(), word);
  if (name != names.end()) return static_cast<std::size_t>(name - names.begin());
  const auto number = number_in<std::size_t>(word);
  if (!number || *number >= names.size())
    throw InvalidInput(fmt::format("--fixed {}: there is no parameter '{}'; give {}, or numbers from 0 to {}",
                                   printable(given), printable(word), fmt::join(names, ", "), names.size() - 1));
  return *number;
}

/// Where fits begin, and between which bounds.
struct Start {
  std::vector<double> guess, lower, upper;
};

/// Reads NAME or NAME=V, with commas between: a value is the guess of all rows.
void read_fixed(const Options& options, solver::Problem& problem, Start& start) {
  const auto text = options.text("fixed");
  if (!text) return;
  const auto names = solver::names_of_parameters(problem);
  for (std::size_t begin = 0; begin <= text->size();) {
    const auto end = std::min(text->find(',', begin), text->size());
    const auto word = text->substr(begin, end - begin);
    begin = end + 1;
    const auto equals = std::min(word.find('='), word.size());
    const auto place = parameter_of(word.substr(0, equals), names, *text);
    problem.fixed.push_back(place);
    if (equals == word.size()) continue;
    const auto value = number_in<double>(word.substr(equals + 1));
    if (!value)
      throw InvalidInput(
          fmt::format("--fixed {}: '{}' is not a number", printable(*text), printable(word.substr(equals + 1))));
    for (auto i = place; i < start.guess.size(); i += problem.parameters) start.guess[i] = *value;
    if (!start.guess.empty()) continue;
    // A search finds it there.
    problem.fixed.pop_back();
    start.lower.at(place) = start.upper.at(place) = *value;
  }
}

/// The number of parameters that the model names, or else the bounds have.
std::size_t parameters_without_guess(const Options& options, const solver::Problem& problem) {
  std::size_t count = problem.model.names.size();
  for (const auto* option : {"lower", "upper"}) {
    const auto bounds = read_parameters(options, option);
    if (bounds.empty())
      throw InvalidInput(fmt::format(
          "--guess is missing; give a number for each parameter, or FILE.csv with a row of them for each row of "
          "--data; or else --lower and --upper, between which to search for them"));
    if (problem.model.names.empty()) count = std::max(count, bounds.front().size());
  }
  return count;
}

std::string names_of_models() {
  std::string names;
  for (const auto& model : solver::models()) names += (names.empty() ? "" : ", ") + model.name;
  return names;
}

}  // namespace

void add_problem_options(OptionParser& parser) {
  parser.group("Problem")
      .value("model", "NAME|FILE.cl",
             "the curve, one of " + names_of_models() + ", or a text that defines `real model(individual x, real t)`")
      .offers({names_of_models()})
      .value("data", "FILE.csv", "a row of numbers for each fit; nan, NA and empty fields are missing")
      .value("guess", "V[,V...]|FILE.csv",
             "parameters to begin with, for all rows or a row for each; without it they are searched for from --lower "
             "to --upper")
      .value("abscissa", "FILE.csv|columns",
             "the places of the data, a row for each of --data or one for all; columns: 0, 1, 2, ... (default)")
      .value("sigma", "FILE.csv", "the standard deviations of the data, likewise (default 1)")
      .value("lower", "V[,V...]|FILE.csv",
             "the least value of the parameters: one for all, one for each, or a row for "
             "each of --data")
      .value("upper", "V[,V...]|FILE.csv", "the greatest value, the same")
      .value("fixed", "NAME[=V][,...]", "parameters that stay at V, or at the guess, by name or number")
      .value("width", "N", "of a model of pictures: data in a row of the picture");
}

solver::Problem read_problem(const Options& options) {
  constexpr std::uint64_t most_width = 1 << 20;
  const auto model = required(options, "model", "the name of a model, or FILE.cl: " + names_of_models());
  const auto file = required(options, "data", "FILE.csv with a row of numbers for each fit");
  solver::Problem problem{solver::Model::find(model, options.integer("width", 1, most_width).value_or(0)), {}};
  const auto rows = read_rows_with_gaps(file);
  problem.columns = 0;
  for (const auto& row : rows) problem.columns = std::max(problem.columns, row.size());
  problem.data = joined(rows, problem.columns);
  const auto guess = read_parameters(options, "guess");
  problem.parameters = guess.empty() ? parameters_without_guess(options, problem) : guess.front().size();
  Start start{joined(guess, problem.parameters), read_bound(options, "lower", problem),
              read_bound(options, "upper", problem)};
  read_fixed(options, problem, start);
  problem.guess = std::move(start.guess);
  problem.lower = std::move(start.lower);
  problem.upper = std::move(start.upper);
  if (options.text("abscissa") != "columns") problem.abscissa = read_side(options, "abscissa", problem);
  problem.sigma = read_side(options, "sigma", problem);
  return problem;
}

std::optional<double> read_confidence(const Options& options) {
  const auto text = options.text("confidence");
  if (!text) return std::nullopt;
  const auto confidence = number_in<double>(*text);
  if (!confidence || !(*confidence > 0 && *confidence < 1))
    throw InvalidInput(fmt::format("--confidence {}: give a number between 0 and 1, such as 0.95", printable(*text)));
  if (options.is_set("no-errors"))
    throw InvalidInput("--confidence needs the errors that --no-errors leaves out; give one of them");
  return confidence;
}

}  // namespace clopt::apps::fit
