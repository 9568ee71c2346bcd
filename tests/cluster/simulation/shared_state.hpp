/// \file
/// What all ranks of a simulation share: in a library of its own, since SMPI copies the program for each rank. Ranks
/// run on one thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

struct SharedState {
  static constexpr std::size_t most_ranks = 65536;
  static constexpr std::size_t kinds = 17;             ///< of messages, as group::Kind
  double message_seconds;                              ///< that a message takes its sender, and its receiver
  std::array<std::uint32_t, most_ranks> on_their_way;  ///< to each rank: sent, and not yet received
  std::array<std::uint64_t, kinds> messages;
  std::array<std::uint64_t, kinds> bytes;
};

SharedState& shared_state();
