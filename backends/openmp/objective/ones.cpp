#include "ones.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

#define CLOPT_CODE <openmp/objective/ones_code.hpp>
#include <openmp/simd/each_set.hpp>

namespace clopt::openmp {

template <class Real>
void count_ones(const ObjectiveBatch& batch) {
  CLOPT_BEST(count_ones<Real>)(batch);
}
template void count_ones<float>(const ObjectiveBatch&);
template void count_ones<double>(const ObjectiveBatch&);

}  // namespace clopt::openmp
