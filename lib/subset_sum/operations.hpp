/// \file
/// What subset-sum asks of a device.
#pragma once

#include <shared/subset_sum/meet.h>
#include <shared/subset_sum/subset_sum.h>
#include <clopt/program.hpp>
#include <device/checked_operation.hpp>

#include <cstdint>

namespace clopt::subset_sum {

/// An item's part of a sweep; the same structure as in kernels_cl/shared/subset_sum/subset_sum.h.
using SweepStep = shared::sweep_step;

/// One item of the sweep over capacities as bits: before, after, first_item; first word, number of words; the weight's
/// whole words and the bits left over; the item, from 1, or 0 to name none.
/// A Word has 32 or 64 capacities. Launched over sweep_range().
template <class Word>
inline constexpr auto sweep_bits = operation<In<Word>, InOut<Word>, InOut<std::uint32_t>, std::uint64_t, std::uint64_t,
                                             std::uint64_t, std::uint32_t, std::uint32_t>("subset_sum/sweep_bits",
                                                                                          generic<Word>("word"));

/// Two items at once: before, after, first_item; first word, number of words; the two weights; the first word whose new
/// capacities are named, for each; the first item, from 1, or 0 to name none; words of local memory, pair_words().
/// Built by pair_program(). Launched over the words.
template <class Word>
inline constexpr auto sweep_pair =
    operation<In<Word>, InOut<Word>, InOut<std::uint32_t>, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t,
              std::uint64_t, std::uint64_t, std::uint32_t, Local<Word>>("subset_sum/sweep_pair", generic<Word>("word"));

/// Words of local memory that sweep_pair takes for work-groups of a size, where it names capacities.
constexpr std::size_t pair_words(std::uint32_t group_size) { return std::size_t{3} * group_size + 1; }

/// How sweep_pair is built. \param named 0 for no names, or SUBSET_SUM_NAMED_...
inline Program pair_program(int named) {
  Program program;
  program.defines.set("NAMED", named);
  return program;
}

/// Several light items at once: before, after, first_item, steps; the first step and their number; first word, number
/// of words; the words that the items' weights make unusable, light_halo() in all; the first item, from 1, or 0 to name
/// none; staged words. Launched over light_range().
template <class Word>
inline constexpr auto sweep_light =
    operation<In<Word>, InOut<Word>, InOut<std::uint32_t>, In<SweepStep>, std::uint32_t, std::uint32_t, std::uint64_t,
              std::uint64_t, std::uint32_t, std::uint32_t, Local<Word>>("subset_sum/sweep_light",
                                                                        generic<Word>("word"));

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

/// The same without names for what is new: reached, steps; the first step, number of steps.
inline constexpr auto reach_items =
    operation<InOut<std::uint64_t>, In<SweepStep>, std::uint32_t, std::uint32_t>("subset_sum/reach_items");

/// Which of some items brings a sum down to a capacity that is reached: reached, weights; one word, which becomes the
/// least such item if that is less; the capacities that are known, where the first one's word lies; the sum; the first
/// item, from 0, and how many. Launched over the items.
template <class Word>
inline constexpr auto first_item_down =
    operation<In<Word>, In<std::uint64_t>, InOut<std::uint32_t>, std::uint64_t, std::uint64_t, std::uint64_t,
              std::uint64_t, std::uint32_t, std::uint32_t>("subset_sum/first_item_down", generic<Word>("word"));

/// The same for subsets of the items, as bits of a number, bit 0 for the first item: the least number whose subset
/// brings the sum down. Further: the first number, and how many. Launched over the numbers.
template <class Word>
inline constexpr auto first_subset_down =
    operation<In<Word>, In<std::uint64_t>, InOut<std::uint32_t>, std::uint64_t, std::uint64_t, std::uint64_t,
              std::uint64_t, std::uint32_t, std::uint32_t, std::uint32_t>("subset_sum/first_subset_down",
                                                                          generic<Word>("word"));

/// A part of the walk back from a sum: first_item, weights; the items taken, how many, the rest of the sum; the most
/// items that there can be. Launched until the rest is 0.
inline constexpr auto walk_back =
    operation<In<std::uint32_t>, In<std::uint64_t>, InOut<std::uint32_t>, InOut<std::uint32_t>, InOut<std::uint64_t>,
              std::uint32_t>("subset_sum/walk_back");

/// Structures of kernels_cl/shared/subset_sum/meet.h.
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
