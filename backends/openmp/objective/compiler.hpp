/// \file
/// Compiles objectives of users with the system's C++ compiler.
#pragma once

#include "builtin.hpp"

#include <clopt/program.hpp>
#include <objective/fit_batch.hpp>

namespace clopt::openmp {

using FitFunction = void (*)(const FitBatch&);
using LongRowsFunction = void (*)(const LongRowsBatch&);

/// What a text becomes: of a program of fits, `fits` or `long_rows` alone.
struct CompiledObjective {
  ObjectiveFunction evaluate = nullptr;
  ObjectiveFunction exact = nullptr;      ///< the same by the plain reading, one individual after the other
  ObjectiveFunction residuals = nullptr;  ///< of a fit; else null
  FitFunction fits = nullptr;             ///< of kernels_cl/fit
  LongRowsFunction long_rows = nullptr;   ///< of kernels_cl/fit/long_rows.cl
  bool is_loaded() const { return evaluate || fits || long_rows; }
};

/// Compiles the text of a program, or finds it compiled in the cache; the code stays until the process ends.
/// \throws BuildError with the compiler's log; InvalidInput where there is no compiler, with what to do.
CompiledObjective compile_objective(const Program& program);

}  // namespace clopt::openmp
