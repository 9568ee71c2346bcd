/* One fit from a guess by Levenberg and Marquardt's method (Marquardt 1963; More 1978), round by round.
 *
 * A round takes the residuals and their slopes at a trial vector in one pass over the data, goes there where the sum of
 * squares falls, and makes the next trial of the normal equations: their solution within a radius that the last trials
 * have found to be good. Included after fit.h, individual.h and the text, once for each text and precision: so it has
 * no guard. `real` may stand for the numbers of
 * many fits (OBJECTIVE_VECTOR), `truth` for what a comparison of them yields; nothing here branches on either, but by
 * FIT_ANY on whether it holds for one of them.
 *
 * FIT_PARAMETERS: how many there are; FIT_DERIVATIVE: whether the text has derivative(); FIT_BOUNDED: whether there are
 * bounds; FIT_LOSS: what is summed (fit.h).
 */
/* Arrays whose places are known are kept in registers; gcc unrolls no loop over them by itself. */
#if defined(__GNUC__) && !defined(__clang__) && !defined(__OPENCL_VERSION__)
#define FIT_UNROLL _Pragma("GCC unroll 32")
#else
#define FIT_UNROLL
#endif

#define FIT_PAIRS (FIT_PARAMETERS * (FIT_PARAMETERS + 1) / 2)

#ifndef OBJECTIVE_VECTOR
typedef int truth;
#define FIT_ANY(condition) (condition)
#ifndef __OPENCL_VERSION__
#define FIT_POWER(x) clopt::shared::fit_power_of(x)
#elif OBJECTIVE_DOUBLE
#define FIT_POWER(x) fit_power_of_double(x)
#else
#define FIT_POWER(x) fit_power_of_float(x)
#endif
#endif

/* A fit under way; all are reals, so that it lies in the lanes of vectors as it does in memory. */
typedef struct {
  real parameters[FIT_PARAMETERS]; /* the best so far */
  real trial[FIT_PARAMETERS];
  real lower[FIT_PARAMETERS];
  real upper[FIT_PARAMETERS];
  real unit[FIT_PARAMETERS]; /* a power of two: what slopes are a unit of */
#if !FIT_DERIVATIVE
  real step[FIT_PARAMETERS]; /* of differences */
#endif
  real normal[FIT_PAIRS]; /* products of slopes: row a from a (a + 1) / 2 on */
  real gradient[FIT_PARAMETERS];
  real weight[FIT_PARAMETERS]; /* of parameters in lengths: the greatest square that their slopes have had */
  real value;  /* the sum of the squares of residuals that were multiplied by `scale` */
  real loss_scale; /* residuals above it count as large */
  real scale;  /* a power of two: the greatest datum becomes 1 to 2 */
  real spread; /* of the scaled data: how much a parameter may change them */
  real radius;  /* of the region where the squares are trusted to be as their model has them */
  real damping; /* that keeps the trial within it; 0: it lies there by itself */
  real promise; /* how much lower the trial's value should be */
  real fall;    /* how fast the value falls along the trial's step, as a negative number */
  real reach;   /* of the trial's step, before bounds cut it off */
  real length;  /* of the trial's step, squared; 0 where no parameter that counts changes */
  real singular; /* 1 where a pivot vanished */
  real rounds;  /* 0: the guess is to be evaluated */
  real repeats; /* of the guess, for other units */
  real status;
} fit_work;

/* One of two numbers, for floats and for doubles. */
#if OBJECTIVE_DOUBLE
#define FIT_EITHER(of_float, of_double) ((real)(of_double))
#else
#define FIT_EITHER(of_float, of_double) ((real)(of_float))
#endif

OBJECTIVE_FUNCTION real fit_greater(real a, real b) { return OBJECTIVE_SELECT(a > b, a, b); }
OBJECTIVE_FUNCTION truth fit_is_finite(real x) {
  return fabs(x) <= FIT_EITHER(0x1.fffffep127f, 0x1.fffffffffffffp1023);
}
OBJECTIVE_FUNCTION truth fit_is_between(real x, real least, real most) { return (x >= least) & (x <= most); }

