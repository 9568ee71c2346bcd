/* The way between individuals, a word for 32 loci, and rows, a word for 32 individuals. */
#ifndef CLOPT_ECGA_TRANSPOSE_CL
#define CLOPT_ECGA_TRANSPOSE_CL

/* Transposes 32 words: bit i of word j becomes bit j of word i. Each step swaps off-diagonal blocks of `width`. */
#define TRANSPOSE_STEP(matrix, width, mask)                                          \
  _Pragma("unroll") for (uint k = 0; k < 32u; ++k) {                                 \
    if ((k & (width)) == 0u) {                                                       \
      const uint swapped = (matrix[k] >> (width) ^ matrix[k + (width)]) & (mask);    \
      matrix[k + (width)] ^= swapped;                                                \
      matrix[k] ^= swapped << (width);                                               \
    }                                                                                \
  }
#define TRANSPOSE(matrix)                  \
  TRANSPOSE_STEP(matrix, 16u, 0x0000ffffu) \
  TRANSPOSE_STEP(matrix, 8u, 0x00ff00ffu)  \
  TRANSPOSE_STEP(matrix, 4u, 0x0f0f0f0fu)  \
  TRANSPOSE_STEP(matrix, 2u, 0x33333333u)  \
  TRANSPOSE_STEP(matrix, 1u, 0x55555555u)

#endif
