#include "lanes.hpp"

#include <algorithm>
#include <cstring>

#define CLOPT_CODE <openmp/differential_evolution/vectors/lanes_code.hpp>
#include <openmp/simd/each_set.hpp>

namespace clopt::openmp::differential_evolution {

std::size_t padded_individuals(std::size_t count) {
  const std::size_t block = uses_avx512() ? 16 : 8;
  return (count + block - 1) / block * block;
}

void draw_three(const std::uint32_t* words, std::size_t count, std::uint32_t population, std::uint32_t dimensions,
                std::uint32_t* drawn) {
  CLOPT_BEST(draw_three)(words, count, population, dimensions, drawn);
}

void draw_taken(const GroupWords& words, const TakenGroup& group, std::size_t count, std::uint32_t* taken) {
  CLOPT_BEST(draw_taken)(words, group, count, taken);
}

std::size_t make_rows(const TrialRows<float>& rows, float* trials) {
  return CLOPT_BEST(make_rows<float>)(rows, trials);
}
std::size_t make_rows(const TrialRows<double>& rows, double* trials) {
  return CLOPT_BEST(make_rows<double>)(rows, trials);
}

std::uint32_t replace_rows(const Selection<float>& selection, std::size_t length) {
  return CLOPT_BEST(replace_rows<float>)(selection, length);
}
std::uint32_t replace_rows(const Selection<double>& selection, std::size_t length) {
  return CLOPT_BEST(replace_rows<double>)(selection, length);
}

void transpose(const float* rows, std::size_t count, std::size_t length, std::size_t parameters, float* columns) {
  CLOPT_BEST(transpose<float>)(rows, count, length, parameters, columns);
}
void transpose(const double* rows, std::size_t count, std::size_t length, std::size_t parameters, double* columns) {
  CLOPT_BEST(transpose<double>)(rows, count, length, parameters, columns);
}

}  // namespace clopt::openmp::differential_evolution
