/// \file
/// Where and when a sweep over bits keeps its vector, so that the subset can be found again without a table.
#pragma once

#include <subset_sum/reduction/reduced_problem.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace clopt::subset_sum {

/// The bit vector as it was after some items, as far as it matters.
struct Checkpoint {
  std::size_t item = 0;      ///< items that were taken
  Range capacities;          ///< those that are kept; the first is a multiple of a word's bits
  std::size_t pool = 0;      ///< where its words lie
  std::uint64_t offset = 0;  ///< of its first word in the pool
  std::uint64_t words = 0;
};

/// Checkpoints in the order of their items, and their places in pools of words: the last is the first to go.
class CheckpointStack {
 public:
  /// Adds a pool.
  void add_pool(std::uint64_t words) { pools_.push_back({0, words, 0}); }
  /// Lets a pool begin at a word; one that is not empty must not begin before it.
  /// \throws InternalError where it does.
  void begin_pool_at(std::size_t pool, std::uint64_t word);
  /// Words that are left in all pools together, and in the one that has the most.
  std::uint64_t room() const;
  std::uint64_t largest_room() const;

  /// Takes a place for a checkpoint of a later item than all others. \returns false where no pool has one.
  bool push(std::size_t item, const Range& capacities, std::uint64_t words);
  void pop();
  const Checkpoint& back() const { return checkpoints_.back(); }
  std::size_t size() const { return checkpoints_.size(); }

 private:
  struct Pool {
    std::uint64_t begin;
    std::uint64_t end;
    std::uint64_t used;  // checkpoints' words
    std::uint64_t room() const { return end - begin - used; }
  };
  std::vector<Pool> pools_;
  std::vector<Checkpoint> checkpoints_;
};

/// The part of a recursion that leads to some sums: which capacities matter after each item.
class Stretch {
 public:
  /// \param weights in descending order.
  /// \param begin, end items that are taken before the stretch, and at its end; \param front the sum of the first
  ///        `begin` items, or any number above the sums.
  /// \param sums those that matter at the end: after an item, a capacity k matters if later items could still bring it
  ///        into the range, and no capacity is above the sum of all items so far (chapter 4.2).
  Stretch(std::span<const std::uint64_t> weights, std::size_t begin, std::uint64_t front, std::size_t end,
          const Range& sums);

  /// The part of it between two numbers of items that leads to some of the sums that matter there.
  Stretch part(std::size_t begin, std::size_t end, const Range& sums) const {
    return {weights_, begin, after(begin).last, end, sums};
  }

  std::size_t begin() const { return begin_; }
  std::size_t end() const { return begin_ + after_.size() - 1; }
  /// What matters after `item` items.
  const Range& after(std::size_t item) const { return after_[item - begin_]; }
  /// The weight of item `item`, from 1.
  std::uint64_t weight(std::size_t item) const { return weights_[item - 1]; }
  /// What item `item`, from 1, may newly reach of it.
  Range taken(std::size_t item) const;
  /// The sizes of all taken(), the work of sweeping the stretch.
  std::uint64_t work() const { return work_until_.back(); }

  /// Items after which to keep checkpoints: the most that fit, so that they divide the work into equal parts.
  /// \param bits of a word; \param room in words, for all; \param items_apart no nearer than that, on average.
  std::vector<std::size_t> places(std::uint64_t bits, std::uint64_t room, std::size_t items_apart) const;

 private:
  std::vector<std::size_t> equal_parts(std::size_t parts) const;

  std::span<const std::uint64_t> weights_;
  std::size_t begin_;
  std::vector<Range> after_;
  std::vector<std::uint64_t> work_until_;  // of the items until each
};

/// Words that hold a range of capacities.
inline std::uint64_t words_of(const Range& range, std::uint64_t bits) {
  return range.size() == 0 ? 0 : range.last / bits - range.first / bits + 1;
}

}  // namespace clopt::subset_sum
