#include "options.hpp"

#include <clopt/differential_evolution.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <objective/precision.hpp>

namespace clopt::differential_evolution {
namespace {

constexpr std::size_t usual_least_population = 20;
// Of ten problems of CEC 2006, those of up to 10 dimensions are solved in the fewest evaluations by 50 vectors, and one
// of them (g10) by no more than 60; those of 13 and 20 dimensions need more to find the right corner.
constexpr std::size_t least_with_violation = 50;
constexpr std::size_t most_dimensions_of_least = 10;
constexpr std::size_t most_with_violation = 150;
// As many as its paper has (Tanabe and Fukunaga 2013, section V); more only take longer.
constexpr std::size_t most_with_shade = 100;
constexpr Names<Stop, 4> stop_names{
    {{{Stop::limit, "limit"}, {Stop::target, "target"}, {Stop::spread, "spread"}, {Stop::stagnation, "stagnation"}}}};

std::size_t population_with_violation(std::size_t dimensions) {
  return dimensions <= most_dimensions_of_least ? least_with_violation : std::min(10 * dimensions, most_with_violation);
}

}  // namespace

std::string_view name_of(Stop stop) { return stop_names.of(stop); }

std::string precision_of(const Problem& problem, const Options& options) {
  if (options.precision != precision_names.of(Precision::automatic)) return options.precision;
  const bool is_fine = !objective::why_doubles(problem.objective, problem.dimensions).empty();
  return std::string(precision_names.of(is_fine ? Precision::double_precision : Precision::single_precision));
}

// Classical parameters select the classical algorithm; else success-history adaptation solves more, with a short
// history sooner. With constraints, and where a local search takes over, the long history was measured.
std::string adaptation_of(const Problem& problem, const Options& options) {
  if (options.adapt != adaptation_names.of(Adaptation::automatic)) return options.adapt;
  const bool is_classical = options.weight || options.crossover || !options.strategy.empty();
  const auto& objective = problem.objective;
  const bool is_long = objective.has_violation() || objective.is_fit() || is_polished(problem, options);
  return std::string(
      adaptation_names.of(is_classical ? Adaptation::none : (is_long ? Adaptation::shade : Adaptation::shade6)));
}

// The best feasible vectors often lie on bounds. Clipped vectors gather there before the rest of their parameters is
// right, and have no differences left that lead away: the best corner of CEC 2006's g01 and the best of g02's many
// minima are missed.
std::string bound_treatment_of(const Problem& problem, const Options& options) {
  if (options.bounds != bound_names.of(BoundTreatment::automatic)) return options.bounds;
  const auto chosen = problem.objective.has_violation() ? BoundTreatment::reflect : BoundTreatment::clip;
  return std::string(bound_names.of(chosen));
}

std::string strategy_of(const Problem& problem, const Options& options) {
  if (!options.strategy.empty()) return options.strategy;
  const auto adapt = static_cast<std::uint32_t>(adaptation_names.value(adaptation_of(problem, options), "adapt"));
  return shared::evolution_remembers(adapt) != 0 ? "currenttopbest1bin" : "rand1bin";
}

std::size_t least_population(const std::string& strategy) {
  return strategy_names.value(strategy, "strategy").least_population();
}

std::size_t population_of(const Problem& problem, const Options& options) {
  if (options.population != 0) return options.population;
  if (problem.objective.has_violation()) return population_with_violation(problem.dimensions);
  const auto usual = std::max(usual_least_population, 5 * problem.dimensions);
  // Local searches of a fit find their minima by themselves: more vectors for fewer generations let them begin in more
  // valleys.
  if (problem.objective.is_fit() && is_polished(problem, options)) return 2 * usual;
  const auto adapt = adaptation_of(problem, options);
  if (adapt == adaptation_names.of(Adaptation::shade)) return std::min(usual, most_with_shade);
  if (adapt != adaptation_names.of(Adaptation::shade6)) return usual;
  return std::clamp(9 * problem.dimensions / 2, usual_least_population, most_with_shade);
}

bool restarts(const Problem& problem, const Options& options) {
  const bool is_usual = options.adapt == adaptation_names.of(Adaptation::automatic) &&
                        adaptation_of(problem, options) == adaptation_names.of(Adaptation::shade6);
  return options.restarts.value_or(is_usual && !options.spread && options.stagnation.value_or(0) == 0);
}

bool is_polished(const Problem& problem, const Options& options) {
  const auto& objective = problem.objective;
  return options.polish.value_or(objective.is_fit() && problem.integer.empty() && !objective.has_violation());
}

std::uint64_t usual_generations_of(const Problem& problem, const Options& options) {
  const bool is_short = problem.objective.is_fit() && is_polished(problem, options);
  return is_short ? usual_generations_of_fits : usual_generations;
}

Options complete(const Problem& problem, const Options& options) {
  auto all = options;
  all.precision = precision_of(problem, options);
  all.adapt = adaptation_of(problem, options);
  all.strategy = strategy_of(problem, options);
  all.bounds = bound_treatment_of(problem, options);
  all.population = population_of(problem, options);
  all.weight = options.weight.value_or(usual_weight);
  all.crossover = options.crossover.value_or(usual_crossover);
  all.polish = is_polished(problem, options);
  all.restarts = restarts(problem, options);
  return all;
}

}  // namespace clopt::differential_evolution
