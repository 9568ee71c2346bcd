/* What happens to one fit in a round of Levenberg and Marquardt's method (Marquardt 1963; More 1978), where the value is
 * a sum of squared residuals.
 *
 * A round takes the residuals around a vector, makes their slopes (central differences) and the normal equations of
 * them, tries three steps of different damping at once, and goes to the best one where that is better. Parameters at a
 * bound that the gradient points over stay there. `real` is float or double; in OpenCL C all numbers are in global
 * memory.
 */
#ifndef CLOPT_SHARED_DIFFERENTIAL_EVOLUTION_LEAST_SQUARES_H
#define CLOPT_SHARED_DIFFERENTIAL_EVOLUTION_LEAST_SQUARES_H

#include "shared/language.h"

#ifdef __OPENCL_VERSION__
#define FIT_GLOBAL global
#else
#define FIT_GLOBAL
#endif

/* Where a fit stands. */
#define FIT_MOVED 0u     /* its slopes are to be found */
#define FIT_STAYED 1u    /* its slopes are known, since no step was better */
#define FIT_CONVERGED 2u /* no step promises a gain within its precision */
#define FIT_STUCK 3u     /* steps that promise more do not keep it, however short */

/* Fits that an operation takes, as bits of where they stand. */
#define FIT_TAKES_MOVED 1u
#define FIT_TAKES_RUNNING 3u
#define FIT_TAKES_ALL 15u

/* Steps that are tried at once. */
#define FIT_TRIALS 3u

CLOPT_SHARED_BEGIN

struct fit_settings {
  uint fits;
  uint starts; /* fits of a problem, which differ in the vector that they begin with */
  uint parameters;
  uint data;    /* of a fit */
  uint columns; /* numbers of a fit's row: data, and what belongs to each */
  uint bounded; /* 1: vectors stay within the bounds */
};
typedef struct fit_settings fit_settings;

struct fit_state {
  uint phase;
  uint evaluations; /* of all residuals */
};
typedef struct fit_state fit_state;

/* Vectors whose residuals make the slopes. */
CLOPT_SHARED uint fit_points(uint parameters) { return 2u * parameters + 1u; }

/* Whether an operation takes a fit: 1 or 0. */
CLOPT_SHARED uint fit_takes(uint taken, uint phase) { return taken >> phase & 1u; }

/* The individual that a problem's fit begins with: the best one, then others that are evenly spread over the population. */
CLOPT_SHARED uint fit_start(uint start, uint starts, uint best, uint population) {
  return (uint)((best + (ulong)start * population / starts) % population);
}

/* Numbers that a trial's step needs: the factor, the scales, the step. */
CLOPT_SHARED ulong fit_scratch(uint parameters) { return (ulong)parameters * (parameters + 2u); }

#ifdef __OPENCL_VERSION__
#define FIT_REAL
#else
#define FIT_REAL <real>
#endif

/* A power of two: one for floats, one for doubles. */
CLOPT_SHARED_TEMPLATE(real) real fit_either(float of_float, float of_double) {
  return (real)(sizeof(real) == 8 ? of_double : of_float);
}

/* How large a parameter is taken to be: near 0 a small part of its range. */
CLOPT_SHARED_TEMPLATE(real) real fit_size(real parameter, real lower, real upper) {
  const real least = (upper - lower) * fit_either FIT_REAL(0x1p-13f, 0x1p-17f);
  const real size = fabs(parameter);
  return size > least ? size : least;
}

CLOPT_SHARED_TEMPLATE(real) real fit_inside(real value, real lower, real upper, uint bounded) {
  if (bounded == 0u) return value;
  if (value < lower) return lower;
  return value > upper ? upper : value;
}

