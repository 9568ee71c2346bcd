/// \file
/// Where each problem of a run stands: what checkpoints hold, and what the result is made of.
#pragma once

#include <clopt/run.hpp>
#include <run/record_fields.hpp>

#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "batch.hpp"

namespace clopt::differential_evolution {

/// Problems that a device takes together, all at the same generation.
struct Piece {
  std::size_t first = 0;
  std::size_t count = 0;
  std::optional<std::uint32_t> generation;  ///< reached so far; none: there are no vectors yet
};

/// The whole run, as far as it is known on the host. Threads may share it.
class RunState {
 public:
  /// \throws InvalidInput where the checkpoint to resume from is another run's.
  RunState(const Plan& plan, bool keeps_states);

  /// The problems in pieces of at most \p most.
  std::vector<Piece> pieces(std::size_t most) const;
  /// How far a piece has come, by what was deposited.
  std::optional<std::uint32_t> generation_of(const Piece& piece) const;
  /// The vectors of a piece that was begun.
  EvolutionState state_of(const Piece& piece) const;
  /// Stores the state of a piece, for a checkpoint.
  void deposit(const Piece& piece, std::uint32_t generation, const EvolutionState& state);
  /// Stores the state of a piece when it ends or is interrupted.
  /// \param polished what the local search has made of it.
  void finish(const Piece& piece, std::uint32_t generation, const Summary& summary,
              const std::optional<Polished>& polished);

  /// \throws InvalidInput where it is damaged.
  void load(const Checkpoint& checkpoint);
  /// Of what was loaded. \throws InvalidInput where the host finds other values for its vectors.
  void require_values(const Checkpoint& checkpoint) const;
  /// \returns whether the checkpoint was written.
  bool save(CheckpointWriter& writer) const;

  /// Fills in all that follows from the problems' ends. \param cut why problems that neither stopped nor came to the
  /// limits did not continue.
  void fill(Result& result, Ending cut) const;

  bool keeps_states() const { return !vectors_.empty(); }

 private:
  /// What checkpoints hold.
  template <class Run>
  struct CheckpointFields {
    Run& run;
    std::uint64_t generation;  ///< that all problems have reached
  };
  template <class Archive, class Run>
  friend void fields(Archive& archive, CheckpointFields<Run>& kept) {
    auto& run = kept.run;
    archive("generation", kept.generation)("generations", run.generation_);
    column(archive, "stopped_at", run.states_, &State::stopped_at);
    column(archive, "invalid", run.states_, &State::invalid);
    column(archive, "alive", run.states_, &State::alive);
    column(archive, "archived", run.states_, &State::archived);
    column(archive, "evaluations", run.states_, &State::evaluations);
    column(archive, "improved_at", run.states_, &State::improved_at);
    column(archive, "least", run.states_, &State::least);
    archive("vectors", run.vectors_)("values", run.values_)("controls", run.controls_)("archive", run.archive_);
    if (!run.plan_.restarts) return;
    column(archive, "restarted_at", run.states_, &State::restarted_at);
    archive("kept_values", run.kept_values_)("kept_vectors", run.kept_vectors_);
  }

  static constexpr std::uint32_t not_begun = 0xffffffff;
  template <class Real>
  void require_values_of(const Checkpoint& checkpoint) const;
  std::size_t numbers() const { return std::size_t{plan_.settings.population} * plan_.settings.dimensions; }
  std::size_t archive_numbers() const { return std::size_t{plan_.settings.archive} * plan_.settings.dimensions; }
  Stop stop_of(std::size_t k) const;
  Ending ending(const std::vector<Stop>& stops, Ending cut) const;
  bool stays_stopped(std::size_t k) const;
  bool keeps_target(std::size_t k) const;
  void stop(std::size_t k);
  void take_errors(const Piece& piece, const Summary& summary, const Polished& polished);
  void fill_polish(Result& result) const;

  const Plan& plan_;
  mutable std::mutex mutex_;
  std::vector<std::uint32_t> generation_;  // of each problem, or not_begun
  std::vector<State> states_;
  std::vector<double> vectors_;
  std::vector<double> values_;
  std::vector<double> controls_;
  std::vector<double> archive_;
  std::vector<double> kept_values_;
  std::vector<double> kept_vectors_;
  Summary summary_;
  // Of each problem, where a local search has come.
  std::vector<std::uint8_t> improved_;
  std::vector<std::uint8_t> converged_;
  std::vector<std::uint64_t> polish_evaluations_;
  std::vector<double> errors_;
};

}  // namespace clopt::differential_evolution
