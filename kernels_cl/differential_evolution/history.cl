/* The least values of each generation of a launch, for statistics. */
#include "differential_evolution/population.cl"

/* The least of each `population` values of `history`, the first of equal ones: those of a problem in a generation.
 * `count` of them, a work-item each. */
kernel void least_values(global const real* history, global real* least, uint population, ulong count) {
  const ulong n = get_global_id(0);
  if (n >= count) return;
  global const real* const own = history + n * population;
  real found = (real)INFINITY;
  for (uint i = 0; i < population; ++i) found = own[i] < found ? own[i] : found;
  least[n] = found;
}