/* Parameter k of a point: 0 is the vector itself, 1 + 2 k is above it in parameter k, and 2 + 2 k below. */
CLOPT_SHARED_TEMPLATE(real)
real fit_coordinate(uint point, uint k, real parameter, real lower, real upper, uint bounded) {
  const real distance =
      fit_size FIT_REAL(parameter, lower, upper) * fit_either FIT_REAL(0x1p-9f, 0x1p-17f);
  if ((point + 1u) >> 1 != k + 1u) return parameter;
  return fit_inside FIT_REAL((point & 1u) != 0u ? parameter + distance : parameter - distance, lower, upper, bounded);
}

/* The slope of a residual between two points; 0 where it is not finite. */
CLOPT_SHARED_TEMPLATE(real) real fit_slope(real above, real below, real width) {
  const real slope = (above - below) / width;
  return fabs(slope) < (real)INFINITY ? slope : (real)0;
}

CLOPT_SHARED_TEMPLATE(real)
real fit_product(FIT_GLOBAL const real* one, FIT_GLOBAL const real* other, uint count) {
  real sum = 0;
  uint j;
  for (j = 0; j < count; ++j) sum += one[j] * other[j];
  return sum;
}

/* The damping of a trial: the first has the least. */
CLOPT_SHARED_TEMPLATE(real) real fit_damping(real damping, uint trial) {
  return trial == 0u ? damping * (real)0.0625f : (trial == 1u ? damping : damping * (real)16.0f);
}

/* What a step promises: by how much the value falls, as the slopes have it, below 0 where there is no step; and how far
 * the parameter goes that changes most, relative to its size. */
#ifdef __OPENCL_VERSION__
typedef struct {
  real gain;
  real length;
} fit_promise;
#define FIT_PROMISE fit_promise
#else
template <class real>
struct fit_promise {
  real gain;
  real length;
};
#define FIT_PROMISE fit_promise<real>
#endif

/* Solves the normal equations with a damping, by Cholesky's factor, in parameters whose slopes have length 1 (More
 * 1978, section 3), and writes the vector that the step leads to. Row a of `normal` has the products of slope a with the
 * slopes up to a, and last that with the residuals. `bounds` are the lower ones, then the upper; `scratch` has
 * fit_scratch() numbers. */
CLOPT_SHARED_TEMPLATE(real)
FIT_PROMISE fit_step(FIT_GLOBAL const real* normal, FIT_GLOBAL const real* vector, FIT_GLOBAL const real* bounds,
                     uint parameters, uint bounded, real damping, FIT_GLOBAL real* scratch, FIT_GLOBAL real* trial) {
  FIT_GLOBAL real* const factor = scratch;
  FIT_GLOBAL real* const scale = scratch + (ulong)parameters * parameters;
  FIT_GLOBAL real* const step = scale + parameters;
  const uint stride = parameters + 1u;
  const real least_pivot = fit_either FIT_REAL(0x1p-21f, 0x1p-50f);
  FIT_PROMISE promise;
  bool fails = false;
  uint a;
  uint b;
  uint c;
  promise.gain = 0;
  promise.length = 0;
  for (a = 0; a < parameters; ++a) {
    const real square = normal[a * stride + a];
    const real gradient = normal[a * stride + parameters];
    const bool leaves = bounded != 0u && ((vector[a] <= bounds[a] && gradient > (real)0) ||
                                          (vector[a] >= bounds[parameters + a] && gradient < (real)0));
    scale[a] = !leaves && square > (real)0 && square < (real)INFINITY ? (real)1 / sqrt(square) : (real)0;
    trial[a] = vector[a];
  }
  for (a = 0; a < parameters && !fails; ++a)
    for (b = 0; b <= a; ++b) {
      real sum = a == b ? (real)1 + (scale[a] > (real)0 ? damping : (real)0)
                        : normal[a * stride + b] * scale[a] * scale[b];
      for (c = 0; c < b; ++c) sum -= factor[a * parameters + c] * factor[b * parameters + c];
      if (a != b)
        factor[a * parameters + b] = sum / factor[b * parameters + b];
      else if (sum > least_pivot)
        factor[a * parameters + a] = sqrt(sum);
      else
        fails = true;
    }
  if (fails) {
    promise.gain = -1;
    return promise;
  }
  for (a = 0; a < parameters; ++a) {
    real sum = -normal[a * stride + parameters] * scale[a];
    for (c = 0; c < a; ++c) sum -= factor[a * parameters + c] * step[c];
    step[a] = sum / factor[a * parameters + a];
  }
  for (a = parameters; a-- > 0u;) {
    real sum = step[a];
    for (c = a + 1u; c < parameters; ++c) sum -= factor[c * parameters + a] * step[c];
    step[a] = sum / factor[a * parameters + a];
  }
  for (a = 0; a < parameters; ++a) {
    const real lower = bounds[a];
    const real upper = bounds[parameters + a];
    const real moved = vector[a] + step[a] * scale[a];
    real length;
    promise.gain += step[a] * (damping * step[a] - normal[a * stride + parameters] * scale[a]);
    trial[a] = fit_inside FIT_REAL(moved, lower, upper, bounded);
    length = fabs(trial[a] - vector[a]) / fit_size FIT_REAL(vector[a], lower, upper);
    if (!(length <= promise.length)) promise.length = length;
  }
  if (!(promise.gain >= (real)0) || !(promise.gain < (real)INFINITY)) promise.gain = -1;
  return promise;
}

