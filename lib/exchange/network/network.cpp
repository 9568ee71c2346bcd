#include "network.hpp"

#include <clopt/detail/activity.hpp>

#include <algorithm>

namespace clopt::exchange {

Network::Network(const Topology& topology)
    : links_(topology.links),
      first_out_(topology.nodes + 1),
      first_in_(topology.nodes + 1),
      in_links_(topology.links.size()),
      distances_(std::size_t{topology.nodes} * topology.nodes, unreachable) {
  for (const auto& link : links_) {
    ++first_out_[link.from + 1];
    ++first_in_[link.to + 1];
  }
  for (std::uint32_t node = 0; node < topology.nodes; ++node) {
    first_out_[node + 1] += first_out_[node];
    first_in_[node + 1] += first_in_[node];
  }
  std::vector<std::uint32_t> next(first_in_.begin(), first_in_.end() - 1);
  for (std::uint32_t link = 0; link < links_.size(); ++link) in_links_[next[links_[link].to]++] = link;

  const Activity activity("finding the shortest paths of", topology.name);
  std::vector<std::uint32_t> queue(topology.nodes);
  for (std::uint32_t from = 0; from < topology.nodes; ++from) {
    std::uint16_t* const row = distances_.data() + std::size_t{from} * topology.nodes;
    row[from] = 0;
    queue[0] = from;
    for (std::uint32_t head = 0, tail = 1; head < tail; ++head) {
      const auto node = queue[head];
      diameter_ = std::max(diameter_, row[node]);
      for (auto link = first_out_[node]; link < first_out_[node + 1]; ++link) {
        const auto to = links_[link].to;
        if (row[to] != unreachable) continue;
        row[to] = static_cast<std::uint16_t>(row[node] + 1);
        queue[tail++] = to;
      }
    }
  }
}

std::uint32_t Network::link_between(std::uint32_t from, std::uint32_t to) const {
  const auto found = std::lower_bound(links_.begin(), links_.end(), Link{from, to});
  return found != links_.end() && *found == Link{from, to} ? static_cast<std::uint32_t>(found - links_.begin())
                                                           : static_cast<std::uint32_t>(links_.size());
}

std::uint32_t Network::channels_between(std::uint32_t from, std::uint32_t to) const {
  const auto [first, end] = std::equal_range(links_.begin(), links_.end(), Link{from, to});
  return static_cast<std::uint32_t>(end - first);
}

bool Network::has_parallel_channels() const { return std::adjacent_find(links_.begin(), links_.end()) != links_.end(); }

}  // namespace clopt::exchange
