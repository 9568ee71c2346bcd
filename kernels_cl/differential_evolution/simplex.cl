/* Nelder and Mead's method for all problems, a vector of each at a time. */
#include "shared/differential_evolution/differential_evolution.h"
#include "shared/differential_evolution/simplex.h"

/* Begins with the best individual of each population, along whose edges others lie, and makes the first candidate. The
 * numbers of a problem are together; candidates lie parameter by parameter. A work-item for each problem. */
kernel void begin_simplices(global const real* vectors, global const real* values, global const evolution_state* states,
                            global const real* bounds, global real* numbers, global simplex_state* simplices,
                            global real* candidates, simplex_settings settings, uint population) {
  const ulong problem = get_global_id(0);
  if (problem >= settings.problems) return;
  const uint parameters = settings.parameters;
  const uint best = states[problem].best;
  const uint alive = states[problem].alive;
  global real* const own = numbers + problem * simplex_numbers(parameters);
  for (uint k = 0; k < parameters; ++k) {
    global const real* const all = vectors + (problem * parameters + k) * population;
    real least = all[0];
    real greatest = all[0];
    for (uint i = 1; i < alive; ++i) {
      least = all[i] < least ? all[i] : least;
      greatest = all[i] > greatest ? all[i] : greatest;
    }
    own[k] = all[best];
    own[SIMPLEX_EDGES(parameters) + k] = simplex_first_edge(least, greatest, bounds[k], bounds[parameters + k]);
  }
  own[SIMPLEX_VALUES(parameters)] = values[problem * population + best];
  own[SIMPLEX_BEGUN_VALUE(parameters)] = values[problem * population + best];
  for (uint i = 1; i <= parameters; ++i) own[SIMPLEX_VALUES(parameters) + i] = (real)INFINITY;
  simplices[problem] = simplex_first(settings.most_evaluations);
  simplex_edge(own, 1u, bounds, parameters, settings.bounded, candidates + problem, settings.problems);
}

/* Takes the values of the candidates, and makes the next ones: a work-item for each problem. */
kernel void move_simplices(global const real* values, global const real* bounds, global real* numbers,
                           global simplex_state* simplices, global real* candidates, simplex_settings settings) {
  const ulong problem = get_global_id(0);
  if (problem >= settings.problems || simplex_waits(simplices[problem]) == 0u) return;
  const uint parameters = settings.parameters;
  const simplex_state next =
      simplex_step(numbers + problem * simplex_numbers(parameters), bounds, parameters, settings.bounded,
                   simplices[problem], values[problem], candidates + problem, settings.problems);
  simplices[problem] = simplex_limited(next, settings.most_evaluations);
}

/* The best vertex of each problem: a work-item for each. */
kernel void choose_vertices(global const real* numbers, global real* vectors, global real* values,
                            simplex_settings settings) {
  const ulong problem = get_global_id(0);
  if (problem >= settings.problems) return;
  const uint parameters = settings.parameters;
  global const real* const own = numbers + problem * simplex_numbers(parameters);
  const uint best = simplex_best(own, parameters);
  values[problem] = own[SIMPLEX_VALUES(parameters) + best];
  for (uint k = 0; k < parameters; ++k) vectors[problem * parameters + k] = own[best * (ulong)parameters + k];
}
