/* E: the values of vectors, a launch over all individuals of all problems. */
#define INDIVIDUAL_SPACE global
#include "differential_evolution/population.cl"
#include "differential_evolution/value.cl"

kernel void evaluate(global const real* vectors, global real* values, global evolution_state* states,
                     global const real* rows, global const real* tables, evolution_settings settings, uint generation,
                     ulong count) {
  if (get_global_id(0) >= count) return;
  const place here = place_of(get_global_id(0), settings.population);
  if (states[here.k].stopped_at < generation) return;
  uint invalid = 0;
  values[get_global_id(0)] = value_of(vectors + here.first, settings.population,
                                      rows + (ulong)here.k * settings.columns, tables, settings.columns, &invalid);
  if (invalid != 0) atomic_inc(&states[here.k].invalid);
}
