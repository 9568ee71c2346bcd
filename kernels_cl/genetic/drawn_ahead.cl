/* What draw_ahead() drew for a lane of a team, and how a pair of bits is bred from it in local memory. Random numbers
 * do not depend on the population, so that the whole device may draw them for the one work-group that breeds. */
#ifndef CLOPT_GENETIC_DRAWN_AHEAD_CL
#define CLOPT_GENETIC_DRAWN_AHEAD_CL

#include "genetic/lane_team_parents.cl"
#include "shared/genetic/drawn_ahead.h"

/* A lane takes neighbouring blocks of tries, so that lanes have them in their order. */
#define LANE_TRIES(lanes) ((lanes) < GENETIC_AHEAD_TRIES ? GENETIC_AHEAD_TRIES / (lanes) : 1u)
#define LANE_UNITS(run, lanes) (((run).units + (lanes)-1u) / (lanes))

/* In registers where a compiler knows how many there are, so that they are read long before they are needed. */
#ifdef GENETIC_FIXED_LANES
#define AHEAD_UNITS ((GENETIC_FIXED_UNITS + GENETIC_FIXED_LANES - 1u) / GENETIC_FIXED_LANES)
#if (GENETIC_FIXED_UNITS + GENETIC_FIXED_LANES - 1u) / GENETIC_FIXED_LANES <= 4
#define AHEAD_IN_REGISTERS
#endif
#endif

typedef struct {
#ifdef AHEAD_IN_REGISTERS
  uint4 tries[LANE_TRIES(GENETIC_FIXED_LANES)];
  uint contestants[GENETIC_AHEAD_WORDS];
  ulong swaps[AHEAD_UNITS];
  ulong2 flips[AHEAD_UNITS];
#else
  global const uint4* tries;
  global const uint* contestants;
  global const ulong* masks;
#endif
} lane_draws;

/* The unit that a lane takes at a step. Neighbouring teams begin with different ones, to avoid bank conflicts.
 */
static inline uint unit_of_step(genetic_settings run, uint step, uint lane, uint lanes, uint turn) {
  const uint steps = LANE_UNITS(run, lanes);
  return lane + lanes * ((step + turn) % steps);
}

/* generation: counted from the first one that was drawn for. */
static inline lane_draws lane_draws_of(global const uint* tries, global const ulong* masks, genetic_settings run,
                                       uint generation, uint pair, uint lane, uint lanes, uint turn) {
  const ulong place = (ulong)generation * (run.pairs * run.islands) + pair;
  const uint first = min(lane * LANE_TRIES(lanes), GENETIC_AHEAD_TRIES - 1u);
  global const uint4* own_tries = (global const uint4*)tries + place * GENETIC_AHEAD_TRIES + first;
  global const uint* contestants = tries + place * (4u * GENETIC_AHEAD_TRIES);
  global const ulong* own_masks = masks + place * genetic_ahead_row(run.units);
  lane_draws draws;
#ifdef AHEAD_IN_REGISTERS
#pragma unroll
  for (uint k = 0u; k < LANE_TRIES(GENETIC_FIXED_LANES); ++k) draws.tries[k] = own_tries[k];
#pragma unroll
  for (uint n = 0u; n < GENETIC_AHEAD_WORDS; ++n) draws.contestants[n] = contestants[n];
#pragma unroll
  for (uint step = 0u; step < AHEAD_UNITS; ++step) {
    const uint unit = min(unit_of_step(run, step, lane, lanes, turn), run.units - 1u);
    draws.swaps[step] = own_masks[2u * run.units + unit];
    draws.flips[step] = ((global const ulong2*)own_masks)[unit];
  }
#else
  draws.tries = own_tries;
  draws.contestants = contestants;
  draws.masks = own_masks;
#endif
  return draws;
}

/* The parents of a pair that are the best of their contestants, found by every lane for itself. */
static inline genetic_parents parents_of_contests(genetic_wheel w, global const genetic_settings* settings,
                                                  genetic_settings run, uint generation, uint pair, lane_draws draws) {
  const uint contestants = genetic_contestants(run);
  genetic_parents parents;
  parents.first = GENETIC_NONE;
  parents.second = GENETIC_NONE;
#pragma unroll
  for (uint parent = 0u; parent < genetic_ahead_parents(run); ++parent) {
    uint best = draws.contestants[parent * contestants];
#pragma unroll
    for (uint i = 1u; i < contestants; ++i) {
      const uint other = draws.contestants[parent * contestants + i];
      best = genetic_winner(best, w.costs[best], other, w.costs[other]);
    }
    parents = genetic_accepted(parents, best);
  }
  if (parents.second == GENETIC_NONE)
    parents = parents_alone(w.costs, w.sections, w.has_sections, w.least, w.greatest, w.number, settings, generation,
                            pair);
  return parents;
}

