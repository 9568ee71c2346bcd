#include "state.hpp"

#include <clopt/checkpoint.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include <support/checksum.hpp>

namespace clopt::ecga {
namespace {

// Neither the counting nor a limit changes a generation.
std::uint64_t fingerprint(const Problem& problem, const Options& options) {
  Checksum checksum;
  checksum.add(problem.objective.fingerprint());
  for (const std::uint64_t number :
       {std::uint64_t{problem.length}, options.population, options.seed, std::uint64_t{options.tournament},
        std::uint64_t{options.largest_group}, std::uint64_t{options.search == "mating" ? 1U : 0U}})
    checksum.add(number);
  checksum.add(options.crossover);
  return checksum.value();
}

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

void save(const State& state, const Problem& problem, const Options& options, CheckpointWriter& checkpoint) {
  CheckpointState arrays;
  arrays.add("fingerprint", fingerprint(problem, options))
      .add("generation", state.generation)
      .add("evaluations", state.evaluations)
      .add("population", state.population)
      .add("fitness", state.fitness)
      .add("best_genes", state.best_genes)
      .add("best_fitness", state.best_fitness)
      .add("model_sizes", state.model_sizes)
      .add("model_loci", state.model_loci);
  checkpoint.write(arrays);
}

// The numbers of a checkpoint may be anyone's.
State read_state(const Checkpoint& checkpoint, const Problem& problem, const Options& options) {
  if (checkpoint.number<std::uint64_t>("fingerprint") != fingerprint(problem, options))
    checkpoint.refuse("it is of a run with another objective, other parameters or another seed");
  const std::size_t length = problem.length;
  const std::size_t words = (length + 31) / 32;
  const std::size_t individuals = options.population;
  State state;
  state.generation = checkpoint.number<std::uint64_t>("generation");
  if (state.generation >= std::numeric_limits<std::uint32_t>::max()) checkpoint.refuse("its generation is too large");
  state.evaluations = checkpoint.number<std::uint64_t>("evaluations");
  state.population = checkpoint.array<std::uint32_t>("population", words * individuals);
  state.fitness = checkpoint.array<float>("fitness", individuals);
  state.best_genes = checkpoint.array<std::uint32_t>("best_genes", words);
  state.best_fitness = checkpoint.number<double>("best_fitness");
  state.model_sizes = checkpoint.array<std::uint32_t>("model_sizes");
  state.model_loci = checkpoint.array<std::uint32_t>("model_loci");
  if (length % 32 != 0) {
    const auto beyond = [&](std::uint32_t word) { return word >> length % 32 != 0; };
    const auto last = state.population.end() - static_cast<std::ptrdiff_t>(individuals);
    if (std::any_of(last, state.population.end(), beyond) || beyond(state.best_genes.back()))
      checkpoint.refuse("its individuals have ones beyond their length");
  }
  if (!std::all_of(state.fitness.begin(), state.fitness.end(), [](float f) { return std::isfinite(f); }) ||
      !std::isfinite(state.best_fitness))
    checkpoint.refuse("it has fitness that is not finite");
  if (!is_partition(state, length)) checkpoint.refuse("its model is no partition of the loci");
  return state;
}

}  // namespace clopt::ecga
