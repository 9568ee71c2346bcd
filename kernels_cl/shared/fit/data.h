/* What a fit takes of its data: their scale, and in a pass over them the residuals and slopes at a trial. Included by
 * levenberg_marquardt.h. */

/* A datum in units of its standard deviation where residuals are; NaN where it is absent. */
OBJECTIVE_FUNCTION real fit_datum(individual x, uint j) {
#if OBJECTIVE_DIVIDES
  return row(x, j) / sigma(x, j);
#else
  return row(x, j);
#endif
}

/* Whether a datum is there. */
OBJECTIVE_FUNCTION truth fit_is_there(individual x, uint j) {
  const real datum = row(x, j);
  return datum == datum;
}

OBJECTIVE_FUNCTION real fit_residual(individual x, const real* at, uint j) {
  x.first = at;
  return objective_residual(x, j);
}

#if FIT_DERIVATIVE
/* The residual's derivative by parameter k. */
OBJECTIVE_FUNCTION real fit_derivative(individual x, const real* at, uint j, uint k) {
  real found;
  x.first = at;
#if OBJECTIVE_DIVIDES
  found = derivative(x, j, k) / sigma(x, j);
#else
  found = derivative(x, j, k);
#endif
#if OBJECTIVE_GAPS
  {
    const real datum = row(x, j);
    found = OBJECTIVE_SELECT(datum == datum, found, (real)0);
  }
#endif
  return found;
}
#endif

/* The scale and spread of data between two numbers, of fits whose guess is to be evaluated the first time. */
OBJECTIVE_FUNCTION void fit_set_scale(fit_work* w, real least, real most) {
  const truth is_new = (w->rounds == (real)0) & (w->repeats == (real)0);
  const real size = fit_greater(fabs(least), fabs(most));
  const real scale = (real)1 / fit_power_below(OBJECTIVE_SELECT(size > (real)0, size, (real)1));
  const real range = most * scale - least * scale;
  w->scale = OBJECTIVE_SELECT(is_new, scale, w->scale);
  w->spread = OBJECTIVE_SELECT(is_new, OBJECTIVE_SELECT(range > (real)0, range, (real)1), w->spread);
}

OBJECTIVE_FUNCTION void fit_measure_data(fit_work* w, individual x) {
  const uint count = columns(x);
  real least = FIT_EITHER(0x1.fffffep127f, 0x1.fffffffffffffp1023);
  real most = -least;
  uint j;
  for (j = 0; j < count; ++j) {
    const real datum = fit_datum(x, j);
    least = OBJECTIVE_SELECT(datum < least, datum, least);
    most = OBJECTIVE_SELECT(datum > most, datum, most);
  }
  fit_set_scale(w, least, most);
}

#if FIT_LOSS
#include "shared/fit/losses.h"
#endif

/* What a pass over the data finds at a trial. */
typedef struct {
  real normal[FIT_PAIRS];
  real gradient[FIT_PARAMETERS];
  real value;
} fit_found;

/* A pass over the data from `first` to before `end`, `step` apart. */
OBJECTIVE_FUNCTION void fit_evaluate(const fit_work* w, individual x, uint first, uint step, uint end, fit_found* found) {
  real at[FIT_PARAMETERS];
  real factor[FIT_PARAMETERS];
#if !FIT_DERIVATIVE
  real above[FIT_PARAMETERS];
  real below[FIT_PARAMETERS];
#endif
  uint a;
  uint b;
  uint j;
FIT_UNROLL
  for (a = 0; a < FIT_PARAMETERS; ++a) {
    at[a] = w->trial[a];
#if FIT_DERIVATIVE
    factor[a] = w->unit[a] * w->scale;
#else
    {
      const real more = at[a] + w->step[a];
      const real less = at[a] - w->step[a];
      above[a] = OBJECTIVE_SELECT(more <= w->upper[a], more, at[a]);
      below[a] = OBJECTIVE_SELECT(less >= w->lower[a], less, at[a]);
      /* Between bounds that are nearer than a step the slope is 0, as that of a parameter that is fixed. */
      factor[a] = OBJECTIVE_SELECT(above[a] > below[a], w->unit[a] / (above[a] - below[a]), (real)0);
    }
#endif
    found->gradient[a] = (real)0;
  }
FIT_UNROLL
  for (a = 0; a < FIT_PAIRS; ++a) found->normal[a] = (real)0;
  found->value = (real)0;
  for (j = first; j < end; j += step) {
    real residual_here = fit_residual(x, at, j) * w->scale;
    real slope[FIT_PARAMETERS];
FIT_UNROLL
    for (a = 0; a < FIT_PARAMETERS; ++a) {
#if FIT_DERIVATIVE
      slope[a] = fit_derivative(x, at, j, a) * factor[a];
#else
      const real kept = at[a];
      real higher;
      at[a] = above[a];
      higher = fit_residual(x, at, j) * w->scale;
      at[a] = below[a];
      slope[a] = (higher - fit_residual(x, at, j) * w->scale) * factor[a];
      at[a] = kept;
#endif
    }
#if FIT_LOSS
    {
      const fit_weighed weighed = fit_weigh(w, FIT_LOSS == FIT_POISSON ? fit_datum(x, j) : (real)0,
                                            FIT_LOSS == FIT_POISSON ? residual_here / w->scale : residual_here);
      const truth is_there = fit_is_there(x, j);
      found->value += OBJECTIVE_SELECT(is_there, weighed.value, (real)0);
      residual_here = OBJECTIVE_SELECT(is_there, residual_here * weighed.residual, (real)0);
FIT_UNROLL
      for (a = 0; a < FIT_PARAMETERS; ++a) slope[a] = OBJECTIVE_SELECT(is_there, slope[a] * weighed.slope, (real)0);
    }
#else
    found->value += residual_here * residual_here;
#endif
FIT_UNROLL
    for (a = 0; a < FIT_PARAMETERS; ++a) {
      found->gradient[a] += slope[a] * residual_here;
FIT_UNROLL
      for (b = 0; b <= a; ++b) found->normal[a * (a + 1) / 2 + b] += slope[a] * slope[b];
    }
  }
}

/* Whether value and slopes are finite numbers: a trial beside which the model has no slopes is none. */
OBJECTIVE_FUNCTION truth fit_has_slopes(const fit_found* found) {
  truth all = fit_is_finite(found->value);
  uint a;
FIT_UNROLL
  for (a = 0; a < FIT_PARAMETERS; ++a) all = all & fit_is_finite(found->normal[a * (a + 1) / 2 + a]);
  return all;
}
