#include "schedule_arrays.hpp"

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

std::vector<Placement> placements_of(const ScheduleArrays& flat, std::uint32_t steps) {
  const auto require = [](bool holds) {
    if (!holds) throw InvalidInput("its slots and paths are not a schedule");
  };
  require(flat.lengths.size() == flat.slots.size());
  std::vector<Placement> placements;
  std::size_t at = 0;
  for (std::size_t i = 0; i < flat.slots.size(); ++i) {
    require(flat.slots[i] < steps && flat.lengths[i] >= 1 && flat.lengths[i] <= flat.nodes.size() - at);
    const auto begin = flat.nodes.begin() + static_cast<std::ptrdiff_t>(at);
    placements.push_back({flat.slots[i], {begin, begin + flat.lengths[i]}});
    at += flat.lengths[i];
  }
  require(at == flat.nodes.size());
  return placements;
}

}  // namespace clopt::exchange
