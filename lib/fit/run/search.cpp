#include "search.hpp"

#include <clopt/detail/huge_pages.hpp>

#include <algorithm>
#include <cmath>

namespace clopt::fit {
namespace {

// Rows that a thread prepares at a time.
constexpr std::size_t rows_of_search = 1024;

bool is_usable_deviation(double sigma) { return sigma > 0 && std::isfinite(sigma); }

/// Gives a search its rows, but for the numbers of rows that have no fit, which would refuse the others' searches: the
/// fits report them.
void set_rows(const Problem& problem, differential_evolution::Problem& search, ThreadTeam& threads) {
  const auto rows = problem.rows();
  const auto columns = problem.columns;
  const auto copy = [&](const SharedNumbers& given, std::vector<double>& to, const auto& mended) {
    reserve_in_huge_pages(to, given.size());
    to.resize(given.size());
    const auto numbers = rows_of_search * columns;
    given.visit([&](const auto& from) {
      threads.run((from.size() + numbers - 1) / numbers, [&](std::size_t part) {
        const auto end = std::min((part + 1) * numbers, from.size());
        for (auto n = part * numbers; n < end; ++n) to[n] = mended(from[n]);
      });
    });
  };
  copy(problem.data, search.data, [](double datum) { return std::isinf(datum) ? 0 : datum; });
  copy(problem.abscissa, search.abscissa, [](double place) { return std::isfinite(place) ? place : 0; });
  copy(problem.sigma, search.sigma, [](double sigma) { return is_usable_deviation(sigma) ? sigma : 1; });
  threads.run((rows + rows_of_search - 1) / rows_of_search, [&](std::size_t part) {
    for (auto row = part * rows_of_search; row < std::min((part + 1) * rows_of_search, rows); ++row) {
      const auto begin = search.data.begin() + static_cast<std::ptrdiff_t>(row * columns);
      const auto end = begin + static_cast<std::ptrdiff_t>(columns);
      if (std::all_of(begin, end, [](double datum) { return std::isnan(datum); })) std::fill(begin, end, 0.0);
    }
  });
}

}  // namespace

Search::Search(const Problem& problem, const Options& options, bool is_double, ThreadTeam& threads)
    : problem_{problem.model.residuals, problem.parameters, problem.rows()},
      guess_(problem.rows() * problem.parameters) {
  problem_.lower = problem.lower.doubles();
  problem_.upper = problem.upper.doubles();
  problem_.columns = problem.columns;
  set_rows(problem, problem_, threads);
  for (std::size_t i = 0; i < guess_.size(); ++i) {
    const auto k = i % problem.parameters;
    guess_[i] = problem_.lower[k] / 2 + problem_.upper[k] / 2;
  }
  options_.precision = is_double ? "double" : "float";
  options_.seed = options.seed;
  options_.generations = differential_evolution::usual_generations_of_fits;
  options_.polish = false;
  options_.checks_values = false;
}

RunResult Search::run(const WorkRange& range, std::span<const std::shared_ptr<Device>> devices,
                      const RunControl& control) {
  // A part is a copy.
  options_.range.reset();
  if (range.count != problem_.problems) options_.range = range;
  auto found = differential_evolution::solve(problem_, options_, devices, control);
  const auto n = problem_.dimensions;
  // But of rows that the run had no time for.
  for (std::size_t row = 0; row < range.count; ++row)
    if (std::isfinite(found.values[row]))
      std::copy_n(found.parameters.begin() + static_cast<std::ptrdiff_t>(row * n), n,
                  guess_.begin() + static_cast<std::ptrdiff_t>((range.first + row) * n));
  return found;
}

}  // namespace clopt::fit
