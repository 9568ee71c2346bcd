/// \file
/// Replicas of an orbit's tables on one device: heat-bath moves at a ladder of temperatures, exchanged between
/// launches, or tabu search with the same moves.
#pragma once

#include <clopt/device.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "orbit_tables.hpp"

namespace clopt::exchange {

/// How moves are chosen.
enum class Rule {
  heat_bath,
  tabu  ///< the least conflicting place of an orbit in conflict that was not moved for some time
};

/// How a replica's slots lie in a device's words.
enum class SlotForm {
  best,    ///< planes where sub-groups are the device's own, 32 work-items wide
  planes,  ///< planes of bits, 32 slots a word, where tables and local memory allow it
  bytes    ///< four slots a word
};

/// What is known of the replicas between two launches, apart from the tables.
struct ReplicaState {
  std::uint64_t moves = 0;           ///< made by each replica
  std::vector<std::uint32_t> slots;  ///< replica after replica
  std::vector<std::uint16_t> paths;
  std::vector<std::uint32_t> stamps;        ///< the last move of each orbit, modulo 2^32
  std::vector<std::uint32_t> energies;      ///< conflicts over the group's order
  std::vector<std::uint32_t> temperatures;  ///< each replica's rung of the ladder
};

/// Slots and paths of orbits, as expand() takes them.
struct Placing {
  std::vector<std::uint32_t> slots;
  std::vector<std::uint16_t> paths;
};

/// Checks a placing that a device gave before it is expanded, and that it is without conflicts where the device says
/// so, which would end the search. \throws DeviceError naming the device.
void require_sound(const Device& device, const OrbitTables& tables, const Problem& problem, const Network& network,
                   const Placing& placing, std::uint32_t energy);

/// The replicas of an orbit's tables on a device. Their moves depend on the seed and their number alone, not on the
/// device.
class Replicas {
 public:
  /// Temperatures of the ladder.
  static constexpr std::size_t rungs = 4;

  /// \param replicas at least 1. \throws OutOfMemory where they do not fit.
  Replicas(Device& device, const OrbitTables& tables, std::uint32_t replicas, std::uint64_t seed, Rule rule,
           SlotForm form = SlotForm::best);
  /// Continues from a state of as many replicas of the same tables.
  void restore(const ReplicaState& state);
  ReplicaState state() const;

  /// Places all orbits once, if they are not placed, else makes one launch of moves and exchanges temperatures.
  void advance();
  /// The same in two parts: nothing else may be asked for between them. \returns whether there was anything to finish.
  void start();
  bool finish();
  /// Conflicts of the best replica at the end of the last launch, over the group's order.
  std::uint32_t energy() const;
  /// Conflicts of each replica, likewise.
  const std::vector<std::uint32_t>& energies() const { return state_.energies; }
  bool is_placed() const { return state_.moves >= tables_.shape.orbits; }
  std::uint64_t moves() const { return state_.moves; }
  /// The order in which all replicas of an orbit's tables and a seed place its orbits, the first move first.
  static std::vector<std::uint32_t> placing_order(const OrbitTables& tables, std::uint64_t seed);
  /// Moves of each replica in one launch, whatever the device.
  static std::uint32_t moves_of(const OrbitTables& tables);
  /// Whether planes of bits are used.
  bool has_planes() const { return planes_.has_value(); }
  /// Launches that were finished by bytes, since planes could not represent all uses.
  std::uint64_t ended_by_bytes() const { return ended_by_bytes_; }
  /// Where the best replica has the orbits.
  Placing best_placing() const;
  /// Kernels launched.
  std::uint64_t launches() const { return queue_->counts().launches; }

 private:
  bool choose_planes(SlotForm form);
  void choose_bytes();
  void launch(SearchMoves moves);
  operations::Anneal arguments(const SearchMoves& moves, std::size_t local_uses, std::size_t local_distances) const;
  void launch_bytes(SearchMoves moves);
  bool is_behind() const;
  void exchange_temperatures();
  std::size_t best() const;

  Device& device_;
  const OrbitTables& tables_;
  std::uint32_t replicas_;
  std::uint64_t seed_;
  Rule rule_;
  using AnnealKernel = Kernel<operations::Anneal>;
  /// The kernel for planes of bits where it may be used, and that for bytes, made when it is needed.
  std::optional<AnnealKernel> planes_, bytes_;
  std::uint32_t group_size_ = 0;
  std::uint32_t moves_at_once_ = 0;
  std::size_t local_uses_ = 1, local_distances_ = 1;
  std::unique_ptr<Queue> queue_;
  Buffer<SearchOrbit> orbits_;
  Buffer<std::uint16_t> node_first_, link_images_, slot_images_, paths_;
  Buffer<SearchCell> cells_;
  Buffer<std::uint32_t> edges_, weights_, order_, slots_, stamps_, uses_, distances_, energies_, made_;
  ReplicaState state_;
  SearchMoves started_moves_{};
  HostArray<std::uint32_t> host_made_, host_energies_;
  Event done_;
  bool started_ = false;
  std::uint64_t ended_by_bytes_ = 0;
};

}  // namespace clopt::exchange
