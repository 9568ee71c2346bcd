/* What happens to one problem in a step of Nelder and Mead's method (1965), with the coefficients of Gao and Han (2012),
 * which depend on the dimensions. A step takes the value of one vector, and says which vector it needs next. `real` is
 * float or double; in OpenCL C all numbers are in global memory.
 *
 * A problem has SIMPLEX_NUMBERS numbers: its vertices one behind the other, their values, the centroid, the reflected
 * vertex, and the edges that the simplex begins with.
 */
#ifndef CLOPT_SHARED_DIFFERENTIAL_EVOLUTION_SIMPLEX_H
#define CLOPT_SHARED_DIFFERENTIAL_EVOLUTION_SIMPLEX_H

#include "shared/language.h"

#ifdef __OPENCL_VERSION__
#define SIMPLEX_GLOBAL global
#else
#define SIMPLEX_GLOBAL
#endif

/* What the vector is whose value a problem waits for. */
#define SIMPLEX_BEGINS 0u /* vertex `at` of the first simplex */
#define SIMPLEX_REFLECTS 1u
#define SIMPLEX_EXPANDS 2u
#define SIMPLEX_CONTRACTS_OUTSIDE 3u
#define SIMPLEX_CONTRACTS_INSIDE 4u
#define SIMPLEX_SHRINKS 5u   /* vertex `at` on its way to the best one */
#define SIMPLEX_CONVERGED 6u /* nothing more */

/* Simplices that restart, smaller, around what was found, at most. */
#define SIMPLEX_RESTARTS 4u

CLOPT_SHARED_BEGIN

struct simplex_settings {
  uint problems;
  uint parameters;
  uint columns;
  uint bounded; /* 1: vectors stay within the bounds */
  uint most_evaluations;
  uint maximises; /* 1: values are the negatives of the objective's */
};
typedef struct simplex_settings simplex_settings;

struct simplex_state {
  uint phase;
  uint at;
  uint best;  /* vertices, of the last order */
  uint worst;
  uint second; /* the worst but one */
  uint evaluations;
  uint restarts;
  uint limited; /* 1: its evaluations were used up */
};
typedef struct simplex_state simplex_state;

/* Whether a problem waits for a value: 1 or 0. */
CLOPT_SHARED uint simplex_waits(simplex_state state) {
  return state.phase != SIMPLEX_CONVERGED && state.limited == 0u ? 1u : 0u;
}

/* The same state, where its evaluations may be used up. */
CLOPT_SHARED simplex_state simplex_limited(simplex_state state, uint most_evaluations) {
  state.limited = state.evaluations >= most_evaluations ? 1u : 0u;
  return state;
}

CLOPT_SHARED simplex_state simplex_first(uint most_evaluations) {
  simplex_state state;
  state.phase = SIMPLEX_BEGINS;
  state.at = 1;
  state.best = 0;
  state.worst = 0;
  state.second = 0;
  state.evaluations = 0;
  state.restarts = 0;
  return simplex_limited(state, most_evaluations);
}

/* Numbers of a problem. */
CLOPT_SHARED ulong simplex_numbers(uint parameters) {
  return (ulong)(parameters + 1u) * (parameters + 1u) + 3u * (ulong)parameters + 2u;
}
/* Where they lie. */
#define SIMPLEX_VALUES(n) ((ulong)((n) + 1u) * (n))
#define SIMPLEX_CENTROID(n) (SIMPLEX_VALUES(n) + (n) + 1u)
#define SIMPLEX_REFLECTED(n) (SIMPLEX_CENTROID(n) + (n))
#define SIMPLEX_EDGES(n) (SIMPLEX_REFLECTED(n) + (n))
#define SIMPLEX_REFLECTED_VALUE(n) (SIMPLEX_EDGES(n) + (n))
#define SIMPLEX_BEGUN_VALUE(n) (SIMPLEX_REFLECTED_VALUE(n) + 1u)

/* A function that stays one: NVIDIA's compiler of OpenCL C (driver 580.159) crashes where all of a step becomes the
 * kernel's own code. */
