/* Fits of few rows with very many data: a round is a launch over sections of the data, launches that add what those
 * found, and one that resumes from the sums. */
#include "fit/fit_items.cl"

#ifdef FIT_PARAMETERS
#include "shared/fit/sections.h"

static inline fit_work load_work(global const real* work, uint row) { return ((global const fit_work*)work)[row]; }
static inline void store_work(global real* work, uint row, const fit_work* w) { ((global fit_work*)work)[row] = *w; }
#endif

/* Begins fits at their guesses. `extents` has the least and the greatest datum of each; `work` room for what is known of
 * it. The others are as fit_rows has them. */
kernel void begin_long_rows(global const real* extents, global const real* guesses, global const real* lower,
                            global const real* upper, global real* work, fit_rows_settings settings) {
#ifdef FIT_PARAMETERS
  const uint row = (uint)get_global_id(0);
  fit_work w;
  if (row >= settings.count) return;
  fit_begin_at(&w, guesses, settings.own_guess, lower, upper, row, settings);
  fit_set_scale(&w, extents[2u * row], extents[2u * row + 1u]);
  store_work(work, row, &w);
#endif
}

/* A pass over the data of some sections. `parts` gets number `sum` of section s of a row at (row * sums + sum) *
 * sections + s. Rows whose fits have ended are left out. */
kernel void evaluate_sections(global const real* rows, global const real* tables, global const real* work,
                              global real* parts, long_rows_settings settings) {
#ifdef FIT_PARAMETERS
  const uint item = (uint)get_global_id(0);
  const uint place = settings.first + (item < settings.count ? item : settings.count - 1u);
  const uint row = place / settings.sections;
  const uint section = place % settings.sections;
  const fit_work w = load_work(work, row);
  fit_found found;
  individual x;
  uint sum;
  if (w.status != (real)FIT_RUNS) return;
  x.first = 0;
  x.stride = 1;
  x.gene_count = FIT_PARAMETERS;
  x.column_count = settings.columns;
  x.row_values = rows + (ulong)row * settings.columns;
  x.row_stride = 1;
  x.tables = tables;
  fit_evaluate(&w, x, fit_section_begin(section), FIT_TILE_SECTIONS, fit_section_end(section, columns(x)), &found);
  for (sum = 0; sum < FIT_SUMS; ++sum)
    parts[((ulong)row * FIT_SUMS + sum) * settings.sections + section] = fit_sum(&found, sum);
#endif
}

/* Advances the fits of which a pass is complete. `running` gets whether there is another round; the others are as
 * fit_rows has them. */
kernel void advance_long_rows(global const real* sums, global real* work, global real* parameters, global real* values,
                              global uint* states, global uint* running, long_rows_settings settings) {
#ifdef FIT_PARAMETERS
  const uint row = (uint)get_global_id(0);
  fit_found found;
  fit_work w;
  if (row >= settings.rows) return;
  w = load_work(work, row);
  if (w.status == (real)FIT_RUNS) {
    fit_add_sums(sums + (ulong)row * FIT_SUMS * settings.sums, settings.sums, &found);
    fit_advance(&w, &found, settings.columns / OBJECTIVE_ROW_PARTS, (real)settings.most_rounds);
    store_work(work, row, &w);
  }
  fit_store(&w, parameters, values, states, row, settings.fits);
  running[row] = w.status == (real)FIT_RUNS ? 1u : 0u;
#endif
}

/* Finds the errors of fits that began at their parameters, of which a pass is complete. `running` gets whether they need
 * another pass; `errors` is as find_errors has it. */
kernel void advance_errors(global const real* sums, global real* work, global real* errors, global uint* running,
                           long_rows_settings settings) {
#ifdef FIT_PARAMETERS
  const uint row = (uint)get_global_id(0);
  fit_found found;
  real inverse[FIT_PAIRS];
  fit_work w;
  uint k;
  if (row >= settings.rows) return;
  w = load_work(work, row);
  if (w.status == (real)FIT_RUNS) {
    fit_add_sums(sums + (ulong)row * FIT_SUMS * settings.sums, settings.sums, &found);
    if (!fit_take_slopes(&w, &found, settings.columns / OBJECTIVE_ROW_PARTS)) w.status = (real)FIT_BY_SLOPE;
    store_work(work, row, &w);
    fit_invert(&w, inverse);
    for (k = 0; k < FIT_PAIRS; ++k) errors[(ulong)k * settings.fits + row] = inverse[k];
  }
  running[row] = w.status == (real)FIT_RUNS ? 1u : 0u;
#endif
}
