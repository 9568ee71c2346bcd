/// \file
/// Counting the ones of individuals on processors that do not count the bits of a vector's words.
#pragma once

#include <objective/batch.hpp>

namespace clopt::openmp {

/// Sets the values to the numbers of ones, as the objective onemax does, where an individual's elements lie side by
/// side (gene_step 1).
template <class Real>
void count_ones(const ObjectiveBatch& batch);

}  // namespace clopt::openmp
