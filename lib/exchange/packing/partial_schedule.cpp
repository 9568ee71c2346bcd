#include "partial_schedule.hpp"

#include <algorithm>
#include <utility>

#include <exchange/schedule/schedule.hpp>
#include "free_slots.hpp"
#include "greedy.hpp"

namespace clopt::exchange {

PartialSchedule::PartialSchedule(const Problem& problem, const Network& network)
    : problem_(&problem), network_(&network), prices_(problem, network), pool_(problem, network) {
  for (const auto& transfer : problem.transfers) hops_left_ += network.distance(transfer.from, transfer.to);
}

void PartialSchedule::update_prices() {
  prices_.update(hops_left_);
  priced_hops_ = hops_left_;
}

void PartialSchedule::set_prices(std::vector<double> loads, std::uint32_t updates, std::uint64_t priced_hops) {
  prices_.set_loads(std::move(loads), updates);
  priced_hops_ = priced_hops;
}

double PartialSchedule::expected_steps() const {
  if (hops_left_ == 0) return steps();
  return steps() + prices_.largest_load() * static_cast<double>(hops_left_) / static_cast<double>(priced_hops_);
}

void PartialSchedule::add_slot(std::vector<SlotPacker::Path> paths) {
  if (paths.empty()) return;
  for (const auto& path : paths) {
    prices_.leave_out(path.transfer);
    pool_.remove(path.transfer);
    hops_left_ -= path.links.size();
  }
  slots_.push_back(std::make_shared<const std::vector<SlotPacker::Path>>(std::move(paths)));
}

Schedule PartialSchedule::completed() const {
  Schedule schedule{steps(), std::vector<Placement>(problem_->transfers.size())};
  FreeSlots slots(*network_);
  for (std::uint32_t slot = 0; slot < steps(); ++slot)
    for (const auto& path : *slots_[slot]) {
      auto& placement = schedule.placements[free_place(problem_->transfers, path.transfer, schedule)];
      placement = {slot, {path.transfer.from}};
      for (const auto link : path.links) placement.path.push_back(network_->links()[link].to);
      slots.take(slot, placement.path);
    }
  std::vector<std::size_t> rest;
  for (std::size_t i = 0; i < schedule.placements.size(); ++i)
    if (schedule.placements[i].path.empty()) rest.push_back(i);
  sort_longest_first(*problem_, *network_, rest);
  for (const auto i : rest) {
    schedule.placements[i] = slots.place(problem_->transfers[i]);
    schedule.steps = std::max(schedule.steps, schedule.placements[i].slot + 1);
  }
  return schedule;
}

}  // namespace clopt::exchange