#ifdef __OPENCL_VERSION__
#define SIMPLEX_REAL
#define SIMPLEX_APART static __attribute__((noinline))
#else
#define SIMPLEX_REAL <real>
#define SIMPLEX_APART CLOPT_SHARED_TEMPLATE(real)
#endif

CLOPT_SHARED_TEMPLATE(real) real simplex_inside(real value, real lower, real upper, uint bounded) {
  if (bounded == 0u) return value;
  if (value < lower) return lower;
  return value > upper ? upper : value;
}

/* A vector between two, or beyond them: from + part (to - from), within the bounds, `step` apart. */
CLOPT_SHARED_TEMPLATE(real)
void simplex_go(SIMPLEX_GLOBAL const real* from, SIMPLEX_GLOBAL const real* to, real part,
                SIMPLEX_GLOBAL const real* bounds, uint parameters, uint bounded, SIMPLEX_GLOBAL real* result,
                uint step) {
  uint k;
  for (k = 0; k < parameters; ++k)
    result[(ulong)k * step] = simplex_inside SIMPLEX_REAL(from[k] + part * (to[k] - from[k]), bounds[k],
                                                          bounds[parameters + k], bounded);
}

/* How long the first simplex's edge along a parameter is: half of what the population spreads, and something where it
 * does not. */
CLOPT_SHARED_TEMPLATE(real) real simplex_first_edge(real least, real greatest, real lower, real upper) {
  const real part = (greatest - least) * (real)0.5f;
  const real some = (upper - lower) * (real)0x1p-10f;
  return part > some ? part : some;
}

/* Vertex `at` of a simplex that begins at vertex 0: an edge along parameter at - 1, the other way where the bound is
 * near. It has no value yet, and so the worst. */
CLOPT_SHARED_TEMPLATE(real)
void simplex_edge(SIMPLEX_GLOBAL real* numbers, uint at, SIMPLEX_GLOBAL const real* bounds, uint parameters,
                  uint bounded, SIMPLEX_GLOBAL real* candidate, uint step) {
  uint k;
  numbers[SIMPLEX_VALUES(parameters) + at] = (real)INFINITY;
  for (k = 0; k < parameters; ++k) {
    real value = numbers[k];
    if (k + 1u == at) {
      const real edge = numbers[SIMPLEX_EDGES(parameters) + k];
      value = bounded != 0u && value + edge > bounds[parameters + k] ? value - edge : value + edge;
      value = simplex_inside SIMPLEX_REAL(value, bounds[k], bounds[parameters + k], bounded);
    }
    numbers[at * (ulong)parameters + k] = value;
    candidate[(ulong)k * step] = value;
  }
}

/* Puts the reflected vertex, or the candidate, in the place of the worst one. */
CLOPT_SHARED_TEMPLATE(real)
void simplex_replace(SIMPLEX_GLOBAL real* numbers, uint vertex, SIMPLEX_GLOBAL const real* from, uint step, real value,
                     uint parameters) {
  uint k;
  for (k = 0; k < parameters; ++k) numbers[vertex * (ulong)parameters + k] = from[(ulong)k * step];
  numbers[SIMPLEX_VALUES(parameters) + vertex] = value;
}

/* How far the simplex reaches, relative to the parameters' sizes. */
CLOPT_SHARED_TEMPLATE(real)
real simplex_reach(SIMPLEX_GLOBAL const real* numbers, SIMPLEX_GLOBAL const real* bounds, uint best, uint parameters) {
  real reach = 0;
  uint i;
  uint k;
  for (i = 0; i <= parameters; ++i)
    for (k = 0; k < parameters; ++k) {
      const real here = numbers[best * (ulong)parameters + k];
      const real least = (bounds[parameters + k] - bounds[k]) * (real)0x1p-13f;
      const real size = fabs(here) > least ? fabs(here) : least;
      const real length = size > (real)0 ? fabs(numbers[i * (ulong)parameters + k] - here) / size : (real)0;
      if (length > reach) reach = length;
    }
  return reach;
}

/* The vertex with the least value, the first of several; those that a simplex has not begun with yet have none. */
CLOPT_SHARED_TEMPLATE(real) uint simplex_best(SIMPLEX_GLOBAL const real* numbers, uint parameters) {
  SIMPLEX_GLOBAL const real* const values = numbers + SIMPLEX_VALUES(parameters);
  uint best = 0;
  uint i;
  for (i = 1; i <= parameters; ++i)
    if (values[i] < values[best]) best = i;
  return best;
}

