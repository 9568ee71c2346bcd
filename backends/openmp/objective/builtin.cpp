/// \file
/// The built-in objectives, compiled for this processor's instruction sets.
#include "builtin.hpp"

#include <shared/objective/scalar.h>
#include <support/numbers/vectorize.hpp>
#include "ones.hpp"

#define OBJECTIVE_CLONES(attributes, result, name, parameters, arguments) \
  CLOPT_VECTORIZE_WITH(attributes, static, result, name, parameters, arguments)
#ifdef CLOPT_VECTOR_POPCOUNT
#define OBJECTIVE_POPCOUNT CLOPT_VECTOR_POPCOUNT
#define OBJECTIVE_HAS_POPCOUNT has_vector_popcount()
#endif
// What another module might replace would not be inlined.
#pragma GCC visibility push(hidden)
#include <generated/builtin_objectives.inc>
#pragma GCC visibility pop

namespace clopt::openmp {
namespace {

template <class Real>
void evaluate_onemax(const ObjectiveBatch& batch) {
  if (batch.gene_step == 1) return count_ones<Real>(batch);
  if constexpr (std::is_same_v<Real, double>)
    shared::onemax::double_precision::evaluate(batch);
  else
    shared::onemax::single_precision::evaluate(batch);
}

}  // namespace

ObjectiveFunction find_builtin_objective(std::string_view name, bool double_precision) {
  // The compiler makes vectors of the text's word of ones only where the processor counts a vector's.
  if (name == "onemax" && !has_vector_popcount())
    return double_precision ? &evaluate_onemax<double> : &evaluate_onemax<float>;
#define CLOPT_OBJECTIVE(objective)                                           \
  if (name == #objective)                                                    \
    return double_precision ? &shared::objective::double_precision::evaluate \
                            : &shared::objective::single_precision::evaluate;
#include <generated/objectives.inc>
#undef CLOPT_OBJECTIVE
  return nullptr;
}

}  // namespace clopt::openmp
