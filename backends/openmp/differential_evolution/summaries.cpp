/// \file
/// The twins of the summary of populations and of what restarts them.
#include <openmp/team.hpp>
#include <openmp/twin.hpp>
#include "trial.hpp"

#include <shared/differential_evolution/arithmetic.h>
#include <cstddef>
#include <cstdint>

namespace clopt::openmp::differential_evolution {
namespace {

template <class Real>
void summarise_twin(const Range& range, const clopt::differential_evolution::operations::Summarise<Real>& arguments) {
  const Settings settings = arguments.settings;
  const std::size_t population = settings.population;
  const std::uint64_t step = std::uint64_t{settings.dimensions} + 1;
  for_each_part(range.groups(), [&](std::size_t k) {
    const auto* const values = arguments.values.data() + k * population;
    auto& state = arguments.states[k];
    const auto found = find_extremes(values, state.alive);
    state.best = found.best;
    arguments.best_values[k] = found.least;
    arguments.worst_values[k] = found.greatest;
    std::uint64_t digest = 0;
    for (std::size_t i = 0; i < state.alive; ++i) digest += shared::evolution_digest(bits_of(values[i]), i * step);
    for (std::size_t j = 0; j < settings.dimensions; ++j) {
      const auto* const parameter = arguments.vectors.data() + (k * settings.dimensions + j) * population;
      for (std::size_t i = 0; i < state.alive; ++i)
        digest += shared::evolution_digest(bits_of(parameter[i]), i * step + j + 1);
      arguments.best_vectors[k * settings.dimensions + j] = parameter[found.best];
    }
    arguments.digests[k] = digest;
  });
}

template <class Real>
void collapse_twin(const Range& range, const clopt::differential_evolution::operations::Collapse<Real>& arguments) {
  const Settings settings = arguments.settings;
  const std::uint32_t generation = arguments.generation;
  for_each_part(range.groups(), [&](std::size_t k) {
    auto& state = arguments.states[k];
    if (state.stopped_at != EVOLUTION_RUNNING) return;
    const auto found = find_extremes(arguments.values.data() + k * settings.population, settings.population);
    const auto bits = bits_of(found.least + Real{0});
    const bool is_asked = state.improved_at == generation - 1;
    const bool restarts = is_asked ? state.restarted_at == generation
                                   : state.least == bits && shared::evolution_is_collapsed(found.least, found.greatest);
    if (!is_asked) state.least = bits;
    state.improved_at = generation - 1;
    if (!restarts) return;
    if (!is_asked && found.least < arguments.kept_values[k]) {
      arguments.kept_values[k] = found.least;
      for (std::size_t j = 0; j < settings.dimensions; ++j)
        arguments.kept_vectors[k * settings.dimensions + j] =
            arguments.vectors[(k * settings.dimensions + j) * settings.population + found.best];
    }
    state.archived = 0;
    state.restarted_at = generation;
    state.stopped_at = generation - 1;
  });
}

}  // namespace

const Twin collapse{collapse_twin<float>, collapse_twin<double>};
const Twin summarise{summarise_twin<float>, summarise_twin<double>};

}  // namespace clopt::openmp::differential_evolution
