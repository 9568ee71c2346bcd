/// \file
/// Schedules of large networks, slot by slot.
#pragma once

#include <clopt/exchange.hpp>
#include <clopt/record.hpp>

#include <functional>

#include "construct.hpp"

namespace clopt {
class ThreadTeam;
}

namespace clopt::exchange {

/// How a packing is made; its schedule depends on nothing else, whatever the threads.
struct PackingEffort {
  std::uint64_t seed = 1;
  std::uint32_t attempt = 0;  ///< another one draws other numbers; below 65,536
  std::uint32_t moves = 1;    ///< for each slot
  std::uint32_t width = 1;    ///< partial schedules that are packed side by side, at most; below 65,536
};

/// A valid schedule, and how it was made.
struct Packed : Construction {
  bool is_whole;  ///< else the run had to end before it was
  Record state;   ///< of one that is not whole and is saved: where it continues; empty: at its beginning
};

/// How a packing is saved, and continues.
struct PackingStates {
  /// The state of the same packing; null: it begins.
  const Record* resume = nullptr;
  /// Called between slots, with what makes the state; none: it is not saved.
  std::function<void(const std::function<Record()>& make)> save{};
};

/// How many of \p width partial schedules are packed side by side: they have memory for 16 of 1,024 nodes each.
std::uint32_t packed_at_once(const Network& network, std::uint32_t width);

/// An effort of \p moves for each link and slot, of all partial schedules together: at least 4 each. Those beyond a
/// multiple of the width are left out.
PackingEffort packing_effort(const Network& network, std::uint64_t moves, std::uint64_t seed, std::uint32_t attempt);

/// A valid schedule: slot after slot is filled with the transfers whose prices add up to most, and prices follow what
/// is left. Some slots are filled at once, each from a part of the transfers. Of several partial schedules, those that
/// expect the most steps are replaced by the others at each update of the prices ("go with the winners", D. Aldous and
/// U. Vazirani, 1994). When time is up, first fit places the rest, and `how` says so. O(width * steps * (moves +
/// senders * links)), and 14 bytes for each pair of nodes and partial schedule, beside the paths in which these differ.
/// \throws InvalidInput where the state to resume is not one of this packing.
Packed pack(const Problem& problem, const Network& network, const PackingEffort& effort, ThreadTeam& team,
            const Watch& watch, const PackingStates& states = {});

}  // namespace clopt::exchange
