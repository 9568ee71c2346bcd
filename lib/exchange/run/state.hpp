/// \file
/// Where a run stands, as its checkpoints keep it.
#pragma once

#include <clopt/checkpoint.hpp>

#include <exchange/options.hpp>
#include <exchange/search.hpp>

namespace clopt::exchange {

/// A run between two generations. A search that is under way adds its own state.
struct State {
  Schedule best;  ///< while steps are lowered, the best valid schedule; without placements: none yet
  /// A better one of an attempt that a limit of time or the caller ended: the answer of a run that is ended so again.
  Schedule early;
  std::uint32_t round = 0;        ///< attempts that failed while steps were lowered
  std::uint64_t generations = 0;  ///< of searches that have ended
  std::uint64_t evaluations = 0;
  Record search;                   ///< of the one that is under way; empty: none is
  std::uint32_t search_steps = 0;  ///< of its schedules
};

/// Everything that the result of a run depends on. Where umda's population is, and how its conflicts are counted, are
/// not part of it. \param steps that the schedule must have; none: as few as can be found.
RunIdentity identity_of(const Problem& problem, const Options& options, Optimizer optimizer,
                        std::optional<std::uint32_t> steps);

void write_state(const RunIdentity& identity, const State& state, CheckpointWriter& writer);

/// \throws InvalidInput where the checkpoint is of another run, or its numbers are not those of a run of this problem.
State read_state(const Problem& problem, const RunIdentity& identity, const Checkpoint& checkpoint);

}  // namespace clopt::exchange
