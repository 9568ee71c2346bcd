/* Random numbers of generations to come, for kernels that breed them in local memory. */
typedef float real; /* the type of costs, which have no part in it */
#include "shared/genetic/drawn_ahead.h"

/* Draws random numbers for `count` generations after `generation`, of bits. tries, masks: as
 * shared/genetic/drawn_ahead.h lays them out. Launched over the pairs of all islands and all generations, and for each
 * over its units or its blocks of tries, whichever are more. */
kernel void draw_ahead(global uint* tries, global ulong* masks, global const genetic_settings* settings,
                       uint generation, uint count) {
  const genetic_settings run = genetic_settings_of(settings);
  const uint slots = max(run.units, GENETIC_AHEAD_TRIES);
  const ulong number = get_global_id(0);
  const uint slot = (uint)(number % slots);
  const ulong place = number / slots;
  const uint pairs = run.pairs * run.islands;
  const uint pair = (uint)(place % pairs);
  const uint step = (uint)(place / pairs);
  if (step >= count) return;
  if (slot < GENETIC_AHEAD_TRIES && run.selection == GENETIC_ROULETTE) {
    const random_block block = genetic_ahead_try(run, generation + 1u + step, pair, slot);
    ((global uint4*)tries)[place * GENETIC_AHEAD_TRIES + slot] = (uint4)(block.a, block.b, block.c, block.d);
  }
  if (slot < genetic_ahead_parents(run) * genetic_contestants(run))
    tries[place * (4u * GENETIC_AHEAD_TRIES) + slot] =
        genetic_ahead_contestant(run, generation + 1u + step, pair, slot);
  if (slot < run.units) {
    global ulong* own = masks + place * genetic_ahead_row(run.units);
    const genetic_masks flips = genetic_mutated(run, generation + 1u + step, pair, slot);
    own[2u * slot] = flips.first;
    own[2u * slot + 1u] = flips.second;
    own[2u * run.units + slot] = genetic_ahead_swaps(run, generation + 1u + step, pair, slot);
  }
}
