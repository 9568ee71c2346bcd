/// \file
/// Results of ranges of islands, as that of all islands.
#include <clopt/error.hpp>
#include <clopt/genetic.hpp>
#include <support/numbers/checksum.hpp>

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>
#include <variant>

#include <genetic/run/result_builder.hpp>
#include "result_fields.hpp"

namespace clopt::genetic {

namespace {

void require_part(bool holds) {
  if (!holds) throw InvalidInput("its result is not of that number of islands; it was not written by clopt");
}

// Calls a function with the PartArrays of a part.
template <class Function>
void view(const Record& part, const Function& function) {
  const auto as = [&]<class Element, class Real>(std::type_identity<Element>, std::type_identity<Real>) {
    PartArrays<Element, Real> arrays;
    read_record(part, arrays);
    function(arrays);
  };
  const std::type_identity<float> single{};
  const std::type_identity<double> wide{};
  const std::type_identity<std::int32_t> integers{};
  const std::type_identity<std::uint32_t> words{};
  const bool is_wide = part.holds<double>("costs");
  switch (part.get<std::uint32_t>("kind")) {
    case GENETIC_REALS: return is_wide ? as(wide, wide) : as(single, single);
    case GENETIC_INTEGERS: return is_wide ? as(integers, wide) : as(integers, single);
    default: return is_wide ? as(words, wide) : as(words, single);
  }
}

std::size_t row_of(std::uint32_t kind, std::uint64_t genes) {
  return kind == GENETIC_BITS ? 2 * ((genes + GENETIC_UNIT - 1) / GENETIC_UNIT) : genes;
}

// What Genes and ResultBuilder read.
template <class Element, class Real>
Plan plan_of(const PartArrays<Element, Real>& part) {
  Plan plan{};
  plan.settings.kind = part.kind;
  plan.settings.genes = part.genes;
  plan.settings.maximise = part.maximise;
  plan.settings.row = static_cast<std::uint32_t>(row_of(part.kind, part.genes));
  plan.constrained = part.constrained != 0;
  return plan;
}

void require_sizes(const Record& part, std::uint64_t islands, std::uint32_t genes) {
  view(part, [&](const auto& own) {
    require_part(own.genes == genes && own.kind <= GENETIC_PERMUTATION);
    const auto row = row_of(own.kind, genes);
    require_part(own.best_costs.size() == islands && own.best_rows.size() == islands * row && !own.costs.empty() &&
                 own.costs.size() % islands == 0 && own.population.size() / row == own.costs.size() &&
                 own.population.size() % row == 0);
    require_part(
        std::none_of(own.best_costs.begin(), own.best_costs.end(), [](auto cost) { return std::isnan(cost); }));
  });
}

// As RunStatus has it of all islands: the first island with the least cost.
std::size_t part_with_best(const std::vector<Result>& parts) {
  std::size_t chosen = 0;
  double least = 0;
  for (std::size_t n = 0; n < parts.size(); ++n)
    view(parts[n].part, [&](const auto& own) {
      const double cost = *std::min_element(own.best_costs.begin(), own.best_costs.end());
      if (n != 0 && !(cost < least)) return;
      least = cost;
      chosen = n;
    });
  return chosen;
}

// Goes over all genes, then all costs, as one run of all islands does.
template <class Element, class Real>
void make_result(const std::vector<Result>& parts, const Plan& plan, bool keep_population, Result& whole) {
  // Of the objective nothing is asked: the part with the best individual has evaluated it.
  const Problem problem{Objective::named("onemax"), plan.settings.genes, {}, {}};
  Options options;
  options.keep_population = keep_population;
  ResultBuilder<Element, Real> builder(problem, options, plan, whole);
  std::vector<PartArrays<Element, Real>> arrays(parts.size());
  for (std::size_t n = 0; n < parts.size(); ++n) read_record(parts[n].part, arrays[n]);
  std::vector<Real> best_costs;
  std::vector<Element> best_rows;
  for (const auto& part : arrays) builder.take_genes(part.population);
  for (const auto& part : arrays) {
    builder.take_costs(part.costs);
    best_costs.insert(best_costs.end(), part.best_costs.begin(), part.best_costs.end());
    best_rows.insert(best_rows.end(), part.best_rows.begin(), part.best_rows.end());
  }
  builder.finish(best_costs, best_rows, false);
}

}  // namespace

Record pack(const Result& result) {
  if (result.part.empty())
    throw InvalidInput("the result is not of a `range` of islands; only those of ranges are packed");
  return record_of(result).add_part("", result.part);
}

Result unpack(const Record& record, std::uint64_t islands, std::uint32_t genes) {
  Result result;
  read_record(record, result);
  view(record, [&](const auto& arrays) { result.part = record_of(arrays); });
  require_part(islands >= 1 && genes >= 1 && result.island_fitness.size() == islands && result.genes.size() == genes &&
               result.ending <= Ending::interrupted);
  require_sizes(result.part, islands, genes);
  return result;
}

Result merge(std::vector<Result> parts, bool keep_population) {
  if (parts.empty()) throw InvalidInput("there are no `parts` of a result; give one at least");
  for (const auto& part : parts) {
    if (part.part.empty())
      throw InvalidInput("a result is not of a `range` of islands; only those of ranges are merged");
    require_sizes(part.part, part.island_fitness.size(), static_cast<std::uint32_t>(part.genes.size()));
    require_part(part.part.get<std::uint32_t>("kind") == parts.front().part.get<std::uint32_t>("kind") &&
                 part.genes.size() == parts.front().genes.size() && part.generations == parts.front().generations);
  }
  Result whole;
  static_cast<RunResult&>(whole) = parts.front();
  whole.generations = parts.front().generations;
  whole.individuals_per_group = parts.front().individuals_per_group;
  for (std::size_t n = 0; n < parts.size(); ++n) {
    whole.evaluations += parts[n].evaluations;
    if (n != 0) add_run_result(whole, parts[n]);
  }
  view(parts.front().part, [&]<class Element, class Real>(const PartArrays<Element, Real>& first) {
    make_result<Element, Real>(parts, plan_of(first), keep_population, whole);
  });
  const auto& best = parts[part_with_best(parts)];
  whole.fitness = best.fitness;
  whole.feasible = best.feasible;
  whole.violation = best.violation;
  return whole;
}

}  // namespace clopt::genetic
