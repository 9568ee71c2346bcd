#include "repair.hpp"

#include <algorithm>

#include "free_slots.hpp"

namespace clopt::exchange {

Schedule without_conflicts(const Problem& problem, const Network& network, Schedule schedule) {
  FreeSlots slots(network);
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < schedule.placements.size(); ++i)
    if (!slots.take(schedule.placements[i].slot, schedule.placements[i].path)) out.push_back(i);
  for (const auto i : out) {
    schedule.placements[i] = slots.place(problem.transfers[i]);
    schedule.steps = std::max(schedule.steps, schedule.placements[i].slot + 1);
  }
  return schedule;
}

}  // namespace clopt::exchange
