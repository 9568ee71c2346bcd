/// \file
/// What patterns and demands have in common.
#pragma once

#include <clopt/exchange.hpp>

#include <string>
#include <string_view>

namespace clopt::exchange {

inline bool may_send(Role role) { return role == Role::both || role == Role::sender; }
inline bool may_receive(Role role) { return role == Role::both || role == Role::receiver; }

/// Why there cannot be such a demand; empty where there can.
std::string obstacle_of(const Demand& demand, const Topology& topology);

/// \throws InvalidInput for a transfer without a path, which is named. O(nodes * links).
void require_paths(const Problem& problem);

}  // namespace clopt::exchange
