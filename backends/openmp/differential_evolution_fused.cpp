/// \file
/// The twin of kernels_cl/differential_evolution/fused.cl.
#include <objective/batch.hpp>
#include "differential_evolution_trial.hpp"
#include "objective.hpp"
#include "twin.hpp"

#include <cstdint>
#include <vector>

namespace clopt::openmp::differential_evolution {
namespace {

template <class Real>
void fused_twin(const ObjectiveCode& objective, const Range& range, std::span<Real> vectors, std::span<Real> spare,
                std::span<Real> values, std::span<Real> controls, std::span<State> states,
                std::span<const std::uint32_t> running, std::span<const Real> bounds, std::span<const Real> rows,
                std::span<const Real> tables, Settings settings, Real weight, Real target, Real spread,
                std::uint32_t first_generation, std::uint32_t last_generation, LocalMemory<Real>, LocalMemory<Real>,
                LocalMemory<Real>, LocalMemory<std::uint32_t>) {
  const std::size_t population = settings.population;
  const auto numbers = population * settings.dimensions;
  in_parallel(range.groups(), [&](std::size_t group) {
    const std::size_t k = running[group];
    auto& state = states[k];
    auto* const current = vectors.data() + k * numbers;
    auto* const trials = spare.data() + k * numbers;
    auto* const own = values.data() + k * population;
    std::vector<Real> trial_values(population);
    Generation<Real> now{settings, bounds.data(), controls.data() + (settings.adapt != 0 ? 2 * k * population : 0),
                         weight,   state.problem, 0,
                         0};
    for (auto generation = first_generation; generation <= last_generation; ++generation) {
      now.number = generation;
      if (shared::evolution_needs_best(settings.strategy) != 0) now.best = find_extremes(own, settings.population).best;
      for (std::uint32_t i = 0; i < settings.population; ++i) make_trial(now, now.draw(i), i, current, trials);
      ObjectiveBatch batch{};
      batch.genes = trials;
      batch.rows = rows.data() + k * settings.columns;
      batch.tables = tables.data();
      batch.values = trial_values.data();
      batch.count = population;
      batch.individual_step = 1;
      batch.gene_step = settings.population;
      batch.gene_count = settings.dimensions;
      batch.column_count = settings.columns;
      objective.evaluate(batch);
      state.invalid += replace_invalid(std::span(trial_values));
      bool ends = false;
      for (std::uint32_t i = 0; i < settings.population; ++i) {
        if (!(trial_values[i] < own[i])) continue;
        own[i] = trial_values[i];
        for (std::size_t at = i; at < numbers; at += population) current[at] = trials[at];
        now.keep_control(i);
        ends = ends || ((settings.stop & EVOLUTION_STOP_TARGET) != 0 && own[i] <= target);
      }
      if ((settings.stop & EVOLUTION_STOP_SPREAD) != 0) {
        const auto found = find_extremes(own, settings.population);
        ends = ends || found.greatest - found.least <= spread;
      }
      if (!ends) continue;
      state.stopped_at = generation;
      break;
    }
  });
}

}  // namespace

const Twin fused{{clopt::differential_evolution::fused<float>, fused_twin<float>},
                 {clopt::differential_evolution::fused<double>, fused_twin<double>}};

}  // namespace clopt::openmp::differential_evolution
