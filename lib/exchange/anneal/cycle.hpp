/// \file
/// One cycle of the search by annealing: see successive_halving.hpp.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "successive_halving.hpp"

namespace clopt::exchange {

/// A cycle's work, launch by launch. What it refers to outlives it.
class Cycle {
 public:
  /// \param limit of sweeps, from the cycle's beginning; it ends where its next launches would exceed them, but the
  /// first cycle not before all transfers are placed once. None: it is begun ahead of those before it.
  Cycle(SuccessiveHalving& halving, std::uint64_t number, std::optional<double> limit);
  ~Cycle();
  Cycle(const Cycle&) = delete;
  Cycle& operator=(const Cycle&) = delete;

  /// Starts a launch of each entrant; nothing where the cycle has ended. Entrants are in step: a limit of time waits
  /// for all of them. \throws OutOfMemory of a cycle that was begun ahead; else devices that fail are replaced.
  void start();
  /// Waits for it, keeps the best, and begins the next stage where this one has ended.
  void finish();

  bool is_successful() const { return best_.has_schedule() && best_.conflicts == 0; }
  /// Whether the limit of sweeps ended it.
  bool is_limited() const { return is_limited_; }
  /// Lets a cycle that was begun ahead continue within a limit. \returns whether it has made no launch that the limit
  /// forbids: else it is to be made again.
  bool limit_to(double limit);
  bool has_ended() const { return is_successful() || is_limited_ || stage_ == stages_.size(); }
  const BestPlacing& best() const { return best_; }
  /// Of one replica of each trial.
  std::uint64_t sweeps() const;
  /// Moves of all replicas.
  std::uint64_t evaluations() const;
  /// The conflicts after the last launch of each entrant that was placed.
  const std::vector<double>& conflicts() const { return conflicts_; }
  /// Adds where it is to a state, and continues from there. \throws InvalidInput.
  void save(Record& state);
  void resume(const Record& state);

 private:
  const OrbitTables& tables_of(const Entrant& entrant) const { return halving_.group_tables[entrant.group]; }
  void enter(const std::vector<std::size_t>& groups);
  void end_stage_if_due();
  double sweeps_of_launches(std::uint64_t launches) const;
  std::uint64_t allowed_within(double limit) const;
  std::uint64_t most_launches() const;
  std::uint64_t launches() const { return entrants_.empty() ? 0 : entrants_.front().launches; }
  Replicas& open(Entrant& entrant);
  void close(Entrant& entrant);
  void survive(Entrant& entrant, const std::function<void(Replicas&)>& action);
  void keep_best(Entrant& entrant);
  void restore(const Record& state, Entrant& entrant, std::size_t i);
  void require_placing(const Entrant& entrant, std::size_t i, const ReplicaState& own) const;

  SuccessiveHalving& halving_;
  const SearchTask& task_;
  std::uint64_t number_;
  double limit_;
  bool is_ahead_;
  std::vector<HalvingStage> stages_;
  std::size_t stage_ = 0;
  std::uint64_t allowed_ = 0;  ///< launches of this stage within the limit
  std::vector<Entrant> entrants_;
  bool is_running_ = false;  ///< between start() and finish()
  bool is_limited_ = false;
  std::vector<double> conflicts_;
  double least_limit_ = 0;    ///< a lower one would have cut the stages before
  std::uint64_t sweeps_ = 0;  ///< of the stages before, as are evaluations_
  std::uint64_t evaluations_ = 0;
  BestPlacing best_;
};

}  // namespace clopt::exchange
