/* The fused method for every strategy, any population and work-groups of any size: a generation reads one population
 * and writes the other, and ends with one barrier. With LOCAL_POPULATION both are in local memory, else in global
 * memory; with REMEMBERS_LOCALLY control parameters and the order are there, too. */

/* One problem, as its work-items see it. */
typedef struct {
  POPULATION_SPACE real* current;
  POPULATION_SPACE real* next;
  POPULATION_SPACE real* values;
  CONTROL_SPACE real* controls;
  ORDER_SPACE uint* order;
  global real* archive;
  global const real* row_values;
  global const real* tables;
  box within;
  uint population; /* that there is room for */
  uint alive;
  uint archived;
} optimisation;

/* The trial of an individual, its value, and the better one of both into the next population. Returns whether that
 * is a new value, no greater than the target. */
static inline bool evolve_individual(optimisation problem, evolution_settings settings, evolution_address at, uint best,
                                     real weight, real target, private uint* invalid) {
  const uint i = at.individual;
  const uint population = problem.population;
  const evolution_drawn drawn = evolution_draw(at.seed, at.problem, at.generation, i, problem.alive, DIMENSIONS,
                                               STRATEGY, ADAPT, problem.archived, settings.unforced);
  const evolution_donors donors =
      evolution_donors_of(drawn, STRATEGY, i, STRATEGY == 5 ? problem.order[drawn.r4] : best);
  const archived_vector from = archived_of(settings, problem.archive, donors, problem.alive);
  const control with = control_of(settings, at, weight, problem.controls);
  POPULATION_SPACE const real* const own = problem.current + i;
  POPULATION_SPACE real* const own_next = problem.next + i;
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
  make_trial(problem.current, kept, trial, stride, problem.within, donors, from, drawn, at, with, population);
  const real value = value_of(trial, stride, problem.row_values, problem.tables, settings.columns, invalid);
  const real before = problem.values[i];
  const bool better = value < before;
#if PRIVATE_TRIAL
#pragma unroll
  for (uint j = 0; j < DIMENSIONS; ++j) own_next[j * population] = better ? trial[j] : kept[j];
#else
  /* A better trial is in its place already. */
  for (uint j = 0; j < DIMENSIONS && !better; ++j) own_next[j * population] = own[j * population];
#endif
  problem.values[i] = better ? value : before;
  keep_control(settings, at, with, problem.controls, before, value);
  return better && value <= target;
}

/* Brings the problem of a work-group where it is worked on, by all work-items. */
static inline optimisation load(uint k, global real* vectors, global real* spare, global real* values,
                                global real* controls, global uint* order, global real* archive,
                                global const real* bounds, global const real* rows, global const real* tables,
                                evolution_settings settings, local real* memory, local uint* places) {
  optimisation problem;
#ifdef POPULATION
  const uint population = POPULATION;
#else
  const uint population = settings.population;
#endif
  const uint numbers = population * DIMENSIONS;
#if LOCAL_POPULATION
  problem.current = memory;
  problem.next = memory + numbers;
  problem.values = memory + 2u * numbers;
  for (uint n = get_local_id(0); n < numbers; n += get_local_size(0))
    problem.current[n] = vectors[(ulong)k * numbers + n];
  for (uint i = get_local_id(0); i < population; i += get_local_size(0))
    problem.values[i] = values[(ulong)k * population + i];
#else
  problem.current = vectors + (ulong)k * numbers;
  problem.next = spare + (ulong)k * numbers;
  problem.values = values + (ulong)k * population;
#endif
#if REMEMBERS_LOCALLY
  const uint count = evolution_controls(ADAPT, population);
  problem.controls = problem.values + population;
  problem.order = places;
  for (uint n = get_local_id(0); n < count; n += get_local_size(0))
    problem.controls[n] = controls[first_control(k, population) + n];
#else
  problem.controls = controls + first_control(k, population);
  problem.order = order + (NEEDS_ORDER ? (ulong)k * population : 0ul);
#endif
  problem.archive = archive + (ulong)k * DIMENSIONS * settings.archive;
  problem.row_values = rows + (ulong)k * settings.columns;
  problem.tables = tables;
  problem.within = box_of(bounds);
  problem.population = population;
  problem.alive = population;
  problem.archived = 0u;
  return problem;
}

#if ADAPT >= 2
static inline optimisation shared_with(optimisation problem, shade_state shade) {
  problem.alive = ADAPT == 3 ? shade.alive : problem.population;
  problem.archived = evolution_has_archive(STRATEGY, ADAPT) != 0u ? shade.archived : 0u;
  return problem;
}
#endif

