/* What is known of a problem's whole population, by a work-group for each problem. */
#include "differential_evolution/population.cl"
#include "differential_evolution/extremes.cl"

/* The best individual, the order of all where the strategy asks for it, SHADE's history where `remembers` is not 0, and
 * the end of a problem that has reached `target` or whose values lie within `spread`. */
kernel void lead(global const real* values, global real* controls, global evolution_state* states, global uint* order,
                 evolution_settings settings, real target, real spread, uint remembers, uint generation,
                 local real* least, local real* greatest, local uint* places) {
  const ulong k = get_group_id(0);
  const uint population = settings.population;
  const extremes found = find_extremes(values + k * population, population, least, greatest, places);
  if (states[k].stopped_at < generation) return;
#if STRATEGY == 5
  find_order(values + k * population, population, order + k * population);
#endif
  if (get_local_id(0) != 0) return;
  if (remembers != 0u) remember_controls(population, controls + first_control((uint)k, population));
  states[k].best = found.best;
  const bool ends = ((settings.stop & EVOLUTION_STOP_TARGET) != 0u && found.least <= target) ||
                    ((settings.stop & EVOLUTION_STOP_SPREAD) != 0u && found.greatest - found.least <= spread);
  if (ends) states[k].stopped_at = min(states[k].stopped_at, generation);
}

/* The best value and vector, the mean and greatest values, and a digest of all vectors and values. */
kernel void summarise(global const real* vectors, global const real* values, global evolution_state* states,
                      evolution_settings settings, global real* best_values, global real* worst_values,
                      global real* best_vectors, global ulong* digests, local real* least, local real* greatest,
                      local uint* places, local ulong* parts) {
  const ulong k = get_group_id(0);
  const uint population = settings.population;
  const uint me = get_local_id(0);
  const uint size = get_local_size(0);
  const extremes found = find_extremes(values + k * population, population, least, greatest, places);
  global const real* const problem = vectors + k * DIMENSIONS * population;
  ulong digest = 0;
  for (uint i = me; i < population; i += size) {
    digest += evolution_digest(bits_of(values[k * population + i]), (ulong)i * (DIMENSIONS + 1u));
    for (uint j = 0; j < DIMENSIONS; ++j)
      digest += evolution_digest(bits_of(problem[(ulong)j * population + i]), (ulong)i * (DIMENSIONS + 1u) + j + 1u);
  }
  for (uint j = me; j < DIMENSIONS; j += size)
    best_vectors[k * DIMENSIONS + j] = problem[(ulong)j * population + found.best];
  parts[me] = digest;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (me != 0) return;
  for (uint item = 1; item < size; ++item) digest += parts[item];
  digests[k] = digest;
  best_values[k] = found.least;
  worst_values[k] = found.greatest;
  states[k].best = found.best;
}
