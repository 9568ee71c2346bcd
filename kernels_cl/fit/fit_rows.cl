/* Fits of many rows of data, a work-item each. */
#include "fit/fit_items.cl"

#ifdef FIT_PARAMETERS
static inline individual fit_individual(global const real* rows, global const real* tables, uint fit,
                                        fit_rows_settings settings) {
  individual x;
  x.first = 0;
  x.stride = 1;
  x.gene_count = FIT_PARAMETERS;
  x.column_count = settings.columns;
  x.row_values = rows + fit;
  x.row_stride = settings.fits;
  x.tables = tables;
  return x;
}

/* Work-items beyond the last fit do that again: Intel's runtime rounds otherwise where some of a group have left. */
static inline uint fit_of_item(fit_rows_settings settings) {
  const uint item = (uint)get_global_id(0);
  return settings.first + (item < settings.count ? item : settings.count - 1u);
}
#endif

/* Fits rows from their guesses on. Number k of fit f is at k * fits + f of guesses, bounds, rows and parameters; what
 * all fits share is at k. `values` has each fit's sum of squares, times the square of the scale that follows all values;
 * `states` how it ended, and 256 times its rounds. */
kernel void fit_rows(global const real* rows, global const real* tables, global const real* guesses,
                     global const real* lower, global const real* upper, global real* parameters, global real* values,
                     global uint* states, fit_rows_settings settings) {
#ifdef FIT_PARAMETERS
  const uint fit = fit_of_item(settings);
  const individual x = fit_individual(rows, tables, fit, settings);
  fit_work w;
  fit_begin_at(&w, guesses, settings.own_guess, lower, upper, fit, settings);
  fit_measure_data(&w, x);
  while (w.status == (real)FIT_RUNS) fit_round(&w, x, (real)settings.most_rounds);
  fit_store(&w, parameters, values, states, fit, settings.fits);
#endif
}

/* Finds the errors and correlations of fits at their parameters: number `pair` of errors.h at pair * fits + f. */
kernel void find_errors(global const real* rows, global const real* tables, global const real* lower,
                        global const real* upper, global const real* parameters, global real* errors,
                        fit_rows_settings settings) {
#ifdef FIT_PARAMETERS
  const uint fit = fit_of_item(settings);
  fit_work w;
  real found[FIT_PAIRS];
  uint k;
  fit_begin_at(&w, parameters, 1u, lower, upper, fit, settings);
  fit_find_errors(&w, fit_individual(rows, tables, fit, settings), found);
  for (k = 0; k < FIT_PAIRS; ++k) errors[(ulong)k * settings.fits + fit] = found[k];
#endif
}
