/* An individual as the text of an objective sees it, and the words that the text may use beside the language's own.
 *
 * Included before the text, once for each objective and precision: so it has no guard. The program or the includer
 * defines OBJECTIVE_KIND (0 bits, 1 reals, 2 integers, 3 a permutation), OBJECTIVE_FORM (see objective_sum.h),
 * OBJECTIVE_DOUBLE (whether `real` is double), OBJECTIVE_CHECKED (whether what is read past an end must be 0: of all
 * texts but ours, which read nothing there) and, if the number of genes is known, OBJECTIVE_GENES. In OpenCL C
 * INDIVIDUAL_SPACE is the address space of the genes.
 */
#ifdef __OPENCL_VERSION__

#ifndef INDIVIDUAL_SPACE
#define INDIVIDUAL_SPACE global
#endif
#define OBJECTIVE_GLOBAL global
#define OBJECTIVE_FUNCTION static inline

/* Macros, since the names are taken by functions whose last bits differ from platform to platform. */
#undef exp
#undef log
#undef sin
#undef cos
#undef pow
#undef sinpi
#undef cospi
#if OBJECTIVE_DOUBLE
#define exp(x) clopt_exp_double(x)
#define log(x) clopt_log_double(x)
#define sin(x) clopt_sin_double(x)
#define cos(x) clopt_cos_double(x)
#define pow(x, y) clopt_pow_double(x, y)
#define sinpi(x) clopt_sinpi_double(x)
#define cospi(x) clopt_cospi_double(x)
#define sinpi_fraction(x) clopt_sinpi_fraction_double(x)
#else
#define exp(x) clopt_exp_float(x)
#define log(x) clopt_log_float(x)
#define sin(x) clopt_sin_float(x)
#define cos(x) clopt_cos_float(x)
#define pow(x, y) clopt_pow_float(x, y)
#define sinpi(x) clopt_sinpi_float(x)
#define cospi(x) clopt_cospi_float(x)
#define sinpi_fraction(x) clopt_sinpi_fraction_float(x)
#endif
#undef M_PI
#undef M_E

#else

#define INDIVIDUAL_SPACE
#define OBJECTIVE_GLOBAL
#define OBJECTIVE_FUNCTION [[maybe_unused, gnu::always_inline]] static inline
#undef M_PI
#undef M_E

OBJECTIVE_FUNCTION real exp(real x) { return clopt_exp(x); }
OBJECTIVE_FUNCTION real log(real x) { return clopt_log(x); }
#if OBJECTIVE_MODERATE
/* For loops over many individuals: what has a NaN is taken again, one by one, with the whole functions. */
OBJECTIVE_FUNCTION real sin(real x) { return clopt_sin_moderate(x); }
OBJECTIVE_FUNCTION real cos(real x) { return clopt_cos_moderate(x); }
#else
OBJECTIVE_FUNCTION real sin(real x) { return clopt_sin(x); }
OBJECTIVE_FUNCTION real cos(real x) { return clopt_cos(x); }
#endif
OBJECTIVE_FUNCTION real pow(real x, real y) { return clopt_pow(x, y); }
OBJECTIVE_FUNCTION real sinpi(real x) { return clopt_sinpi(x); }
OBJECTIVE_FUNCTION real cospi(real x) { return clopt_cospi(x); }
/* sinpi(x) for |x| <= 1/2. */
OBJECTIVE_FUNCTION real sinpi_fraction(real x) { return clopt_sinpi_fraction(x); }

#endif

/* A literal of the precision. */
#undef OBJECTIVE_REAL
#if OBJECTIVE_DOUBLE
#define OBJECTIVE_REAL(number) number
#else
#define OBJECTIVE_REAL(number) number##f
#endif
#define M_PI OBJECTIVE_REAL(3.14159265358979323846)
#define M_E OBJECTIVE_REAL(2.71828182845904523536)

#include "words.h"

#if OBJECTIVE_KIND == 1
typedef real individual_gene;
#elif OBJECTIVE_KIND == 2
typedef int individual_gene;
#else
typedef uint individual_gene;
#endif

/* Where a real stands for those of many individuals (OBJECTIVE_VECTOR), the including file defines the individual. */
#ifndef OBJECTIVE_VECTOR
/* Element i of the genes lies at first[i * stride]; the elements of bits are words of 32, the lowest bit first. */
typedef struct {
  INDIVIDUAL_SPACE const individual_gene* first;
  uint stride;
  uint gene_count;
  uint column_count;
  OBJECTIVE_GLOBAL const real* row_values;
  OBJECTIVE_GLOBAL const real* tables;
#ifdef OBJECTIVE_STRIDED_ROWS
  ulong row_stride; /* from a number of the row to the next one */
#endif
} individual;
#endif

/* How many genes there are. */
OBJECTIVE_FUNCTION uint genes(individual x) {
#ifdef OBJECTIVE_GENES
  return OBJECTIVE_GENES;
#else
  return x.gene_count;
#endif
}

