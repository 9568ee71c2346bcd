/* What SHADE and L-SHADE do between two generations of a problem (Tanabe and Fukunaga 2013 and 2014), by a
 * work-group. */
#ifndef CLOPT_DIFFERENTIAL_EVOLUTION_RENEW_CL
#define CLOPT_DIFFERENTIAL_EVOLUTION_RENEW_CL

#include "differential_evolution/population.cl"
#include "differential_evolution/extremes.cl"

#ifndef POPULATION_SPACE
#define POPULATION_SPACE global
#endif

#if ADAPT >= 2

/* What changes from generation to generation besides vectors and control parameters; every work-item has it. */
typedef struct {
  uint alive;
  uint archived;
  ulong evaluations;
} shade_state;

static inline shade_state shade_state_of(global const evolution_state* state) {
  shade_state shade;
  shade.alive = state->alive;
  shade.archived = state->archived;
  shade.evaluations = state->evaluations;
  return shade;
}

static inline void keep_shade_state(shade_state shade, global evolution_state* state) {
  state->alive = shade.alive;
  state->archived = shade.archived;
  state->evaluations = shade.evaluations;
}

/* Keeps the vectors that were replaced, those of `old` whose individuals have gained: in the order of the
 * individuals, and at random places once all are taken. A work-item has some of the parameters. Returns how many
 * there are. (Here and below, loops over the parameters take their number from the settings: PoCL 3.1 compiles them
 * wrong where it is known to be one.) */
static inline uint keep_replaced(POPULATION_SPACE const real* old, CONTROL_SPACE const real* gains,
                                 global real* archive, evolution_settings settings, evolution_address at,
                                 shade_state shade) {
  const uint room = evolution_archive(STRATEGY, ADAPT, shade.alive);
  uint archived = shade.archived;
  for (uint i = 0; i < shade.alive && room != 0u; ++i) {
    if (!(gains[i] > (real)0)) continue;
    const bool is_full = archived >= room;
    const uint kept =
        is_full ? evolution_archive_place(at.seed, at.problem, at.generation, i, 0u, room) : archived;
    for (uint j = get_local_id(0); j < settings.dimensions; j += get_local_size(0))
      archive[j * settings.archive + kept] = old[j * settings.population + i];
    archived += is_full ? 0u : 1u;
  }
  return archived;
}

/* Drops the worst individuals, down to `left`: the last ones that stay take the places of those that go. `order` has
 * all by rank. A work-item has some of the parameters. */
static inline void drop_worst(POPULATION_SPACE real* vectors, POPULATION_SPACE real* values,
                              ORDER_SPACE const uint* order,
                              evolution_settings settings, uint alive, uint left) {
  const uint population = settings.population;
  uint rank = left;
  for (uint i = left; i < alive; ++i) {
    const uint last = order[left - 1u];
    const bool goes = values[i] > values[last] || (values[i] == values[last] && i > last);
    if (goes) continue;
    while (order[rank] >= left) ++rank;
    const uint to = order[rank++];
    for (uint j = get_local_id(0); j < settings.dimensions; j += get_local_size(0))
      vectors[j * population + to] = vectors[j * population + i];
    if (get_local_id(0) == 0) values[to] = values[i];
  }
}

/* Drops archived vectors at random, down to `room`. A work-item has some of the parameters. */
static inline uint shrink_archive(global real* archive, evolution_settings settings, evolution_address at,
                                  uint archived, uint room) {
  for (; archived > room; --archived) {
    const uint goes = evolution_archive_place(at.seed, at.problem, at.generation, archived, 1u, archived);
    for (uint j = get_local_id(0); j < settings.dimensions; j += get_local_size(0))
      archive[j * settings.archive + goes] = archive[j * settings.archive + archived - 1u];
  }
  return archived;
}

#if REMEMBERS_LOCALLY
/* No place in the archive. */
#define KEPT_NOWHERE 0xffffffffu

/* keep_replaced() by all work-items, each for some individuals: first where each goes. At the end of `kept` stands how
 * many have gained. */
static inline void place_replaced(local const real* gains, local uint* kept, evolution_settings settings,
                                  evolution_address at, shade_state shade) {
  const uint room = evolution_archive(STRATEGY, ADAPT, shade.alive);
  for (uint i = get_local_id(0); i < shade.alive; i += get_local_size(0)) {
    uint before = 0;
    for (uint other = 0; other < i; ++other) before += gains[other] > (real)0 ? 1u : 0u;
    const bool gained = gains[i] > (real)0;
    uint place = gained ? shade.archived + before : KEPT_NOWHERE;
    if (gained && place >= room)
      place = evolution_archive_place(at.seed, at.problem, at.generation, i, 0u, room);
    kept[i] = place;
    if (i + 1u == shade.alive) kept[settings.population] = before + (gained ? 1u : 0u);
  }
}

/* Then, after a barrier, the vectors: of those that have one place, the last one. */
static inline void move_replaced(POPULATION_SPACE const real* old, local const uint* kept, global real* archive,
                                 evolution_settings settings, uint alive) {
  for (uint i = get_local_id(0); i < alive; i += get_local_size(0)) {
    const uint place = kept[i];
    bool is_last = place != KEPT_NOWHERE;
    for (uint other = i + 1u; other < alive; ++other) is_last = is_last && kept[other] != place;
    for (uint j = 0; j < settings.dimensions && is_last; ++j)
      archive[j * settings.archive + place] = old[j * settings.population + i];
  }
}

