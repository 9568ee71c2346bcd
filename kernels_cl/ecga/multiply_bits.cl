/* The instruction of 1-bit matrix units. */
#ifndef CLOPT_ECGA_MULTIPLY_BITS_CL
#define CLOPT_ECGA_MULTIPLY_BITS_CL

#ifdef ECGA_MATRIX_UNITS
/* sums += the ones of the ands of 16 rows and 8 columns of 256 bits. */
#define MULTIPLY_BITS(sums, a, b, c, d, e, f)                                                                      \
  asm volatile(                                                                                                    \
      "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "   \
      "{%0, %1, %2, %3};"                                                                                          \
      : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])                                                 \
      : "r"(a), "r"(b), "r"(c), "r"(d), "r"(e), "r"(f))
#endif

#endif
