/// \file
/// Rows of fits as devices get them, and checks of them.
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <fit/options.hpp>
#include "consecutive.hpp"
#include "rows.hpp"

namespace clopt::fit {
namespace {

bool is_shared(const Problem& problem, const SharedNumbers& side) { return side.size() == problem.columns; }

void check_side(const Problem& problem, const SharedNumbers& side, const char* name) {
  if (side.empty() || is_shared(problem, side) || side.size() == problem.data.size()) return;
  throw InvalidInput(fmt::format(
      "`{}` has {} numbers for `data` of {} rows with {} numbers each; give as many rows, or one row for all", name,
      side.size(), problem.rows(), problem.columns));
}

void check_of_parameters(const Problem& problem, const SharedNumbers& numbers, const char* name) {
  if (numbers.size() == problem.parameters || numbers.size() == problem.parameters * problem.rows()) return;
  throw InvalidInput(
      fmt::format("`{}` has {} numbers for {} parameters and {} rows; give one for each parameter, or a "
                  "row of them for each row of data",
                  name, numbers.size(), problem.parameters, problem.rows()));
}

void check_table(const Problem& problem, const SharedNumbers& side, const char* name) {
  if (!side.empty() && problem.model.residuals.tables().contains(name))
    throw InvalidInput(fmt::format("`{0}` is given, and the model {1} has a table {0}; leave one of them out", name,
                                   problem.model.residuals.name()));
}

void check_bounds(const Problem& problem) {
  if (problem.lower.empty() || problem.upper.empty()) return;
  const auto n = problem.parameters;
  const auto most = std::max(problem.lower.size(), problem.upper.size());
  for (std::size_t i = 0; i < most; ++i) {
    const double lower = problem.lower[problem.lower.size() == n ? i % n : i];
    const double upper = problem.upper[problem.upper.size() == n ? i % n : i];
    if (lower <= upper) continue;
    throw InvalidInput(
        fmt::format("`lower` of parameter {} is {}, and its `upper` is {}{}; give a lower one that is "
                    "not above",
                    i % n, lower, upper, most > n ? fmt::format(", in row {}", i / n + 1) : std::string()));
  }
}

void check_search(const Problem& problem) {
  const auto is_range = [&](const SharedNumbers& bounds) {
    if (bounds.size() != problem.parameters) return false;
    const auto numbers = bounds.doubles();
    return std::all_of(numbers.begin(), numbers.end(), [](double bound) { return std::isfinite(bound); });
  };
  if (!is_range(problem.lower) || !is_range(problem.upper))
    throw InvalidInput(
        "there is no `guess`, and the bounds do not say where to search for one; give a guess, or a finite `lower` and "
        "`upper` of each parameter, the same for all rows");
  if (!problem.fixed.empty())
    throw InvalidInput(
        "there is no `guess` at which the `fixed` parameters could stay; give them values, or equal bounds");
}

/// One row for all, without what no device is to get.
std::vector<double> table_of(const SharedNumbers& shared, double otherwise) {
  auto side = shared.doubles();
  std::replace_if(
      side.begin(), side.end(), [](double number) { return !std::isfinite(number); }, otherwise);
  return side;
}

}  // namespace

void check(const Problem& problem, const Options& options) {
  fields_of(options).check();
  if (problem.columns == 0 || problem.data.empty())
    throw InvalidInput("`data` is empty; give a row of numbers for each fit");
  if (problem.data.size() % problem.columns != 0)
    throw InvalidInput(fmt::format("`data` has {} numbers, which are no rows of {}; give whole rows",
                                   problem.data.size(), problem.columns));
  if (problem.parameters == 0 || problem.parameters > most_parameters)
    throw InvalidInput(fmt::format("there are {} parameters; give 1 to {}", problem.parameters, most_parameters));
  const auto& names = problem.model.names;
  if (!names.empty() && names.size() != problem.parameters)
    throw InvalidInput(fmt::format("the model {} has {} parameters, and `guess` has {}; give a number for each",
                                   problem.model.residuals.name(), names.size(), problem.parameters));
  if (!problem.guess.empty()) check_of_parameters(problem, problem.guess, "guess");
  if (!problem.lower.empty()) check_of_parameters(problem, problem.lower, "lower");
  if (!problem.upper.empty()) check_of_parameters(problem, problem.upper, "upper");
  check_bounds(problem);
  if (problem.guess.empty()) check_search(problem);
  for (const auto place : problem.fixed)
    if (place >= problem.parameters)
      throw InvalidInput(
          fmt::format("`fixed` has parameter {}, and there are {}, counted from 0", place, problem.parameters));
  if (options.loss == "poisson" && (!problem.model.has_curve || !problem.sigma.empty()))
    throw InvalidInput(
        fmt::format("`loss` poisson is of counts, and {}; {}",
                    problem.sigma.empty() ? "the model is a text of residuals" : "there is a `sigma`",
                    problem.sigma.empty() ? "define `real model(individual x, real t)`" : "leave it out"));
  check_side(problem, problem.abscissa, "abscissa");
  check_side(problem, problem.sigma, "sigma");
  check_table(problem, problem.abscissa, "abscissa");
  check_table(problem, problem.sigma, "sigma");
  if (is_shared(problem, problem.sigma))
    for (std::size_t j = 0; j < problem.columns; ++j)
      if (!(problem.sigma[j] > 0) || std::isinf(problem.sigma[j]))
        throw InvalidInput(fmt::format(
            "column {} of `sigma` is {}; give a finite standard deviation above 0, and to data without weight NaN",
            j + 1, problem.sigma[j]));
}

Objective residuals_of(const Problem& problem, bool has_gaps) {
  auto residuals = problem.model.residuals;
  Objective::RowParts parts;
  // A row that is the only one is that of all.
  const bool are_own = has_long_rows(problem) && takes_consecutive_data(problem.model);
  const bool shares_abscissa = !problem.abscissa.empty() && is_shared(problem, problem.abscissa) && !are_own;
  const bool shares_sigma = !problem.sigma.empty() && is_shared(problem, problem.sigma) && !are_own;
  if (shares_abscissa) residuals.table("abscissa", table_of(problem.abscissa, 0));
  if (shares_sigma) residuals.table("sigma", table_of(problem.sigma, 1));
  parts.abscissa = are_own || (!problem.abscissa.empty() && !shares_abscissa);
  parts.sigma = !problem.sigma.empty() && !shares_sigma;
  parts.weighted = !problem.sigma.empty();
  parts.gaps = has_gaps;
  return residuals.set_row_parts(parts);
}

std::size_t present_data(const Problem& problem, std::size_t row) {
  return problem.data.visit([&](const auto& numbers) {
    const auto data = numbers.subspan(row * problem.columns, problem.columns);
    const auto is_there = [](auto datum) { return !std::isnan(datum); };
    return static_cast<std::size_t>(std::count_if(data.begin(), data.end(), is_there));
  });
}

const SharedNumbers& numbers_of_part(const Problem& problem, const Objective::RowParts& parts, std::size_t part) {
  if (part == 0) return problem.data;
  return part == 1 && parts.abscissa ? problem.abscissa : problem.sigma;
}

}  // namespace clopt::fit
