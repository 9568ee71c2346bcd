/* Restarts of problems whose populations have collapsed. */
#include "differential_evolution/population.cl"
#include "differential_evolution/extremes.cl"

/* Before `generation`: finds the problems whose values lie close together, and whose least one is what it was when this
 * kernel last ran; keeps their best vectors, where better ones are not kept already, and stops them, so that no other
 * kernel makes their vectors of that generation. A work-group for each problem; `least`, `greatest` and `places` have
 * an element for each work-item. */
kernel void collapse(global const real* vectors, global const real* values, global evolution_state* states,
                     global real* kept_values, global real* kept_vectors, evolution_settings settings, uint generation,
                     local real* least, local real* greatest, local uint* places) {
  const ulong k = get_group_id(0);
  const uint population = settings.population;
  evolution_state own = states[k];
  const real kept = kept_values[k];
  const extremes found = find_extremes(values + k * population, population, least, greatest, places);
  if (own.stopped_at != EVOLUTION_RUNNING) return;
  const ulong bits = bits_of(found.least + (real)0);
  /* A run that was ended in the middle of the generation repeats it, with the answer that it had. */
  const bool is_asked = own.improved_at == generation - 1u;
  const bool restarts =
      is_asked ? own.restarted_at == generation
               : own.least == bits && evolution_is_collapsed(found.least, found.greatest) != 0u;
  const bool keeps = restarts && !is_asked && found.least < kept;
  if (keeps)
    for (uint j = get_local_id(0); j < DIMENSIONS; j += get_local_size(0))
      kept_vectors[k * DIMENSIONS + j] = vectors[(k * DIMENSIONS + j) * population + found.best];
  if (get_local_id(0) != 0) return;
  if (!is_asked) states[k].least = bits;
  states[k].improved_at = generation - 1u;
  if (!restarts) return;
  if (keeps) kept_values[k] = found.least;
  states[k].archived = 0u;
  states[k].restarted_at = generation;
  states[k].stopped_at = generation - 1u;
}