/* Brings it back. */
static inline void store(optimisation problem, uint k, global real* vectors, global real* values,
                         global real* controls) {
  const uint numbers = problem.population * DIMENSIONS;
#if REMEMBERS_LOCALLY
  const uint count = evolution_controls(ADAPT, problem.population);
  for (uint n = get_local_id(0); n < count; n += get_local_size(0))
    controls[first_control(k, problem.population) + n] = problem.controls[n];
#endif
#if LOCAL_POPULATION
  for (uint n = get_local_id(0); n < numbers; n += get_local_size(0))
    vectors[(ulong)k * numbers + n] = problem.current[n];
  for (uint i = get_local_id(0); i < problem.population; i += get_local_size(0))
    values[(ulong)k * problem.population + i] = problem.values[i];
#else
  if (problem.current == vectors + (ulong)k * numbers) return;
  for (uint n = get_local_id(0); n < numbers; n += get_local_size(0))
    vectors[(ulong)k * numbers + n] = problem.current[n];
#endif
}

static inline void evolve_generally(global real* vectors, global real* spare, global real* values,
                                    global real* controls, global evolution_state* states, global uint* order,
                                    global real* archive, global const uint* running, global const real* bounds,
                                    global const real* rows, global const real* tables, evolution_settings settings,
                                    real weight, real target, real spread, uint first_generation, uint last_generation,
                                    global real* history, ulong history_step, local real* memory, local real* least, local real* greatest, local uint* places,
                                    local uint* reached) {
  const uint k = running[get_group_id(0)];
  const uint me = get_local_id(0);
#if ADAPT >= 2
  /* It restarts. */
  if (states[k].stopped_at < first_generation) return;
#endif
  optimisation problem =
      load(k, vectors, spare, values, controls, order, archive, bounds, rows, tables, settings, memory, places);
#if REMEMBERS_LOCALLY
  const gained_individuals gained = gained_at(places + problem.population, problem.population);
  places = gained.kept + problem.population;
#endif
  evolution_address at = {settings.seed, states[k].problem, 0u, 0u};
  uint invalid = 0;
  uint stopped_at = EVOLUTION_RUNNING;
#if STOPS_BY_STAGNATION
  evolution_state progress = states[k];
#endif
#if ADAPT >= 2
  shade_state shade = shade_state_of(states + k);
#if ADAPT != 3
  /* A number that compilers know, where they know the population. */
  shade.alive = problem.population;
#endif
  problem = shared_with(problem, shade);
#endif
  if (STOPS_AT_TARGET && me < 3u) reached[me] = 0u;
  barrier(POPULATION_FENCE);
  for (uint generation = first_generation; generation <= last_generation; ++generation) {
    at.generation = generation;
    uint best = 0;
#if STRATEGY == 5
    find_order(problem.values, problem.alive, problem.order);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
#elif NEEDS_BEST
    best = find_extremes(problem.values, problem.alive, least, greatest, places).best;
#endif
    for (uint i = me; i < problem.alive; i += get_local_size(0)) {
      at.individual = i;
      const bool reaches = evolve_individual(problem, settings, at, best, weight, target, &invalid);
      if (STOPS_AT_TARGET && reaches) atomic_or(&reached[generation % 3u], 1u);
      keep_value(history, history_step, generation - first_generation, (ulong)k * problem.population + i,
                 problem.values[i]);
    }
#if KEEPS_HISTORY && ADAPT == 3
    /* Individuals that a shrunken population has lost keep a place in the history. */
    for (uint i = problem.alive + me; i < problem.population; i += get_local_size(0))
      keep_value(history, history_step, generation - first_generation, (ulong)k * problem.population + i,
                 (real)INFINITY);
#endif
    /* The flag of the next generation was last read two generations ago. */
    if (STOPS_AT_TARGET && me == 0) reached[(generation + 1u) % 3u] = 0u;
    barrier(POPULATION_FENCE);
    POPULATION_SPACE real* const swapped = problem.current;
    problem.current = problem.next;
    problem.next = swapped;
#if ADAPT >= 2
    renewed_problem renewed;
    renewed.vectors = problem.current;
    renewed.old = problem.next;
    renewed.values = problem.values;
    renewed.controls = problem.controls;
    renewed.archive = problem.archive;
    renewed.order = problem.order;
#if REMEMBERS_LOCALLY
    renewed.gained = gained;
#endif
    shade = renew(renewed, settings, at, shade);
    problem = shared_with(problem, shade);
#endif
    bool ends = STOPS_AT_TARGET && reached[generation % 3u] != 0u;
#if STOPS_BY_SPREAD || STOPS_BY_STAGNATION
    const extremes found = find_extremes(problem.values, problem.alive, least, greatest, places);
    ends = ends || (STOPS_BY_SPREAD && found.greatest - found.least <= spread);
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
#if STOPS_BY_STAGNATION
    progress = evolution_with_least(progress, bits_of(found.least + (real)0), generation);
    ends = ends || evolution_stagnates(progress, generation, settings.stagnation) != 0u;
#endif
    if (ends) {
      stopped_at = generation;
      break;
    }
  }
  store(problem, k, vectors, values, controls);
  if (invalid != 0u) atomic_add(&states[k].invalid, invalid);
  if (me != 0) return;
  if (stopped_at != EVOLUTION_RUNNING) states[k].stopped_at = stopped_at;
#if STOPS_BY_STAGNATION
  keep_progress(progress, states + k);
#endif
#if ADAPT >= 2
  keep_shade_state(shade, states + k);
#endif
}
