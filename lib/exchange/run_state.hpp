/// \file
/// Where a run stands, as its checkpoints keep it.
#pragma once

#include <clopt/checkpoint.hpp>

#include "search.hpp"

namespace clopt::exchange {

/// A run between two generations. A search that is under way adds its own state.
struct RunState {
  Schedule best;                  ///< while steps are lowered, the best valid schedule; without placements: none yet
  std::uint32_t round = 0;        ///< attempts that failed while steps were lowered
  std::uint64_t generations = 0;  ///< of searches that have ended
  std::uint64_t evaluations = 0;
  SearchState search;  ///< of the one that is under way; empty: none is
};

void write_run_state(const Problem& problem, const RunState& state, CheckpointWriter& writer);

/// \throws InvalidInput where the numbers are not those of a run of this problem.
RunState read_run_state(const Problem& problem, const Checkpoint& checkpoint);

}  // namespace clopt::exchange
