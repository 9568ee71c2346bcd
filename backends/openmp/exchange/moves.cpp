#include "moves.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#define CLOPT_CODE <openmp/exchange/moves_code.hpp>
#include <openmp/simd/each_set.hpp>

namespace clopt::openmp::exchange {

MakeMoves moves_for([[maybe_unused]] InstructionSet set) { return CLOPT_FOR(set, make_moves_of_any); }

}  // namespace clopt::openmp::exchange
