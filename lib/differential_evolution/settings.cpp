#include "settings.hpp"

#include <clopt/differential_evolution.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace clopt::differential_evolution {
namespace {

constexpr std::size_t usual_least_population = 20;
// Smaller populations gather where constraints meet the bounds.
constexpr std::size_t least_with_violation = 50;
// As many as its paper has (Tanabe and Fukunaga 2013, section V); more only take longer.
constexpr std::size_t most_with_shade = 100;
constexpr Names<Stop, 4> stop_names{
    {{{Stop::limit, "limit"}, {Stop::target, "target"}, {Stop::spread, "spread"}, {Stop::stagnation, "stagnation"}}}};

}  // namespace

std::string_view name_of(Stop stop) { return stop_names.of(stop); }

const std::vector<std::string>& methods() {
  static const auto names = method_names.all();
  return names;
}

const std::vector<std::string>& precisions() {
  static const auto names = precision_names.all();
  return names;
}

const std::vector<std::string>& strategies() {
  static const auto names = strategy_names.all();
  return names;
}

const std::vector<std::string>& adaptations() {
  static const auto names = adaptation_names.all();
  return names;
}

const std::vector<std::string>& bound_treatments() {
  static const auto names = bound_names.all();
  return names;
}

std::string precision_of(const Problem& problem, const Options& options) {
  if (options.precision != precision_names.of(Precision::automatic)) return options.precision;
  const bool is_fine = problem.objective.is_function() || problem.objective.has_violation();
  return std::string(precision_names.of(is_fine ? Precision::double_precision : Precision::single_precision));
}

std::string strategy_of(const Options& options) {
  if (!options.strategy.empty()) return options.strategy;
  return options.adapt.ends_with("shade") ? "currenttopbest1bin" : "rand1bin";
}

std::size_t least_population(const std::string& strategy) {
  return strategy_names.value(strategy, "strategy").least_population();
}

std::size_t population_of(const Problem& problem, const Options& options) {
  if (options.population != 0) return options.population;
  const auto least = problem.objective.has_violation() ? least_with_violation : usual_least_population;
  const auto usual = std::max(least, 5 * problem.dimensions);
  // Local searches of a fit find their minima by themselves: more vectors for fewer generations let them begin in more
  // valleys.
  if (problem.objective.is_fit() && is_polished(problem, options)) return 2 * usual;
  return options.adapt == adaptation_names.of(Adaptation::shade) ? std::min(usual, most_with_shade) : usual;
}

bool is_polished(const Problem& problem, const Options& options) {
  const auto& objective = problem.objective;
  return options.polish.value_or(objective.is_fit() && problem.integer.empty() && !objective.has_violation());
}

std::uint64_t usual_generations_of(const Problem& problem, const Options& options) {
  const bool is_short = problem.objective.is_fit() && is_polished(problem, options);
  return is_short ? usual_generations_of_fits : usual_generations;
}

}  // namespace clopt::differential_evolution
