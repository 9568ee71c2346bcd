/// \file
/// Compiles a function for several instruction sets; the best that instruction_set() allows is called.
#pragma once

#include "instruction_set.hpp"

// CLOPT_VECTORIZE(double, sum, (const double* numbers, int count), (numbers, count)) { ... }
// defines `double sum(const double* numbers, int count)`. The name must not be used in the body.
#define CLOPT_VECTORIZE(result, name, parameters, arguments) \
  CLOPT_VECTORIZE_WITH(, , result, name, parameters, arguments)

#ifdef __x86_64__
// With attributes of the functions that the body is put into, and with the linkage of the one that is called.
#define CLOPT_VECTORIZE_WITH(attributes, linkage, result, name, parameters, arguments)     \
  [[gnu::always_inline]] static inline result name##_vectorized parameters;                \
  __attribute__((target("avx512f"))) attributes static result name##_avx512 parameters {   \
    return name##_vectorized arguments;                                                    \
  }                                                                                        \
  __attribute__((target("avx2"))) attributes static result name##_avx2 parameters {        \
    return name##_vectorized arguments;                                                    \
  }                                                                                        \
  attributes static result name##_plain parameters { return name##_vectorized arguments; } \
  linkage result name parameters {                                                         \
    if (clopt::uses_avx512()) return name##_avx512 arguments;                              \
    if (clopt::uses_avx2()) return name##_avx2 arguments;                                  \
    return name##_plain arguments;                                                         \
  }                                                                                        \
  static inline result name##_vectorized parameters
#else
#define CLOPT_VECTORIZE_WITH(attributes, linkage, result, name, parameters, arguments) \
  attributes linkage result name parameters
#endif

namespace clopt {

/// Whether CLOPT_VECTOR_POPCOUNT may be called: the processor counts the bits of a vector's words.
inline bool has_vector_popcount() {
#ifdef __x86_64__
  return uses_avx512() && __builtin_cpu_supports("avx512vpopcntdq");
#else
  return false;
#endif
}

}  // namespace clopt

// Compiles a function for processors with has_vector_popcount().
#ifdef __x86_64__
#define CLOPT_VECTOR_POPCOUNT __attribute__((target("avx512f,avx512vpopcntdq")))
#endif
