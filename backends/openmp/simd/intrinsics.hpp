/// \file
/// The processor's vector instructions, where it has any. Include it last: it quiets warnings of what follows.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#if defined(__GNUC__) && !defined(__clang__)
// g++ 12 warns of operands that its own intrinsics leave undefined (its bug 105593).
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif
