/// \file
/// All sums of the halves of the numbers, for each count of numbers.
#pragma once

#include <clopt/run.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "subset_list.hpp"

namespace clopt::subset_sum {

/// Meet in the middle over the two halves of at most `most_numbers` numbers (Horowitz and Sahni, 1974), with a sorted
/// list for each count. All sums must be below 2^62.
class HalfLists {
 public:
  static constexpr std::size_t most_numbers = 52;

  explicit HalfLists(std::span<const std::int64_t> numbers) : numbers_(numbers) {}

  /// Predicted seconds, and bytes; infinite where there are too many numbers.
  static double seconds(std::size_t numbers);
  static double bytes(std::size_t numbers);

  /// Makes the lists, which come before all else. \returns false where the run must end, as the others do.
  bool make(const Watch& watch);
  /// Adds the subsets of some numbers with a sum, until the list is full.
  bool list(std::int64_t sum, std::size_t count, SubsetList& subsets, const Watch& watch) const;
  /// The largest sum of some numbers that is at most a capacity; none where there is none.
  bool best(std::int64_t capacity, std::size_t count, std::optional<std::int64_t>& sum, const Watch& watch) const;

 private:
  struct Part {
    std::int64_t sum;
    std::uint32_t mask;  ///< of the numbers of its half
  };
  using Lists = std::vector<std::vector<Part>>;  // by the count of numbers

  static bool make(std::span<const std::int64_t> numbers, Lists& lists, const Watch& watch);
  /// Calls \p visit with the lists of each two counts that add up to \p count. \returns false once \p visit does.
  template <class Visit>
  bool for_each(std::size_t count, const Visit& visit) const;
  Subset subset_of(const Part& first, const Part& second) const;

  std::span<const std::int64_t> numbers_;
  Lists firsts_;
  Lists seconds_;
};

}  // namespace clopt::subset_sum
