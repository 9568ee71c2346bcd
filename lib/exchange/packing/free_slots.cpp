#include "free_slots.hpp"

#include <algorithm>
#include <bit>

namespace clopt::exchange {

FreeSlots::FreeSlots(const Network& network)
    : network_(network), free_(network.links().size()), reach_(network.nodes()), seen_(network.nodes()) {}

Placement FreeSlots::place(const Transfer& transfer) {
  find_hops(transfer);
  for (std::size_t block = 0;; ++block) {
    if (block == length_) grow();
    find_slots(transfer, block);
    const auto& slots = reach_[transfer.to];
    const auto word = static_cast<std::size_t>(
        std::find_if(slots.begin(), slots.end(), [](auto each) { return each != 0; }) - slots.begin());
    if (word == block_words) continue;
    const auto bit = static_cast<std::size_t>(std::countr_zero(slots[word]));
    return {static_cast<std::uint32_t>(block * block_slots + word * 64 + bit),
            take_path(transfer, block, word, std::uint64_t{1} << bit)};
  }
}

bool FreeSlots::take(std::uint32_t slot, const std::vector<std::uint32_t>& path) {
  const std::size_t block = slot / block_slots;
  while (length_ <= block) grow();
  const std::size_t word = slot % block_slots / 64;
  const std::uint64_t bit = std::uint64_t{1} << slot % 64;
  std::vector<std::uint64_t*> taken;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    const auto first = network_.link_between(path[i], path[i + 1]);
    auto link = first;
    const auto end = first + network_.channels_between(path[i], path[i + 1]);
    while (link < end && (free_[link][block][word] & bit) == 0) ++link;
    if (link == end) return false;
    taken.push_back(&free_[link][block][word]);
  }
  for (auto* const slots : taken) *slots &= ~bit;
  return true;
}

void FreeSlots::grow() {
  Block all_free;
  all_free.fill(~std::uint64_t{0});
  ++length_;
  for (auto& each : free_) each.resize(length_, all_free);
}

// The links of a transfer's shortest paths, those nearest to the sender first.
void FreeSlots::find_hops(const Transfer& transfer) {
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
void FreeSlots::find_slots(const Transfer& transfer, std::size_t block) {
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
std::vector<std::uint32_t> FreeSlots::take_path(const Transfer& transfer, std::size_t block, std::size_t word,
                                                std::uint64_t bit) {
  std::vector<std::uint32_t> path{transfer.to};
  for (auto hop = hops_.rbegin(); hop != hops_.rend(); ++hop) {
    if (hop->to != path.back() || (reach_[hop->from][word] & free_[hop->link][block][word] & bit) == 0) continue;
    free_[hop->link][block][word] &= ~bit;
    path.push_back(hop->from);
  }
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace clopt::exchange
