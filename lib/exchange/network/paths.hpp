/// \file
/// The shortest paths of a network by number, without a table of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "network.hpp"

namespace clopt::exchange {

/// Counts, ranks and unranks the shortest paths between any two nodes. Paths are ordered by their nodes,
/// lexicographically. 8 bytes for each pair of nodes; made in O(nodes * links).
class Paths {
 public:
  explicit Paths(const Network& network);

  const Network& network() const { return *network_; }
  /// How many shortest paths there are, at most 2^64-1; 1 from a node to itself, 0 where there is none.
  std::uint64_t count(std::uint32_t from, std::uint32_t to) const {
    return counts_[std::size_t{from} * network_->nodes() + to];
  }
  /// count(from, to) is element from * nodes + to.
  const std::vector<std::uint64_t>& counts() const { return counts_; }

  /// The links of a path, first to last. \param rank below count(from, to). \param links room for the distance.
  void unrank(std::uint32_t from, std::uint32_t to, std::uint64_t rank, std::uint32_t* links) const;
  /// The rank of a shortest path that ends at \p to, given by its links.
  std::uint64_t rank(std::uint32_t to, std::span<const std::uint32_t> links) const;
  /// The nodes of a path that starts at \p from and is given by its links.
  std::vector<std::uint32_t> nodes_of(std::uint32_t from, std::span<const std::uint32_t> links) const;

 private:
  const Network* network_;
  std::vector<std::uint64_t> counts_;
};

}  // namespace clopt::exchange
