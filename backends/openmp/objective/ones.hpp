/// \file
/// Counting the ones of individuals on processors that do not count the bits of a vector's words.
#pragma once

#include <objective/batch.hpp>

namespace clopt::openmp {

/// Sets the values, of type Real, to the numbers of ones; genes of bits, elements of 32, side by side in an individual.
/// Only for processors with AVX2.
template <class Real>
void count_ones(const ObjectiveBatch& batch);

}  // namespace clopt::openmp
