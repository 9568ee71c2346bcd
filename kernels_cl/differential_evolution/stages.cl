/* The stages of a generation, a launch each (Veronese and Krohling 2010; the paper's kernels I, P, M, C and R). Each
 * has a work-item for each individual of each problem, `count` in all. A problem that has stopped is left as it is. */
#include "differential_evolution/population.cl"

/* I: vectors within the bounds, `initial` ones and drawn ones, and F and CR to begin with (`weight`, `crossover`), of
 * the individuals from `begin` to `end` - 1, counted through all problems: of `generation` 0, or of the problems that
 * restart in a later one. */
kernel void initialise(global real* vectors, global real* controls, global const evolution_state* states,
                       global const real* bounds, global const real* initial, evolution_settings settings,
                       real weight, real crossover, uint generation, ulong begin, ulong end) {
  const ulong id = begin + get_global_id(0);
  if (id >= end) return;
  const uint population = settings.population;
  const place here = place_of(id, population);
  if (generation != 0u && evolution_restarts(states[here.k], generation) == 0u) return;
  const box within = box_of(bounds);
  for (uint j = 0; j < DIMENSIONS; ++j)
    vectors[here.first + (ulong)j * population] =
        initial_parameter(settings, within, initial, here.k, states[here.k].problem, generation, here.i, j);
  begin_controls(here.i, population, controls + first_control(here.k, population), weight, crossover);
}

/* P: the individuals that each mutant is made of, and the parameter that is always taken: EVOLUTION_DRAWN_WORDS words
 * for each individual, which lie as its parameters do; where there are more, the blocks of crossover follow. `count`
 * individuals in all, for each of the generations from `first_generation` on that `end` has room for. */
kernel void prepare(global const evolution_state* states, global uint* drawn, evolution_settings settings,
                    uint first_generation, uint drawn_words, ulong count, ulong end) {
  if (get_global_id(0) >= end) return;
  const uint population = settings.population;
  const uint ahead = (uint)(get_global_id(0) / count);
  const uint generation = first_generation + ahead;
  const place here = place_of(get_global_id(0) - ahead * count, population);
  if (states[here.k].stopped_at < generation) return;
  const uint alive = alive_in(settings, states + here.k);
  if (here.i >= alive) return;
  const evolution_address at = {settings.seed, states[here.k].problem, generation, here.i};
  const evolution_drawn own = evolution_draw(at.seed, at.problem, generation, here.i, alive, DIMENSIONS, STRATEGY,
                                             ADAPT, archived_in(states + here.k), settings.unforced);
  global uint* const words = drawn + (ahead * count + (ulong)here.k * population) * drawn_words + here.i;
  words[0] = own.r1;
  words[population] = own.r2;
  words[2 * population] = own.r3;
  words[3 * population] = own.r4;
  words[4 * population] = own.r5;
  words[5 * population] = own.forced;
  words[6 * population] = own.even;
  words[7 * population] = own.odd;
  for (uint n = EVOLUTION_DRAWN_WORDS; n < drawn_words; n += 4u) {
    const random_block block = evolution_crossing_block(at, (n - EVOLUTION_DRAWN_WORDS) / 4u);
    global uint* const of_block = words + (ulong)n * population;
    of_block[0] = block.a;
    of_block[population] = block.b;
    of_block[2 * population] = block.c;
    of_block[3 * population] = block.d;
  }
}

/* M: mutants, equation (1), into `trials`. `weight` is F where it does not adapt itself; `order` has the individuals
 * by rank where the strategy needs them; the generation's draws begin at `first_drawn`. */
