#include "packing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include <support/thread_team.hpp>
#include "free_slots.hpp"
#include "greedy.hpp"
#include "slot_packer.hpp"

namespace clopt::exchange {
namespace {

/// A slot that is filled alone has so many slots' worth of transfers to choose from, or more of them share these out.
constexpr double slots_to_choose_from = 160;
/// Prices follow after so many slots, by so many rounds.
constexpr std::uint32_t slots_an_update = 4;
constexpr std::uint32_t rounds_an_update = 4;

class Packing {
 public:
  Packing(const Problem& problem, const Network& network, const PackingEffort& effort, ThreadTeam& team)
      : problem_(problem),
        network_(network),
        effort_(effort),
        team_(team),
        prices_(problem, network),
        pool_(problem, network),
        schedule_{0, std::vector<Placement>(problem.transfers.size())} {
    for (const auto& transfer : problem.transfers) hops_left_ += network.distance(transfer.from, transfer.to);
  }

  Construction run(const Watch& watch) {
    const auto hops = hops_left_;
    // The last transfers do not fill a slot: they find room in the holes of all.
    while (hops_left_ > network_.links().size() / 2 && !watch.expired()) {
      watch.report("packing", 1 - static_cast<double>(hops_left_) / static_cast<double>(hops));
      if (schedule_.steps >= next_update_) {
        prices_.update(hops_left_, rounds_an_update);
        next_update_ = schedule_.steps + slots_an_update;
      }
      const auto before = hops_left_;
      fill_slots();
      if (hops_left_ == before) break;
    }
    const auto packed = hops - hops_left_;
    const bool is_cut_short = hops_left_ > network_.links().size() / 2 && watch.expired();
    place_rest();
    if (!is_cut_short) return {std::move(schedule_), "slots packed one after the other"};
    return {std::move(schedule_),
            fmt::format(
                "slots packed one after the other up to {} % of the links' uses, then first fit, as the run had to end",
                100 * packed / hops)};
  }

 private:
  void fill_slots() {
    const auto parts = static_cast<std::uint32_t>(
        std::clamp(prices_.largest_load() / slots_to_choose_from, 1.0, double{TransferPool::most_parts}));
    while (packers_.size() < parts) packers_.push_back(std::make_unique<SlotPacker>(network_));
    pool_.share_out(parts, effort_.seed, schedule_.steps);
    std::vector<std::vector<SlotPacker::Path>> paths(parts);
    team_.run(parts, [&](std::size_t i) {
      const auto part = static_cast<std::uint32_t>(i);
      paths[i] = packers_[i]->fill(prices_, pool_, part, {effort_.seed, effort_.attempt, schedule_.steps + part},
                                   effort_.moves);
    });
    for (const auto& each : paths) {
      for (const auto& path : each) place(path);
      if (!each.empty()) ++schedule_.steps;
    }
  }

  std::size_t number_of(const Transfer& transfer) const {
    const auto& all = problem_.transfers;
    return static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), transfer) - all.begin());
  }

  void place(const SlotPacker::Path& path) {
    auto& placement = schedule_.placements[number_of(path.transfer)];
    placement = {schedule_.steps, {path.transfer.from}};
    for (const auto link : path.links) placement.path.push_back(network_.links()[link].to);
    prices_.leave_out(path.transfer);
    pool_.remove(path.transfer);
    hops_left_ -= path.links.size();
  }

  // First fit, the longest paths first.
  void place_rest() {
    FreeSlots slots(network_);
    std::vector<std::size_t> rest;
    for (std::size_t i = 0; i < schedule_.placements.size(); ++i) {
      const auto& [slot, path] = schedule_.placements[i];
      if (path.empty())
        rest.push_back(i);
      else
        slots.take(slot, path);
    }
    sort_longest_first(problem_, network_, rest);
    for (const auto i : rest) {
      schedule_.placements[i] = slots.place(problem_.transfers[i]);
      schedule_.steps = std::max(schedule_.steps, schedule_.placements[i].slot + 1);
    }
  }

  const Problem& problem_;
  const Network& network_;
  const PackingEffort& effort_;
  ThreadTeam& team_;
  LinkPrices prices_;
  TransferPool pool_;
  Schedule schedule_;
  std::vector<std::unique_ptr<SlotPacker>> packers_;
  std::uint64_t hops_left_ = 0;
  std::uint32_t next_update_ = 0;
};

}  // namespace

Construction pack(const Problem& problem, const Network& network, const PackingEffort& effort, ThreadTeam& team,
                  const Watch& watch) {
  return Packing(problem, network, effort, team).run(watch);
}

}  // namespace clopt::exchange
