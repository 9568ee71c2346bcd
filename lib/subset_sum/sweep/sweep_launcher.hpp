/// \file
/// Which items of a sweep over capacities as bits go into one launch.
#pragma once

#include <clopt/device.hpp>
#include <device/verification/fault_detection.hpp>
#include <subset_sum/operations.hpp>
#include "walk_back.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace clopt::subset_sum {

/// Launches the steps of a sweep from one vector to another, as many items at a time as move the fewest bytes: light
/// items by the dozen through local memory, others in pairs, a last one alone.
///
/// A launch covers the capacities of all its steps. The vector it leaves is right within the last step's range, which
/// is all that later steps and a walk back read: what a step reads for a capacity k is never below k - w, where the
/// range of the step before begins (see item_ranges()).
template <class Word>
class SweepLauncher {
 public:
  /// Builds the kernels. \param launches counts those of the sweep. \param named whether launches will name capacities.
  SweepLauncher(Device& device, Queue& queue, LaunchCount& launches, bool named);

  /// Has launches take one item each, by at most that many work-groups.
  void limit(std::uint32_t groups) {
    most_groups_ = groups;
    several_ = false;
  }

  /// \param steps of items, heaviest first; an empty one's first capacity is above its last. They must stay where they
  ///        are; \param on_device takes a copy.
  void begin(std::span<const SweepStep> steps, const Buffer<SweepStep>& on_device);

  /// Takes items from `item` on, before `end`, from `before` to `after`.
  /// \param first_item where to name the first item to reach a capacity, step 0 being item 1; nothing: nowhere.
  /// \returns how many items it took, at least one. Where step `item` is empty, that one without a launch: `after` is
  ///          then as it was.
  struct Taken {
    std::size_t items;
    bool launched;
  };
  Taken launch(const Buffer<Word>& before, const Buffer<Word>& after, const Buffer<std::uint32_t>* first_item,
               std::size_t item, std::size_t end);

 private:
  static constexpr std::uint64_t bits = 8 * sizeof(Word);

  /// The words of a launch of `count` items.
  struct Words {
    std::uint64_t first;
    std::uint64_t count;
  };

  Words words_of(std::size_t item, std::size_t count) const;
  std::size_t light_items(std::size_t item, std::size_t end, std::uint64_t& halo) const;
  clopt::Range range_of_one(std::uint64_t words) const;
  bool is_empty(std::size_t item) const { return steps_[item].first > steps_[item].last; }

  Queue& queue_;
  LaunchCount& launches_;
  std::span<const SweepStep> steps_;
  Buffer<SweepStep> on_device_;
  Buffer<std::uint32_t> no_names_;
  Kernel<operations::SweepBits<Word>> one_;
  Kernel<operations::SweepPair<Word>> pair_;
  Kernel<operations::SweepPair<Word>> pair_at_front_;
  Kernel<operations::SweepLight<Word>> light_;
  bool several_ = false;
  std::uint32_t pair_group_ = 0;
  std::uint32_t light_group_ = 0;
  std::uint32_t most_groups_ = 0;  // 0: any number
};

}  // namespace clopt::subset_sum
