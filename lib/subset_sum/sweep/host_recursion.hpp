/// \file
/// A short stretch of a recursion on the host: for walks back whose capacities are too few to be worth launches.
#pragma once

#include "checkpoints.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace clopt::subset_sum {

/// The capacities that matter after each item of a stretch, as bits.
class HostRecursion {
 public:
  /// 64-bit words that all bits of a stretch take together, which is also its work.
  static std::uint64_t words_of(const Stretch& stretch);

  /// Sweeps the stretch. \param first, bits what is reached where it begins: bit b of word x stands for the capacity
  ///        first + 64 x + b; what lies outside is not reached. O(words_of(stretch)).
  HostRecursion(const Stretch& stretch, std::uint64_t first, std::vector<std::uint64_t> bits);

  /// Whether a capacity is reached by the end.
  bool holds(std::uint64_t capacity) const { return windows_.back().holds(capacity); }
  /// Walks back from a capacity that holds() to where the stretch begins: calls take(item) for each item that was the
  /// first to reach what is left, the last first, and lessens the sum by its weight.
  template <class Take>
  void walk_back(std::uint64_t& sum, const Take& take) const {
    for (auto item = stretch_.end(); item > stretch_.begin() && sum != 0; --item) {
      if (windows_[item - 1 - stretch_.begin()].holds(sum)) continue;
      take(item);
      sum -= stretch_.weight(item);
    }
  }

 private:
  struct Window {
    std::uint64_t first;
    std::vector<std::uint64_t> words;
    bool holds(std::uint64_t capacity) const;
  };

  const Stretch& stretch_;
  std::vector<Window> windows_;  // after each item, from the beginning on
};

}  // namespace clopt::subset_sum
