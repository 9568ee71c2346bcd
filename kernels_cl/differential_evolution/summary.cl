/* What is known of a problem's whole population, by a work-group for each problem. */
#include "differential_evolution/population.cl"
#include "differential_evolution/extremes.cl"
#include "differential_evolution/renew.cl"

/* What SHADE renews where `renews` is not 0, from the vectors before the generation (`old`) and after it; then the
 * best individual, the order of all where the strategy needs it, and the end of a problem that has reached
 * `target`, whose values lie within `spread`, or that stagnates. Problems that restart in this generation run again.
 * Those that have stopped are left as they are. A work-group for each problem; `least`, `greatest` and `places` have
 * an element for each work-item. */
kernel void lead(global real* vectors, global const real* old, global real* values, global real* controls,
                 global real* archive, global evolution_state* states, global uint* order, evolution_settings settings,
                 real target, real spread, uint renews, uint generation, local real* least, local real* greatest,
                 local uint* places) {
  const ulong k = get_group_id(0);
  const uint population = settings.population;
  const bool restarts = evolution_restarts(states[k], generation) != 0u;
  const bool ran = states[k].stopped_at >= generation;
  const bool runs = ran || restarts;
  global real* const own_values = values + k * population;
  uint alive = alive_in(settings, states + k);
#if ADAPT >= 2
  const ulong numbers = (ulong)DIMENSIONS * population;
  const evolution_address at = {settings.seed, states[k].problem, generation, 0u};
  shade_state shade = shade_state_of(states + k);
  /* All go through the barriers, those with nothing to renew with an empty population. */
  const bool is_idle = renews == 0u || !ran;
  shade_state renewed = shade;
  if (is_idle) renewed.alive = renewed.archived = 0u;
  renewed_problem problem;
  problem.vectors = vectors + k * numbers;
  problem.old = old + k * numbers;
  problem.values = own_values;
  problem.controls = controls + first_control((uint)k, population);
  problem.archive = archive + k * DIMENSIONS * settings.archive;
  problem.order = order + (NEEDS_ORDER ? k * population : 0ul);
  renewed = renew(problem, settings, at, renewed);
  if (!is_idle) shade = renewed;
  if (restarts) shade.evaluations += population;
  alive = ADAPT == 3 ? shade.alive : population;
#endif
  const extremes found = find_extremes(own_values, alive, least, greatest, places);
#if STRATEGY == 5
  if (runs) find_order(own_values, alive, order + k * population);
#endif
  /* All have read the state that is written now. */
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (get_local_id(0) == 0 && runs) {
#if ADAPT >= 2
    keep_shade_state(shade, states + k);
#endif
    states[k].best = found.best;
    if (restarts) states[k].stopped_at = EVOLUTION_RUNNING;
    bool ends = ((settings.stop & EVOLUTION_STOP_TARGET) != 0u && found.least <= target) ||
                ((settings.stop & EVOLUTION_STOP_SPREAD) != 0u && found.greatest - found.least <= spread);
#if STOPS_BY_STAGNATION
    const evolution_state now = evolution_with_least(states[k], bits_of(found.least + (real)0), generation);
    keep_progress(now, states + k);
    ends = ends || evolution_stagnates(now, generation, settings.stagnation) != 0u;
#endif
    if (ends) states[k].stopped_at = min(states[k].stopped_at, generation);
  }
}

/* Of each problem the least and the greatest value, the vector of the least one, and a digest of all vectors and
 * values. A work-group for each problem; local memory has an element for each work-item. */
kernel void summarise(global const real* vectors, global const real* values, global evolution_state* states,
                      evolution_settings settings, global real* best_values, global real* worst_values,
                      global real* best_vectors, global ulong* digests, local real* least, local real* greatest,
                      local uint* places, local ulong* parts) {
  const ulong k = get_group_id(0);
  const uint population = settings.population;
  const uint me = get_local_id(0);
  const uint size = get_local_size(0);
  const uint alive = alive_in(settings, states + k);
  const extremes found = find_extremes(values + k * population, alive, least, greatest, places);
  global const real* const problem = vectors + k * DIMENSIONS * population;
  ulong digest = 0;
  for (uint i = me; i < alive; i += size) {
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
