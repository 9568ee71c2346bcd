#include "search.hpp"

#include <clopt/differential_evolution.hpp>

#include <algorithm>
#include <cmath>

namespace clopt::fit {
namespace {

/// Replaces the numbers of rows that have no fit, so that they refuse no other's search: the fits report them.
void mend(differential_evolution::Problem& search) {
  const auto replace = [](std::vector<double>& numbers, double by, auto is_bad) {
    std::replace_if(numbers.begin(), numbers.end(), is_bad, by);
  };
  replace(search.data, 0, [](double datum) { return std::isinf(datum); });
  replace(search.abscissa, 0, [](double place) { return !std::isfinite(place); });
  replace(search.sigma, 1, [](double sigma) { return !(sigma > 0) || std::isinf(sigma); });
  for (std::size_t row = 0; row < search.problems; ++row) {
    const auto begin = search.data.begin() + static_cast<std::ptrdiff_t>(row * search.columns);
    const auto end = begin + static_cast<std::ptrdiff_t>(search.columns);
    if (std::all_of(begin, end, [](double datum) { return std::isnan(datum); })) std::fill(begin, end, 0.0);
  }
}

}  // namespace

Search search_guesses(const Problem& problem, const Options& options, bool is_double, const WorkRange& range,
                      std::span<const std::shared_ptr<Device>> devices, const RunControl& control) {
  differential_evolution::Problem search{problem.model.residuals, problem.parameters, problem.rows()};
  search.lower = problem.lower;
  search.upper = problem.upper;
  search.data = problem.data;
  search.columns = problem.columns;
  search.abscissa = problem.abscissa;
  search.sigma = problem.sigma;
  mend(search);
  differential_evolution::Options how;
  how.precision = is_double ? "double" : "float";
  how.seed = options.seed;
  how.generations = differential_evolution::usual_generations_of_fits;
  how.polish = false;
  how.range = range;
  const auto found = differential_evolution::solve(search, how, devices, control);
  const auto n = problem.parameters;
  Search result{std::vector<double>(problem.rows() * n), static_cast<const RunResult&>(found)};
  for (std::size_t row = 0; row < range.count; ++row)
    for (std::size_t k = 0; k < n; ++k)
      // A row that the run had no time for.
      result.guess[(range.first + row) * n + k] = std::isfinite(found.values[row])
                                                      ? found.parameters[row * n + k]
                                                      : problem.lower[k] / 2 + problem.upper[k] / 2;
  return result;
}

}  // namespace clopt::fit
