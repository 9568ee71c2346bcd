/// \file
/// A strip of a bit vector takes an item, by the widest vectors that the processor has.
#pragma once

#include <cstdint>

namespace clopt::openmp::subset_sum {

/// reached |= reached moved up by an item's weight, for words that the item does not read: their number is a multiple
/// of 8 and at most the weight's whole words.
/// \param reached the strip, at a boundary of 64 bytes.
/// \param high the words that lie the weight's whole words below; there are 8 words beneath them.
/// \param shift the weight's bits left over, below 64.
using TakeStrip = void (*)(std::uint64_t* reached, const std::uint64_t* high, std::uint32_t shift, std::int64_t words);

/// The fastest that this processor can run.
TakeStrip best_take_strip();

}  // namespace clopt::openmp::subset_sum
