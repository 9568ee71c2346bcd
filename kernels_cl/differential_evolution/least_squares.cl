/* A round of Levenberg and Marquardt's method for all fits, stage by stage. Each stage takes the fits that stand where
 * `taken` says, and leaves out the others. */
#include "shared/differential_evolution/differential_evolution.h"
#include "shared/differential_evolution/least_squares.h"

/* The vectors that fits begin with, and their values, from the populations: a work-item for each fit. */
kernel void choose_starts(global const real* vectors, global const real* values, global const evolution_state* states,
                          global real* starts, global real* start_values, fit_settings settings, uint population) {
  const ulong fit = get_global_id(0);
  if (fit >= settings.fits) return;
  const ulong problem = fit / settings.starts;
  const uint i = fit_start((uint)(fit % settings.starts), settings.starts, states[problem].best, states[problem].alive);
  start_values[fit] = values[problem * population + i];
  for (uint k = 0; k < settings.parameters; ++k)
    starts[fit * settings.parameters + k] = vectors[(problem * settings.parameters + k) * population + i];
}

/* Those around each fit's vector, from which slopes are made: a work-item for each parameter of each point. */
kernel void place_points(global const real* vectors, global const real* bounds, global const fit_state* states,
                         global real* points, fit_settings settings, uint taken) {
  const ulong id = get_global_id(0);
  const uint k = (uint)(id % settings.parameters);
  const ulong place = id / settings.parameters;
  const uint each = fit_points(settings.parameters);
  const uint point = (uint)(place % each);
  const ulong fit = place / each;
  if (fit >= settings.fits || fit_takes(taken, states[fit].phase) == 0u) return;
  points[id] = fit_coordinate(point, k, vectors[fit * settings.parameters + k], bounds[k],
                              bounds[settings.parameters + k], settings.bounded);
}

/* The slopes of all residuals, in place of those of the point above: a work-item for each of a parameter and a datum. */
kernel void find_slopes(global const real* points, global const fit_state* states, global real* residuals,
                        fit_settings settings, uint taken) {
  const ulong id = get_global_id(0);
  const uint j = (uint)(id % settings.data);
  const ulong place = id / settings.data;
  const uint k = (uint)(place % settings.parameters);
  const ulong fit = place / settings.parameters;
  if (fit >= settings.fits || fit_takes(taken, states[fit].phase) == 0u) return;
  const ulong above = fit * fit_points(settings.parameters) + 1u + 2u * k;
  const real width = points[above * settings.parameters + k] - points[(above + 1u) * settings.parameters + k];
  global real* const own = residuals + above * settings.data + j;
  own[0] = fit_slope(own[0], own[settings.data], width);
}

/* The normal equations: row a of a fit has the products of slope a with those up to a, and with the residuals. A
 * work-item for each number. */
kernel void multiply_slopes(global const real* residuals, global const fit_state* states, global real* normal,
                            fit_settings settings, uint taken) {
  const ulong id = get_global_id(0);
  const uint stride = settings.parameters + 1u;
  const uint b = (uint)(id % stride);
  const ulong place = id / stride;
  const uint a = (uint)(place % settings.parameters);
  const ulong fit = place / settings.parameters;
  if (fit >= settings.fits || fit_takes(taken, states[fit].phase) == 0u || (b > a && b < settings.parameters)) return;
  global const real* const own = residuals + fit * fit_points(settings.parameters) * settings.data;
  global const real* const slope = own + (ulong)(1u + 2u * a) * settings.data;
  global const real* const other = b == settings.parameters ? own : own + (ulong)(1u + 2u * b) * settings.data;
  normal[id] = fit_product(slope, other, settings.data);
}

/* The vectors of all trials, and what they promise: a work-item for each. */
kernel void try_steps(global const real* normal, global const real* vectors, global const real* bounds,
                      global const real* dampings, global const fit_state* states, global real* scratch,
                      global real* trials, global real* gains, global real* lengths, fit_settings settings,
                      uint taken) {
  const ulong id = get_global_id(0);
  const ulong fit = id / FIT_TRIALS;
  if (fit >= settings.fits || fit_takes(taken, states[fit].phase) == 0u) return;
  const uint parameters = settings.parameters;
  const fit_promise promise = fit_step(
      normal + fit * parameters * (parameters + 1u), vectors + fit * parameters, bounds, parameters, settings.bounded,
      fit_damping(dampings[fit], (uint)(id % FIT_TRIALS)), scratch + id * fit_scratch(parameters),
      trials + id * parameters);
  gains[id] = promise.gain;
  lengths[id] = promise.length;
}

/* The sum of squared residuals of each of `each` vectors of a fit: a work-item for each. */
kernel void add_squares(global const real* residuals, global const fit_state* states, global real* values,
                        fit_settings settings, uint each, uint taken) {
  const ulong id = get_global_id(0);
  const ulong fit = id / each;
  if (fit >= settings.fits || fit_takes(taken, states[fit].phase) == 0u) return;
  global const real* const own = residuals + id * settings.data;
  values[id] = fit_product(own, own, settings.data);
}

/* Goes to the best trial where that is better: a work-item for each fit. */
kernel void take_steps(global const real* trials, global const real* trial_values, global const real* gains,
                       global const real* lengths, global real* vectors, global real* values, global real* dampings,
                       global fit_state* states, fit_settings settings, uint taken) {
  const ulong fit = get_global_id(0);
  if (fit >= settings.fits || fit_takes(taken, states[fit].phase) == 0u) return;
  const uint parameters = settings.parameters;
  const ulong first = fit * FIT_TRIALS;
  const fit_outcome outcome =
      fit_choice(gains + first, lengths + first, trial_values + first, values[fit], dampings[fit]);
  states[fit].evaluations += FIT_TRIALS + (states[fit].phase == FIT_MOVED ? fit_points(parameters) : 0u);
  states[fit].phase = outcome.phase;
  dampings[fit] = outcome.damping;
  if (outcome.best == FIT_TRIALS) return;
  values[fit] = trial_values[first + outcome.best];
  for (uint k = 0; k < parameters; ++k)
    vectors[fit * parameters + k] = trials[(first + outcome.best) * parameters + k];
}
