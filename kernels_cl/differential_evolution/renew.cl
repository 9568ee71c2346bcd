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
static inline uint keep_replaced(POPULATION_SPACE const real* old, global const real* gains, global real* archive,
                                 evolution_settings settings, evolution_address at, shade_state shade) {
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
static inline void drop_worst(POPULATION_SPACE real* vectors, POPULATION_SPACE real* values, global const uint* order,
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

/* After a generation: `vectors` are the problem's, `old` those before it. All have passed a barrier since, and may
 * go on to another generation. */
static inline shade_state renew(POPULATION_SPACE real* vectors, POPULATION_SPACE const real* old,
                              POPULATION_SPACE real* values, global real* controls, global real* archive,
                              global uint* order, evolution_settings settings, evolution_address at, shade_state shade) {
  const uint population = settings.population;
  const uint alive = shade.alive;
  shade.archived = keep_replaced(old, controls + 2u * population, archive, settings, at, shade);
  if (get_local_id(0) == 0) remember_controls(population, alive, controls);
  shade.evaluations += alive;
#if ADAPT == 3
  find_order(values, alive, order);
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  const ulong past = settings.by_evaluations != 0u ? shade.evaluations : (ulong)at.generation;
  const uint shrunk = evolution_shrunk(population, settings.least_population, past, settings.shrinks_until);
  shade.alive = shrunk < alive ? shrunk : alive;
  drop_worst(vectors, values, order, settings, alive, shade.alive);
  if (settings.archive != 0u)
    shade.archived =
        shrink_archive(archive, settings, at, shade.archived, evolution_archive(STRATEGY, ADAPT, shade.alive));
#endif
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  return shade;
}

#endif

#endif
