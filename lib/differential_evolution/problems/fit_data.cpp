#include "fit_data.hpp"

#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

namespace clopt::differential_evolution {
namespace {

void check_side(const Problem& problem, const std::vector<double>& side, const char* name, const char* function) {
  if (side.empty()) return;
  if (!problem.objective.is_fit())
    throw InvalidInput(
        fmt::format("`{}` is given, and the objective {} has no residuals to read it; leave it out, or give "
                    "a text with `real residual(individual x, uint j)`",
                    name, problem.objective.name()));
  if (side.size() != problem.columns && side.size() != problem.data.size())
    throw InvalidInput(fmt::format(
        "`{}` has {} numbers for `data` of {} rows with {} numbers each; give as many rows, or one row for all", name,
        side.size(), problem.problems, problem.columns));
  const bool is_text = !problem.objective.is_function();
  if (is_text && problem.objective.tables().contains(name))
    throw InvalidInput(fmt::format("`{0}` is given, and the objective {1} has a table {0}; leave one of them out", name,
                                   problem.objective.name()));
  if (is_text && function && !problem.objective.mentions(function))
    throw InvalidInput(
        fmt::format("the objective {} does not read {}(x, j), so `{}` would not be read; leave `{}` out, or read it",
                    problem.objective.name(), function, name, name));
}

/// Wherever there is a datum there must be a number of this side, too.
void check_numbers(const Problem& problem, const std::vector<double>& side, const char* name, double least,
                   double greatest, const char* wanted) {
  for (std::size_t n = 0; n < problem.data.size() && !side.empty(); ++n) {
    const double number = side[n % side.size()];
    if (std::isnan(problem.data[n]) || (number >= least && number <= greatest)) continue;
    throw InvalidInput(fmt::format("row {}, column {} of `{}` is {}, where `data` has {}; give {}",
                                   side.size() == problem.columns ? 1 : n / problem.columns + 1,
                                   n % problem.columns + 1, name, number, problem.data[n], wanted));
  }
}

/// One row for all, which is a table; functions have no tables.
bool is_shared(const Problem& problem, const std::vector<double>& side) {
  return side.size() == problem.columns && !problem.objective.is_function() && !side.empty();
}

/// The number of a side that belongs to a datum; a device gets no NaN that is not read.
double side_at(const Problem& problem, const std::vector<double>& side, std::size_t n, double otherwise) {
  if (side.empty() || std::isnan(problem.data[n])) return otherwise;
  return side[n % side.size()];
}

std::vector<double> without_gaps(std::vector<double> side, double otherwise) {
  std::replace_if(
      side.begin(), side.end(), [](double number) { return !std::isfinite(number); }, otherwise);
  return side;
}

}  // namespace

void check_fit(const Problem& problem, bool is_double) {
  const double greatest = is_double ? std::numeric_limits<double>::max() : double{std::numeric_limits<float>::max()};
  const double least = is_double ? std::numeric_limits<double>::min() : double{std::numeric_limits<float>::min()};
  check_side(problem, problem.abscissa, "abscissa", "abscissa");
  // The library divides by what a text does not read.
  check_side(problem, problem.sigma, "sigma", nullptr);
  check_numbers(problem, problem.abscissa, "abscissa", -greatest, greatest, "a finite number in this `precision`");
  check_numbers(problem, problem.sigma, "sigma", least, greatest, "a standard deviation above 0");
  if (!problem.objective.is_fit() || problem.columns == 0) return;
  for (std::size_t k = 0; k < problem.problems; ++k)
    if (present_data(problem, k) == 0)
      throw InvalidInput(fmt::format("row {} of `data` has no datum, so there is nothing to fit; leave it out", k + 1));
}

Objective fit_of(const Problem& problem) {
  auto fit = problem.objective;
  // A function's rows have all parts.
  if (fit.is_function()) return fit;
  Objective::RowParts parts;
  const bool shares_abscissa = is_shared(problem, problem.abscissa);
  const bool shares_sigma = is_shared(problem, problem.sigma);
  if (shares_abscissa) fit.table("abscissa", without_gaps(problem.abscissa, 0));
  if (shares_sigma) fit.table("sigma", without_gaps(problem.sigma, 1));
  parts.abscissa = !problem.abscissa.empty() && !shares_abscissa;
  parts.sigma = !problem.sigma.empty() && !shares_sigma;
  parts.weighted = !problem.sigma.empty();
  parts.gaps = std::any_of(problem.data.begin(), problem.data.end(), [](double datum) { return std::isnan(datum); });
  return fit.set_row_parts(parts);
}

std::vector<double> packed_rows(const Problem& problem, const Objective& fit) {
  const auto& parts = fit.row_parts();
  if (parts.count() == 1) return {};
  const auto columns = problem.columns;
  std::vector<double> rows;
  rows.reserve(problem.data.size() * parts.count());
  for (std::size_t first = 0; first < problem.data.size(); first += columns) {
    for (std::size_t j = 0; j < columns; ++j) rows.push_back(problem.data[first + j]);
    for (std::size_t j = 0; j < columns && parts.abscissa; ++j)
      rows.push_back(problem.abscissa.empty() ? static_cast<double>(j)
                                              : side_at(problem, problem.abscissa, first + j, 0));
    for (std::size_t j = 0; j < columns && parts.sigma; ++j)
      rows.push_back(side_at(problem, problem.sigma, first + j, 1));
  }
  return rows;
}

std::size_t present_data(const Problem& problem, std::size_t k) {
  const auto begin = problem.data.begin() + static_cast<std::ptrdiff_t>(k * problem.columns);
  const auto absent = std::count_if(begin, begin + static_cast<std::ptrdiff_t>(problem.columns),
                                    [](double datum) { return std::isnan(datum); });
  return problem.columns - static_cast<std::size_t>(absent);
}

}  // namespace clopt::differential_evolution
