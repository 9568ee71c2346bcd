#include "settings.hpp"

#include <clopt/differential_evolution.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace clopt::differential_evolution {
namespace {

constexpr std::size_t usual_least_population = 20;
constexpr Names<Stop, 3> stop_names{{{{Stop::limit, "limit"}, {Stop::target, "target"}, {Stop::spread, "spread"}}}};

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

std::string strategy_of(const Options& options) {
  if (!options.strategy.empty()) return options.strategy;
  return options.adapt.ends_with("shade") ? "currenttopbest1bin" : "rand1bin";
}

std::size_t least_population(const std::string& strategy) {
  return strategy_names.value(strategy, "strategy").least_population();
}

std::size_t usual_population(std::size_t dimensions) { return std::max(usual_least_population, 5 * dimensions); }

bool is_polished(const Problem& problem, const Options& options) {
  return options.polish.value_or(problem.objective.is_fit());
}

// Local searches of a fit find their minima by themselves: more vectors for fewer generations let them begin in more
// valleys.
std::size_t usual_population(const Problem& problem, const Options& options) {
  const bool is_short = problem.objective.is_fit() && is_polished(problem, options);
  return usual_population(problem.dimensions) * (is_short ? 2 : 1);
}

std::uint64_t usual_generations_of(const Problem& problem, const Options& options) {
  const bool is_short = problem.objective.is_fit() && is_polished(problem, options);
  return is_short ? usual_generations_of_fits : usual_generations;
}

}  // namespace clopt::differential_evolution