/* Orders the vertices, and says where to look next: at the reflection of the worst; where the simplex has come to its
 * end, at a smaller one around the best, or nowhere. */
SIMPLEX_APART
simplex_state simplex_next(SIMPLEX_GLOBAL real* numbers, SIMPLEX_GLOBAL const real* bounds, uint parameters,
                           uint bounded, simplex_state state, SIMPLEX_GLOBAL real* candidate, uint step) {
  SIMPLEX_GLOBAL real* const values = numbers + SIMPLEX_VALUES(parameters);
  SIMPLEX_GLOBAL real* const centroid = numbers + SIMPLEX_CENTROID(parameters);
  const real least_spread = (real)(sizeof(real) == 8 ? 0x1p-50f : 0x1p-22f);
  const real least_reach = (real)(sizeof(real) == 8 ? 0x1p-26f : 0x1p-14f);
  uint i;
  uint k;
  state.best = 0;
  state.worst = 0;
  for (i = 1; i <= parameters; ++i) {
    if (values[i] < values[state.best]) state.best = i;
    if (values[i] >= values[state.worst]) state.worst = i;
  }
  state.second = state.worst == 0u ? 1u : 0u;
  for (i = 0; i <= parameters; ++i)
    if (i != state.worst && values[i] > values[state.second]) state.second = i;
  if (values[state.worst] - values[state.best] <= least_spread * fabs(values[state.best]) ||
      simplex_reach SIMPLEX_REAL(numbers, bounds, state.best, parameters) <= least_reach) {
    const real begun = numbers[SIMPLEX_BEGUN_VALUE(parameters)];
    const real found = values[state.best];
    state.phase = SIMPLEX_CONVERGED;
    if (state.restarts >= SIMPLEX_RESTARTS || (state.restarts != 0u && !(begun - found > fabs(found) * (real)0x1p-10f)))
      return state;
    /* Vertex 0 becomes the best one. */
    for (k = 0; k < parameters; ++k) {
      numbers[k] = numbers[state.best * (ulong)parameters + k];
      numbers[SIMPLEX_EDGES(parameters) + k] *= (real)0.25f;
    }
    values[0] = found;
    numbers[SIMPLEX_BEGUN_VALUE(parameters)] = found;
    ++state.restarts;
    state.phase = SIMPLEX_BEGINS;
    state.best = 0;
    state.at = 1;
    simplex_edge SIMPLEX_REAL(numbers, 1u, bounds, parameters, bounded, candidate, step);
    return state;
  }
  /* Not a sum for each parameter: Intel's compiler adds 16 vertices, of which one is left out, in another order. */
  for (k = 0; k < parameters; ++k) centroid[k] = 0;
  for (i = 0; i <= parameters; ++i)
    if (i != state.worst)
      for (k = 0; k < parameters; ++k) centroid[k] += numbers[i * (ulong)parameters + k];
  for (k = 0; k < parameters; ++k) centroid[k] = centroid[k] / (real)parameters;
  simplex_go SIMPLEX_REAL(centroid, numbers + state.worst * (ulong)parameters, (real)-1, bounds, parameters, bounded,
                          candidate, step);
  state.phase = SIMPLEX_REFLECTS;
  return state;
}

/* Moves vertex `at`, or the next one, towards the best. */
SIMPLEX_APART
simplex_state simplex_shrink(SIMPLEX_GLOBAL real* numbers, SIMPLEX_GLOBAL const real* bounds, uint parameters,
                             uint bounded, real part, simplex_state state, SIMPLEX_GLOBAL real* candidate, uint step) {
  if (state.at == state.best) ++state.at;
  state.phase = SIMPLEX_SHRINKS;
  if (state.at <= parameters)
    simplex_go SIMPLEX_REAL(numbers + state.best * (ulong)parameters, numbers + state.at * (ulong)parameters, part,
                            bounds, parameters, bounded, candidate, step);
  return state;
}

