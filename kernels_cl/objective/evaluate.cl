/* The values of individuals in a buffer, a work-item each. */
#define INDIVIDUAL_SPACE global
#include "common/objective.cl"

/* values[i] = the objective of individual i, for i < count; launched with a work-item for each individual.
   Element j of individual i lies at elements[i * individual_step + j * gene_step], its row of data at
   rows[i * row_step]. gene_type is uint (words of bits, permutations), int (integers) or real; real is float or
   double. gene_count counts genes, also where an element holds 32 of them; column_count is the length of a row, 0
   without data. tables holds all tables of the objective, one behind the other. */
kernel void evaluate(global const gene_type* elements, global const real* rows, global const real* tables,
                     global real* values, ulong count, ulong individual_step, ulong row_step, uint gene_step,
                     uint gene_count, uint column_count) {
  const ulong i = get_global_id(0);
  if (i >= count) return;
  individual x;
  x.first = elements + i * individual_step;
  x.stride = gene_step;
  x.gene_count = gene_count;
  x.column_count = column_count;
  x.row_values = rows + i * row_step;
  x.tables = tables;
  values[i] = objective_of(x);
}
