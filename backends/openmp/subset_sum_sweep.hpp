/// \file
/// The sweep over capacities as bits on a processor: in place, several items behind one another.
#pragma once

#include <subset_sum/operations.hpp>

#include <cstdint>
#include <span>

namespace clopt::openmp::subset_sum {

/// Sweeps items in place over a bit vector of 64-bit words.
///
/// A block of words takes an item once the item before it has passed the block and the words that the item reads there,
/// which are lower by its weight. Items so follow each other down the vector (time skewing), and those of a team stay
/// near enough together that a word which comes from memory takes them all while it is in the cache. Teams follow each
/// other in the same way, a thread each.
/// \param item the first step's item, from 1.
void sweep_in_place(std::span<std::uint64_t> reached, std::span<std::uint32_t> first_item,
                    std::span<const clopt::subset_sum::SweepStep> steps, std::uint32_t item);

}  // namespace clopt::openmp::subset_sum
