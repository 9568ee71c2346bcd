#include "repair.hpp"

#include <optional>

namespace clopt::exchange {
namespace {

/// Which links are taken, slot by slot.
class Slots {
 public:
  Slots(const Network& network, std::uint32_t steps) : network_(network), taken_(steps * network.links().size()) {}

  std::uint32_t steps() const { return static_cast<std::uint32_t>(taken_.size() / network_.links().size()); }
  void add_slot() { taken_.resize(taken_.size() + network_.links().size()); }

  /// Takes a path's links if all are free.
  bool take(std::uint32_t slot, const std::vector<std::uint32_t>& path) {
    for (std::size_t i = 0; i + 1 < path.size(); ++i)
      if (taken_[place(slot, network_.link_between(path[i], path[i + 1]))]) return false;
    for (std::size_t i = 0; i + 1 < path.size(); ++i)
      taken_[place(slot, network_.link_between(path[i], path[i + 1]))] = true;
    return true;
  }

  /// A shortest path whose links are free in a slot.
  std::optional<std::vector<std::uint32_t>> find(std::uint32_t slot, const Transfer& transfer) const {
    std::vector<std::uint32_t> reached{transfer.from};
    std::vector<std::uint32_t> before(network_.nodes(), network_.nodes());
    before[transfer.from] = transfer.from;
    for (std::size_t head = 0; head < reached.size(); ++head) {
      const auto node = reached[head];
      for (auto link = network_.first_out(node); link < network_.first_out(node + 1); ++link) {
        const auto& ends = network_.links()[link];
        if (before[ends.to] != network_.nodes() || taken_[place(slot, link)] ||
            !network_.is_on_shortest_path(transfer, ends))
          continue;
        before[ends.to] = node;
        reached.push_back(ends.to);
      }
    }
    if (before[transfer.to] == network_.nodes()) return std::nullopt;
    std::vector<std::uint32_t> path(network_.distance(transfer.from, transfer.to) + std::size_t{1});
    auto node = transfer.to;
    for (std::size_t i = path.size(); i-- > 0; node = before[node]) path[i] = node;
    return path;
  }

 private:
  std::size_t place(std::uint32_t slot, std::uint32_t link) const { return slot * network_.links().size() + link; }

  const Network& network_;
  std::vector<bool> taken_;
};

}  // namespace

Schedule without_conflicts(const Problem& problem, const Network& network, Schedule schedule) {
  Slots slots(network, schedule.steps);
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < schedule.placements.size(); ++i)
    if (!slots.take(schedule.placements[i].slot, schedule.placements[i].path)) out.push_back(i);
  for (const auto i : out) {
    auto& placement = schedule.placements[i];
    for (std::uint32_t slot = 0;; ++slot) {
      if (slot == slots.steps()) slots.add_slot();
      auto path = slots.find(slot, problem.transfers[i]);
      if (!path) continue;
      placement = {slot, std::move(*path)};
      slots.take(slot, placement.path);
      break;
    }
  }
  schedule.steps = slots.steps();
  return schedule;
}

}  // namespace clopt::exchange
