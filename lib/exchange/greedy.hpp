/// \file
/// A valid schedule at once, for the search to improve.
#pragma once

#include "paths.hpp"

namespace clopt::exchange {

/// The transfers one by one, those with the longest paths first, each in the first slot that still has a shortest path
/// without a conflict. All slots are looked at together, 64 in a word. O(transfers * links of its paths * slots / 64).
Schedule greedy(const Problem& problem, const Network& network);

}  // namespace clopt::exchange
