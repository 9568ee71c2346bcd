#include "schedule_arrays.hpp"

#include <cstddef>

namespace clopt::exchange {

ScheduleArrays flat_of(const Schedule& schedule) {
  ScheduleArrays flat;
  for (const auto& placement : schedule.placements) {
    flat.slots.push_back(placement.slot);
    flat.lengths.push_back(static_cast<std::uint32_t>(placement.path.size()));
    flat.nodes.insert(flat.nodes.end(), placement.path.begin(), placement.path.end());
  }
  return flat;
}

std::optional<Schedule> schedule_of(const ScheduleArrays& flat, std::uint32_t steps) {
  if (flat.lengths.size() != flat.slots.size()) return std::nullopt;
  Schedule schedule{steps, {}};
  std::size_t at = 0;
  for (std::size_t i = 0; i < flat.slots.size(); ++i) {
    if (flat.slots[i] >= steps || flat.lengths[i] < 1 || flat.lengths[i] > flat.nodes.size() - at) return std::nullopt;
    const auto begin = flat.nodes.begin() + static_cast<std::ptrdiff_t>(at);
    schedule.placements.push_back({flat.slots[i], {begin, begin + flat.lengths[i]}});
    at += flat.lengths[i];
  }
  if (at != flat.nodes.size()) return std::nullopt;
  return schedule;
}

}  // namespace clopt::exchange