/* drop_worst() by all work-items: first which places of the `left` best become free, in `places`. */
static inline void find_free_places(local const uint* order, uint alive, uint left, local uint* places) {
  for (uint rank = left + get_local_id(0); rank < alive; rank += get_local_size(0)) {
    if (order[rank] >= left) continue;
    uint before = 0;
    for (uint other = left; other < rank; ++other) before += order[other] < left ? 1u : 0u;
    places[before] = order[rank];
  }
}

/* Whether an individual is among the best. `last`: the worst of them, `worst` its value. */
static inline uint stays(local const real* values, uint i, uint last, real worst) {
  return values[i] < worst || (values[i] == worst && i <= last) ? 1u : 0u;
}

/* Then, after a barrier, the vectors and values. */
static inline void move_best(local real* vectors, local real* values, local const uint* order, local const uint* places,
                             evolution_settings settings, uint alive, uint left) {
  const uint population = settings.population;
  const uint last = order[left - 1u];
  const real worst = values[last];
  for (uint i = left + get_local_id(0); i < alive; i += get_local_size(0)) {
    if (stays(values, i, last, worst) == 0u) continue;
    uint before = 0;
    for (uint other = left; other < i; ++other) before += stays(values, other, last, worst);
    const uint to = places[before];
    for (uint j = 0; j < settings.dimensions; ++j) vectors[j * population + to] = vectors[j * population + i];
    values[to] = values[i];
  }
}

/* evolution_sum_up() of all, a work-item each sum: of the gains, and of their products with F, F squared, CR and CR
 * squared. */
static inline void sum_controls(local const real* controls, uint population, uint alive, local real* sums) {
  for (uint n = get_local_size(0) - 1u - get_local_id(0); n < 5u; n += get_local_size(0)) {
    local const real* const factors = controls + (n > 2u ? population : 0u);
    const bool has_factor = n != 0u;
    const bool has_square = n == 2u || n == 4u;
    real sum = (real)0;
    for (uint i = 0; i < alive; ++i) {
      const real factor = factors[i];
      real part = controls[2u * population + i];
      part = has_factor ? part * factor : part;
      part = has_square ? part * factor : part;
      sum += part;
    }
    sums[n] = sum;
  }
}

static inline evolution_sums sums_at(local const real* sums) {
  evolution_sums all;
  all.gains = sums[0];
  all.weights = sums[1];
  all.weight_squares = sums[2];
  all.crossovers = sums[3];
  all.crossover_squares = sums[4];
  return all;
}
#endif

/* Where renew() works. */
typedef struct {
  POPULATION_SPACE real* vectors;
  POPULATION_SPACE const real* old; /* the vectors before the generation */
  POPULATION_SPACE real* values;
  CONTROL_SPACE real* controls;
  global real* archive;
  ORDER_SPACE uint* order;
#if REMEMBERS_LOCALLY
  local uint* kept; /* an element for each individual, and one more */
  local real* sums; /* five */
#endif
} renewed_problem;

/* What a generation's better trials leave behind, in the archive and in the history. */
static inline shade_state remember(renewed_problem problem, evolution_settings settings, evolution_address at,
                                   shade_state shade) {
  const uint population = settings.population;
#if REMEMBERS_LOCALLY
  const bool has_archive = evolution_has_archive(STRATEGY, ADAPT) != 0u;
  if (has_archive) place_replaced(problem.controls + 2u * population, problem.kept, settings, at, shade);
  sum_controls(problem.controls, population, shade.alive, problem.sums);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (has_archive) {
    move_replaced(problem.old, problem.kept, problem.archive, settings, shade.alive);
#if ADAPT == 3
    /* PoCL 3.1 loses what was written where the next barrier comes after other loops. */
    barrier(CLK_GLOBAL_MEM_FENCE);
#endif
    const uint archived = shade.archived + problem.kept[population];
    shade.archived = min(archived, evolution_archive(STRATEGY, ADAPT, shade.alive));
  }
  if (get_local_id(0) == 0) remember_sums(population, sums_at(problem.sums), problem.controls);
#else
  shade.archived = keep_replaced(problem.old, problem.controls + 2u * population, problem.archive, settings, at, shade);
  if (get_local_id(0) == 0) remember_controls(population, shade.alive, problem.controls);
#endif
  return shade;
}

/* Between two generations. All have passed a barrier since the one before, and may go on to another. */
static inline shade_state renew(renewed_problem problem, evolution_settings settings, evolution_address at,
                                shade_state shade) {
  const uint alive = shade.alive;
  shade = remember(problem, settings, at, shade);
  shade.evaluations += alive;
#if ADAPT == 3
  find_order(problem.values, alive, problem.order);
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  const ulong past = settings.by_evaluations != 0u ? shade.evaluations : (ulong)at.generation;
  const uint shrunk = evolution_shrunk(settings.population, settings.least_population, past, settings.shrinks_until);
  shade.alive = shrunk < alive ? shrunk : alive;
#if REMEMBERS_LOCALLY
  find_free_places(problem.order, alive, shade.alive, problem.kept);
  barrier(CLK_LOCAL_MEM_FENCE);
  move_best(problem.vectors, problem.values, problem.order, problem.kept, settings, alive, shade.alive);
#else
  drop_worst(problem.vectors, problem.values, problem.order, settings, alive, shade.alive);
#endif
  if (settings.archive != 0u)
    shade.archived = shrink_archive(problem.archive, settings, at, shade.archived,
                                    evolution_archive(STRATEGY, ADAPT, shade.alive));
#endif
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  return shade;
}

#endif

#endif
