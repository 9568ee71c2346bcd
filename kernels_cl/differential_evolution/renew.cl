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
/* The individuals that have improved in a generation, so that the others are skipped. */
typedef struct {
  local uint* bits;  /* one for each individual */
  local uint* list;  /* them, in their order */
  local uint* kept;  /* for each of them, its place in the archive */
} gained_individuals;

static inline uint words_of_gained(uint population) { return (population + 31u) / 32u; }

static inline gained_individuals gained_at(local uint* places, uint population) {
  gained_individuals gained;
  gained.bits = places;
  gained.list = places + words_of_gained(population);
  gained.kept = gained.list + population;
  return gained;
}

/* What of a word of 32 individuals from `first` on is alive and has gained. */
static inline uint gained_of_word(local const real* gains, uint first, uint alive) {
  const uint count = min(32u, alive - first);
  uint bits = 0u;
#ifdef KNOWN_ALIVE
  /* Without branches, which all of a sub-group would wait for. */
#pragma unroll
  for (uint bit = 0u; bit < 32u; ++bit)
    bits |= (gains[min(first + bit, KNOWN_ALIVE - 1u)] > (real)0 ? 1u : 0u) << bit;
  return count < 32u ? bits & ((1u << count) - 1u) : bits;
#else
  for (uint bit = 0u; bit < count; ++bit) bits |= (gains[first + bit] > (real)0 ? 1u : 0u) << bit;
  return bits;
#endif
}

static inline void find_gained(local const real* gains, uint alive, local uint* bits) {
  for (uint n = get_local_id(0); n < words_of_gained(alive); n += get_local_size(0))
    bits[n] = gained_of_word(gains, 32u * n, alive);
}

/* How many have gained of the individuals before i. */
static inline uint gained_before(local const uint* bits, uint i) {
  uint before = popcount(bits[i / 32u] & ((1u << i % 32u) - 1u));
  for (uint n = 0; n < i / 32u; ++n) before += popcount(bits[n]);
  return before;
}

static inline uint has_gained(local const uint* bits, uint i) { return bits[i / 32u] >> i % 32u & 1u; }

/* keep_replaced() by all work-items, each for some individuals: first their numbers, and where each goes. */
static inline void place_replaced(gained_individuals gained, evolution_settings settings, evolution_address at,
                                  shade_state shade) {
  const uint room = evolution_archive(STRATEGY, ADAPT, shade.alive);
  for (uint i = get_local_id(0); i < shade.alive; i += get_local_size(0)) {
    if (has_gained(gained.bits, i) != 0u) {
      const uint n = gained_before(gained.bits, i);
      uint place = shade.archived + n;
      if (room != 0u && place >= room)
        place = evolution_archive_place(at.seed, at.problem, at.generation, i, 0u, room);
      gained.list[n] = i;
      gained.kept[n] = place;
    }
  }
}

/* Then, after a barrier, the parameters of the `count` vectors: of those that have one place, the last one. */
static inline void move_replaced(POPULATION_SPACE const real* old, gained_individuals gained, uint count,
                                 global real* archive, evolution_settings settings) {
#ifdef POPULATION
  const uint dimensions = DIMENSIONS;
#else
  const uint dimensions = settings.dimensions;
#endif
  for (uint number = get_local_id(0); number < count * dimensions; number += get_local_size(0)) {
    const uint n = number / dimensions;
    const uint j = number - n * dimensions;
    const uint place = gained.kept[n];
    uint others = 0u;
#ifdef KNOWN_ALIVE
#pragma unroll 4
#endif
    for (uint other = n + 1u; other < count; ++other) others += gained.kept[other] == place ? 1u : 0u;
    if (others == 0u) archive[j * settings.archive + place] = old[j * settings.population + gained.list[n]];
  }
}

/* remember_controls() of the `count` individuals that have gained: others would add 0. By one work-item. */
static inline void remember_gained(local const uint* list, uint count, uint population, local real* controls) {
  evolution_sums sums = {0, 0, 0, 0, 0};
  for (uint n = 0; n < count; ++n) {
    local const real* const own = controls + list[n];
    sums = evolution_sum_up(sums, own[2u * population], own[0], own[population]);
  }
  remember_sums(population, sums, controls);
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
  gained_individuals gained;
#endif
} renewed_problem;

/* What a generation's better trials leave behind, in the archive and in the history. */
static inline shade_state remember(renewed_problem problem, evolution_settings settings, evolution_address at,
                                   shade_state shade) {
#ifdef POPULATION
  const uint population = POPULATION;
#else
  const uint population = settings.population;
#endif
#if REMEMBERS_LOCALLY
  const uint room = evolution_archive(STRATEGY, ADAPT, shade.alive);
  find_gained(problem.controls + 2u * population, shade.alive, problem.gained.bits);
  barrier(CLK_LOCAL_MEM_FENCE);
  place_replaced(problem.gained, settings, at, shade);
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint last = shade.alive - 1u;
  const uint count = gained_before(problem.gained.bits, last) + has_gained(problem.gained.bits, last);
  if (get_local_id(0) == get_local_size(0) - 1u)
    remember_gained(problem.gained.list, count, population, problem.controls);
  if (room != 0u) move_replaced(problem.old, problem.gained, count, problem.archive, settings);
#if ADAPT == 3
  /* PoCL 3.1 loses what was written where the next barrier comes after other loops. */
  barrier(CLK_GLOBAL_MEM_FENCE);
#endif
  shade.archived = min(shade.archived + count, room);
#else
  shade.archived = keep_replaced(problem.old, problem.controls + 2u * population, problem.archive, settings, at, shade);
  if (get_local_id(0) == 0) remember_controls(population, shade.alive, problem.controls);
#endif
  return shade;
}

/* Between two generations. All have passed a barrier since the one before, and may proceed to another. */
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
  find_free_places(problem.order, alive, shade.alive, problem.gained.kept);
  barrier(CLK_LOCAL_MEM_FENCE);
  move_best(problem.vectors, problem.values, problem.order, problem.gained.kept, settings, alive, shade.alive);
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
