/// \file
/// What subset-sum asks of a device.
#pragma once

#include <shared/subset_sum.h>
#include <shared/subset_sum_meet.h>
#include <device/checked_operation.hpp>

#include <cstdint>

namespace clopt::subset_sum {

/// An item's part of a sweep; the same structure as in kernels_cl/shared/subset_sum.h.
using SweepStep = shared::sweep_step;

/// One item of the sweep over capacities as bits: before, after, first_item; first word, number of words; the weight's
/// whole words and the bits left over; the item, from 1. A Word has 32 or 64 capacities. Launched over sweep_range().
template <class Word>
inline constexpr auto sweep_bits = operation<In<Word>, InOut<Word>, InOut<std::uint32_t>, std::uint64_t, std::uint64_t,
                                             std::uint64_t, std::uint32_t, std::uint32_t>("subset_sum/sweep_bits",
                                                                                          generic<Word>("word"));

/// One item over a range of capacities, on the vector g (method k1): g; first capacity, at least the weight, and how
/// many; weight; item. Launched over the capacities.
inline constexpr auto take_item =
    operation<InOut<std::uint32_t>, std::uint64_t, std::uint64_t, std::uint64_t, std::uint32_t>("subset_sum/take_item");

/// One block of capacities, items inside (method k2): g; steps, whose ranges begin at their weights or above and whose
/// weights are at least the block's capacities; number of steps; first capacity, how many.
inline constexpr auto fill_block =
    operation<InOut<std::uint32_t>, In<SweepStep>, std::uint32_t, std::uint64_t, std::uint64_t>(
        "subset_sum/fill_block");

/// Block after block, of as many capacities as there are work-items: g; steps and their number as for fill_block; first
/// and last capacity; for each work-group a word that is 0, and another; one word that is 0, and not 0 afterwards where
/// work-groups could not wait for each other and capacities were left out; how often to poll.
inline constexpr auto fill_blocks_xiao_feng =
    operation<InOut<std::uint32_t>, In<SweepStep>, std::uint32_t, std::uint64_t, std::uint64_t, InOut<std::uint32_t>,
              InOut<std::uint32_t>, InOut<std::uint32_t>, std::uint32_t>("subset_sum/fill_blocks_xiao_feng");

/// The same with the cyclic barrier: for each work-group a word that is 1 takes the place of the two.
inline constexpr auto fill_blocks_cyclic =
    operation<InOut<std::uint32_t>, In<SweepStep>, std::uint32_t, std::uint64_t, std::uint64_t, InOut<std::uint32_t>,
              InOut<std::uint32_t>, std::uint32_t>("subset_sum/fill_blocks_cyclic");

/// The work-items for a number of words of sweep_bits.
template <class Word>
clopt::Range sweep_range(std::uint64_t words) {
  constexpr std::uint64_t words_per_item = SUBSET_SUM_BYTES_PER_ITEM / sizeof(Word);
  return clopt::Range::of_items((words + words_per_item - 1) / words_per_item);
}

/// Several items, one after the other, on a vector of 64-bit words in place: reached, first_item, steps; the first step
/// (its number plus 1 is the item), number of steps.
inline constexpr auto sweep_items =
    operation<InOut<std::uint64_t>, InOut<std::uint32_t>, In<SweepStep>, std::uint32_t, std::uint32_t>(
        "subset_sum/sweep_items");

/// A part of the walk back from a sum: first_item, weights; the items taken, how many, the rest of the sum; the most
/// items that there can be. Launched until the rest is 0.
inline constexpr auto walk_back =
    operation<In<std::uint32_t>, In<std::uint64_t>, InOut<std::uint32_t>, InOut<std::uint32_t>, InOut<std::uint64_t>,
              std::uint32_t>("subset_sum/walk_back");

/// Structures of kernels_cl/shared/subset_sum_meet.h.
using MeetLists = shared::meet_lists;
using MeetRange = shared::meet_range;
using MeetShape = shared::meet_shape;

/// Where ranges of sums begin in the lists: the four lists of sums, outer and inner of the first half, outer and inner
/// of the second; their sizes and the capacity; the ranges; places, one for each range and outer sum; how many.
/// Launched over the places.
inline constexpr auto meet_place = operation<In<std::uint64_t>, In<std::uint64_t>, In<std::uint64_t>, In<std::uint64_t>,
                                             MeetLists, In<MeetRange>, InOut<std::uint32_t>>("subset_sum/meet_place");

/// Searches the next slice of each range, or more of them, up to shape.slices: lists and sizes; ranges, and places in
/// the lists, which go along; the shape; words for the two filters' bits; values and outer sums that are held. Launched
/// with a work-group, of a power of two, for each range. A range ends up with the best pair of what was searched and of
/// what it knew before, and further on or with a smaller span; how far it comes in one launch is the device's business.
inline constexpr auto meet_search =
    operation<In<std::uint64_t>, In<std::uint64_t>, In<std::uint64_t>, In<std::uint64_t>, MeetLists, InOut<MeetRange>,
              InOut<std::uint32_t>, MeetShape, Local<std::uint32_t>, Local<std::uint32_t>, Local<std::uint64_t>,
              Local<std::uint32_t>>("subset_sum/meet_search");

}  // namespace clopt::subset_sum
