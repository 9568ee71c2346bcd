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
#include <optional>
#include <string_view>
#include <vector>

namespace clopt::subset_sum {

/// Whether words of a type are swept in place on a device, several items a launch: where a launch is a call that has
/// all threads. Elsewhere two vectors are swapped.
template <class Word>
bool sweeps_in_place(const DeviceInfo& info) {
  return std::is_same_v<Word, std::uint64_t> && info.launches_are_calls;
}

/// The vector, or the two that are swapped.
template <class Word>
class BitVector {
 public:
  static constexpr std::uint64_t bits = 8 * sizeof(Word);

  /// \param launches counts those that give it items.
  BitVector(Device& device, Queue& queue, LimitCheck& limit_check, LaunchCount& launches);
  /// Takes memory for words of each vector, and for the items of a stretch.
  void allocate(std::uint64_t words, std::size_t most_items);

  /// Words that a stretch takes of each vector; what lies behind them may be used for something else.
  static std::uint64_t words_for(const Stretch& stretch) {
    return words_of({stretch.after(stretch.begin()).first, stretch.after(stretch.end()).last}, bits);
  }

  /// Restarts with what a checkpoint has of a stretch that it begins. From here on the first bit stands for the
  /// stretch's first capacity, rounded down to whole words.
  void load(const Stretch& stretch, const Checkpoint& from, const Buffer<Word>& pool);
  /// Gives the vector the stretch's items after `first` up to `last`. \returns false where a limit ended the run.
  bool take(const Stretch& stretch, std::size_t first, std::size_t last, std::string_view phase);
  /// Copies capacities into a pool.
  void keep(const Range& capacities, const Buffer<Word>& pool, std::uint64_t offset);
  /// Whether a capacity of the stretch is reached.
  bool holds(std::uint64_t capacity);

  const Buffer<Word>& current() const { return vectors_[current_]; }
  const std::array<Buffer<Word>, 2>& vectors() const { return vectors_; }
  std::size_t count() const { return in_place_ ? 1 : 2; }

 private:
  void write_steps(const Stretch& stretch);
  bool take_together(const Stretch& stretch, std::size_t first, std::size_t last, std::string_view phase);
  bool take_by_launches(const Stretch& stretch, std::size_t first, std::size_t last, std::string_view phase);
  static double part(const Stretch& stretch, std::size_t item);

  Device& device_;
  Queue& queue_;
  LimitCheck& limit_check_;
  LaunchCount& launches_;
  bool in_place_;
  std::optional<SweepLauncher<Word>> launcher_;
  Kernel<operations::ReachItems> reach_items_;
  std::array<Buffer<Word>, 2> vectors_;
  std::vector<SweepStep> steps_;
  Buffer<SweepStep> steps_on_device_;
  std::size_t current_ = 0;
  std::uint64_t base_ = 0;  // the first bit's capacity
};

extern template class BitVector<std::uint16_t>;
extern template class BitVector<std::uint32_t>;
extern template class BitVector<std::uint64_t>;

}  // namespace clopt::subset_sum
