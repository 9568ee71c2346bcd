/// \file
/// A picture of a chosen subset.
#pragma once

#include <clopt/subset_sum.hpp>

#include <pictures/svg.hpp>
#include "report.hpp"

namespace clopt::apps::subset_sum {

/// All numbers by their size, the chosen ones coloured, bars or where there are many a histogram; and below how the
/// chosen ones add up to the sum, where none is negative. O(n log n).
Svg picture_of(const Question& question, const clopt::subset_sum::AmountsResult& answer);

}  // namespace clopt::apps::subset_sum
