/// \file
/// What a run takes where its options are left out.
#include "options.hpp"
#include <genetic/problems/permutation_objectives.hpp>
#include <genetic/problems/start_tour.hpp>

#include <clopt/error.hpp>
#include <clopt/genetic.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include <objective/precision.hpp>

namespace clopt::genetic {
namespace {

/// The choices of a preset for one kind of genes.
struct Choices {
  std::uint64_t population;
  Selection selection;
  std::uint32_t tournament;
  CrossoverKind crossover_kind;
  double crossover;
  double distribution_index;
  MutationKind mutation_kind;
  double mutation;
  double mutation_index;
  std::uint64_t elites;
  std::uint64_t restart;
};

// The paper's setting, chapter 5; beyond bits and reals, operators of the same kind.
Choices of_paper(GeneKind kind, std::uint32_t genes) {
  Choices choices{.population = 128,
                  .selection = Selection::roulette,
                  .tournament = 2,
                  .crossover_kind = CrossoverKind::two_point,
                  .crossover = 0.8,
                  .distribution_index = 15,
                  .mutation_kind = MutationKind::step,
                  .mutation = 1.0 / genes,
                  .mutation_index = 20,
                  .elites = 0,
                  .restart = 0};
  if (kind == GeneKind::bits) {
    choices.mutation_kind = MutationKind::flip;
    choices.mutation = 0.0001;
  }
  if (kind == GeneKind::reals) choices.crossover_kind = CrossoverKind::line;
  if (kind == GeneKind::permutation) {
    choices.crossover_kind = CrossoverKind::order;
    choices.mutation_kind = MutationKind::swap;
  }
  return choices;
}

// Chosen by the problems that docs/designs/genetic.md says were tuned on.
Choices that_do_well(const Objective& objective, std::uint32_t genes) {
  const auto kind = objective.kind();
  auto choices = of_paper(kind, genes);
  choices.selection = Selection::tournament;
  choices.tournament = 4;
  choices.elites = 2;
  choices.restart = 50;
  choices.mutation = 1.0 / genes;
  switch (kind) {
    case GeneKind::bits:
      choices.population = 256;
      choices.crossover = 1;
      break;
    case GeneKind::reals:
      choices.population = 64;
      choices.crossover_kind = CrossoverKind::simulated_binary;
      choices.crossover = 0.9;
      choices.distribution_index = 5;
      choices.mutation_kind = MutationKind::polynomial;
      choices.mutation_index = 2;
      break;
    case GeneKind::integers:
      choices.population = 64;
      choices.crossover_kind = CrossoverKind::uniform;
      choices.crossover = 0.5;
      choices.mutation_kind = MutationKind::gaussian;
      break;
    case GeneKind::permutation:
      choices.population = 64;
      choices.crossover = is_tour_objective(objective) ? 1 : 0.2;
      choices.mutation_kind = is_assignment_objective(objective) ? MutationKind::swap : MutationKind::inversion;
      break;
  }
  return choices;
}

// A standard deviation of integers: a 64th of the narrowest gene's range, and 1 at least.
double step_of_integers(const Problem& problem) {
  auto lower = problem.lower;
  auto upper = problem.upper;
  if (const auto usual = problem.objective.usual_bounds()) {
    if (lower.empty()) lower = {usual->lower};
    if (upper.empty()) upper = {usual->upper};
  }
  if (lower.empty() || upper.empty()) return 1;
  double narrowest = std::numeric_limits<double>::infinity();
  for (std::size_t gene = 0; gene < std::max(lower.size(), upper.size()); ++gene)
    narrowest = std::min(narrowest, upper[std::min(gene, upper.size() - 1)] - lower[std::min(gene, lower.size() - 1)]);
  return std::max(1.0, std::rint(narrowest / 64));
}

// The magnitude of integers; what is out of order is refused later.
double largest_gene_of(const Problem& problem) {
  double largest = 1;
  if (problem.objective.kind() != GeneKind::integers) return largest;
  const auto usual = problem.objective.usual_bounds().value_or(GeneBounds{});
  for (const auto& [bounds, otherwise] : {std::pair(&problem.lower, usual.lower), {&problem.upper, usual.upper}}) {
    if (bounds->empty()) largest = std::max(largest, std::abs(otherwise));
    for (const double bound : *bounds) largest = std::max(largest, std::abs(bound));
  }
  return largest;
}

Improve usual_improvement(const Problem& problem, Preset preset) {
  const auto& objective = problem.objective;
  if (preset != Preset::automatic || !is_tour_objective(objective) || objective.direction() == Direction::maximise)
    return Improve::none;
  return is_tour_of_places(problem) ? Improve::iterated : Improve::two_opt;
}

template <class Value>
void fill(std::optional<Value>& option, Value value) {
  if (!option) option = value;
}

void fill(std::string& option, std::string_view name) {
  if (option == "auto") option = name;
}

}  // namespace

// Of tours that are minimised, good ones are no longer than that of the nearest neighbour.
std::string why_doubles(const Problem& problem) {
  const auto& objective = problem.objective;
  if (is_tour_objective(objective) && has_tour_size(problem) && has_near_cities(problem)) {
    if (is_tour_of_places(problem)) return "lengths of ways between places are computed in doubles";
    const auto length = static_cast<double>(start_tour(objective, problem.genes).length);
    const auto& table = objective.table_values();
    const double longest = objective.direction() == Direction::maximise
                               ? *std::max_element(table.begin(), table.end()) * problem.genes
                               : length;
    return longest > objective::largest_exact_float
               ? fmt::format("tours are about {} long, and floats are exact up to 2^24", longest)
               : std::string{};
  }
  return objective::why_doubles(problem.objective, problem.genes, largest_gene_of(problem));
}

Options complete(const Problem& problem, const Options& options) {
  const auto table = fields_of(problem);
  table.check();
  if (problem.genes == 0) throw InvalidInput(table.at("genes").refusal("0"));
  const auto& objective = problem.objective;
  auto preset = preset_names.value(options.preset, "preset");
  if (objective.is_builtin() && objective.name() == "onemax") preset = Preset::paper;
  auto choices =
      preset == Preset::paper ? of_paper(objective.kind(), problem.genes) : that_do_well(objective, problem.genes);
  auto all = options;
  all.preset = preset_names.of(preset);
  if (improve_names.value(options.improve, "improve") == Improve::automatic)
    all.improve = improve_names.of(usual_improvement(problem, preset));
  if (all.improve == improve_names.of(Improve::iterated)) {
    // Each tour gets better by itself.
    choices.population = 1;
    choices.elites = 0;
    choices.restart = 0;
  }
  fill(all.population, choices.population);
  fill(all.selection, selection_names.of(choices.selection));
  fill(all.tournament, choices.tournament);
  fill(all.crossover_kind, crossover_names.of(choices.crossover_kind));
  fill(all.crossover, choices.crossover);
  fill(all.distribution_index, choices.distribution_index);
  fill(all.mutation_kind, mutation_names.of(choices.mutation_kind));
  fill(all.mutation, choices.mutation);
  fill(all.mutation_index, choices.mutation_index);
  if (objective.kind() == GeneKind::integers)
    fill(all.step, preset == Preset::automatic && all.mutation_kind == "gaussian" ? step_of_integers(problem) : 1.0);
  // A small population has room for fewer.
  fill(all.elites, std::min(choices.elites, (*all.population - std::min<std::uint64_t>(*all.population, 1)) / 2));
  fill(all.restart, choices.restart);
  if (all.precision == "auto")
    all.precision = precision_names.of(why_doubles(problem).empty() ? Precision::float32 : Precision::float64);
  return all;
}

}  // namespace clopt::genetic
