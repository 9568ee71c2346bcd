/// \file
/// A bit vector of reached capacities on a device, to which items are given (the paper's implementation 3, chapter
/// 5.4, without the vector g).
#pragma once

#include <clopt/device.hpp>
#include <subset_sum/operations.hpp>
#include "checkpoints.hpp"
#include "limit_check.hpp"
#include "sweep_launcher.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace clopt::subset_sum {

/// Whether words of a type are swept in place on a device, several items a launch: where a launch is a call that has
/// all threads. Elsewhere two vectors are swapped.
template <class Word>
bool sweeps_in_place(const DeviceInfo& info) {
  return std::is_same_v<Word, std::uint64_t> && info.launches_are_calls;
}

/// What a search for items found where it found none.
inline constexpr std::uint32_t nothing = ~std::uint32_t{0};

/// What progress is reported of: a phase, and the part of it that a stretch is.
struct Phase {
  std::string_view name;
  double from = 0;
  double to = 1;
};

/// The vector, or the two that are swapped, with a queue of its own.
template <class WordType>
class BitVector {
 public:
  using Word = WordType;
  using Pool = Buffer<Word>;  ///< where checkpoints are kept
  static constexpr std::uint64_t bits = 8 * sizeof(Word);
  /// A subset takes as long to try as that many capacities to sweep.
  static constexpr std::uint64_t capacities_a_subset = 1024;
  static constexpr std::string_view name = "checkpoints";

  BitVector(Device& device, const Watch& watch);
  /// Takes memory for words of each vector, and for the items of a stretch.
  void allocate(std::uint64_t words, std::size_t most_items);
  Pool pool(std::uint64_t words) { return device_.buffer<Word>("checkpoints", words); }
  /// Builds what looks for items among some.
  void begin_search(std::span<const std::uint64_t> weights);

  /// Words that a stretch takes of each vector; what lies behind them may be used for something else.
  static std::uint64_t words_for(const Stretch& stretch) {
    return words_of({stretch.after(stretch.begin()).first, stretch.after(stretch.end()).last}, bits);
  }

  /// Restarts with what a checkpoint has of a stretch that it begins. From here on the first bit stands for the
  /// stretch's first capacity, rounded down to whole words.
  template <class Source>
  void load(const Stretch& stretch, const Checkpoint& from, const Source& pool);
  /// The same for a stretch of one item so heavy that what it reads is far below what it may reach: only these two
  /// parts. keep() alone may then ask for capacities, those that the item may reach.
  template <class Source>
  void load_apart(const Stretch& stretch, const Checkpoint& from, const Source& pool);
  /// Gives the vector the stretch's items after `first` up to `last`. \returns false where a limit ended the run.
  bool take(const Stretch& stretch, std::size_t first, std::size_t last, const Phase& phase);
  /// Copies capacities into a pool; into one of the host's without waiting.
  void keep(const Range& capacities, const Pool& pool, std::uint64_t offset);
  void keep(const Range& capacities, const HostArray<Word>& pool, std::uint64_t offset);
  /// Whether a capacity of the stretch is reached.
  bool holds(std::uint64_t capacity);
  /// The largest sum of a range that is reached, or the smallest.
  std::optional<std::uint64_t> best_sum(const Range& sums, bool smallest);

  void write(const Pool& pool, std::span<const Word> words, std::uint64_t first) { queue_->write(pool, words, first); }
  /// Reads twice.
  void read(const Pool& pool, std::span<Word> words, std::uint64_t first);
  /// The least of `count` items after a checkpoint, counted from there, that leads from a sum to it at once, or
  /// `nothing`.
  std::uint32_t first_item(const Checkpoint& from, const Pool& pool, std::uint64_t sum, std::uint32_t count);
  /// The least of `count` numbers from `begin` on whose subset, bit j for the j-th item after a checkpoint, leads from
  /// a sum to it, or `nothing`.
  std::uint32_t first_subset(const Checkpoint& from, const Pool& pool, std::uint64_t sum, std::uint32_t begin,
                             std::uint32_t count);

  const std::array<Pool, 2>& vectors() const { return vectors_; }
  std::size_t count() const { return in_place_ ? 1 : 2; }
  void finish() { queue_->finish(); }
  void require_all_launches() const { launches_.require_all(); }
  std::uint64_t launches() const { return queue_->counts().launches; }

 private:
  void fetch(const Buffer<Word>& from, std::uint64_t first, std::uint64_t words, std::uint64_t to);
  void fetch(const HostArray<Word>& from, std::uint64_t first, std::uint64_t words, std::uint64_t to);
  void write_steps();
  bool take_together(const Stretch& stretch, std::size_t first, std::size_t last, const Phase& phase);
  bool take_by_launches(const Stretch& stretch, std::size_t first, std::size_t last, const Phase& phase);
  static double part(const Stretch& stretch, std::size_t item, const Phase& phase);
  std::uint32_t read_number(std::uint32_t first, std::uint32_t end);

  Device& device_;
  std::unique_ptr<Queue> queue_;
  LimitCheck limit_check_;
  LaunchCount launches_;
  bool in_place_;
  std::optional<SweepLauncher<Word>> launcher_;
  Kernel<operations::ReachItems> reach_items_;
  Kernel<operations::FirstItemDown<Word>> first_item_;
  Kernel<operations::FirstSubsetDown<Word>> first_subset_;
  std::array<Pool, 2> vectors_;
  std::vector<SweepStep> steps_;
  Buffer<SweepStep> steps_on_device_;
  Buffer<std::uint64_t> weights_;
  Buffer<std::uint32_t> found_number_;
  std::size_t current_ = 0;
  std::uint64_t base_ = 0;  // the first bit's capacity; after load_apart() of those that are written, modulo 2^64
};

extern template class BitVector<std::uint16_t>;
extern template class BitVector<std::uint32_t>;
extern template class BitVector<std::uint64_t>;

}  // namespace clopt::subset_sum
