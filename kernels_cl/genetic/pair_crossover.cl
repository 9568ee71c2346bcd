/* Crossover of one pair, shared out among the lanes of a team: of the kernels crossover, offspring and generations, and
 * of breed but for bits. GENETIC_SPACE is where genes are. turn: as for lane_part(). What a lane crosses another one
 * may mutate, so that a fence belongs between crossover and mutation.
 *
 * Where crossover stands:
 *   bits, islands in local memory (the default run)  which genes change places: kernel draw_ahead, by
 *                                                    genetic_swapped() in shared/genetic/genetic.h; the exchange
 *                                                    itself: cross_and_mutate_drawn() in drawn_ahead.cl
 *   bits, larger populations with `fused`            copy_and_list() and swap_listed() in local_children.cl
 *   bits, `gene`                                     cross_pair() in pair_genes.cl
 *   all else                                         cross_pair(), here
 * OpenMP's twin, for all of them: cross_batch() in backends/openmp/genetic/crossover.cpp. */
#ifndef CLOPT_GENETIC_PAIR_CROSSOVER_CL
#define CLOPT_GENETIC_PAIR_CROSSOVER_CL

#include "genetic/pair_members.cl"
#include "genetic/pair_parents.cl"

#ifdef OBJECTIVE_UNPACKED
#include "genetic/pair_genes.cl"
#elif OBJECTIVE_KIND == 0

/* The units of a lane in which parents differ between the points, one after the other: each turn of the loop takes two
 * digits of a unit's decisions, so that lanes with few units do not wait for every unit of others. y: the pair's
 * address. */
static RARELY_CALLED void cross_units(GENETIC_SPACE const ulong* a, GENETIC_SPACE const ulong* b,
                                      GENETIC_SPACE ulong* first, GENETIC_SPACE ulong* second, ulong seed,
                                      ulong probability, uint units, uint generation, uint y, genetic_points points,
                                      uint has_second, uint lane, uint lanes) {
  uint next = lane;
  uint unit = 0u;
  uint digits = 0u;
  uint z = 0u;
  genetic_lanes decisions;
  decisions.below = 0;
  decisions.undecided = 0;
  if (probability == 0) return;
  for (;;) {
    if (decisions.undecided == 0) {
      if (decisions.below != 0) {
        first[unit] = a[unit] ^ decisions.below;
        if (has_second != 0u) second[unit] = b[unit] ^ decisions.below;
      }
      do {
        if (next >= units) return;
        unit = next;
        next += lanes;
        decisions.undecided = (a[unit] ^ b[unit]) & genetic_between(points, unit);
      } while (decisions.undecided == 0);
      decisions.below = 0;
      digits = (uint)(probability & 0xffffffffu);
      z = unit << 4;
    }
    if (probability >= BERNOULLI_ONE) {
      decisions.below = decisions.undecided;
      decisions.undecided = 0;
    } else {
      decisions = genetic_two_digits(decisions, random_at(seed, GENETIC_CROSSOVER, generation, y, z), digits);
      digits <<= 2;
      ++z;
      if (digits == 0u) decisions.undecided = 0;
    }
  }
}

/* Copies the parents to where the children are to be. How many of the lane's units have genes to decide about. */
static inline uint copy_parents(GENETIC_SPACE const ulong* a, GENETIC_SPACE const ulong* b, GENETIC_SPACE ulong* first,
                                GENETIC_SPACE ulong* second, genetic_settings run, genetic_points points,
                                uint has_second, uint lane, uint lanes, uint turn) {
  const uint steps = (run.units + lanes - 1u) / lanes;
  const uint begin = turn % steps;
  uint count = 0u;
  for (uint k = 0u; k < steps; ++k) {
    const uint step = begin + k;
    const uint unit = lane + lanes * (step < steps ? step : step - steps);
    if (unit < run.units) {
      const ulong from_a = a[unit];
      const ulong from_b = b[unit];
      count += ((from_a ^ from_b) & genetic_between(points, unit)) != 0 ? 1u : 0u;
      first[unit] = from_a;
      if (has_second != 0u) second[unit] = from_b;
    }
  }
  return count;
}