/* The greatest power of two that is not above a positive number; its square and inverse are numbers too. */
OBJECTIVE_FUNCTION real fit_power_below(real x) {
  const real least = FIT_EITHER(0x1p-60f, 0x1p-500);
  const real most = FIT_EITHER(0x1p60f, 0x1p500);
  const real kept = OBJECTIVE_SELECT(x > least, x, least);
  return FIT_POWER(OBJECTIVE_SELECT(kept < most, kept, most));
}

/* The parameter, its trial and its unit of a fit that begins. */
OBJECTIVE_FUNCTION void fit_begin_parameter(fit_work* w, uint k, real guess, real lower, real upper, uint fixed) {
  const real above = OBJECTIVE_SELECT(guess < lower, lower, guess);
  const real inside = OBJECTIVE_SELECT(above > upper, upper, above);
  const real size = fabs(inside);
  const real range = upper - lower;
  const real otherwise = OBJECTIVE_SELECT(
      fit_is_between(range, FIT_EITHER(0x1p-60f, 0x1p-500), FIT_EITHER(0x1p60f, 0x1p500)), range, (real)1);
  const real likely = OBJECTIVE_SELECT(size > (real)0, size, otherwise);
  w->parameters[k] = inside;
  w->trial[k] = inside;
  w->lower[k] = (fixed >> k & 1u) != 0u ? inside : lower;
  w->upper[k] = (fixed >> k & 1u) != 0u ? inside : upper;
  w->unit[k] = fit_power_below(likely);
#if !FIT_DERIVATIVE
  w->step[k] = likely * FIT_EITHER(0x1p-12f, 0x1p-26);
#endif
}

/* Everything else of a fit that begins. */
OBJECTIVE_FUNCTION void fit_begin(fit_work* w, real loss_scale) {
  uint a;
FIT_UNROLL
  for (a = 0; a < FIT_PAIRS; ++a) w->normal[a] = (real)0;
FIT_UNROLL
  for (a = 0; a < FIT_PARAMETERS; ++a) w->gradient[a] = w->weight[a] = (real)0;
  w->value = (real)0;
  w->loss_scale = loss_scale;
  w->scale = (real)1;
  w->spread = (real)1;
  w->radius = (real)0;
  w->damping = (real)0;
  w->promise = (real)0;
  w->fall = (real)0;
  w->reach = (real)0;
  w->length = (real)1;
  w->singular = (real)0;
  w->rounds = (real)0;
  w->repeats = (real)0;
  w->status = (real)FIT_RUNS;
}

#include "shared/fit/data.h"

/* Units, steps and scale of a guess that gave squares beyond the precision's range, or differences beyond the scale on
 * which residuals change. Returns which fits need the guess again. */
