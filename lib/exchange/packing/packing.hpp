/// \file
/// Schedules of large networks, slot by slot.
#pragma once

#include <clopt/exchange.hpp>

#include "construct.hpp"

namespace clopt {
class ThreadTeam;
}

namespace clopt::exchange {

/// How a packing is made; its schedule depends on nothing else, whatever the threads.
struct PackingEffort {
  std::uint64_t seed = 1;
  std::uint32_t attempt = 0;  ///< another one draws other numbers
  std::uint32_t moves = 1;    ///< for each slot
};

/// A valid schedule: slot after slot is filled with the transfers whose prices add up to most, and prices follow what
/// is left. Some slots are filled at once, each from a part of the transfers. When time is up, first fit places the
/// rest, and `how` tells so. O(steps * (moves + senders * links)), and 20 bytes for each pair of nodes.
Construction pack(const Problem& problem, const Network& network, const PackingEffort& effort, ThreadTeam& team,
                  const Watch& watch);

}  // namespace clopt::exchange
