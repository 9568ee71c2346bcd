/// \file
/// How ranks divide a table of pairs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <ecga/operations.hpp>
#include "peers.hpp"

namespace clopt::ecga {

/// A part of the table of pairs: some new groups, or loci, or blocks, and all pairs of these with earlier ones.
struct Band {
  std::uint32_t begin;
  std::uint32_t end;
};

/// The groups, loci or blocks of a table, and the pairs that each brings: those with all before it and with others.
struct Table {
  std::uint32_t count;
  std::uint64_t earlier_items = 0;
  /// Where they are of different sizes, what those before each take together, and what all take: count + 1 numbers;
  /// else each takes 1, as each of the others does.
  std::span<const std::uint64_t> starts{};

  std::uint64_t start(std::uint32_t item) const { return starts.empty() ? item : starts[item]; }
  /// Twice the pairs of those before one. Below 2^46.
  std::uint64_t twice_pairs_before(std::uint32_t item) const { return (2 * earlier_items + start(item)) * start(item); }
  std::uint64_t twice_pairs_of(Band band) const {
    return twice_pairs_before(band.end) - twice_pairs_before(band.begin);
  }
  std::uint64_t twice_pairs() const { return twice_pairs_before(count); }
  /// The first one, from \p least to \p most, before which there are that many; \p most where there is none.
  std::uint32_t find(std::uint64_t twice_pairs, std::uint32_t least, std::uint32_t most) const;
};

/// Each rank counts a part, in proportion to what it has counted in a second before, and gets to know the pairs that
/// gain of all. All ranks know the same proportions, in whole numbers, so that they divide a table alike.
class PairDivision {
 public:
  /// \param devices of this rank.
  PairDivision(Peers& peers, std::uint64_t devices);

  /// Whether there is a part for each rank, of at least \p fewest groups.
  bool suffices(std::uint32_t count, std::uint32_t fewest) const { return count / fewest >= ranks(); }
  std::size_t ranks() const { return weights_.size(); }
  /// This rank's part. \param fewest of a part; there are enough of them.
  Band own(const Table& table, std::uint32_t fewest) const;

  /// Adds what the other ranks have found. \param twice_pairs of this rank's part. \param seconds that it took.
  /// \param count of pairs that this rank has found, of which \p edges has some or all. \returns the count of all.
  std::size_t join(std::uint64_t twice_pairs, double seconds, std::size_t count, std::vector<Edge>& edges);

 private:
  void set_weights(const std::vector<std::uint64_t>& rates);

  Peers& peers_;
  std::vector<std::uint64_t> weights_;
};

}  // namespace clopt::ecga
