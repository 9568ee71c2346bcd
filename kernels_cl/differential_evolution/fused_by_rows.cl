/* The fused method where a population is too large for local memory and each work-item has one individual. Rows of
 * the population, a parameter of all individuals each, come to local memory a few at a time, where donors are picked
 * at random: global memory is read and written in order only. Trials lie in `spare` until their values are known; the
 * better ones are copied. (To let the two places of an individual take turns saves the copies, but neighbours then
 * read from and write to two places each: it takes longer.) */

/* Parameters from `begin` on of an individual. */
static inline void take_rows(global const real* own, uint begin, private real* to) {
#pragma unroll
  for (uint r = 0; r < ROWS_AT_ONCE; ++r) to[r] = begin + r < DIMENSIONS ? own[(begin + r) * POPULATION] : (real)0;
}

/* A trial into its individual's place, several parameters on their way at once. */
static inline void copy_rows(global const real* trial, global real* own) {
  for (uint begin = 0; begin < DIMENSIONS; begin += ROWS_AT_ONCE) {
    real some[ROWS_AT_ONCE];
    take_rows(trial, begin, some);
#pragma unroll
    for (uint r = 0; r < ROWS_AT_ONCE; ++r)
      if (begin + r < DIMENSIONS) own[(begin + r) * POPULATION] = some[r];
  }
}

/* Parameters from `begin` on of a trial, whose donors are in local memory. Returns how the crossover continues. */
static inline evolution_crossing make_rows(local const real* stage, private const real* kept, global real* trial,
                                           uint begin, box within, evolution_donors donors, uint forced,
                                           evolution_crossing now, evolution_address at, control with) {
#pragma unroll
  for (uint r = 0; r < ROWS_AT_ONCE; ++r) {
    const uint j = begin + r;
    local const real* const parameter = stage + r * POPULATION;
    if (j < DIMENSIONS) {
      real mutant =
          evolution_mutant(parameter[donors.base], parameter[donors.plus], parameter[donors.minus], with.weight);
      if (evolution_has_second(STRATEGY) != 0u)
        mutant = evolution_mutant(mutant, parameter[donors.second_plus], parameter[donors.second_minus], with.weight);
      mutant = bounded(at, within, mutant, j);
      now = evolution_cross(now, at, j, forced, DIMENSIONS, EXPONENTIAL, with.crossover);
      trial[j * POPULATION] = now.taken != 0u ? mutant : kept[r];
    }
  }
  return now;
}

static inline void evolve_by_rows(global real* vectors, global real* spare, global real* values, global real* controls,
                                  global evolution_state* states, global const uint* running,
                                  global const real* bounds, global const real* rows, global const real* tables,
                                  evolution_settings settings, real weight, real target, uint first_generation,
                                  uint last_generation, global real* history, ulong history_step, local real* memory,
                                  local uint* reached) {
  const uint i = get_local_id(0);
  const uint k = running[get_group_id(0)];
  const bool works = i < POPULATION;
  const ulong first = (ulong)k * DIMENSIONS * POPULATION + i;
  global real* const own_controls = controls + first_control(k, POPULATION);
  evolution_address at = {settings.seed, states[k].problem, 0u, i};
  global real* const own = vectors + first;
  global real* const trial = spare + first;
  local real* stage = memory;
  local real* next_stage = memory + ROWS_AT_ONCE * POPULATION;
  real value = works ? values[(ulong)k * POPULATION + i] : (real)0;
  const box within = box_of(bounds);
  uint invalid = 0;
  uint stopped_at = EVOLUTION_RUNNING;
#if STOPS_AT_TARGET
  if (i < 3u) reached[i] = 0u;
#endif
  for (uint generation = first_generation; generation <= last_generation; ++generation) {
    at.generation = generation;
    const evolution_drawn drawn = evolution_draw(at.seed, at.problem, generation, works ? i : 0u, POPULATION, DIMENSIONS,
                                                 STRATEGY, ADAPT, 0u, settings.unforced);
    const evolution_donors donors = evolution_donors_of(drawn, STRATEGY, works ? i : 0u, 0u);
    const control with = control_of(settings, at, weight, own_controls);
    evolution_crossing now = evolution_crossing_of(at, drawn, DIMENSIONS, EXPONENTIAL, with.crossover);
    real kept[ROWS_AT_ONCE];
    take_rows(own, works ? 0u : DIMENSIONS, kept);
    for (uint begin = 0; begin < DIMENSIONS; begin += ROWS_AT_ONCE) {
      real ahead[ROWS_AT_ONCE];
      if (works) {
#pragma unroll
        for (uint r = 0; r < ROWS_AT_ONCE; ++r) stage[r * POPULATION + i] = kept[r];
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      /* On their way while these are worked on. */
      take_rows(own, works ? begin + ROWS_AT_ONCE : DIMENSIONS, ahead);
      if (works) now = make_rows(stage, kept, trial, begin, within, donors, drawn.forced, now, at, with);
      /* The other rows' readers are through: all have passed the barrier since. */
      local real* const swapped = stage;
      stage = next_stage;
      next_stage = swapped;
#pragma unroll
      for (uint r = 0; r < ROWS_AT_ONCE; ++r) kept[r] = ahead[r];
    }
    if (works) {
      const real found = value_of(trial, POPULATION, rows + (ulong)k * settings.columns, tables, settings.columns,
                                  &invalid);
      keep_control(settings, at, with, own_controls, value, found);
      if (found < value) {
        copy_rows(trial, own);
        value = found;
#if STOPS_AT_TARGET
        if (found <= target) atomic_or(&reached[generation % 3u], 1u);
#endif
      }
      keep_value(history, history_step, generation - first_generation, (ulong)k * POPULATION + i, value);
    }
#if STOPS_AT_TARGET
    if (i == 0) reached[(generation + 1u) % 3u] = 0u;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (reached[generation % 3u] != 0u) {
      stopped_at = generation;
      break;
    }
#endif
  }
  if (!works) return;
  values[(ulong)k * POPULATION + i] = value;
  if (invalid != 0u) atomic_add(&states[k].invalid, invalid);
  if (i == 0 && stopped_at != EVOLUTION_RUNNING) states[k].stopped_at = stopped_at;
}
