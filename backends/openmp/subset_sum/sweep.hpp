/// \file
/// The sweep over capacities as bits on a processor: in place, several items behind one another.
#pragma once

#include <subset_sum/operations.hpp>

#include <cstdint>
#include <span>

namespace clopt::openmp::subset_sum {

/// Sweeps items in place over a bit vector of 64-bit words.
///
/// An item takes a strip of words as soon as the item before it has left the words that it reads there, which are lower
/// by its weight: they are still in the first-level cache. Items so follow each other down the vector (time skewing),
/// and those of a team stay near enough together that a word which comes from memory takes them all while it is in the
/// second-level cache. Teams follow each other in the same way, a thread each.
/// \param first_item takes the item that reaches a capacity first; empty where that is not wanted.
/// \param item the first step's item, from 1.
void sweep_in_place(std::span<std::uint64_t> reached, std::span<std::uint32_t> first_item,
                    std::span<const clopt::subset_sum::SweepStep> steps, std::uint32_t item);

}  // namespace clopt::openmp::subset_sum