/* A step: takes the candidate's value, and makes the next candidate, whose parameters are `step` apart. A NaN must
 * be passed as infinity. */
CLOPT_SHARED_TEMPLATE(real)
simplex_state simplex_step(SIMPLEX_GLOBAL real* numbers, SIMPLEX_GLOBAL const real* bounds, uint parameters,
                           uint bounded, simplex_state state, real value, SIMPLEX_GLOBAL real* candidate, uint step) {
  SIMPLEX_GLOBAL real* const values = numbers + SIMPLEX_VALUES(parameters);
  SIMPLEX_GLOBAL real* const centroid = numbers + SIMPLEX_CENTROID(parameters);
  SIMPLEX_GLOBAL real* const reflected = numbers + SIMPLEX_REFLECTED(parameters);
  /* Gao and Han 2012, section 4; of one parameter as of two. */
  const real n = (real)(parameters > 1u ? parameters : 2u);
  const real expansion = (real)1 + (real)2 / n;
  const real contraction = (real)0.75f - (real)0.5f / n;
  const real shrinkage = (real)1 - (real)1 / n;
  bool shrinks = false;
  uint k;
  ++state.evaluations;
  if (state.phase == SIMPLEX_BEGINS) {
    values[state.at] = value;
    ++state.at;
    if (state.at <= parameters) {
      simplex_edge SIMPLEX_REAL(numbers, state.at, bounds, parameters, bounded, candidate, step);
      return state;
    }
  } else if (state.phase == SIMPLEX_REFLECTS) {
    for (k = 0; k < parameters; ++k) reflected[k] = candidate[(ulong)k * step];
    numbers[SIMPLEX_REFLECTED_VALUE(parameters)] = value;
    if (value < values[state.best]) {
      simplex_go SIMPLEX_REAL(centroid, reflected, expansion, bounds, parameters, bounded, candidate, step);
      state.phase = SIMPLEX_EXPANDS;
      return state;
    }
    if (value >= values[state.second]) {
      const bool outside = value < values[state.worst];
      simplex_go SIMPLEX_REAL(centroid, outside ? reflected : numbers + state.worst * (ulong)parameters, contraction,
                              bounds, parameters, bounded, candidate, step);
      state.phase = outside ? SIMPLEX_CONTRACTS_OUTSIDE : SIMPLEX_CONTRACTS_INSIDE;
      return state;
    }
    simplex_replace SIMPLEX_REAL(numbers, state.worst, reflected, 1u, value, parameters);
  } else if (state.phase == SIMPLEX_EXPANDS) {
    const real before = numbers[SIMPLEX_REFLECTED_VALUE(parameters)];
    if (value < before)
      simplex_replace SIMPLEX_REAL(numbers, state.worst, candidate, step, value, parameters);
    else
      simplex_replace SIMPLEX_REAL(numbers, state.worst, reflected, 1u, before, parameters);
  } else if (state.phase == SIMPLEX_CONTRACTS_OUTSIDE) {
    shrinks = !(value <= numbers[SIMPLEX_REFLECTED_VALUE(parameters)]);
    if (!shrinks) simplex_replace SIMPLEX_REAL(numbers, state.worst, candidate, step, value, parameters);
  } else if (state.phase == SIMPLEX_CONTRACTS_INSIDE) {
    shrinks = !(value < values[state.worst]);
    if (!shrinks) simplex_replace SIMPLEX_REAL(numbers, state.worst, candidate, step, value, parameters);
  } else {
    simplex_replace SIMPLEX_REAL(numbers, state.at, candidate, step, value, parameters);
    ++state.at;
    shrinks = state.at + (state.at == state.best ? 1u : 0u) <= parameters;
    if (shrinks)
      return simplex_shrink SIMPLEX_REAL(numbers, bounds, parameters, bounded, shrinkage, state, candidate, step);
  }
  if (shrinks) {
    state.at = 0;
    return simplex_shrink SIMPLEX_REAL(numbers, bounds, parameters, bounded, shrinkage, state, candidate, step);
  }
  return simplex_next SIMPLEX_REAL(numbers, bounds, parameters, bounded, state, candidate, step);
}

CLOPT_SHARED_END

#endif
