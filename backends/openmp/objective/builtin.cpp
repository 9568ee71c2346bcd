/// \file
/// The built-in objectives, compiled for this processor's instruction sets.
#include "builtin.hpp"

#include <shared/elementary/elementary.h>
#include <support/vectorize.hpp>

#define OBJECTIVE_CLONES(attributes, result, name, parameters, arguments) \
  CLOPT_VECTORIZE_WITH(attributes, static, result, name, parameters, arguments)
#ifdef CLOPT_VECTOR_POPCOUNT
#define OBJECTIVE_POPCOUNT CLOPT_VECTOR_POPCOUNT
#define OBJECTIVE_HAS_POPCOUNT (uses_avx512() && __builtin_cpu_supports("avx512vpopcntdq"))
#endif
// What another module might replace would not be inlined.
#pragma GCC visibility push(hidden)
#include <generated/builtin_objectives.inc>
#pragma GCC visibility pop

namespace clopt::openmp {

ObjectiveFunction find_builtin_objective(std::string_view name, bool double_precision) {
#define CLOPT_OBJECTIVE(objective)                                           \
  if (name == #objective)                                                    \
    return double_precision ? &shared::objective::double_precision::evaluate \
                            : &shared::objective::single_precision::evaluate;
#include <generated/objectives.inc>
#undef CLOPT_OBJECTIVE
  return nullptr;
}

}  // namespace clopt::openmp
