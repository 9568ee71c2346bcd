/* The fused method where each work-item keeps one short vector in registers, and local memory has one population. A
 * generation reads the others' vectors; once all have, the better trials are written. A work-group carries
 * PROBLEMS_OF_GROUP optimisations side by side, so that small populations leave few work-items idle. */

/* Makes the trial of an individual and takes it where it is better. Returns whether it is. */
static inline bool take_better(local const real* current, private real* own, private real* value,
                               global const real* row_values, global const real* tables, global real* controls,
                               box within, evolution_settings settings, evolution_address at, real weight,
                               private uint* invalid) {
  const evolution_drawn drawn = evolution_draw(at.seed, at.problem, at.generation, at.individual, POPULATION,
                                               DIMENSIONS, STRATEGY, ADAPT, 0u, settings.unforced);
  const control with = control_of(settings, at, weight, controls);
  const evolution_donors donors = evolution_donors_of(drawn, STRATEGY, at.individual, 0u);
  real trial[DIMENSIONS];
  make_trial(current, own, trial, 1u, within, donors, archived_of(settings, 0, donors, POPULATION), drawn, at, with,
             POPULATION);
  const real found = value_of(trial, 1u, row_values, tables, settings.columns, invalid);
  const bool better = found < *value;
  keep_control(settings, at, with, controls, *value, found);
  if (better) {
    *value = found;
#pragma unroll
    for (uint j = 0; j < DIMENSIONS; ++j) own[j] = trial[j];
  }
  return better;
}

static inline void evolve_in_registers(global real* vectors, global real* values, global real* controls,
                                       global evolution_state* states, global const uint* running,
                                       global const real* bounds, global const real* rows, global const real* tables,
                                       evolution_settings settings, real weight, real target, uint first_generation,
                                       uint last_generation, global real* history, ulong history_step,
                                       local real* memory, local uint* reached) {
  const uint me = get_local_id(0);
  const uint place = me / POPULATION;
  const uint i = me - place * POPULATION;
  global const uint* const own_problems = running + get_group_id(0) * PROBLEMS_OF_GROUP;
  const uint k = place < PROBLEMS_OF_GROUP ? own_problems[place] : EVOLUTION_NO_PROBLEM;
  const bool has_problem = k != EVOLUTION_NO_PROBLEM;
  bool runs = has_problem;
  const ulong first = runs ? (ulong)k * DIMENSIONS * POPULATION + i : 0ul;
  const ulong own_place = runs ? (ulong)k * POPULATION + i : 0ul;
  global real* const own_controls = controls + first_control(runs ? k : 0u, POPULATION);
  global const real* const row_values = rows + (ulong)(runs ? k : 0u) * settings.columns;
  local real* const current = memory + place * (DIMENSIONS * POPULATION);
  evolution_address at = {settings.seed, states[runs ? k : 0u].problem, 0u, i};
  const box within = box_of(bounds);
  uint invalid = 0;
  uint stopped_at = EVOLUTION_RUNNING;
  real own[DIMENSIONS];
  real value = runs ? values[own_place] : (real)0;
#pragma unroll
  for (uint j = 0; j < DIMENSIONS; ++j) {
    own[j] = runs ? vectors[first + j * POPULATION] : (real)0;
    if (runs) current[j * POPULATION + i] = own[j];
  }
#if STOPS_AT_TARGET
  if (me < PROBLEMS_OF_GROUP) reached[me] = own_problems[me] == EVOLUTION_NO_PROBLEM ? 1u : 0u;
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint generation = first_generation; generation <= last_generation; ++generation) {
    bool better = false;
    if (runs) {
      at.generation = generation;
      better = take_better(current, own, &value, row_values, tables, own_controls, within, settings, at, weight,
                           &invalid);
      keep_value(history, history_step, generation - first_generation, own_place, value);
#if STOPS_AT_TARGET
      if (better && value <= target) atomic_or(&reached[place], 1u);
#endif
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (better) {
#pragma unroll
      for (uint j = 0; j < DIMENSIONS; ++j) current[j * POPULATION + i] = own[j];
    }
#if STOPS_AT_TARGET
    uint over = 1u;
    for (uint other = 0; other < PROBLEMS_OF_GROUP; ++other) over &= reached[other];
    if (runs && reached[place] != 0u) {
      stopped_at = generation;
      runs = false;
    }
#endif
    barrier(CLK_LOCAL_MEM_FENCE);
#if STOPS_AT_TARGET
    if (over != 0u) break;
#endif
  }
  if (!has_problem) return;
#pragma unroll
  for (uint j = 0; j < DIMENSIONS; ++j) vectors[first + j * POPULATION] = own[j];
  values[own_place] = value;
  if (invalid != 0u) atomic_add(&states[k].invalid, invalid);
  if (i == 0 && stopped_at != EVOLUTION_RUNNING) states[k].stopped_at = stopped_at;
}