kernel void mutate(global const real* vectors, global const uint* drawn, global const real* controls,
                   global const evolution_state* states, global const uint* order, global const real* archive,
                   global real* trials, evolution_settings settings, real weight, uint generation, uint drawn_words,
                   ulong first_drawn, ulong count) {
  if (get_global_id(0) >= count) return;
  const uint population = settings.population;
  const place here = place_of(get_global_id(0), population);
  if (states[here.k].stopped_at < generation) return;
  const uint alive = alive_in(settings, states + here.k);
  if (here.i >= alive) return;
  const evolution_address at = {settings.seed, states[here.k].problem, generation, here.i};
  const real own_weight = control_of(settings, at, weight, controls + first_control(here.k, population)).weight;
  global const uint* const words = drawn + first_drawn + (ulong)here.k * drawn_words * population + here.i;
  const evolution_drawn own = drawn_at(words, population);
  const uint best = STRATEGY == EVOLUTION_CURRENT_TO_PBEST_1 ? order[(ulong)here.k * population + own.r4]
                                                             : states[here.k].best;
  const evolution_donors donors = evolution_donors_of(own, STRATEGY, here.i, best);
  global const real* const problem = vectors + (here.first - here.i);
  const archived_vector from =
      archived_of(settings, archive + (ulong)here.k * DIMENSIONS * settings.archive, donors, alive);
  global const real* const second_minus = problem + (from.is_taken ? 0u : donors.second_minus);
  for (uint j = 0; j < DIMENSIONS; ++j) {
    const ulong parameter = (ulong)j * population;
    real mutant = evolution_mutant(problem[parameter + donors.base], problem[parameter + donors.plus],
                                   problem[parameter + donors.minus], own_weight);
    if (evolution_has_second(STRATEGY) != 0u)
      mutant = evolution_mutant(mutant, problem[parameter + donors.second_plus],
                                subtracted_last(second_minus[parameter], from, j), own_weight);
    trials[here.first + parameter] = mutant;
  }
}

/* C: trials, equation (2), in place of the mutants. */
kernel void recombine(global const real* vectors, global const uint* drawn, global const real* controls,
                  global const evolution_state* states, global const real* bounds, global real* trials,
                  evolution_settings settings, uint generation, uint drawn_words, ulong first_drawn, ulong count) {
  if (get_global_id(0) >= count) return;
  const uint population = settings.population;
  const place here = place_of(get_global_id(0), population);
  if (states[here.k].stopped_at < generation) return;
  if (here.i >= alive_in(settings, states + here.k)) return;
  const evolution_address at = {settings.seed, states[here.k].problem, generation, here.i};
  const ulong crossover = control_of(settings, at, 0, controls + first_control(here.k, population)).crossover;
  global const uint* const words = drawn + first_drawn + (ulong)here.k * drawn_words * population + here.i;
  const evolution_drawn own = drawn_at(words, population);
  const box within = box_of(bounds);
  evolution_crossing now = evolution_crossing_of(at, own, DIMENSIONS, EXPONENTIAL, crossover);
  for (uint j = 0; j < DIMENSIONS; ++j) {
    const ulong parameter = here.first + (ulong)j * population;
    if (drawn_words == EVOLUTION_DRAWN_WORDS) {
      now = evolution_cross(now, at, j, own.forced, DIMENSIONS, EXPONENTIAL, crossover);
    } else {
      if (evolution_begins_block(j) != 0u) now.block = drawn_block_at(words, population, j / (2u * EVOLUTION_GROUP));
      now = evolution_crossed(evolution_toss_from(now, j, crossover), j, own.forced);
    }
    trials[parameter] = now.taken != 0u ? bounded(at, within, trials[parameter], j) : vectors[parameter];
  }
}

/* R: a better trial takes the individual's place; with an archive, the vector that it replaces takes the trial's. A
 * problem with a value no greater than `target` ends with this generation, where it may end so. */
kernel void replace(global real* trials, global const real* trial_values, global real* vectors,
                    global real* values, global real* controls, global evolution_state* states,
                    evolution_settings settings, real target, uint generation, ulong count) {
  if (get_global_id(0) >= count) return;
  const uint population = settings.population;
  const place here = place_of(get_global_id(0), population);
  if (states[here.k].stopped_at < generation) return;
  if (here.i >= alive_in(settings, states + here.k)) return;
  const ulong id = get_global_id(0);
  const evolution_address at = {settings.seed, states[here.k].problem, generation, here.i};
  const real before = values[id];
  const real value = trial_values[id];
  global real* const own_controls = controls + first_control(here.k, population);
  keep_control(settings, at, control_of(settings, at, 0, own_controls), own_controls, before, value);
  if (!(value < before)) return;
  values[id] = value;
  for (uint j = 0; j < DIMENSIONS; ++j) {
    const ulong parameter = here.first + (ulong)j * population;
    const real replaced = vectors[parameter];
    vectors[parameter] = trials[parameter];
    /* For the archive. */
    if (evolution_has_archive(STRATEGY, ADAPT) != 0u) trials[parameter] = replaced;
  }
  if ((settings.stop & EVOLUTION_STOP_TARGET) != 0u && value <= target)
    atomic_min(&states[here.k].stopped_at, generation);
}