/* The parents of a pair. The lanes of a team test several tries at once; the individuals are those that one work-item
 * would accept, one try after the other. */
static inline genetic_parents parents_of_draws(subgroup sg, genetic_wheel w, global const genetic_settings* settings,
                                               genetic_settings run, uint generation, uint pair, lane_draws draws,
                                               uint lane, uint lanes) {
  genetic_parents parents;
  if (genetic_ahead_parents(run) != 0u) return parents_of_contests(w, settings, run, generation, pair, draws);
  if (lanes < FUSED_LANES || run.selection != GENETIC_ROULETTE)
    return parents_alone(w.costs, w.sections, w.has_sections, w.least, w.greatest, w.number, settings, generation,
                         pair);
  {
    const uint base = sg.lane - lane;
    const uint members = 0xffffffffu >> (32u - lanes);
    const uint top = genetic_top_weight(w.least, w.greatest, run.whole);
    uint accepted = 0u; /* two bits a block */
    uint mine = GENETIC_NONE;
    uint next = GENETIC_NONE;
    uint found;
    uint found_next;
#pragma unroll
    for (uint k = LANE_TRIES(lanes); k-- != 0u;) {
      const uint4 block = draws.tries[k];
      const uint one_weight = genetic_weight_on(w, run, min(block.x, run.population - 1u));
      const uint other_weight = genetic_weight_on(w, run, min(block.z, run.population - 1u));
      const uint takes_one = (block.x != GENETIC_NONE ? 1u : 0u) & genetic_accepts_fairly(block.y, one_weight, top);
      const uint takes_other =
          (block.z != GENETIC_NONE ? 1u : 0u) & genetic_accepts_fairly(block.w, other_weight, top);
      accepted |= (takes_one | takes_other << 1) << (2u * k);
      mine = takes_one != 0u ? block.x : takes_other != 0u ? block.z : mine;
    }
    mine = lane < GENETIC_AHEAD_TRIES ? mine : GENETIC_NONE;
    found = (uint)(subgroup_ballot(sg, mine != GENETIC_NONE) >> base) & members;
    parents.first = subgroup_shuffle_uint(sg, mine, found == 0u ? sg.lane : base + first_lane(found));
#pragma unroll
    for (uint k = LANE_TRIES(lanes); k-- != 0u;) {
      const uint4 block = draws.tries[k];
      next = (accepted >> (2u * k) & 1u) != 0u && block.x != parents.first        ? block.x
             : (accepted >> (2u * k + 1u) & 1u) != 0u && block.z != parents.first ? block.z
                                                                                  : next;
    }
    next = lane < GENETIC_AHEAD_TRIES ? next : GENETIC_NONE;
    found_next = (uint)(subgroup_ballot(sg, next != GENETIC_NONE) >> base) & members;
    parents.second = subgroup_shuffle_uint(sg, next, found_next == 0u ? sg.lane : base + first_lane(found_next));
    if (found == 0u || found_next == 0u)
      parents = parents_after(w.costs, w.sections, w.has_sections, w.least, w.greatest, w.number, settings, generation,
                              pair, found == 0u ? GENETIC_NONE : parents.first, GENETIC_AHEAD_TRIES);
  }
  return parents;
}

/* Crossover and mutation of a pair of the default run: which genes change places and which are mutated was drawn by
 * draw_ahead(). */
static inline void cross_and_mutate_drawn(local const element* population, local element* children,
                                          genetic_settings run, genetic_family family, lane_draws draws, uint lane,
                                          uint lanes, uint turn) {
  local const ulong* a = units_of(population, run, family.first_parent);
  local const ulong* b = units_of(population, run, family.second_parent);
  local ulong* first = units_of_children(children, run, family.first_child);
  local ulong* second = units_of_children(children, run, family.second_child);
  const uint steps = LANE_UNITS(run, lanes);
#pragma unroll
  for (uint step = 0u; step < steps; ++step) {
    const uint unit = unit_of_step(run, step, lane, lanes, turn);
    if (run.units % lanes == 0u || unit < run.units) {
#ifdef AHEAD_IN_REGISTERS
      const ulong swaps = draws.swaps[step];
      const ulong2 flips = draws.flips[step];
#else
      const ulong swaps = draws.masks[2u * run.units + unit];
      const ulong2 flips = ((global const ulong2*)draws.masks)[unit];
#endif
      const ulong from_a = a[unit];
      const ulong from_b = b[unit];
      const ulong swapped = (from_a ^ from_b) & swaps;
      first[unit] = from_a ^ swapped ^ flips.x;
      if (family.has_second != 0u) second[unit] = from_b ^ swapped ^ flips.y;
    }
  }
}

#endif
