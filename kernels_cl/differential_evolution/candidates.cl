/* The stage of a simplex that calls the objective. */
#define INDIVIDUAL_SPACE global
#include "differential_evolution/value.cl"
#include "shared/differential_evolution/simplex.h"

/* The values of the candidates of all problems that wait for one: a work-item for each problem. */
kernel void evaluate_candidates(global const real* candidates, global const real* rows, global const real* tables,
                                global const simplex_state* simplices, global real* values,
                                simplex_settings settings) {
  const ulong problem = get_global_id(0);
  if (problem >= settings.problems || simplex_waits(simplices[problem]) == 0u) return;
  uint invalid = 0;
  values[problem] = value_of(candidates + problem, settings.problems, rows + problem * settings.columns, tables,
                             settings.columns, &invalid);
}
