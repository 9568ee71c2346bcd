/* The paper's method (its figure 3): a work-group is a whole optimisation, and one launch carries many generations. */
#if LOCAL_POPULATION
#define POPULATION_SPACE local
#else
#define POPULATION_SPACE global
#endif
/* SHADE's control parameters are always in global memory. */
#if LOCAL_POPULATION && ADAPT != 2
#define POPULATION_FENCE CLK_LOCAL_MEM_FENCE
#else
#define POPULATION_FENCE (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#endif
#if PRIVATE_TRIAL
#define TRIAL_SPACE private
#else
#define TRIAL_SPACE POPULATION_SPACE
#endif
#define INDIVIDUAL_SPACE TRIAL_SPACE
#define VALUE_SPACE POPULATION_SPACE
#include "differential_evolution/trial.cl"
#include "differential_evolution/value.cl"
#include "differential_evolution/extremes.cl"
#if PROBLEMS_OF_GROUP
#include "differential_evolution/fused_in_registers.cl"
#elif ROWS_AT_ONCE
#include "differential_evolution/fused_by_rows.cl"
#endif

#ifdef WORK_GROUP
#define FUSED_REQUIRE __attribute__((reqd_work_group_size(WORK_GROUP, 1, 1)))
#else
#define FUSED_REQUIRE
#endif

/* Generations first_generation to last_generation of the problems in `running`, a work-group of any size each.
 *
 * A generation reads one population and writes the other, and ends with the one barrier; an individual's value and
 * control parameters belong to its work-item. `memory` has, with LOCAL_POPULATION, two populations and their values;
 * else `spare` takes the second population. POPULATION may be the population's size. Scratch has an element for each
 * work-item where the best individual is asked for each generation (NEEDS_EXTREMES). Two other forms of the same:
 * PROBLEMS_OF_GROUP, ROWS_AT_ONCE. */
kernel FUSED_REQUIRE void fused(global real* vectors, global real* spare, global real* values, global real* controls,
                  global evolution_state* states, global uint* order, global const uint* running,
                  global const real* bounds,
                  global const real* rows, global const real* tables, evolution_settings settings, real weight,
                  real target, real spread, uint first_generation, uint last_generation, local real* memory,
                  local real* least, local real* greatest, local uint* places) {
#if PROBLEMS_OF_GROUP
  local uint reached[PROBLEMS_OF_GROUP];
  evolve_in_registers(vectors, values, controls, states, running, bounds, rows, tables, settings, weight, target,
                      first_generation, last_generation, memory, reached);
#elif ROWS_AT_ONCE
  local uint reached[3];
  evolve_by_rows(vectors, spare, values, controls, states, running, bounds, rows, tables, settings, weight, target,
                 first_generation, last_generation, memory, reached);
#else
#if STOPS_AT_TARGET
  local uint reached[3];
#endif
  const uint k = running[get_group_id(0)];
  const uint me = get_local_id(0);
  const uint size = get_local_size(0);
#ifdef POPULATION
  const uint population = POPULATION;
#else
  const uint population = settings.population;
#endif
  const uint numbers = population * DIMENSIONS;
  global real* const own_controls = controls + first_control(k, population);
  global uint* const own_order = order + (ulong)k * population;
  global const real* const row_values = rows + (ulong)k * settings.columns;
  evolution_address at = {settings.seed, states[k].problem, 0u, 0u};
  const box within = box_of(bounds);
  uint invalid = 0;
  uint stopped_at = EVOLUTION_RUNNING;
#if LOCAL_POPULATION
  local real* current = memory;
  local real* next = memory + numbers;
  local real* own_values = memory + 2u * numbers;
  for (uint n = me; n < numbers; n += size) current[n] = vectors[(ulong)k * numbers + n];
  for (uint i = me; i < population; i += size) own_values[i] = values[(ulong)k * population + i];
#else
  global real* current = vectors + (ulong)k * numbers;
  global real* next = spare + (ulong)k * numbers;
  global real* own_values = values + (ulong)k * population;
#endif
#if STOPS_AT_TARGET
  if (me < 3u) reached[me] = 0u;
#endif
  barrier(POPULATION_FENCE);
  for (uint generation = first_generation; generation <= last_generation; ++generation) {
    at.generation = generation;
    uint best = 0;
#if STRATEGY == 5
    find_order(own_values, population, own_order);
    barrier(CLK_GLOBAL_MEM_FENCE);
#elif NEEDS_BEST
    best = find_extremes(own_values, population, least, greatest, places).best;
#endif
    for (uint i = me; i < population; i += size) {
      at.individual = i;
      const evolution_drawn drawn =
          evolution_draw(at.seed, at.problem, generation, i, population, DIMENSIONS, STRATEGY);
#if STRATEGY == 5
      best = own_order[drawn.r4];
#endif
      const evolution_donors donors = evolution_donors_of(drawn, STRATEGY, i, best);
      const control with = control_of(settings, at, weight, own_controls);
      POPULATION_SPACE const real* const own = current + i;
      POPULATION_SPACE real* const own_next = next + i;
#if PRIVATE_TRIAL
      real kept[DIMENSIONS];
      real trial[DIMENSIONS];
      const uint stride = 1;
      take_vector(own, population, kept);
#else
      POPULATION_SPACE const real* const kept = own;
      POPULATION_SPACE real* const trial = own_next;
      const uint stride = population;
#endif
      make_trial(current, kept, trial, stride, within, donors, drawn, at, with, population);
      const real value = value_of(trial, stride, row_values, tables, settings.columns, &invalid);
      const real before = own_values[i];
      const bool better = value < before;
#if PRIVATE_TRIAL
#pragma unroll
      for (uint j = 0; j < DIMENSIONS; ++j)
        own_next[j * population] = better ? trial[j] : kept[j];
#else
      /* A better trial is in its place already. */
      for (uint j = 0; j < DIMENSIONS && !better; ++j) own_next[j * population] = own[j * population];
#endif
      own_values[i] = better ? value : before;
      keep_control(settings, at, own_controls, before, value);
#if STOPS_AT_TARGET
      if (better && value <= target) atomic_or(&reached[generation % 3u], 1u);
#endif
    }
#if STOPS_AT_TARGET
    /* The flag of the next generation was last read two generations ago. */
    if (me == 0) reached[(generation + 1u) % 3u] = 0u;
#endif
    barrier(POPULATION_FENCE);
#if ADAPT == 2
    if (me == 0) remember_controls(population, own_controls);
    barrier(CLK_GLOBAL_MEM_FENCE);
#endif
    POPULATION_SPACE real* const swapped = current;
    current = next;
    next = swapped;
    bool ends = false;
#if STOPS_AT_TARGET
    ends = reached[generation % 3u] != 0u;
#endif
#if STOPS_BY_SPREAD
    const extremes found = find_extremes(own_values, population, least, greatest, places);
    ends = ends || found.greatest - found.least <= spread;
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    if (ends) {
      stopped_at = generation;
      break;
    }
  }
#if LOCAL_POPULATION
  for (uint n = me; n < numbers; n += size) vectors[(ulong)k * numbers + n] = current[n];
  for (uint i = me; i < population; i += size) values[(ulong)k * population + i] = own_values[i];
#else
  if (current != vectors + (ulong)k * numbers)
    for (uint n = me; n < numbers; n += size) vectors[(ulong)k * numbers + n] = current[n];
#endif
  if (invalid != 0u) atomic_add(&states[k].invalid, invalid);
  if (me == 0 && stopped_at != EVOLUTION_RUNNING) states[k].stopped_at = stopped_at;
#endif
}
