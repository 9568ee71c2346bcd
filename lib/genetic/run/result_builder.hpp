/// \file
/// The result of islands that have ended.
#pragma once

#include <shared/objective/constraint.h>
#include <clopt/genetic.hpp>
#include <objective/host_check.hpp>
#include <run/record_fields.hpp>
#include <support/numbers/checksum.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "genes.hpp"
#include "population_summary.hpp"

namespace clopt::genetic {

/// The violation of an infeasible individual's cost, which has it but for the last bits.
template <class Real>
double violation_in(Real cost) {
  return std::isfinite(cost) ? static_cast<double>(shared::violation_of_cost(cost))
                             : std::numeric_limits<double>::infinity();
}

/// The island with the least cost, the first of several.
template <class Real>
std::size_t best_of(std::span<const Real> costs) {
  std::size_t best = 0;
  for (std::size_t island = 1; island < costs.size(); ++island)
    if (costs[island] < costs[best]) best = island;
  return best;
}

/// Makes a result of populations, which are given piece by piece: all genes, then all costs.
template <class Element, class Real>
class ResultBuilder {
 public:
  /// \param threads that take the checksum, at most.
  ResultBuilder(const Problem& problem, const Options& options, const Plan& plan, Result& result, unsigned threads = 1)
      : problem_(problem), options_(options), plan_(plan), genes_(plan), checksum_(threads), result_(result) {}

  /// \param elements whole individuals, where the population is kept.
  void take_genes(std::span<const Element> elements) {
    checksum_.add(elements);
    if (!options_.keep_population) return;
    for (; !elements.empty(); elements = elements.subspan(plan_.settings.row))
      genes_.unpack(elements.first(plan_.settings.row), result_.population);
  }

  /// The same where the population is not kept, and need not come to the host. \param add adds all genes to a checksum.
  template <class Add>
  void take_hashes_of_genes(const Add& add) {
    add(checksum_);
  }

  void take_costs(std::span<const Real> costs) {
    checksum_.add(costs);
    if (!options_.keep_population) return;
    for (const Real cost : costs) {
      result_.values.push_back(value_of(cost));
      if (plan_.constrained) result_.violations.push_back(violation_in(cost));
    }
  }

  /// \param best_costs of each island ever. \param best_rows the individuals that have them.
  /// \param may_compile whether there is time to evaluate an infeasible best individual's parts.
  void finish(std::span<const Real> best_costs, std::span<const Element> best_rows, bool may_compile) {
    const auto island = best_of(best_costs);
    const auto row = best_rows.subspan(island * plan_.settings.row, plan_.settings.row);
    result_.fitness = value_of(best_costs[island]);
    if (plan_.constrained && !(best_costs[island] < values_.bound)) set_violation(best_costs[island], row, may_compile);
    genes_.unpack(row, result_.genes);
    for (const Real cost : best_costs) result_.island_fitness.push_back(value_of(cost));
    checksum_.add(row);
    checksum_.add(best_costs[island]);
    result_.checksum = checksum_.value();
  }

 private:
  double value_of(Real cost) const { return values_(cost); }

  void set_violation(Real cost, std::span<const Element> row, bool may_compile) {
    result_.feasible = false;
    result_.violation = violation_in(cost);
    // A text takes a compiler seconds, for which a run that was ended has no time.
    if (!std::isfinite(cost) || !may_compile) return;
    result_.fitness = std::numeric_limits<double>::quiet_NaN();
    const auto part_of = [&](objective::Term term, double& to) {
      std::string reason;
      const auto found = objective::values_on_host<Element, Real>(
          problem_.objective, {.elements = row, .count = 1, .genes = plan_.settings.genes}, reason, term);
      if (!found.empty()) to = static_cast<double>(found.front());
    };
    part_of(objective::Term::value, result_.fitness);
    part_of(objective::Term::violation, result_.violation);
  }

  const Problem& problem_;
  const Options& options_;
  const Plan& plan_;
  const Values<Real> values_ = values_of<Real>(plan_);
  Genes<Element> genes_;
  Checksum checksum_;
  Result& result_;
};

/// What a range of islands leaves for the whole result, which merge() makes.
template <class Element, class Real>
struct PartArrays {
  std::uint32_t kind = 0;
  std::uint32_t genes = 0;
  std::uint32_t maximise = 0;
  std::uint32_t constrained = 0;
  Record::Array<Element> population{};
  Record::Array<Real> costs{};
  Record::Array<Element> best_rows{};
  Record::Array<Real> best_costs{};
};

template <class Archive, class Element, class Real>
void fields(Archive& archive, PartArrays<Element, Real>& part) {
  archive("kind", part.kind)("genes", part.genes)("maximise", part.maximise)("constrained", part.constrained);
  archive("population", part.population)("costs", part.costs);
  archive("best_rows", part.best_rows)("best_costs", part.best_costs);
}

template <class Element, class Real>
Record part_of_result(const Plan& plan, std::vector<Element> population, std::vector<Real> costs,
                      std::vector<Element> best_rows, std::vector<Real> best_costs) {
  return record_of(PartArrays<Element, Real>{plan.settings.kind, plan.settings.genes, plan.settings.maximise,
                                             plan.constrained ? 1U : 0U, std::move(population), std::move(costs),
                                             std::move(best_rows), std::move(best_costs)});
}

}  // namespace clopt::genetic
