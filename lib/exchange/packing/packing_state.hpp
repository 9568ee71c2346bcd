/// \file
/// Where a packing stands, as checkpoints keep it.
#pragma once

#include <clopt/record.hpp>

#include <cstdint>
#include <vector>

#include "partial_schedule.hpp"

namespace clopt::exchange {

/// Prices are updated after this many slots.
inline constexpr std::uint32_t slots_an_update = 4;

/// One of the partial schedules that are packed side by side.
struct PackedSide {
  PartialSchedule schedule;
  std::uint32_t next_update = slots_an_update;
  bool is_stuck = false;  ///< no slot takes any of the transfers that are left
};

/// Of partial schedules with prices. Slots that several have in common stand there once. O(size of the slots).
Record state_of(const std::vector<PackedSide>& sides);

/// \param empty no slot is filled. \param width how many there must be. \throws InvalidInput where the record is not of
/// a packing of this problem.
std::vector<PackedSide> read_sides(const Record& state, const PartialSchedule& empty, std::size_t width,
                                   const Problem& problem, const Network& network);

}  // namespace clopt::exchange
