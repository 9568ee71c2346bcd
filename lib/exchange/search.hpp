/// \file
/// What an optimiser is given and gives back. An optimiser works at a fixed number of steps; solver.cpp chooses the
/// steps, finds the bound and checks the schedule.
#pragma once

#include <clopt/device.hpp>
#include <clopt/exchange.hpp>
#include <clopt/record.hpp>

#include <compare>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <exchange/network/paths.hpp>
#include "options.hpp"

namespace clopt::exchange {

/// An array of an optimiser's state between two generations, of which checkpoints keep such arrays. \param size how
/// many values it must have; none: any number. \throws InvalidInput where it is not there or of another size.
std::span<const std::uint64_t> array_of(const Record& state, const std::string& name, std::optional<std::size_t> size);

/// A search that has found a schedule. The lesser one, in sweeps and then by its number, is the run's answer.
struct Winner {
  std::uint64_t generations = 0;
  std::uint32_t search = 0;
  auto operator<=>(const Winner&) const = default;
};

class PeerIslands;

/// One search for a schedule of a given number of steps. What it refers to outlives the search.
struct SearchTask {
  const Problem& problem;
  const Network& network;
  const Paths* paths;  ///< umda's; else null
  std::uint32_t steps;
  const Options& options;
  ParsedOptions parsed;  ///< what the options name; but for `anneal`: tabu, or any other optimizer for the heat bath
  std::span<const std::shared_ptr<Device>> devices;  ///< at least one
  const Watch& watch;                                ///< of the whole run: ends the search when it has expired
  std::uint64_t generations;       ///< of this search alone, after which it ends: a limit that is the same everywhere
  std::uint64_t seed = 1;          ///< of the random numbers
  const Record* resume = nullptr;  ///< continue from here; or null
  /// Called between generations, several times a second, with a function that makes the state, which it calls only when
  /// a checkpoint is due; may be empty.
  std::function<void(const std::function<Record()>&)> save = {};
  /// Called after each generation or launch with the counts of this search; may be empty.
  std::function<void(const GenerationStatistics&)> statistics = {};
  /// Of searches that others share: called between launches with the best of these searches that has found a schedule,
  /// returns the best of all others, so far; may be empty.
  std::function<std::optional<Winner>(const std::optional<Winner>& own)> compare = {};
  std::optional<WorkRange> islands = {};  ///< of umda, that this search evolves; none: all
  PeerIslands* peer_islands = nullptr;    ///< that evolve elsewhere; null: there are none
};

/// What a search found.
struct SearchResult {
  Schedule schedule;              ///< the best
  std::uint64_t conflicts = 0;    ///< of it
  std::uint32_t search = 0;       ///< the number, among all, of the search that it is of
  std::uint64_t generations = 0;  ///< since the very start
  std::uint64_t evaluations = 0;
  std::uint64_t evaluations_done = 0;  ///< with those that were made ahead and not needed
  /// Whether an unlimited time would have led to the same: else the search resumes from its state.
  bool is_final = true;
  std::uint64_t checksum = 0;         ///< of the final state (umda: the population); 0: take the schedule's
  std::string how;                    ///< in words: "annealing with rotations of order 4"
  Record state;                       ///< the final state, to resume from; only where SearchTask::save is set
  std::uint64_t launches = 0;         ///< kernels
  std::vector<std::string> failures;  ///< devices that failed, and how
  std::vector<DevicePart> devices{};  ///< what each has done; none where that is not known, or there is one
};

/// Whether the schedule of some searches is taken rather than that of searches of lower numbers: the first one, in
/// sweeps, without conflicts; where there is none, the one with the fewest. `conflicts` are as searches count them.
inline bool is_taken_before(std::uint64_t conflicts, std::uint64_t generations, std::uint64_t earlier_conflicts,
                            std::uint64_t earlier_generations) {
  if (conflicts != 0 || earlier_conflicts != 0) return conflicts < earlier_conflicts;
  return generations < earlier_generations;
}

/// The text of a result about a device that failed.
std::string describe_failure(const Device& device, const std::exception& error);
/// Identifiers and names, as a list.
std::string names_of(std::span<const std::shared_ptr<Device>> devices);
/// Refuses the conflicts that a search counts where the host counts others. \throws DeviceError
void require_conflicts(const SearchTask& task, SearchResult& found);

/// The paper's optimiser (section 3.6), host or device by Options::offload, on all islands.
SearchResult umda(const SearchTask& task);
/// Why anneal() cannot search a network at that many steps, as a clause; empty where it can.
std::string search_obstacle(const Network& network, std::uint32_t steps);
/// Heat bath with the exact least-conflict move, tabu, replicas, symmetry.
SearchResult anneal(const SearchTask& task);

}  // namespace clopt::exchange
