/* What the kernels of fits have in common. */
#ifndef CLOPT_FIT_FIT_ITEMS_CL
#define CLOPT_FIT_FIT_ITEMS_CL

#define INDIVIDUAL_SPACE private
#define OBJECTIVE_STRIDED_ROWS
#include "common/objective.cl"
#include "shared/fit/fit.h"

#ifdef FIT_PARAMETERS
#include "shared/fit/levenberg_marquardt.h"

#include "shared/fit/errors.h"

/* A fit that begins at a vector. */
static inline void fit_begin_at(fit_work* w, global const real* guesses, uint own_guess, global const real* lower,
                                global const real* upper, uint fit, fit_rows_settings settings) {
  uint k;
  for (k = 0; k < FIT_PARAMETERS; ++k) {
    const ulong bound = fit_place(k, fit, settings.own_bounds, settings.fits);
    fit_begin_parameter(w, k, guesses[fit_place(k, fit, own_guess, settings.fits)], lower[bound], upper[bound],
                        settings.fixed);
  }
  fit_begin(w, (real)settings.loss_scale + (real)settings.loss_scale_rest);
}

/* The parameters of a fit, and how it stands. */
static inline void fit_store(const fit_work* w, global real* parameters, global real* values, global uint* states,
                             uint fit, uint fits) {
  uint k;
  for (k = 0; k < FIT_PARAMETERS; ++k) parameters[(ulong)k * fits + fit] = w->parameters[k];
  values[fit] = w->value;
  values[(ulong)fits + fit] = w->scale;
  states[fit] = (uint)fit_final_status(w) + 256u * (uint)w->rounds;
}
#endif

#endif
