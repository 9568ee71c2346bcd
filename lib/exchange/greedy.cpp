#include "greedy.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace clopt::exchange {
namespace {

// Words of 64 slots that are looked at together: as many as the widest vectors hold.
constexpr std::size_t block_words = 8;
using Block = std::array<std::uint64_t, block_words>;

/// The free slots of each link, in blocks; slots beyond the last block are free everywhere.
class FreeSlots {
 public:
  explicit FreeSlots(const Network& network)
      : network_(network), free_(network.links().size()), reach_(network.nodes()), seen_(network.nodes()) {}

  Placement place(const Transfer& transfer) {
    find_hops(transfer);
    for (std::size_t block = 0;; ++block) {
      if (block == length_) grow();
      find_slots(transfer, block);
      const auto& slots = reach_[transfer.to];
      const auto word = static_cast<std::size_t>(
          std::find_if(slots.begin(), slots.end(), [](auto each) { return each != 0; }) - slots.begin());
      if (word == block_words) continue;
      const auto bit = static_cast<std::size_t>(std::countr_zero(slots[word]));
      return {static_cast<std::uint32_t>((block * block_words + word) * 64 + bit),
              take(transfer, block, word, std::uint64_t{1} << bit)};
    }
  }

 private:
  /// A link on a shortest path of the transfer.
  struct Hop {
    std::uint32_t link, from, to;
  };

  void grow() {
    Block all_free;
    all_free.fill(~std::uint64_t{0});
    ++length_;
    for (auto& each : free_) each.resize(length_, all_free);
  }

  // The links of a transfer's shortest paths, those nearest to the sender first.
  void find_hops(const Transfer& transfer) {
    hops_.clear();
    order_.assign(1, transfer.from);
    for (std::size_t head = 0; head < order_.size(); ++head) {
      const auto from = order_[head];
      for (auto link = network_.first_out(from); link < network_.first_out(from + 1); ++link) {
        const auto to = network_.links()[link].to;
        if (network_.distance(to, transfer.to) + 1 != network_.distance(from, transfer.to)) continue;
        hops_.push_back({link, from, to});
        if (!seen_[to]) order_.push_back(to);
        seen_[to] = true;
      }
    }
    for (const auto node : order_) seen_[node] = false;
  }

  // The slots of a block in which each node is reached over free links.
  void find_slots(const Transfer& transfer, std::size_t block) {
    for (const auto node : order_) reach_[node].fill(0);
    reach_[transfer.from].fill(~std::uint64_t{0});
    for (const auto& hop : hops_) {
      const auto& free = free_[hop.link][block];
      const auto& from = reach_[hop.from];
      auto& to = reach_[hop.to];
      for (std::size_t word = 0; word < block_words; ++word) to[word] |= from[word] & free[word];
    }
  }

  // Takes a path of one slot, from its end, and gives its nodes.
  std::vector<std::uint32_t> take(const Transfer& transfer, std::size_t block, std::size_t word, std::uint64_t bit) {
    std::vector<std::uint32_t> path{transfer.to};
    for (auto hop = hops_.rbegin(); hop != hops_.rend(); ++hop) {
      if (hop->to != path.back() || (reach_[hop->from][word] & free_[hop->link][block][word] & bit) == 0) continue;
      free_[hop->link][block][word] &= ~bit;
      path.push_back(hop->from);
    }
    std::reverse(path.begin(), path.end());
    return path;
  }

  const Network& network_;
  std::size_t length_ = 0;
  std::vector<std::vector<Block>> free_;
  std::vector<Block> reach_;
  std::vector<bool> seen_;
  std::vector<std::uint32_t> order_;
  std::vector<Hop> hops_;
};

std::vector<std::uint32_t> any_path(const Network& network, const Transfer& transfer) {
  std::vector<std::uint32_t> path{transfer.from};
  while (path.back() != transfer.to) {
    auto link = network.first_out(path.back());
    while (!network.is_on_shortest_path(transfer, network.links()[link])) ++link;
    path.push_back(network.links()[link].to);
  }
  return path;
}

}  // namespace

Schedule greedy(const Problem& problem, const Network& network, const Watch* watch) {
  std::vector<std::size_t> order(problem.transfers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto length = [&](std::size_t i) {
    return network.distance(problem.transfers[i].from, problem.transfers[i].to);
  };
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return length(a) > length(b); });
  Schedule schedule{0, std::vector<Placement>(problem.transfers.size())};
  FreeSlots slots(network);
  for (const auto i : order) {
    const bool has_time = !watch || !watch->expired();
    schedule.placements[i] = has_time ? slots.place(problem.transfers[i])
                                      : Placement{schedule.steps, any_path(network, problem.transfers[i])};
    schedule.steps = std::max(schedule.steps, schedule.placements[i].slot + 1);
  }
  return schedule;
}

}  // namespace clopt::exchange