OBJECTIVE_FUNCTION truth fit_adapt(fit_work* w, const fit_found* found, uint count) {
  const truth is_first = (w->rounds == (real)0) & (w->repeats < (real)5);
  const truth overflows = (!fit_is_finite(found->value)) & is_first;
  truth again = overflows;
  uint a;
  w->scale = OBJECTIVE_SELECT(overflows, w->scale * FIT_EITHER(0x1p-30f, 0x1p-250), w->scale);
FIT_UNROLL
  for (a = 0; a < FIT_PARAMETERS; ++a) {
    const real square = found->normal[a * (a + 1) / 2 + a];
    const truth is_large = !(square <= FIT_EITHER(0x1p50f, 0x1p400));
    const truth is_small = square < FIT_EITHER(0x1p-50f, 0x1p-400);
    const real other = OBJECTIVE_SELECT(is_large, FIT_EITHER(0x1p-30f, 0x1p-250), FIT_EITHER(0x1p30f, 0x1p250));
    const real moved = w->unit[a] * other;
    /* A parameter without effect has no unit that is large enough. */
    const truth is_off = is_first & (is_large | is_small) &
                         fit_is_between(moved, FIT_EITHER(0x1p-96f, 0x1p-800), FIT_EITHER(0x1p96f, 0x1p800));
    w->unit[a] = OBJECTIVE_SELECT(is_off, moved, w->unit[a]);
    again = again | is_off;
#if !FIT_DERIVATIVE
    {
      /* The parameter's change that changes all data by their spread. */
      const real reach = w->spread * w->unit[a] * sqrt((real)count / square);
      const real size = fabs(w->trial[a]);
      const real wanted = reach * FIT_EITHER(0x1p-8f, 0x1p-17);
      const real least = size * FIT_EITHER(0x1p-20f, 0x1p-48);
      /* A parameter near 0 has a step that says nothing of its scale: it grows, since the slope may be noise. */
      const truth may_grow = is_first & (w->repeats < (real)2);
      const real grown = w->step[a] * OBJECTIVE_SELECT(may_grow, (real)256, (real)1);
      const real most = fit_greater(fit_greater(size, w->unit[a]) * FIT_EITHER(0x1p-4f, 0x1p-8), grown);
      const real kept = OBJECTIVE_SELECT(wanted < most, fit_greater(wanted, least), most);
      /* A trial that is given up says nothing of the scale here. */
      const truth is_known = fit_is_finite(found->value) & !is_off & (square > (real)0) &
                             ((w->rounds == (real)0) | (found->value < w->value));
      const truth is_far =
          is_first & is_known & ((w->step[a] > kept * (real)16) | (w->step[a] * (real)16 < kept));
      w->step[a] = OBJECTIVE_SELECT(is_known, kept, w->step[a]);
      again = again | is_far;
    }
#endif
  }
  w->repeats = OBJECTIVE_SELECT(again, w->repeats + (real)1, w->repeats);
  return again;
}

#if FIT_BOUNDED
/* Whether a bound holds a parameter: the sum of squares falls beyond it, or both bounds are the same. */
OBJECTIVE_FUNCTION truth fit_is_held(const fit_work* w, uint a) {
  return ((w->parameters[a] <= w->lower[a]) & (w->gradient[a] > (real)0)) |
         ((w->parameters[a] >= w->upper[a]) & (w->gradient[a] < (real)0)) | (w->lower[a] >= w->upper[a]);
}
#endif

/* Solves the normal equations by L D L', where the damping adds to each diagonal element a part of its weight: that is
 * the same in all units. `free` is 0 for parameters that stay. Gives how fast the step becomes shorter with the
 * damping, and whether a pivot vanishes without it. */
OBJECTIVE_FUNCTION real fit_solve(const fit_work* w, real damping, const real* free, real* step, real* singular) {
  const real vanishing = FIT_EITHER(0x1p-20f, 0x1p-48);
  real factor[FIT_PAIRS]; /* columns that are not divided by their pivots */
  real inverse[FIT_PARAMETERS];
  real along[FIT_PARAMETERS];
  real curvature = (real)0;
  uint a;
  uint b;
  uint c;
  *singular = (real)0;
FIT_UNROLL
  for (a = 0; a < FIT_PARAMETERS; ++a) {
    const uint row_a = a * (a + 1) / 2;
    const real own = w->normal[row_a + a];
    const real damped = damping * w->weight[a];
    real pivot = own + damped;
    real sum = -w->gradient[a];
FIT_UNROLL
    for (b = 0; b < a; ++b) {
      const uint row_b = b * (b + 1) / 2;
      real entry = w->normal[row_a + b];
FIT_UNROLL
      for (c = 0; c < b; ++c) entry -= factor[row_a + c] * (factor[row_b + c] * inverse[c]);
      factor[row_a + b] = entry;
      pivot -= entry * (entry * inverse[b]);
      sum -= entry * step[b];
    }
    {
      const truth lasts = pivot > (own + damped) * vanishing;
      const truth vanishes = (free[a] != (real)0) & !(pivot - damped > own * vanishing);
      *singular = OBJECTIVE_SELECT(vanishes, (real)1, *singular);
      inverse[a] = OBJECTIVE_SELECT(lasts & (free[a] != (real)0), (real)1 / pivot, (real)0);
    }
    step[a] = sum * inverse[a];
  }
FIT_UNROLL
  for (a = FIT_PARAMETERS; a-- > 0;)
FIT_UNROLL
    for (b = a + 1; b < FIT_PARAMETERS; ++b) step[a] -= factor[b * (b + 1) / 2 + a] * inverse[a] * step[b];
FIT_UNROLL
  for (a = 0; a < FIT_PARAMETERS; ++a) {
    along[a] = w->weight[a] * step[a];
FIT_UNROLL
    for (b = 0; b < a; ++b) along[a] -= factor[a * (a + 1) / 2 + b] * inverse[b] * along[b];
    curvature += along[a] * along[a] * inverse[a];
  }
  return curvature;
}

