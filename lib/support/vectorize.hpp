/// \file
/// Compiles a function for several instruction sets; the processor's best is chosen when the module is loaded.
#pragma once

// The choice is made before a sanitizer's runtime is ready.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(CLOPT_SANITIZED)
#define CLOPT_VECTORIZE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define CLOPT_VECTORIZE
#endif

// Compiles a function for processors that count the bits of a vector's words; whoever calls it asks for
// "avx512vpopcntdq" before.
#ifdef __x86_64__
#define CLOPT_VECTOR_POPCOUNT __attribute__((target("avx512f,avx512vpopcntdq")))
#endif
