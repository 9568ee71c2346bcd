/// \file
/// A run between two generations.
#pragma once

#include <clopt/ecga.hpp>

#include <cstdint>
#include <vector>

namespace clopt {
class Checkpoint;
class CheckpointWriter;
}  // namespace clopt

namespace clopt::ecga {

/// All that a run takes to go on, on any device. Arrays are in logical order.
struct State {
  std::uint64_t generation = 0;
  std::uint64_t evaluations = 0;
  /// Bit i % 32 of word w * population + i is locus 32 w + i % 32's value in individual i: word w holds loci 32 w on.
  std::vector<std::uint32_t> population;
  std::vector<float> fitness;             ///< one an individual
  std::vector<std::uint32_t> best_genes;  ///< words of the best individual so far
  double best_fitness = 0;
  std::vector<std::uint32_t> model_sizes;  ///< of the last model's groups
  std::vector<std::uint32_t> model_loci;   ///< of its groups, one after the other
};

/// Writes a state, so that only a run of the same problem, seed and parameters goes on from it.
void save(const State& state, const Problem& problem, const Options& options, CheckpointWriter& checkpoint);

/// \throws InvalidInput with the file's name for a state of another run, or one that cannot be.
State read_state(const Checkpoint& checkpoint, const Problem& problem, const Options& options);

}  // namespace clopt::ecga
