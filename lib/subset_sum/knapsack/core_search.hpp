/// \file
/// The search of a knapsack's core, on the host.
#pragma once

#include <clopt/run.hpp>

#include <cstdint>

#include <subset_sum/knapsack/knapsack.hpp>

namespace clopt::subset_sum {

/// Dynamic programming over a core of items around the break item, which grows until bounds show that no item outside
/// can matter (Pisinger, "A minimal algorithm for the 0-1 knapsack problem", 1997). Uncorrelated profits take a few
/// thousand states, strongly correlated ones up to as many as weights times items.
/// It ends early where it has kept KnapsackLimits::most_states in all, or where they fill KnapsackLimits::most_bytes.
/// \param known a packing, for the bounds, which is returned where none has more profit.
Packed search_core(const Knapsack& knapsack, const Packing& known, const KnapsackLimits& limits, const Watch& watch);
/// The same with bounds by a surrogate constraint, by which the items are sorted, too.
Packed search_core(const Knapsack& knapsack, const Surrogate& surrogate, const Packing& known,
                   const KnapsackLimits& limits, const Watch& watch);

}  // namespace clopt::subset_sum
