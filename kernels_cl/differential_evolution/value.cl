/* The objective's value of an individual, as all kernels take it. */
#ifndef CLOPT_DIFFERENTIAL_EVOLUTION_VALUE_CL
#define CLOPT_DIFFERENTIAL_EVOLUTION_VALUE_CL

#include "common/objective.cl"

/* The smaller, the better: of an objective that is maximised (MAXIMISE), the negative. NaN becomes the worst value, and
 * is counted. */
static inline real value_of(INDIVIDUAL_SPACE const real* first, uint stride, global const real* row_values,
                            global const real* tables, uint column_count, private uint* invalid) {
  individual x;
  x.first = first;
  x.stride = stride;
  x.gene_count = DIMENSIONS;
  x.column_count = column_count;
  x.row_values = row_values;
  x.tables = tables;
  const real value = objective_of(x);
  if (value == value) return MAXIMISE ? -value : value;
  ++*invalid;
  return (real)INFINITY;
}

#endif
