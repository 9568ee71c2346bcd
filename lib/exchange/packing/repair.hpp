/// \file
/// A schedule without conflicts out of one that has some.
#pragma once

#include <clopt/exchange.hpp>

#include <exchange/network/network.hpp>

namespace clopt::exchange {

/// Takes transfers in conflict out, one of each clash, and puts each onto a shortest path that is free in some slot, or
/// into a new slot where there is none. Transfers without conflicts stay where they are. O(transfers * hops), and for
/// each transfer taken out O(steps * links of its shortest paths).
Schedule without_conflicts(const Problem& problem, const Network& network, Schedule schedule);

}  // namespace clopt::exchange
