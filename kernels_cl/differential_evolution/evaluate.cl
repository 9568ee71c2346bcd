/* The stage of a generation that calls the objective. */
#define INDIVIDUAL_SPACE global
#include "differential_evolution/population.cl"
#include "differential_evolution/value.cl"

/* E: the values of vectors, of the individuals from `begin` to `end` - 1, counted through all problems. Problems that
 * stopped before `generation` are left out. */
kernel void evaluate(global const real* vectors, global real* values, global evolution_state* states,
                     global const real* rows, global const real* tables, evolution_settings settings, uint generation,
                     ulong begin, ulong end) {
  const ulong id = begin + get_global_id(0);
  if (id >= end) return;
  const place here = place_of(id, settings.population);
  if (states[here.k].stopped_at < generation || here.i >= alive_in(settings, states + here.k)) return;
  uint invalid = 0;
  values[id] = value_of(vectors + here.first, settings.population,
                                      rows + (ulong)here.k * settings.columns, tables, settings.columns, &invalid);
  if (invalid != 0) atomic_inc(&states[here.k].invalid);
}
