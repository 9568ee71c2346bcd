#include "state.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace clopt::ecga {
namespace {

bool is_partition(const State& state, std::size_t length) {
  std::uint64_t sum = 0;
  for (const auto size : state.model_sizes) sum += size;
  auto loci = state.model_loci;
  std::sort(loci.begin(), loci.end());
  if (sum != loci.size() || loci.size() != (state.generation > 0 ? length : 0)) return false;
  for (std::size_t i = 0; i < loci.size(); ++i)
    if (loci[i] != i) return false;
  return true;
}

}  // namespace

void save(const State& state, const Plan& plan, CheckpointWriter& checkpoint) {
  checkpoint.write(record_of_state(plan.identity(), state));
}

State read_state(const Checkpoint& checkpoint, const Plan& plan) {
  checkpoint.require(plan.identity());
  const std::size_t length = plan.problem.length;
  const std::size_t words = (length + 31) / 32;
  const std::size_t individuals = plan.options.population;
  State state;
  state.population.resize(words * individuals);
  state.fitness.resize(individuals);
  state.best_genes.resize(words);
  read_checkpoint(checkpoint, state);
  if (state.generation >= std::numeric_limits<std::uint32_t>::max()) checkpoint.refuse("its generation is too large");
  if (length % 32 != 0) {
    const auto beyond = [&](std::uint32_t word) { return word >> length % 32 != 0; };
    const auto last = state.population.end() - static_cast<std::ptrdiff_t>(individuals);
    if (std::any_of(last, state.population.end(), beyond) || beyond(state.best_genes.back()))
      checkpoint.refuse("its individuals have ones beyond their length");
  }
  if (!std::all_of(state.fitness.begin(), state.fitness.end(), [](float f) { return std::isfinite(f); }) ||
      !std::isfinite(state.best_fitness) || std::isnan(state.best_mean))
    checkpoint.refuse("it has fitness that is not finite");
  if (state.improved_at > state.generation) checkpoint.refuse("its last improvement is after its generation");
  if (!is_partition(state, length)) checkpoint.refuse("its model is not a partition of the loci");
  return state;
}

}  // namespace clopt::ecga
