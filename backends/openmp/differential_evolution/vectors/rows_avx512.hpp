/// \file
/// Parts of a generation in vectors of 512 bits. Only for processors with AVX-512.
#pragma once

#include "lanes.hpp"

namespace clopt::openmp::differential_evolution {

#ifdef __x86_64__
/// As make_rows() of lanes.hpp.
void make_rows_avx512(const TrialRows<float>& rows, float* trials);
void make_rows_avx512(const TrialRows<double>& rows, double* trials);
#endif

}  // namespace clopt::openmp::differential_evolution
