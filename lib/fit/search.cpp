#include "search.hpp"

#include <clopt/differential_evolution.hpp>

#include <algorithm>

namespace clopt::fit {
namespace {

// Of a limit of time; the rest is for the fits.
constexpr double share_of_search = 0.8;

}  // namespace

Problem with_guesses(const Problem& problem, const Options& options, const WorkRange& range,
                     std::span<const std::shared_ptr<Device>> devices, const RunControl& control,
                     std::uint64_t& launches) {
  differential_evolution::Problem search{problem.model.residuals, problem.parameters, problem.rows()};
  search.lower = problem.lower;
  search.upper = problem.upper;
  search.data = problem.data;
  search.columns = problem.columns;
  search.abscissa = problem.abscissa;
  search.sigma = problem.sigma;
  // A row whose deviation is no such number has no fit; its search spoils no other's.
  std::replace_if(
      search.sigma.begin(), search.sigma.end(), [](double sigma) { return !(sigma > 0); }, 1.0);
  differential_evolution::Options how;
  how.precision = options.precision;
  how.seed = options.seed;
  how.generations = differential_evolution::usual_generations_of_fits;
  how.polish = false;
  how.range = range;
  auto limits = control;
  if (limits.time_limit) *limits.time_limit *= share_of_search;
  const auto found = differential_evolution::solve(search, how, devices, limits);
  launches += found.launches;
  auto begun = problem;
  begun.guess.assign(problem.rows() * problem.parameters, 0);
  std::copy(found.parameters.begin(), found.parameters.end(),
            begun.guess.begin() + static_cast<std::ptrdiff_t>(range.first * problem.parameters));
  return begun;
}

}  // namespace clopt::fit
