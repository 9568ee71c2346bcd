#include "state.hpp"

#include <objective/host_check.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string_view>

namespace clopt::ecga {
namespace {

bool is_partition(const Model& model, std::uint64_t generation, std::size_t length) {
  std::vector<std::uint32_t> loci;
  for (const auto& group : model) loci.insert(loci.end(), group.begin(), group.end());
  std::sort(loci.begin(), loci.end());
  if (loci.size() != (generation > 0 ? length : 0)) return false;
  for (std::size_t i = 0; i < loci.size(); ++i)
    if (loci[i] != i) return false;
  return true;
}

template <class Real>
void require_kept(const Checkpoint& checkpoint, const Plan& plan, const State& state) {
  const auto& objective = plan.problem.objective;
  const auto require = [&](std::span<const std::uint32_t> genes, std::vector<Real> values, std::string_view field) {
    for (auto& value : values) value = static_cast<Real>(plan.value_of(static_cast<double>(value)));
    objective::require_kept_values<std::uint32_t, Real>(
        checkpoint, objective, {.elements = genes, .count = values.size(), .genes = plan.problem.length}, values,
        field);
  };
  require(state.best_genes, {static_cast<Real>(state.best_fitness)}, "best_fitness");
  const auto words = state.best_genes.size();
  const auto& fitness = state.fitness_of<Real>();
  const auto individuals = fitness.size();
  std::vector<std::uint32_t> genes(words * individuals);
  for (std::size_t word = 0; word < words; ++word)
    for (std::size_t i = 0; i < individuals; ++i) genes[i * words + word] = state.population[word * individuals + i];
  require(genes, fitness, "fitness");
}

template <class Real>
bool are_numbers(const std::vector<Real>& values) {
  return std::none_of(values.begin(), values.end(), [](Real value) { return std::isnan(value); });
}

}  // namespace

void require_kept_fitness(const Checkpoint& checkpoint, const Plan& plan, const State& state) {
  plan.is_double ? require_kept<double>(checkpoint, plan, state) : require_kept<float>(checkpoint, plan, state);
}

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
  state.fitness.resize(plan.is_double ? 0 : individuals);
  state.fitness_double.resize(plan.is_double ? individuals : 0);
  state.best_genes.resize(words);
  read_checkpoint(checkpoint, state);
  if (state.generation >= std::numeric_limits<std::uint32_t>::max()) checkpoint.refuse("its 'generation' is too large");
  if (length % 32 != 0) {
    const auto beyond = [&](std::uint32_t word) { return word >> length % 32 != 0; };
    const auto last = state.population.end() - static_cast<std::ptrdiff_t>(individuals);
    if (std::any_of(last, state.population.end(), beyond) || beyond(state.best_genes.back()))
      checkpoint.refuse("individuals of its 'population' or 'best_genes' have ones beyond their length");
  }
  if (state.fitness.size() + state.fitness_double.size() != individuals)
    checkpoint.refuse("its 'fitness' is not of the run's `precision`");
  if (!are_numbers(state.fitness) || !are_numbers(state.fitness_double) || std::isnan(state.best_fitness) ||
      std::isnan(state.best_mean))
    checkpoint.refuse("its 'fitness', 'best_fitness' or 'best_mean' is not a number");
  if (state.improved_at > state.generation) checkpoint.refuse("its 'improved_at' is after its generation");
  if (!is_partition(state.model, state.generation, length))
    checkpoint.refuse("its 'model_sizes' and 'model_loci' are not a partition of the loci");
  const auto is_sound = [&](const GenerationModel& each) {
    return each.generation <= state.generation && is_partition(each.model, each.generation, length);
  };
  if (!is_sound(state.best_model) || !std::all_of(state.models.begin(), state.models.end(), is_sound))
    checkpoint.refuse("a model of an earlier generation is not a partition of the loci");
  return state;
}

}  // namespace clopt::ecga
