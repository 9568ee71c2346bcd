/// \file
/// A valid schedule at once, for the search to improve.
#pragma once

#include <clopt/run.hpp>

#include "construct.hpp"

namespace clopt::exchange {

/// Sorts numbers of transfers by the lengths of their shortest paths; equal ones stay in their order.
void sort_longest_first(const Problem& problem, const Network& network, std::vector<std::size_t>& transfers);

/// The transfers one by one, those with the longest paths first, each in the first slot that still has a shortest path
/// without a conflict. All slots are looked at together, 64 in a word. O(transfers * links of its paths * slots / 64).
/// \param watch when it has expired, each transfer that is left gets a slot of its own, and `how` says so; or null.
Construction greedy(const Problem& problem, const Network& network, const Watch* watch = nullptr);

}  // namespace clopt::exchange