/* Finds the step within the radius that promises most: from no damping on, by Newton's method on the inverse of the
 * length, which is nearly a line (Hebden 1973; More 1978). */
OBJECTIVE_FUNCTION void fit_find_step(fit_work* w, const real* free, real* step) {
  real damping = (real)0;
  uint tries;
  for (tries = 0; tries < 12u; ++tries) {
    real singular;
    const real curvature = fit_solve(w, damping, free, step, &singular);
    real square = (real)0;
    truth is_long;
    uint a;
    if (tries == 0u) w->singular = singular;
FIT_UNROLL
    for (a = 0; a < FIT_PARAMETERS; ++a) square += w->weight[a] * (step[a] * step[a]);
    w->damping = damping;
    w->reach = sqrt(square);
    is_long = (w->reach > w->radius * (real)1.125f) & (curvature > (real)0);
    if (!FIT_ANY(is_long)) break;
    damping = OBJECTIVE_SELECT(is_long, damping + (w->reach / w->radius - (real)1) * (square / curvature), damping);
  }
}

/* Makes the next trial. Returns where there is none, since all slopes of free parameters are 0 but for rounding. */
OBJECTIVE_FUNCTION truth fit_make_trial(fit_work* w) {
  const real least_cosine = FIT_EITHER(0x1p-42f, 0x1p-96);
  const real least_length = FIT_EITHER(0x1p-40f, 0x1p-96);
  real free[FIT_PARAMETERS];
  real step[FIT_PARAMETERS];
  real length = (real)0;
  real size = (real)0;
  truth ends = w->value == w->value;
  uint a;
#if FIT_BOUNDED
  uint b;
  uint again;
#endif
  w->promise = (real)0;
FIT_UNROLL
  for (a = 0; a < FIT_PARAMETERS; ++a) {
    const real slope = w->gradient[a];
    const truth is_level = slope * slope <= least_cosine * (w->normal[a * (a + 1) / 2 + a] * w->value);
#if FIT_BOUNDED
    const truth held = fit_is_held(w, a);
    free[a] = OBJECTIVE_SELECT(held, (real)0, (real)1);
    ends = ends & (is_level | held);
#else
    free[a] = (real)1;
    ends = ends & is_level;
#endif
  }
#if FIT_BOUNDED
  /* What the step would push over the bound that it is at stays there, and the others are asked again. */
  for (again = 0; again <= FIT_PARAMETERS; ++again) {
    truth pushes = ends & !ends;
    fit_find_step(w, free, step);
FIT_UNROLL
    for (a = 0; a < FIT_PARAMETERS; ++a) {
      const truth leaves = ((w->parameters[a] <= w->lower[a]) & (step[a] < (real)0)) |
                           ((w->parameters[a] >= w->upper[a]) & (step[a] > (real)0));
      pushes = pushes | leaves;
      free[a] = OBJECTIVE_SELECT(leaves, (real)0, free[a]);
    }
    if (!FIT_ANY(pushes)) break;
  }
#else
  fit_find_step(w, free, step);
#endif
  w->fall = (real)0;
FIT_UNROLL
  for (a = 0; a < FIT_PARAMETERS; ++a) {
    const real own = w->normal[a * (a + 1) / 2 + a];
    const real before = w->parameters[a];
    const real relative = before / w->unit[a];
#if FIT_BOUNDED
    const real moved = before + step[a] * w->unit[a];
    const real above = OBJECTIVE_SELECT(moved > w->lower[a], moved, w->lower[a]);
    const real inside = OBJECTIVE_SELECT(above < w->upper[a], above, w->upper[a]);
    step[a] = OBJECTIVE_SELECT(inside == moved, step[a], (inside - before) / w->unit[a]);
    w->trial[a] = inside;
    {
      /* How much the squares' model falls along the step, which bounds may have cut off. */
      real along = (real)2 * w->gradient[a] + own * step[a];
FIT_UNROLL
      for (b = 0; b < a; ++b) along += (real)2 * w->normal[a * (a + 1) / 2 + b] * step[b];
      w->promise -= along * step[a];
    }
#else
    w->trial[a] = before + step[a] * w->unit[a];
    w->promise += step[a] * (w->damping * w->weight[a] * step[a] - w->gradient[a]);
#endif
    w->fall += w->gradient[a] * step[a];
    length += w->weight[a] * (step[a] * step[a]);
    size += w->weight[a] * (relative * relative);
  }
  w->length = OBJECTIVE_SELECT(length <= least_length * size, (real)0, length);
  return ends;
}

