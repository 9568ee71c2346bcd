/// \file
/// Schedules that need no search.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include <exchange/network/paths.hpp>

namespace clopt::exchange {

/// A schedule by construction, and its name.
struct Construction {
  Schedule schedule;
  std::string how;
};

/// Whether a construction is to end without a schedule; or null.
using HasExpired = std::function<bool()>;

/// A conflict-free schedule of one of the kinds that are known, recognised by the network itself and not by its name:
///   - every wanted path is one link: one slot;
///   - one sender, or one receiver: as many slots as the bound, by maximal flows;
///   - complete exchange of a hypercube: masks m and not-m share a slot, e-cube paths, 2^(d-1) slots;
///   - complete exchange of the terminals of a k-ary n-tree: P-1 shift permutations;
///   - complete exchange of a mesh or torus of any sides: in_grid(), which may need more slots than the bound.
/// \returns none for other networks, and where the time has expired.
std::optional<Construction> construct(const Problem& problem, const Network& network,
                                      const HasExpired& has_expired = nullptr);

/// A schedule in as few slots as there can be; none where there are several senders and several receivers.
///
/// With one sender, any integral flow from it through the links of shortest paths, which leaves one unit at each
/// receiver, is a routing, and the least largest load is found by maximal flows. A flow of largest load T is divided
/// into T slots one by one: of T equal parts of it, each link has at most one unit, and exactly one where it is full,
/// so by the integrality of flows with lower limits there is a slot that takes one unit from every full link. One
/// receiver is the same with all links turned. Of a demand, a slot takes its units over the slots that are left,
/// rounded down or up. O(T * transfers * links).
std::optional<Construction> single_root(const Problem& problem, const Network& network, const HasExpired& has_expired);

/// A schedule of the complete exchange of a mesh or torus whose nodes are numbered row by row; none of other networks.
/// As many slots as the bound where all sides are even and the largest is 2 or a multiple of 4, and in an odd square of
/// side 4k + 3; some more else. O(transfers * hops).
std::optional<Construction> in_grid(const Problem& problem, const Network& network, const HasExpired& has_expired);

}  // namespace clopt::exchange
