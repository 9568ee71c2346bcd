/// \file
/// The twin of the summary of populations.
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

}  // namespace

const Twin summarise{summarise_twin<float>, summarise_twin<double>};

}  // namespace clopt::openmp::differential_evolution
