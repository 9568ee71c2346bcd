/// \file
/// How ranks divide a table of pairs.
#pragma once

#include <cstdint>
#include <vector>

#include "operations.hpp"
#include "others.hpp"

namespace clopt::ecga {

/// A part of the table of pairs: some new groups, or loci, or blocks, and all pairs of these with earlier ones.
struct Band {
  std::uint32_t begin;
  std::uint32_t end;
};

/// Twice the pairs of the first \p count groups, each of which has pairs with all before it and \p others more.
inline std::uint64_t twice_pairs_of(std::uint64_t count, std::uint64_t others) { return (2 * others + count) * count; }

/// Each rank counts a part, in proportion to what it has counted in a second before, and gets to know the pairs that
/// gain of all. All ranks know the same proportions, in whole numbers, so that they divide a table alike.
class Parts {
 public:
  /// \param devices of this rank.
  Parts(Others& others, std::uint64_t devices);

  /// Whether there is a part for each rank, of so many groups at least.
  bool suffices(std::uint32_t count, std::uint32_t fewest) const { return count / fewest >= weights_.size(); }
  /// This rank's part of [0, count). \param others as twice_pairs_of().
  Band own(std::uint32_t count, std::uint64_t others, std::uint32_t fewest) const;

  /// Adds what the other ranks have found. \param twice_pairs of this rank's part. \param seconds that it took.
  /// \param count of pairs that this rank has found, of which \p edges has some or all. \returns the count of all.
  std::size_t join(std::uint64_t twice_pairs, double seconds, std::size_t count, std::vector<Edge>& edges);

 private:
  void set_weights(const std::vector<std::uint64_t>& rates);

  Others& others_;
  std::vector<std::uint64_t> weights_;
};

}  // namespace clopt::ecga
