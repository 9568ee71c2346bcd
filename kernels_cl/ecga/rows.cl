/* Rows of loci, bit i of a row for individual i; word w of an individual i is at population[w * stride + i]. */
#include "ecga/transpose.cl"
#include "shared/ecga/ecga.h"

/* The rows of the selected individuals' loci. A work-item makes a word of 32 rows. Launched over (words of a row, words
 * of an individual). */
kernel void select_rows(global const uint* population, global const uint* parents, global uint* rows, uint individuals,
                        uint stride, uint row_words, uint length) {
  const uint x = (uint)get_global_id(0);
  const uint word = (uint)get_global_id(1);
  if (x >= row_words) return;
  global const uint* words = population + (ulong)word * stride;
  uint matrix[32];
#pragma unroll
  for (uint k = 0; k < 32u; ++k) {
    /* The last individual stands for those that are not there. */
    const uint i = min(32u * x + k, individuals - 1u);
    matrix[k] = words[parents[i]] & (32u * x + k < individuals ? 0xffffffffu : 0u);
  }
  TRANSPOSE(matrix)
#pragma unroll
  for (uint k = 0; k < 32u; ++k)
    if (32u * word + k < length) rows[(ulong)(32u * word + k) * row_words + x] = matrix[k];
}

/* The way back: individuals from rows. Launched over (words of a row, words of an individual). */
kernel void rows_to_population(global const uint* rows, global uint* population, uint stride, uint row_words,
                               uint length) {
  const uint x = (uint)get_global_id(0);
  const uint word = (uint)get_global_id(1);
  if (x >= row_words) return;
  uint matrix[32];
#pragma unroll
  for (uint k = 0; k < 32u; ++k) {
    /* The last locus stands for those that are not there. */
    const uint locus = min(32u * word + k, length - 1u);
    matrix[k] = rows[(ulong)locus * row_words + x] & (32u * word + k < length ? 0xffffffffu : 0u);
  }
  TRANSPOSE(matrix)
#pragma unroll
  for (uint k = 0; k < 32u; ++k) population[(ulong)word * stride + 32u * x + k] = matrix[k];
}
