// Compiles a file once for each instruction set, with the vectors of lanes.hpp:
//
//   #define CLOPT_CODE <openmp/ecga/patterns_code.hpp>
//   #include <openmp/simd/each_set.hpp>
//
// The file's functions are in an unnamed namespace and in one named CLOPT_SET within it; CLOPT_BEST(function) is the
// one that instruction_set() allows. They are compiled for their set by pragmas, not by options of a whole file, since
// inline functions of other headers must stay valid for every processor. The pragmas may pass over lambdas: only
// constants are made by some. A loop that the compiler makes vectors of needs none of this: see CLOPT_VECTORIZE.
// No guard: include it for one file of code, behind all headers.

#include <support/numbers/instruction_set.hpp>

#include <openmp/simd/intrinsics.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#define CLOPT_SET plain
#define CLOPT_LANE_BYTES 16
#include "lanes.hpp"
#include CLOPT_CODE
#undef CLOPT_SET
#undef CLOPT_LANE_BYTES

#ifdef __x86_64__

#define CLOPT_SET avx2
#define CLOPT_LANE_BYTES 32
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,popcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2,popcnt")
#endif
#include "lanes.hpp"
#include CLOPT_CODE
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#undef CLOPT_SET
#undef CLOPT_LANE_BYTES

#define CLOPT_SET avx512
#define CLOPT_LANE_BYTES 64
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512vl,bmi,bmi2,popcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512vl,bmi,bmi2,popcnt")
#endif
#include "lanes.hpp"
#include CLOPT_CODE
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#undef CLOPT_SET
#undef CLOPT_LANE_BYTES

#define CLOPT_FOR(set, ...)                                      \
  ((set) == clopt::InstructionSet::avx512 ? &avx512::__VA_ARGS__ \
   : (set) == clopt::InstructionSet::avx2 ? &avx2::__VA_ARGS__   \
                                          : &plain::__VA_ARGS__)

#else

#define CLOPT_FOR(set, ...) (&plain::__VA_ARGS__)

#endif

#define CLOPT_BEST(...) CLOPT_FOR(clopt::instruction_set(), __VA_ARGS__)

#undef CLOPT_CODE
