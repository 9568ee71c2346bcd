/// \file
/// Bounds by multiplicative weights: often exact, and all there is where the linear programme is too large.
#pragma once

#include <cstdint>

#include "lower_bound.hpp"

namespace clopt::exchange {

/// Raises a bound, and lowers the load of the best known routing, by multiplicative weights: links that are loaded more
/// than others weigh more, and transfers then go around them. O(rounds * senders * links).
void ascend(BoundSearch& search, const Watch& watch, std::uint32_t rounds);

}  // namespace clopt::exchange
