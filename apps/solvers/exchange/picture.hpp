/// \file
/// A picture of a schedule.
#pragma once

#include <clopt/exchange.hpp>

#include <pictures/svg.hpp>

namespace clopt::apps::exchange {

/// Links by slots as SVG: a row for each link, a column for each slot, coloured by the sender whose message the link
/// carries; white where it is idle, black where messages clash.
Svg picture_of(const clopt::exchange::Problem& problem, const clopt::exchange::Schedule& schedule);

}  // namespace clopt::apps::exchange
