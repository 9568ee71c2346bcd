/// \file
/// The subset sums of a growing row of items, in a list while they are few and in a bit vector once they are dense.
#pragma once

#include <clopt/run.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <subset_sum/reduction/reduced_problem.hpp>
#include "bit_sums.hpp"

namespace clopt::subset_sum {

/// Sums up to a limit, each with the item that reached it first.
class SumSet {
 public:
  /// Only the sum 0. \param sparse see DecompMemory
  SumSet(std::uint64_t limit, std::uint64_t sparse) : limit_(limit), sparse_(sparse), list_{{0, 0}} {}

  std::uint64_t limit() const { return limit_; }
  std::uint64_t count() const { return bits_ ? bits_->count() : list_.size(); }
  Uint128 bytes() const { return Uint128{list_.size()} * sizeof(Sum) + (bits_ ? bits_->bytes() : 0); }
  std::uint64_t steps() const { return steps_; }

  /// Adds one more item; false when the run must end.
  bool add_item(std::uint64_t weight, const Watch& watch);

  /// Walks through the sums, ascending.
  class Cursor {
   public:
    explicit Cursor(const SumSet& set) : set_(&set) {}
    std::uint64_t sum() const { return sum_; }
    /// The next sum; none behind the last.
    std::optional<std::uint64_t> peek() const {
      if (set_->bits_) return sum_ == set_->limit_ ? std::nullopt : set_->bits_->next(sum_ + 1);
      return place_ + 1 < set_->list_.size() ? std::optional(set_->list_[place_ + 1].sum) : std::nullopt;
    }
    void move_to(std::uint64_t next) {
      sum_ = next;
      ++place_;
    }

   private:
    const SumSet* set_;
    std::uint64_t sum_ = 0;
    std::size_t place_ = 0;
  };

  /// The items, from 0 in the order they were added, of a subset with a sum of the set: of all such subsets the one
  /// whose last item is the earliest, and so on.
  std::vector<std::uint32_t> items_of(std::uint64_t sum) const;

 private:
  struct Sum {
    std::uint64_t sum;
    std::uint32_t item;  ///< the first that reaches the sum
  };
  bool merge_item(std::uint64_t weight, const Watch& watch);

  std::uint64_t limit_;
  std::uint64_t sparse_;
  std::uint64_t total_ = 0;  ///< the weights of all items, at most the limit
  std::uint64_t steps_ = 0;
  std::vector<std::uint64_t> weights_;
  std::vector<Sum> list_;          ///< as it was when it became a bit vector
  std::size_t items_in_list_ = 0;  ///< the first items; later ones have rows in the bit vector
  std::optional<BitSums> bits_;
};

}  // namespace clopt::subset_sum
