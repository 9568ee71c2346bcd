/// \file
/// The solvers that the package has, by the names of their functions. Without Python: the build uses it too.
#pragma once

#include <clopt/solvers.hpp>

namespace clopt::python {

/// Calls a function with the name and the default options of each solver.
template <class Work>
void for_each_solver(Work work) {
#define CLOPT_SOLVER(name) work(#name, name::Options());
#include <python_solvers.inc>
#undef CLOPT_SOLVER
}

}  // namespace clopt::python
