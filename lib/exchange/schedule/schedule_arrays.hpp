/// \file
/// Schedules as arrays, to be written or sent.
#pragma once

#include <clopt/exchange.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace clopt::exchange {

/// For each transfer its slot and the number of nodes of its path, and the nodes of all paths.
struct ScheduleArrays {
  std::vector<std::uint32_t> slots;
  std::vector<std::uint32_t> lengths;
  std::vector<std::uint32_t> nodes;
};

/// O(its size), as is schedule_of().
ScheduleArrays flat_of(const Schedule& schedule);
/// \returns none where the arrays do not fit each other, a slot is beyond the steps, or a path is empty; whether paths
/// lead anywhere is not looked at.
std::optional<Schedule> schedule_of(const ScheduleArrays& flat, std::uint32_t steps);

}  // namespace clopt::exchange
