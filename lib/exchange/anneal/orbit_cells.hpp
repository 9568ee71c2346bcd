/// \file
/// Orbits' graphs of shortest paths as cells of two edges, for work-items that have 32 slots each.
#pragma once

#include "search_plan.hpp"

namespace clopt::exchange {

/// Makes a plan's cells and refers its orbits to them, if all graphs, paths and slots are small enough.
void add_cells(SearchPlan& plan);

}  // namespace clopt::exchange
