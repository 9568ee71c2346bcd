/// \file
/// Schedules that need no search.
#pragma once

#include <optional>
#include <string>

#include <exchange/network/paths.hpp>

namespace clopt::exchange {

/// A schedule by construction, and its name.
struct Construction {
  Schedule schedule;
  std::string how;
};

/// A conflict-free schedule of one of the kinds that are known, recognised by the network itself and not by its name:
///   - every wanted path is one link: one slot;
///   - one sender, or one receiver: as many slots as the bound, by maximal flows;
///   - complete exchange of a hypercube: masks m and not-m share a slot, e-cube paths, 2^(d-1) slots;
///   - complete exchange of the terminals of a k-ary n-tree: P-1 shift permutations.
/// \returns none for other networks.
std::optional<Construction> construct(const Problem& problem, const Network& network);

}  // namespace clopt::exchange
