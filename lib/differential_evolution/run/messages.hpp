/// \file
/// The messages between the ranks of a run.
#pragma once

#include <run/record_fields.hpp>

#include <cstdint>
#include <memory>
#include <optional>

#include "run.hpp"

namespace clopt::differential_evolution {

/// A run as a rank gets it from the first one.
struct RunMessage {
  Part part;
  bool keeps_states = false;  ///< whether the first rank writes checkpoints

  /// The plan, which refers to the message.
  Plan plan(const RunControl& control) const {
    return part.options.range ? make_plan(part, control) : make_plan(part.problem, part.options, control);
  }
};

/// \param keeps_states as in RunMessage. O(size of the data).
Bytes encode_run(const Plan& plan, bool keeps_states);
/// Plans refer to it. \throws InvalidInput where it is not the run that was sent, naming the first entry of its
/// identity that differs.
std::unique_ptr<const RunMessage> decode_run(ByteReader message);

template <class Archive>
void fields(Archive& archive, Summary& summary) {
  archive("states", summary.states)("best_values", summary.best_values)("worst_values", summary.worst_values);
  archive("best_vectors", summary.best_vectors)("digests", summary.digests);
}

/// Without what the summary has.
template <class Archive>
void fields(Archive& archive, Polished& polished) {
  archive("improved", polished.improved)("converged", polished.converged);
  archive("evaluations", polished.evaluations)("normal", polished.normal);
}

template <class Archive>
void fields(Archive& archive, EvolutionState& state) {
  archive("states", state.states)("vectors", state.vectors)("values", state.values);
  archive("controls", state.controls)("archive", state.archive);
  archive("kept_values", state.kept_values)("kept_vectors", state.kept_vectors);
}

template <class Archive>
void fields(Archive& archive, Outcome& outcome) {
  archive("generation", outcome.generation)("count", outcome.count)("unchecked", outcome.unchecked);
  archive("summary", outcome.summary)("polished", outcome.polished)("state", outcome.state);
}

/// How far problems are, and all that the rest depends on.
struct RangeProgress {
  std::uint32_t generation = 0;
  std::optional<EvolutionState> state;  ///< none: not sent
};
template <class Archive>
void fields(Archive& archive, RangeProgress& progress) {
  archive("generation", progress.generation)("state", progress.state);
}

/// Bytes of a problem in a message, at most.
std::size_t message_bytes_of_problem(const Plan& plan);

}  // namespace clopt::differential_evolution
