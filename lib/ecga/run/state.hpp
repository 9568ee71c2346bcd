/// \file
/// A run between two generations.
#pragma once

#include <clopt/checkpoint.hpp>
#include <run/record_fields.hpp>

#include <cstdint>
#include <vector>

#include <ecga/model_fields.hpp>
#include <ecga/plan.hpp>

namespace clopt::ecga {

/// The state from which a run continues on any device. Arrays are in logical order.
struct State {
  std::uint64_t generation = 0;
  std::uint64_t evaluations = 0;
  /// Bit i % 32 of word w * population + i is locus 32 w + i % 32's value in individual i: word w holds loci 32 w on.
  std::vector<std::uint32_t> population;
  /// One an individual, with its sign changed where it is minimised: floats or doubles, as the run's precision is.
  std::vector<float> fitness;
  std::vector<double> fitness_double;
  std::vector<std::uint32_t> best_genes;  ///< words of the best individual so far
  double best_fitness = 0;                ///< as fitness
  double best_mean = 0;  ///< the highest of all generations so far whose mean was computed; else minus infinity
  std::uint64_t improved_at = 0;  ///< the last generation in which best fitness or mean got better
  bool is_improved = true;        ///< false: an initial population whose local search was cut
  Model model;                    ///< the last one
  GenerationModel best_model;     ///< as Result::model
  std::vector<GenerationModel> models;

  template <class Real>
  std::vector<Real>& fitness_of() {
    if constexpr (sizeof(Real) == sizeof(double))
      return fitness_double;
    else
      return fitness;
  }
  template <class Real>
  const std::vector<Real>& fitness_of() const {
    return const_cast<State*>(this)->fitness_of<Real>();
  }
};

template <class Archive>
void fields(Archive& archive, State& state) {
  archive("generation", state.generation)("evaluations", state.evaluations)("population", state.population);
  archive("fitness", state.fitness)("best_genes", state.best_genes)("best_fitness", state.best_fitness);
  if (!Archive::is_reader || has_member(archive, "fitness_double")) archive("fitness_double", state.fitness_double);
  archive("best_mean", state.best_mean)("improved_at", state.improved_at);
  if (!Archive::is_reader || has_member(archive, "is_improved")) archive("is_improved", state.is_improved);
  model_fields(archive, "model_sizes", "model_loci", state.model);
  if constexpr (Archive::is_reader) {
    state.best_model = {state.generation, state.model};
    if (!has_member(archive, "best_model_generation")) return;
  }
  archive("best_model_generation", state.best_model.generation);
  model_fields(archive, "best_model_sizes", "best_model_loci", state.best_model.model);
  models_fields(archive, state.models);
}

/// Writes a state, from which only a run of the same identity resumes.
void save(const State& state, const Plan& plan, CheckpointWriter& checkpoint);

/// \throws InvalidInput with the file's name for a state of another run, or one that cannot be.
State read_state(const Checkpoint& checkpoint, const Plan& plan);

/// Of a run that was resumed, after the host has found another value of its best. \throws InvalidInput where the
/// checkpoint had it already.
void require_kept_fitness(const Checkpoint& checkpoint, const Plan& plan, const State& state);

}  // namespace clopt::ecga
