#include "greedy.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace clopt::exchange {
namespace {

/// The free slots of each link, in words of 64; slots beyond the last word are free everywhere.
class FreeSlots {
 public:
  FreeSlots(const Network& network) : network_(network), words_(network.links().size()), reach_(network.nodes()) {}

  Placement place(const Transfer& transfer) {
    find_order(transfer);
    for (std::size_t word = 0;; ++word) {
      while (word >= length_) grow();
      const auto slots = slots_of(transfer, word);
      if (slots == 0) continue;
      const auto bit = std::countr_zero(slots);
      Placement placement{static_cast<std::uint32_t>(word * 64 + static_cast<std::size_t>(bit)), {transfer.to}};
      take(transfer, word, std::uint64_t{1} << bit, placement.path);
      return placement;
    }
  }

 private:
  void grow() {
    ++length_;
    for (auto& each : words_) each.resize(length_, ~std::uint64_t{0});
  }

  // The nodes of a transfer's shortest paths, nearest to the sender first.
  void find_order(const Transfer& transfer) {
    const auto far = network_.distance(transfer.from, transfer.to);
    order_.assign(1, transfer.from);
    for (std::size_t head = 0; head < order_.size(); ++head)
      for (auto link = network_.first_out(order_[head]); link < network_.first_out(order_[head] + 1); ++link) {
        const auto& [from, to] = network_.links()[link];
        if (network_.distance(transfer.from, from) + 1 + network_.distance(to, transfer.to) == far &&
            std::find(order_.rbegin(), order_.rend(), to) == order_.rend())
          order_.push_back(to);
      }
  }

  // The slots of a word in which a path is free from end to end.
  std::uint64_t slots_of(const Transfer& transfer, std::size_t word) {
    for (const auto node : order_) reach_[node] = 0;
    reach_[transfer.from] = ~std::uint64_t{0};
    for (const auto node : order_)
      for (const auto link : network_.in_links(node))
        if (network_.is_on_shortest_path(transfer, network_.links()[link]))
          reach_[node] |= reach_[network_.links()[link].from] & words_[link][word];
    return reach_[transfer.to];
  }

  void take(const Transfer& transfer, std::size_t word, std::uint64_t bit, std::vector<std::uint32_t>& path) {
    for (auto node = transfer.to; node != transfer.from; node = path.back())
      for (const auto link : network_.in_links(node)) {
        const auto before = network_.links()[link].from;
        if (!network_.is_on_shortest_path(transfer, network_.links()[link]) ||
            (reach_[before] & words_[link][word] & bit) == 0)
          continue;
        words_[link][word] &= ~bit;
        path.push_back(before);
        break;
      }
    std::reverse(path.begin(), path.end());
  }

  const Network& network_;
  std::size_t length_ = 0;
  std::vector<std::vector<std::uint64_t>> words_;
  std::vector<std::uint64_t> reach_;
  std::vector<std::uint32_t> order_;
};

}  // namespace

Schedule greedy(const Problem& problem, const Network& network) {
  std::vector<std::size_t> order(problem.transfers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto length = [&](std::size_t i) {
    return network.distance(problem.transfers[i].from, problem.transfers[i].to);
  };
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return length(a) > length(b); });
  Schedule schedule{0, std::vector<Placement>(problem.transfers.size())};
  FreeSlots slots(network);
  for (const auto i : order) {
    schedule.placements[i] = slots.place(problem.transfers[i]);
    schedule.steps = std::max(schedule.steps, schedule.placements[i].slot + 1);
  }
  return schedule;
}

}  // namespace clopt::exchange
