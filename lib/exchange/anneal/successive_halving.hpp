/// \file
/// What the cycles of a search by annealing share: the tables that compete, the devices, and the order of all trials.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <exchange/search.hpp>
#include "replicas.hpp"

namespace clopt::exchange {

/// The order of trials is fixed by the problem and the seed alone. A cycle is a competition: in its first stage all
/// groups of symmetries search for a few launches, the better ones of them continue in a wider and longer stage, until
/// few groups are left, which have the cycle's width and most of its time. A later cycle is wider or longer, and has
/// seeds of its own. All trials of a stage make their launches in step, and the first launch after which one is
/// without conflicts ends the search. So the answer is that of the first cycle that finds one, however many cycles are
/// worked on at once.
///
/// A trial is Options::replicas replicas of a group; those of a group in a stage are numbered on and share a seed.
struct HalvingStage {
  std::size_t groups = 0;      ///< that compete
  std::uint32_t trials = 0;    ///< of each group
  std::uint64_t launches = 0;  ///< of each trial
};
/// Groups that compete at first.
inline constexpr std::size_t most_groups = 16;
/// More cycles than any run makes.
inline constexpr std::uint64_t most_cycles = 1 << 20;
/// The stages of a cycle. \param groups of symmetries that there are. \param most_trials of all groups in a stage, as
/// far as each group has one; a cycle that may not be wider is longer.
std::vector<HalvingStage> stages_of(std::uint64_t cycle, std::size_t groups, std::uint32_t most_trials);

struct SuccessiveHalving;

/// The least conflicting schedule so far.
struct BestPlacing {
  Placing placing;  ///< empty: none yet
  std::uint64_t conflicts = 0;
  std::size_t group = 0;
  bool has_schedule() const { return !placing.slots.empty(); }
  /// Takes another one's place where it is the better one.
  void take(const BestPlacing& other);
  /// Adds it to a state, and reads it from there. \throws InvalidInput.
  void save(Record& state) const;
  void resume(const Record& state, const SuccessiveHalving& halving);
};

/// What all cycles work with.
struct SuccessiveHalving {
  explicit SuccessiveHalving(const SearchTask& task);
  bool expired() const { return task.watch.expired(); }
  std::vector<HalvingStage> stages(std::uint64_t cycle) const {
    return stages_of(cycle, group_tables.size(), most_trials);
  }

  const SearchTask& task;
  std::vector<OrbitTables> group_tables;  ///< one a group of symmetries, in the order in which they compete
  std::uint32_t most_trials = 1;          ///< in a stage, so that all of them stay within a bound of memory
  std::vector<bool> is_lost;              ///< of each device
  std::vector<std::string> failures;
  std::uint64_t launches = 0;  ///< of entrants that have ended
};

/// The trials of one group in a stage: replicas on one device, in step.
struct Entrant {
  std::size_t group = 0;  ///< its number among the tables
  std::uint32_t trials = 1;
  std::uint64_t seed = 0;
  std::size_t device = 0;  ///< where its replicas are
  // At the end of the last launch:
  std::uint64_t launches = 0;
  std::uint64_t moves = 0;        ///< of each replica
  std::uint32_t energy = 0;       ///< of the best replica, over the group's order
  std::uint64_t mean_energy = 0;  ///< of all, in units of 2^-16
  std::unique_ptr<Replicas> replicas = nullptr;
  std::optional<ReplicaState> kept = std::nullopt;  ///< of an earlier launch or the last

  bool is_placed(const OrbitTables& tables) const { return moves >= tables.shape.orbits; }
  std::uint64_t conflicts(const OrbitTables& tables) const { return std::uint64_t{energy} * tables.shape.order; }
  /// Of one replica of each trial.
  std::uint64_t sweeps(const OrbitTables& tables) const { return moves / tables.shape.orbits * trials; }
};

/// Entrant::mean_energy of replicas.
std::uint64_t mean_energy_of(const std::vector<std::uint32_t>& energies);

}  // namespace clopt::exchange
