/* Rows of genes on a device; see exchange_row in shared/exchange/umda.h. */
#ifndef CLOPT_EXCHANGE_ROW_CL
#define CLOPT_EXCHANGE_ROW_CL

/* For CLOPT_SUBGROUP_PTX, by which NVIDIA has an instruction for bytes_of(): without it `sample` takes half as long
 * again. */
#include "common/subgroup.cl"
#include "shared/exchange/umda.h"

/* Four bytes of two words, by their numbers in the digits of 4 bits of `numbers`, from the lowest on: 0 to 3 are a's, 4
 * to 7 are b's. Of the upper digits and of each digit's bit 3 nothing may be set. */
static inline uint bytes_of(uint a, uint b, uint numbers) {
#ifdef CLOPT_SUBGROUP_PTX
  uint bytes;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(bytes) : "r"(a), "r"(b), "r"(numbers));
  return bytes;
#else
  const ulong both = (ulong)b << 32 | a;
  uint bytes = 0;
  for (uint i = 0; i < 4u; ++i) bytes |= ((uint)(both >> 8u * (numbers >> 4u * i & 7u)) & 0xffu) << 8u * i;
  return bytes;
#endif
}

/* Byte i of words a to d becomes word i. */
static inline uint4 transposed(uint4 words) {
  const uint low_ab = bytes_of(words.x, words.y, 0x5140u);
  const uint low_cd = bytes_of(words.z, words.w, 0x5140u);
  const uint high_ab = bytes_of(words.x, words.y, 0x7362u);
  const uint high_cd = bytes_of(words.z, words.w, 0x7362u);
  return (uint4)(bytes_of(low_ab, low_cd, 0x5410u), bytes_of(low_ab, low_cd, 0x7632u),
                 bytes_of(high_ab, high_cd, 0x5410u), bytes_of(high_ab, high_cd, 0x7632u));
}

/* A gene of an individual. */
static inline uint read_gene(global const uint* own, exchange_row row, uint gene) {
  if (row.pairs == 0) return own[gene];
  const uint low = ((global const ushort*)own)[gene];
  const uint high = gene / 2u < row.first_high ? 0u : ((global const ushort*)own)[2u * row.high + gene];
  return exchange_of_halves(low, high);
}

/* How some genes of a row lie: a word each, or 16 bits each, without upper bytes or maybe with them. */
#define GENES_ARE_WORDS 0u
#define GENES_ARE_HALVES 1u
#define GENES_ARE_ANY 2u

/* A gene that lies as the compiler knows. */
static inline uint read_known(global const uint* own, exchange_row row, uint known, uint gene) {
  if (known == GENES_ARE_WORDS) return own[gene];
  if (known == GENES_ARE_HALVES) return exchange_of_halves(((global const ushort*)own)[gene], 0);
  return read_gene(own, row, gene);
}

static inline void write_gene(global uint* own, exchange_row row, uint gene, uint value) {
  ((global ushort*)own)[gene] = (ushort)exchange_low_half(value);
  if (gene / 2u >= row.first_high) ((global ushort*)own)[2u * row.high + gene] = (ushort)exchange_high_half(value);
}

#endif
