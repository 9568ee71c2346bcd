/// \file
/// Schedules of patterns with one sender or one receiver, which are flows.
#pragma once

#include <optional>

#include "construct.hpp"

namespace clopt::exchange {

/// A schedule in as few slots as there can be; none where there are several senders and several receivers.
///
/// With one sender, any integral flow from it through the links of shortest paths, which leaves one unit at each
/// receiver, is a routing, and the least largest load is found by maximal flows. A flow of largest load T is divided
/// into T slots one by one: of T equal parts of it, each link has at most one unit, and exactly one where it is full,
/// so by the integrality of flows with lower limits there is a slot that takes one unit from every full link. One
/// receiver is the same with all links turned. O(T * transfers * links).
std::optional<Construction> single_root(const Problem& problem, const Network& network);

}  // namespace clopt::exchange
