/// \file
/// The tables of one step of the dynamic program over sums: what the first items reach.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "sum_table.hpp"

namespace clopt::subset_sum {

/// The least count of items for each sum.
template <class Count>
class LeastCounts {
 public:
  /// Of no items.
  LeastCounts(std::uint64_t limit, std::size_t) : counts_(limit + 1, none) { counts_[0] = 0; }

  static double bytes(double limit, std::size_t) { return sizeof(Count) * limit; }

  /// Makes this one of another one and one more item. \param top the largest sum that the items reach.
  void add(const LeastCounts& before, const TableItem& item, std::uint64_t top) {
    const auto weight = std::min<std::uint64_t>(item.weight, top + 1);
    const auto cost = static_cast<Count>(item.cost);
    const Count* const from = before.counts_.data();
    Count* const to = counts_.data();
    std::copy(from, from + weight, to);
    for (std::uint64_t sum = weight; sum <= top; ++sum)
      to[sum] = std::min<Count>(from[sum], static_cast<Count>(from[sum - weight] + cost));
    top_ = top;
  }
  /// Whether some items have a sum and a count, which is not above the least one.
  bool has(std::uint64_t sum, std::int32_t count) const { return sum <= top_ && counts_[sum] == count; }
  std::optional<std::int32_t> least(std::uint64_t sum) const {
    return sum > top_ || counts_[sum] > none / 2 ? std::nullopt : std::optional<std::int32_t>(counts_[sum]);
  }

 private:
  // What no items reach; with as many items as there may be, costs do not lead from it to a count.
  static constexpr Count none = std::numeric_limits<Count>::max() / 3 * 2;

  std::vector<Count> counts_;
  std::uint64_t top_ = 0;
};

/// The items that a table of such counts may have.
template <class Count>
inline constexpr std::size_t most_counted_items = std::numeric_limits<Count>::max() / 3 - 1;

/// A bit for each sum and, unless it is for any count, for each count.
class ReachedSums {
 public:
  static constexpr std::size_t any_count = std::numeric_limits<std::size_t>::max();

  /// Of no items. \param count the largest one, or any_count.
  ReachedSums(std::uint64_t limit, std::size_t count)
      : words_(limit / word_bits + 1),
        counts_(count == any_count ? 1 : count + 1),
        counts_items_(count != any_count),
        bits_(words_ * counts_) {
    bits_[0] = 1;
  }

  static double bytes(double limit, std::size_t count) {
    return limit / 8 * (count == any_count ? 1.0 : static_cast<double>(count) + 1);
  }

  void add(const ReachedSums& before, const TableItem& item, std::uint64_t top) {
    const auto words = std::min<std::uint64_t>(top / word_bits + 1, words_);
    for (std::size_t count = 0; count < counts_; ++count) {
      const auto* const without = before.bits_.data() + count * words_;
      auto* const to = bits_.data() + count * words_;
      std::copy(without, without + words, to);
      if (!counts_items_ || count > 0) add_shifted(to, without - (counts_items_ ? words_ : 0), item.weight, words);
    }
    top_ = top;
  }
  bool has(std::uint64_t sum, std::int32_t count) const {
    if (sum > top_ || (counts_items_ && (count < 0 || static_cast<std::size_t>(count) >= counts_))) return false;
    const auto row = counts_items_ ? static_cast<std::size_t>(count) * words_ : 0;
    return (bits_[row + sum / word_bits] >> sum % word_bits & 1) != 0;
  }
  /// The largest sum of as many items as there may be.
  std::optional<std::uint64_t> largest(std::uint64_t limit) const {
    const auto last = static_cast<std::int32_t>(counts_ - 1);
    for (auto sum = std::min(limit, top_) + 1; sum-- > 0;)
      if (has(sum, last)) return sum;
    return std::nullopt;
  }

 private:
  static constexpr std::uint64_t word_bits = 64;

  static void add_shifted(std::uint64_t* to, const std::uint64_t* from, std::uint64_t weight, std::uint64_t words) {
    const auto skipped = weight / word_bits;
    const auto bits = weight % word_bits;
    if (skipped >= words) return;
    if (bits == 0) {
      for (auto word = skipped; word < words; ++word) to[word] |= from[word - skipped];
      return;
    }
    to[skipped] |= from[0] << bits;
    for (auto word = skipped + 1; word < words; ++word)
      to[word] |= from[word - skipped] << bits | from[word - skipped - 1] >> (word_bits - bits);
  }

  std::uint64_t words_;
  std::size_t counts_;
  bool counts_items_;
  std::vector<std::uint64_t> bits_;
  std::uint64_t top_ = 0;
};

}  // namespace clopt::subset_sum
