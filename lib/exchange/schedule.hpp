/// \file
/// What the search shares about schedules.
#pragma once

#include <clopt/exchange.hpp>

#include <cstdint>

namespace clopt::exchange {

/// A checksum of steps and placements: equal wherever the schedule is.
std::uint64_t checksum_of(const Schedule& schedule);

}  // namespace clopt::exchange
