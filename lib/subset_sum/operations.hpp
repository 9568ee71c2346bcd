/// \file
/// What subset-sum asks of a device: the operations by name, and what belongs to their launches.
#pragma once

#include <shared/subset_sum/meet.h>
#include <shared/subset_sum/subset_sum.h>
#include <clopt/program.hpp>
#include <generated/operations/subset_sum.hpp>

#include <cstdint>

namespace clopt::subset_sum {

/// An item's part of a sweep; the same structure as in kernels_cl/shared/subset_sum/subset_sum.h.
using SweepStep = shared::sweep_step;

/// The work-items for a number of words of sweep_bits.
template <class Word>
clopt::Range sweep_range(std::uint64_t words) {
  constexpr std::uint64_t words_per_item = SUBSET_SUM_BYTES_PER_ITEM / sizeof(Word);
  return clopt::Range::of_items((words + words_per_item - 1) / words_per_item);
}

/// Words of local memory that sweep_pair takes for work-groups of a size, where it names capacities.
constexpr std::size_t pair_words(std::uint32_t group_size) { return std::size_t{3} * group_size + 1; }

/// How sweep_pair is built. \param named 0 for no names, or SUBSET_SUM_NAMED_...
inline Program pair_program(int named) {
  Program program;
  program.defines.set("NAMED", named);
  return program;
}

/// Words of the stage of sweep_light that an item of this weight makes unusable.
template <class Word>
constexpr std::uint64_t light_halo(std::uint64_t weight) {
  return weight / (8 * sizeof(Word)) + 1;
}

/// Words that a work-group of sweep_light stages.
template <class Word>
constexpr std::uint64_t light_words(std::uint32_t group_size) {
  return std::uint64_t{group_size} * (SUBSET_SUM_LIGHT_BYTES / sizeof(Word));
}

/// The work-groups for a number of words of sweep_light.
template <class Word>
clopt::Range light_range(std::uint64_t words, std::uint32_t group_size, std::uint64_t halo) {
  const auto written = light_words<Word>(group_size) - halo;
  return clopt::Range::of_groups((words + written - 1) / written, group_size);
}

/// Structures of kernels_cl/shared/subset_sum/meet.h.
using MeetLists = shared::meet_lists;
using MeetRange = shared::meet_range;
using MeetShape = shared::meet_shape;

}  // namespace clopt::subset_sum
