/// \file
/// Reachable sums as a bit vector, with a compacted row of decisions for each item (chapter 3.2).
#pragma once

#include <clopt/run.hpp>
#include <cstdint>
#include <optional>
#include <vector>

#include <subset_sum/reduction/reduced_problem.hpp>
#include <support/numbers/uint128.hpp>

namespace clopt::subset_sum {

/// Which sums from 0 to a limit are reached, and with which item each was reached first. For subset-sum, T[k] of
/// algorithm 6 only matters where it is k, so T is a bit vector, and row i of the bit matrix B holds the sums that item
/// i reached first. A row keeps only its words that are not zero. As each sum is in one row at most, all rows together
/// hold at most as many words as there are reached sums, whatever the number of items.
class BitSums {
 public:
  /// Only the sum 0 is reached.
  explicit BitSums(std::uint64_t limit);
  BitSums(const BitSums&) = delete;
  BitSums& operator=(const BitSums&) = delete;
  /// What the vector alone takes for sums up to a limit.
  static Uint128 bytes_for(std::uint64_t limit) { return (Uint128{limit} / word_bits + 1) * sizeof(std::uint64_t); }

  std::uint64_t limit() const { return limit_; }
  std::uint64_t count() const { return count_; }  ///< reached sums
  std::uint64_t bytes() const { return bytes_; }  ///< that the vector and all rows take
  bool reached(std::uint64_t sum) const { return (words_[sum / word_bits] >> sum % word_bits & 1) != 0; }
  /// The least reached sum that is at least a given one.
  std::optional<std::uint64_t> next(std::uint64_t sum) const;

  /// Marks a sum that is reached in a way that no row records.
  void insert(std::uint64_t sum);
  /// Adds the next row: each k of the range is reached if k - weight is. The range is within [weight, limit].
  /// \returns false when the run must end; the row is incomplete then.
  bool add_item(std::uint64_t weight, Range range, const Watch& watch);

  /// The row that reached a sum, from 0; none for 0 and for sums that were inserted.
  std::optional<std::size_t> row_of(std::uint64_t sum) const;

 private:
  static constexpr std::uint64_t word_bits = 64;
  static constexpr std::uint64_t block_words = 64;
  struct Block {
    std::uint64_t number;      ///< of the block within the vector
    std::uint64_t present;     ///< bit j: word j of the block is kept
    std::uint64_t first_word;  ///< where its words begin in Row::words
  };
  /// Blocks from the last to the first, as they are swept.
  struct Row {
    std::vector<Block> blocks;
    std::vector<std::uint64_t> words;
  };

  /// Sweeps one block of words; true where it holds a sum that was reached before only without the item.
  bool sweep_block(std::uint64_t block, std::uint64_t weight, Range range, std::uint64_t* fresh) const;

  std::uint64_t limit_;
  std::uint64_t count_ = 1;
  std::uint64_t bytes_ = 0;
  std::vector<std::uint64_t> storage_;
  std::uint64_t* words_;  ///< the word of sum 0, in storage_
  std::vector<Row> rows_;
  Row scratch_;
};

}  // namespace clopt::subset_sum