/* How far the squares' model is trusted next, of a trial whose value fell by so much (More 1978, MINPACK's lmder). */
OBJECTIVE_FUNCTION real fit_next_radius(const fit_work* w, real fall, truth is_finite) {
  const real ratio = fall / w->promise;
  /* A step that bounds cut off may promise less than nothing. */
  const truth is_poor = !(ratio > (real)0.25f) | !(fall > (real)0) | !is_finite;
  const truth is_good = (ratio >= (real)0.75f) | (w->damping == (real)0);
  /* A step that led up ends where a parabola has its minimum. */
  const real guessed = (real)0.5f * w->fall / (w->fall + (real)0.5f * fall);
  const real part = OBJECTIVE_SELECT((fall >= (real)0) & is_finite, (real)0.5f, guessed);
  const real inside = OBJECTIVE_SELECT(fit_is_between(part, (real)0.1f, (real)0.5f) & is_finite, part, (real)0.1f);
  const real far = w->reach * (real)10;
  const real first = OBJECTIVE_SELECT((w->rounds == (real)1) & (w->reach < w->radius), w->reach, w->radius);
  const real smaller = inside * OBJECTIVE_SELECT(first < far, first, far);
  return OBJECTIVE_SELECT(is_poor, smaller, OBJECTIVE_SELECT(is_good, w->reach * (real)2, first));
}

/* A tenth of the parameters' size: where guesses are good, and few steps lead astray where they are not. */
OBJECTIVE_FUNCTION real fit_first_radius(const fit_work* w) {
  real square = (real)0;
  uint a;
FIT_UNROLL
  for (a = 0; a < FIT_PARAMETERS; ++a) {
    const real relative = fabs(w->parameters[a]) / w->unit[a];
    const real size = OBJECTIVE_SELECT(relative > (real)0, relative, (real)1);
    square += w->weight[a] * (size * size);
  }
  return (real)0.1f * sqrt(square);
}

