/// \file
/// A schedule as GPUs carry it out, rank by rank.
#pragma once

#include <clopt/exchange.hpp>

#include <cstdint>
#include <vector>

namespace clopt::exchange {

/// A part of a message's way, from a rank to the next.
struct Hop {
  std::uint32_t slot;
  std::size_t transfer;
  std::size_t number;  ///< on the message's way
  std::uint32_t from, to;
  bool last;
  std::uint32_t channel = 0;  ///< different for what a rank sends another one in the same slot
};

/// The hops of all messages, slot by slot. Ranks are the nodes that send or receive, in their order; routers are left
/// out. Within a slot no link is taken twice, so messages of one slot never wait for each other in a circle.
struct RankHops {
  RankHops(const Problem& problem, const Schedule& schedule);

  /// The place of a transfer in a buffer that has as many chunks for each rank as the largest demand is.
  std::size_t place_of(std::uint32_t peer_node, std::size_t transfer) const {
    return rank_of[peer_node] * width + copies[transfer];
  }

  static constexpr std::uint32_t none = ~0U;
  std::vector<std::uint32_t> rank_of;  ///< of each node, or none
  std::uint32_t ranks = 0;
  std::uint32_t channels = 1;        ///< between two ranks, one way, at most
  std::vector<std::size_t> copies;   ///< of each transfer, how many equal ones are before it
  std::size_t width = 1;             ///< the largest demand
  bool is_complete_exchange = true;  ///< whether each rank has a message for each other one
  std::vector<Hop> hops;
};

}  // namespace clopt::exchange
