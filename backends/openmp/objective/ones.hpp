/// \file
/// Counting the ones of individuals on processors that do not count the bits of a vector's words.
#pragma once

#include <objective/batch.hpp>

namespace clopt::openmp {

#ifdef __x86_64__
/// Sets the values to the numbers of ones, as the objective onemax does, where an individual's elements lie side by
/// side (gene_step 1). Only for processors with AVX2.
template <class Real>
void count_ones(const ObjectiveBatch& batch);
#endif

}  // namespace clopt::openmp
