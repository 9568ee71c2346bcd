/// \file
/// The solvers that the package has, by the names of their functions. Without Python: the build uses it too.
#pragma once

#include <clopt/differential_evolution.hpp>
#include <clopt/ecga.hpp>
#include <clopt/exchange.hpp>
#include <clopt/fit.hpp>
#include <clopt/genetic.hpp>
#include <clopt/subset_sum.hpp>

namespace clopt::python {

/// Calls a function with the name and the default options of each solver.
template <class Work>
void for_each_solver(Work work) {
  work("subset_sum", subset_sum::Options());
  work("genetic", genetic::Options());
  work("differential_evolution", differential_evolution::Options());
  work("ecga", ecga::Options());
  work("exchange", exchange::Options());
  work("fit", fit::Options());
}

}  // namespace clopt::python