static inline void cross_pair(GENETIC_SPACE const element* population, GENETIC_SPACE element* children,
                              global const real* numbers, GENETIC_SPACE uint* scratch, genetic_settings run,
                              uint generation, uint pair, genetic_family family, genetic_points points, uint lane,
                              uint lanes, uint turn) {
  GENETIC_SPACE const ulong* a = units_of(population, run, family.first_parent);
  GENETIC_SPACE const ulong* b = units_of(population, run, family.second_parent);
  GENETIC_SPACE ulong* first = units_of_children(children, run, family.first_child);
  GENETIC_SPACE ulong* second = units_of_children(children, run, family.second_child);
  if (copy_parents(a, b, first, second, run, points, family.has_second, lane, lanes, turn) != 0u)
    cross_units(a, b, first, second, run.seed, run.crossover, run.units, generation, genetic_pair_address(run, pair),
                points, family.has_second, lane, lanes);
}

#elif OBJECTIVE_KIND == 3

/* A lane a child: the genes of a permutation depend on each other. */
static inline void cross_pair(GENETIC_SPACE const element* population, GENETIC_SPACE element* children,
                              global const real* numbers, GENETIC_SPACE uint* scratch, genetic_settings run,
                              uint generation, uint pair, genetic_family family, genetic_points points, uint lane,
                              uint lanes, uint turn) {
  const random_block block = genetic_of_pair(run, GENETIC_ORDER, generation, pair, 0u);
  const uint words = (run.genes + 31u) / 32u;
  for (uint child = lane; child <= family.has_second; child += lanes) {
    const uint kept = child == 0u ? family.first_parent : family.second_parent;
    const uint other = child == 0u ? family.second_parent : family.first_parent;
    const uint to = child == 0u ? family.first_child : family.second_child;
    genetic_points taken = points;
    if (genetic_decides(block.a, run.crossover) == 0u) {
      taken.first = 0u;
      taken.last = run.genes - 1u;
    }
    genetic_order_child(population + (ulong)kept * run.row, population + (ulong)other * run.row,
                        children + (ulong)to * run.row, scratch + (ulong)to * words, run.genes, taken);
  }
}

#else

static inline void cross_pair(GENETIC_SPACE const element* population, GENETIC_SPACE element* children,
                              global const real* numbers, GENETIC_SPACE uint* scratch, genetic_settings run,
                              uint generation, uint pair, genetic_family family, genetic_points points, uint lane,
                              uint lanes, uint turn) {
  GENETIC_SPACE const element* mother = population + (ulong)family.first_parent * run.row;
  GENETIC_SPACE const element* father = population + (ulong)family.second_parent * run.row;
  GENETIC_SPACE element* first = children + (ulong)family.first_child * run.row;
  GENETIC_SPACE element* second = children + (ulong)family.second_child * run.row;
  for (uint gene = lane; gene < run.genes; gene += lanes) {
    const element a = mother[gene];
    const element b = father[gene];
    element c = a;
    element d = b;
    if (gene >= points.first && gene <= points.last) {
      const random_block block = genetic_of_pair(run, GENETIC_CROSSOVER, generation, pair, gene);
      if (genetic_decides(block.a, run.crossover) != 0u) {
        const real lower = lower_bound(numbers, run, gene);
        const real upper = upper_bound(numbers, run, gene);
        c = genetic_crossed(run, a, b, block.b, block.d, numbers[GENETIC_EXTENSION], numbers[GENETIC_CROSSOVER_POWER],
                            lower, upper);
        d = genetic_crossed(run, b, a, block.c, block.d, numbers[GENETIC_EXTENSION], numbers[GENETIC_CROSSOVER_POWER],
                            lower, upper);
      }
    }
    first[gene] = c;
    if (family.has_second != 0u) second[gene] = d;
  }
}

#endif

#endif
