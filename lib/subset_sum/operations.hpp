/// \file
/// What subset-sum asks of a device.
#pragma once

#include <device/checked_operation.hpp>

#include <cstdint>

namespace clopt::subset_sum {

/// One item of the sweep over capacities as bits: before, after, first_item; first word, number of words; the weight's
/// whole words and the bits left over; the item, from 1. A Word has 32 or 64 capacities.
template <class Word>
inline constexpr auto sweep_bits =
    operation<In<Word>, InOut<Word>, InOut<std::uint32_t>, std::uint64_t, std::uint64_t, std::uint64_t, std::uint32_t,
              std::uint32_t>("subset_sum/sweep_bits", generic<Word>("word"));

/// The walk back from a sum: first_item, weights; the items taken, how many; the sum, the most that they can be.
inline constexpr auto walk_back = operation<In<std::uint32_t>, In<std::uint64_t>, InOut<std::uint32_t>,
                                          InOut<std::uint32_t>, std::uint64_t, std::uint32_t>("subset_sum/walk_back");

}  // namespace clopt::subset_sum