/* Parts that a problem's row has on the device, equally long: the data and, of fits, abscissas and standard deviations
 * where each row has its own. */
#ifndef OBJECTIVE_ROW_PARTS
#define OBJECTIVE_ROW_PARTS 1u
#endif

/* The data of this individual's problem: values j from 0 to columns - 1. */
OBJECTIVE_FUNCTION uint columns(individual x) { return x.column_count / OBJECTIVE_ROW_PARTS; }

/* What is read past an end is 0. A check that the compiler knows the outcome of, as in a loop over all genes, costs
 * nothing. */
#undef OBJECTIVE_INSIDE
#if OBJECTIVE_CHECKED
#define OBJECTIVE_INSIDE(condition) (condition)
#else
#define OBJECTIVE_INSIDE(condition) 1
#endif

#ifndef OBJECTIVE_VECTOR
#ifdef OBJECTIVE_UNPACKED
/* Bits of which each has an element of its own. */
OBJECTIVE_FUNCTION uint gene(individual x, uint i) { return i < genes(x) ? x.first[(ulong)i * x.stride] : 0u; }
OBJECTIVE_FUNCTION uint gene_word(individual x, uint word) {
  uint bits = 0u;
  uint k;
  for (k = 0u; k < 32u; ++k) bits |= gene(x, 32u * word + k) << k;
  return bits;
}
#elif OBJECTIVE_KIND == 0
/* Genes 32 * word to 32 * word + 31, the first in the lowest bit; beyond the last gene there are zeros. */
OBJECTIVE_FUNCTION uint gene_word(individual x, uint word) {
  const bool inside = OBJECTIVE_INSIDE(word < (genes(x) + 31u) / 32u);
  return inside ? x.first[(ulong)word * x.stride] : 0u;
}
OBJECTIVE_FUNCTION uint gene(individual x, uint i) {
  const bool inside = OBJECTIVE_INSIDE(i < genes(x));
  return inside ? x.first[(ulong)(i >> 5) * x.stride] >> (i & 31u) & 1u : 0u;
}
#else
OBJECTIVE_FUNCTION individual_gene gene(individual x, uint i) {
  const bool inside = OBJECTIVE_INSIDE(i < genes(x));
  return inside ? x.first[(ulong)i * x.stride] : (individual_gene)0;
}
#endif

/* Number `place` of the row that the problem has on the device; the caller checks the end. */
#ifdef OBJECTIVE_STRIDED_ROWS
OBJECTIVE_FUNCTION real objective_row(individual x, uint place) { return x.row_values[place * x.row_stride]; }
#else
OBJECTIVE_FUNCTION real objective_row(individual x, uint place) { return x.row_values[place]; }
#endif

/* All tables of the objective, one behind the other; the caller checks the end. */
OBJECTIVE_FUNCTION real table_value(individual x, uint i) { return x.tables[i]; }
#endif

/* There may be no column at all. */
OBJECTIVE_FUNCTION real row(individual x, uint j) { return j < columns(x) ? objective_row(x, j) : (real)0; }

#ifdef OBJECTIVE_RESIDUAL
/* The place of datum j, and its standard deviation. OBJECTIVE_ABSCISSA and OBJECTIVE_SIGMA are the part of the row that
 * has them; OBJECTIVE_COUNTED: j itself, and 1; OBJECTIVE_TABLE: tables have these names. */
#define OBJECTIVE_COUNTED 0
#define OBJECTIVE_TABLE 3
#if OBJECTIVE_ABSCISSA == OBJECTIVE_COUNTED
OBJECTIVE_FUNCTION real abscissa(individual x, uint j) { return j < columns(x) ? (real)j : (real)0; }
#elif OBJECTIVE_ABSCISSA != OBJECTIVE_TABLE
OBJECTIVE_FUNCTION real abscissa(individual x, uint j) {
  return j < columns(x) ? objective_row(x, OBJECTIVE_ABSCISSA * columns(x) + j) : (real)0;
}
#endif
#if OBJECTIVE_SIGMA == OBJECTIVE_COUNTED
OBJECTIVE_FUNCTION real sigma(individual x, uint j) { return j < columns(x) ? (real)1 : (real)0; }
#elif OBJECTIVE_SIGMA != OBJECTIVE_TABLE
OBJECTIVE_FUNCTION real sigma(individual x, uint j) {
  return j < columns(x) ? objective_row(x, OBJECTIVE_SIGMA * columns(x) + j) : (real)0;
}
#endif
#endif

/* Value i of a table of `size` values that begins at `first`. */
OBJECTIVE_FUNCTION real objective_table(individual x, uint first, uint size, uint i) {
  return i < size ? table_value(x, first + i) : (real)0;
}

#ifndef __OPENCL_VERSION__
/* An index is a whole number: one that comes from a NaN would read anywhere. */
template <std::floating_point Index>
individual_gene gene(individual, Index) = delete;
template <std::floating_point Index>
real row(individual, Index) = delete;
template <std::floating_point Index>
real table_value(individual, Index) = delete;
#endif
