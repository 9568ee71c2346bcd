/// \file
/// Subsets of few numbers, whatever the numbers: each is the first half of its positions and the second half.
#pragma once

#include <clopt/run.hpp>

#include <cstdint>
#include <optional>
#include <span>

#include "subset_list.hpp"

namespace clopt::subset_sum {

/// Meet in the middle over subsets of k numbers. Each is found once: the first k / 2 of its positions, in a sorted list
/// that grows with the position where the others begin, and the others, which are enumerated. The list has C(n, k / 2)
/// sums, C(n, k - k / 2) others are looked up in it. All sums must be below 2^62.
class FewNumbers {
 public:
  static constexpr std::size_t most_in_subset = 8;
  static constexpr std::size_t most_numbers = 65535;

  FewNumbers(std::span<const std::int64_t> numbers, std::size_t count, const Watch& watch)
      : numbers_(numbers), count_(count), watch_(watch) {}

  /// Predicted seconds, and bytes; infinite where there are too many numbers.
  static double seconds(std::size_t numbers, std::size_t count);
  static double bytes(std::size_t numbers, std::size_t count);

  /// Adds the subsets with a sum, until the list is full. \returns false where the run must end.
  bool list(std::int64_t sum, SubsetList& subsets);
  /// The largest sum that is at most a capacity; none where there is none. \returns false where the run must end.
  bool best(std::int64_t capacity, std::optional<std::int64_t>& sum);

 private:
  template <class Visit>
  bool for_each(const Visit& visit);

  std::span<const std::int64_t> numbers_;
  std::size_t count_;
  const Watch& watch_;
};

}  // namespace clopt::subset_sum
