#include "strip.hpp"

#define CLOPT_CODE <openmp/subset_sum/strip_code.hpp>
#include <openmp/simd/each_set.hpp>

namespace clopt::openmp::subset_sum {

TakeStrip best_take_strip() { return CLOPT_BEST(take); }

}  // namespace clopt::openmp::subset_sum
