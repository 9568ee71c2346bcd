/* The stage of a fit that calls the objective. */
#define INDIVIDUAL_SPACE global
#include "common/objective.cl"
#include "shared/differential_evolution/least_squares.h"

/* The residuals of `each` vectors of the fits that stand where `taken` says: a work-item for
 * each datum of each vector. */
kernel void find_residuals(global const real* points, global const real* rows, global const real* tables,
                           global const fit_state* states, global real* residuals, fit_settings settings, uint each,
                           uint taken) {
#ifdef OBJECTIVE_RESIDUAL
  const ulong id = get_global_id(0);
  const ulong point = id / settings.data;
  const ulong fit = point / each;
  if (fit >= settings.fits || fit_takes(taken, states[fit].phase) == 0u) return;
  individual x;
  x.first = points + point * settings.parameters;
  x.stride = 1;
  x.gene_count = settings.parameters;
  x.column_count = settings.columns;
  x.row_values = rows + fit / settings.starts * settings.columns;
  x.tables = tables;
  residuals[id] = objective_residual(x, (uint)(id % settings.data));
#endif
}
