/// \file
/// The least largest load of a link over all fractional routings by shortest paths, as a linear programme.
#pragma once

#include <optional>
#include <vector>

#include <exchange/network/routing.hpp>

namespace clopt::exchange {

/// The optimum of the linear programme, up to the solver's tolerance.
struct LoadOptimum {
  double load = 0;              ///< the least largest load
  std::vector<double> weights;  ///< its dual: one for each link, which sum up to 1
};

/// Whether this build has a solver of linear programmes.
bool has_linear_programme();

/// Solves it within a time. Flows are summed by sender: a variable for each sender and link on one of its shortest
/// paths. \returns none without a solver, or where time ran out.
std::optional<LoadOptimum> least_largest_load(const Router& router, double seconds);

/// How many variables the linear programme has.
std::size_t variables_of(const Router& router);

}  // namespace clopt::exchange
