/// \file
/// A topology made ready for search: neighbours and distances.
#pragma once

#include <clopt/exchange.hpp>

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace clopt::exchange {

/// Neighbours and distances of a topology. 2 bytes for each pair of nodes; made in O(nodes * links).
class Network {
 public:
  static constexpr std::uint16_t unreachable = std::numeric_limits<std::uint16_t>::max();

  explicit Network(const Topology& topology);

  std::uint32_t nodes() const { return static_cast<std::uint32_t>(first_out_.size() - 1); }
  const std::vector<Link>& links() const { return links_; }
  /// Links that leave a node have consecutive numbers, from first_out(node) to below first_out(node + 1).
  std::uint32_t first_out(std::uint32_t node) const { return first_out_[node]; }
  /// The numbers of the links that enter a node, ascending.
  std::span<const std::uint32_t> in_links(std::uint32_t node) const {
    return std::span(in_links_).subspan(first_in_[node], first_in_[node + 1] - first_in_[node]);
  }
  /// The number of a link, the first one of parallel channels. \returns links().size() where there is none.
  std::uint32_t link_between(std::uint32_t from, std::uint32_t to) const;
  /// How many parallel channels lead from a node to another; their numbers follow each other.
  std::uint32_t channels_between(std::uint32_t from, std::uint32_t to) const;
  /// Whether some nodes are joined by more than one channel.
  bool has_parallel_channels() const;

  /// Links of a shortest path, or unreachable.
  std::uint16_t distance(std::uint32_t from, std::uint32_t to) const {
    return distances_[std::size_t{from} * nodes() + to];
  }
  /// distance(from, to) is element from * nodes() + to.
  const std::vector<std::uint16_t>& distances() const { return distances_; }
  /// Whether a link is on a shortest path of a transfer.
  bool is_on_shortest_path(const Transfer& transfer, const Link& link) const {
    return distance(transfer.from, link.from) + 1 + distance(link.to, transfer.to) ==
           distance(transfer.from, transfer.to);
  }
  /// The longest of all distances that are not unreachable.
  std::uint16_t diameter() const { return diameter_; }

 private:
  std::vector<Link> links_;
  std::vector<std::uint32_t> first_out_;
  std::vector<std::uint32_t> first_in_;
  std::vector<std::uint32_t> in_links_;
  std::vector<std::uint16_t> distances_;
  std::uint16_t diameter_ = 0;
};

}  // namespace clopt::exchange