/* Takes what a pass found at the trial, and makes the next one unless the fit has ended. */
OBJECTIVE_FUNCTION void fit_advance(fit_work* w, const fit_found* found, uint count, real most_rounds) {
  const real least_gain = FIT_EITHER(0x1p-20f, 0x1p-46);
  const truth runs = w->status == (real)FIT_RUNS;
  const truth again = fit_adapt(w, found, count) & runs;
  const truth is_first = (w->rounds == (real)0) & runs & !again;
  const truth is_later = (w->rounds > (real)0) & runs;
  const truth is_finite = fit_has_slopes(found);
  const real fall = w->value - found->value;
  const truth falls = is_later & is_finite & (fall > (real)0);
  const truth taken = (is_first & is_finite) | falls;
  const real least = least_gain * w->value;
  /* What the rounding of residuals, whose data are 1 to 2 at most, changes of the value. */
  const real noise = FIT_EITHER(0x1p-22f, 0x1p-51) * sqrt(w->value * (real)count);
  /* More 1978, (8.1) and (8.2). */
  const truth by_value = is_later & (fabs(fall) <= least + noise) & (fabs(w->promise) <= least);
  const truth by_step = is_later & (w->length == (real)0);
  real status = (real)FIT_RUNS;
  uint a;
  w->radius = OBJECTIVE_SELECT(is_later, fit_next_radius(w, fall, is_finite), w->radius);
  w->value = OBJECTIVE_SELECT(taken, found->value, w->value);
FIT_UNROLL
  for (a = 0; a < FIT_PAIRS; ++a) w->normal[a] = OBJECTIVE_SELECT(taken, found->normal[a], w->normal[a]);
FIT_UNROLL
  for (a = 0; a < FIT_PARAMETERS; ++a) {
    w->gradient[a] = OBJECTIVE_SELECT(taken, found->gradient[a], w->gradient[a]);
    w->parameters[a] = OBJECTIVE_SELECT(taken, w->trial[a], w->parameters[a]);
    w->weight[a] = fit_greater(w->weight[a], w->normal[a * (a + 1) / 2 + a]);
  }
  w->radius = OBJECTIVE_SELECT(is_first, fit_first_radius(w), w->radius);
  w->rounds = OBJECTIVE_SELECT(taken | is_later, w->rounds + (real)1, w->rounds);
  status = OBJECTIVE_SELECT(by_step, (real)FIT_BY_STEP, status);
  status = OBJECTIVE_SELECT(by_value, (real)FIT_BY_VALUE, status);
  status = OBJECTIVE_SELECT((w->rounds >= most_rounds) & (status == (real)FIT_RUNS), (real)FIT_LIMIT, status);
  status = OBJECTIVE_SELECT(taken & (w->value == (real)0), (real)FIT_BY_VALUE, status);
  status = OBJECTIVE_SELECT(is_first & !is_finite, (real)FIT_NOT_FINITE, status);
  w->status = OBJECTIVE_SELECT(runs, status, w->status);
  {
    const truth ends = fit_make_trial(w) & (w->status == (real)FIT_RUNS) & !again;
    w->status = OBJECTIVE_SELECT(ends, (real)FIT_BY_SLOPE, w->status);
  }
FIT_UNROLL
  for (a = 0; a < FIT_PARAMETERS; ++a) w->trial[a] = OBJECTIVE_SELECT(again, w->parameters[a], w->trial[a]);
}

/* A round of a fit. */
OBJECTIVE_FUNCTION void fit_round(fit_work* w, individual x, real most_rounds) {
  fit_found found;
  fit_evaluate(w, x, 0u, 1u, columns(x), &found);
  fit_advance(w, &found, columns(x), most_rounds);
}

/* How a fit ended, where it converged: what keeps its parameters' errors from being known. */
OBJECTIVE_FUNCTION real fit_final_status(const fit_work* w) {
  real status = w->status;
  const truth converged = (status >= (real)FIT_BY_VALUE) & (status <= (real)FIT_BY_SLOPE);
  status = OBJECTIVE_SELECT(converged & (w->singular != (real)0), (real)FIT_SINGULAR, status);
#if FIT_BOUNDED
  {
    uint a;
FIT_UNROLL
    for (a = 0; a < FIT_PARAMETERS; ++a) {
      const truth stays = fit_is_held(w, a) & (w->lower[a] < w->upper[a]);
      status = OBJECTIVE_SELECT(converged & stays & (status != (real)FIT_SINGULAR), (real)FIT_AT_BOUND, status);
    }
  }
#endif
  return status;
}