/* Where a fit stands after its trials; the best of them, FIT_TRIALS for none, and the damping of the next round. */
#ifdef __OPENCL_VERSION__
typedef struct {
  real damping;
  uint best;
  uint phase;
} fit_outcome;
#define FIT_OUTCOME fit_outcome
#else
template <class real>
struct fit_outcome {
  real damping;
  uint best;
  uint phase;
};
#define FIT_OUTCOME fit_outcome<real>
#endif

/* `gains` and `lengths` are what the trials promise, `values` what they are. */
CLOPT_SHARED_TEMPLATE(real)
FIT_OUTCOME fit_choice(FIT_GLOBAL const real* gains, FIT_GLOBAL const real* lengths, FIT_GLOBAL const real* values,
                       real value, real damping) {
  /* Relative: the precision of a sum of squares, and that which a parameter needs. */
  const real least_gain = fit_either FIT_REAL(0x1p-17f, 0x1p-40f);
  const real least_length = fit_either FIT_REAL(0x1p-17f, 0x1p-40f);
  FIT_OUTCOME outcome;
  real least = value;
  uint t;
  outcome.best = FIT_TRIALS;
  outcome.damping = damping;
  outcome.phase = FIT_MOVED;
  for (t = 0; t < FIT_TRIALS; ++t)
    if (gains[t] >= (real)0 && values[t] < least) {
      least = values[t];
      outcome.best = t;
    }
  if (outcome.best < FIT_TRIALS) outcome.damping = fit_damping FIT_REAL(damping, outcome.best);
  /* Below, it changes no digit. */
  if (!(outcome.damping > fit_either FIT_REAL(0x1p-24f, 0x1p-40f)))
    outcome.damping = fit_either FIT_REAL(0x1p-24f, 0x1p-40f);
  /* The step of least damping estimates the distance to the minimum, unless that damping shortens it. */
  if (least == (real)0 ||
      (gains[0] >= (real)0 && fit_damping FIT_REAL(damping, 0u) <= (real)0.0625f &&
       (gains[0] <= least_gain * least || lengths[0] <= least_length))) {
    outcome.phase = FIT_CONVERGED;
    return outcome;
  }
  if (outcome.best < FIT_TRIALS) return outcome;
  outcome.phase = FIT_STAYED;
  outcome.damping = damping * (real)256.0f;
  if (!(outcome.damping < (real)0x1p30f)) outcome.phase = FIT_STUCK;
  return outcome;
}

CLOPT_SHARED_END

#endif
