/// \file
/// Schedules as arrays, to be written or sent.
#pragma once

#include <clopt/error.hpp>
#include <clopt/exchange.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace clopt::exchange {

/// For each transfer its slot and the number of nodes of its path, and the nodes of all paths.
struct ScheduleArrays {
  std::vector<std::uint32_t> slots;
  std::vector<std::uint32_t> lengths;
  std::vector<std::uint32_t> nodes;
};

/// O(its size), as is placements_of().
ScheduleArrays flat_of(const Schedule& schedule);
/// \throws InvalidInput where the arrays do not fit each other, a slot is beyond the steps, or a path is empty; whether
/// paths lead anywhere is not checked.
std::vector<Placement> placements_of(const ScheduleArrays& flat, std::uint32_t steps);

/// A schedule's placements; its steps are read before.
template <class Archive>
void placement_fields(Archive& archive, Schedule& schedule) {
  auto flat = flat_of(schedule);
  archive("slots", flat.slots)("lengths", flat.lengths)("nodes", flat.nodes);
  if constexpr (Archive::is_reader) schedule.placements = placements_of(flat, schedule.steps);
}

}  // namespace clopt::exchange
