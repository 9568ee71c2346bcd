/// \file
/// Parts of a generation in vectors of 256 bits. Only for processors with AVX2.
#pragma once

#include "lanes.hpp"

namespace clopt::openmp::differential_evolution {

#ifdef __x86_64__

/// As the functions of lanes.hpp.
void draw_three_avx2(const std::uint32_t* words, std::size_t count, std::uint32_t population, std::uint32_t dimensions,
                     std::uint32_t* drawn);
void draw_taken_avx2(const GroupWords& words, const TakenGroup& group, std::size_t count, std::uint32_t* taken);
void make_rows_avx2(const TrialRows<float>& rows, float* trials);
void make_rows_avx2(const TrialRows<double>& rows, double* trials);
void transpose_avx2(const float* rows, std::size_t count, std::size_t length, std::size_t parameters, float* columns);
void transpose_avx2(const double* rows, std::size_t count, std::size_t length, std::size_t parameters, double* columns);

#endif

}  // namespace clopt::openmp::differential_evolution
