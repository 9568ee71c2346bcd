#include "greedy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "free_slots.hpp"

namespace clopt::exchange {
namespace {

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

void sort_longest_first(const Problem& problem, const Network& network, std::vector<std::size_t>& transfers) {
  const auto length = [&](std::size_t i) {
    return network.distance(problem.transfers[i].from, problem.transfers[i].to);
  };
  std::stable_sort(transfers.begin(), transfers.end(), [&](auto a, auto b) { return length(a) > length(b); });
}

Construction greedy(const Problem& problem, const Network& network, const Watch* watch) {
  std::vector<std::size_t> order(problem.transfers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  sort_longest_first(problem, network, order);
  Schedule schedule{0, std::vector<Placement>(problem.transfers.size())};
  FreeSlots slots(network);
  std::size_t alone = 0;
  for (const auto i : order) {
    const bool has_time = !watch || !watch->expired();
    if (!has_time) ++alone;
    schedule.placements[i] = has_time ? slots.place(problem.transfers[i])
                                      : Placement{schedule.steps, any_path(network, problem.transfers[i])};
    schedule.steps = std::max(schedule.steps, schedule.placements[i].slot + 1);
  }
  std::string how = "first fit";
  if (alone == order.size() && alone > 0)
    how = "one transfer a slot, as the run had to end";
  else if (alone > 0)
    how = fmt::format("first fit, but {} transfers alone in their slots, as the run had to end", alone);
  return {std::move(schedule), std::move(how)};
}

}  // namespace clopt::exchange
