/* Crossover and mutation of one pair, shared out among the lanes of a team. GENETIC_SPACE is where genes are. turn: as
 * for lane_part(). What a lane crosses another one may mutate, so that a fence belongs between the two. */
#ifndef CLOPT_GENETIC_PAIR_CL
#define CLOPT_GENETIC_PAIR_CL

#include "genetic/wheel.cl"

/* Compilers that put everything into one function slow down what happens all the time by what seldom does, and take
 * long.
 */
#define RARELY_CALLED __attribute__((noinline))

/* The parents of a pair of any island. */
static RARELY_CALLED genetic_parents parents_alone(COSTS_SPACE const real* costs, global const ulong* sections,
                                                   uint has_sections, real least, real greatest, uint number,
                                                   global const genetic_settings* settings, uint generation,
                                                   uint pair) {
  const genetic_wheel w = wheel_of(costs, sections, has_sections, least, greatest, number);
  return genetic_parents_of(w, genetic_settings_of(settings), generation, pair);
}

/* An individual as objectives read it. */
static inline individual individual_in(GENETIC_SPACE const element* population, genetic_settings run, uint i,
                                       global const real* tables) {
  individual x;
  x.first = population + (ulong)i * run.row;
  x.stride = 1u;
  x.gene_count = run.genes;
  x.column_count = 0u;
  x.row_values = tables;
  x.tables = tables;
  return x;
}

/* Where a pair's individuals are. */
typedef struct {
  uint first_parent;
  uint second_parent;
  uint first_child;
  uint second_child;
  uint has_second; /* 0 for the last pair of an odd number */
  uint before;     /* individuals before the first one in memory, which count in the addresses of random numbers */
} genetic_family;

/* first, second: the parents' numbers on their island. */
static inline genetic_family family_of(genetic_settings run, uint pair, uint first, uint second) {
  const uint island = pair / run.pairs;
  const uint place = 2u * (pair - island * run.pairs);
  const uint begin = island * run.population;
  genetic_family family;
  family.first_parent = begin + first;
  family.second_parent = begin + second;
  family.first_child = begin + place;
  family.second_child = begin + place + 1u;
  family.before = 0u;
  family.has_second = place + 1u < genetic_bred(run) ? 1u : 0u;
  return family;
}

/* The same where memory holds the pair's island only. */
static inline genetic_family family_at_home(genetic_settings run, uint pair, uint first, uint second) {
  genetic_family family = family_of(run, pair, first, second);
  family.before = pair / run.pairs * run.population;
  family.first_parent -= family.before;
  family.second_parent -= family.before;
  family.first_child -= family.before;
  family.second_child -= family.before;
  return family;
}

#if OBJECTIVE_KIND == 0

/* Rows of bits begin at multiples of 64 genes, so that a unit is a word of 64 bits wherever words have 32. */
static inline GENETIC_SPACE const ulong* units_of(GENETIC_SPACE const element* genes, genetic_settings run,
                                                  uint individual) {
  return (GENETIC_SPACE const ulong*)(genes + (ulong)individual * run.row);
}
static inline GENETIC_SPACE ulong* units_of_children(GENETIC_SPACE element* genes, genetic_settings run,
                                                     uint individual) {
  return (GENETIC_SPACE ulong*)(genes + (ulong)individual * run.row);
}

/* The units of a lane in which parents differ between the points, one after the other: each turn of the loop takes two
 * digits of a unit's decisions, so that lanes with few units do not wait for every unit of others. */
static RARELY_CALLED void cross_units(GENETIC_SPACE const ulong* a, GENETIC_SPACE const ulong* b,
                                      GENETIC_SPACE ulong* first, GENETIC_SPACE ulong* second, ulong seed,
                                      ulong probability, uint units, uint generation, uint pair, genetic_points points,
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
      decisions = genetic_two_digits(decisions, random_at(seed, GENETIC_CROSSOVER, generation, pair, z), digits);
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
    cross_units(a, b, first, second, run.seed, run.crossover, run.units, generation, pair, points, family.has_second,
                lane, lanes);
}

/* Follows the gaps of one child through a segment. word: of the first gap, which does not go beyond it; next: of the
 * second one. */
static RARELY_CALLED void mutate_segment(GENETIC_SPACE ulong* units, global const genetic_settings* settings,
                                         uint generation, uint pair, uint segment, uint child, ulong word, ulong next) {
  const genetic_settings run = genetic_settings_of(settings);
  const uint begin = segment << run.segment;
  const uint end = min(GENETIC_UNIT << run.segment, run.genes - begin * GENETIC_UNIT);
  uint k = 0u;
  uint gene = genetic_gap(run, word);
  while (gene < end) {
    units[begin + gene / GENETIC_UNIT] ^= (ulong)1 << (gene % GENETIC_UNIT);
    ++k;
    word = k == 1u ? next : genetic_gap_word(genetic_gap_block(run, generation, pair, segment, k), child);
    gene += 1u + genetic_gap(run, word);
  }
}

/* Segments of gaps, and children, from job `first` on, a lane each. */
static inline void mutate_segments(GENETIC_SPACE element* children, global const genetic_settings* settings,
                                   genetic_settings run, uint generation, uint pair, genetic_family family, uint first,
                                   uint lane, uint lanes) {
  const uint jobs = 2u * (((run.units - 1u) >> run.segment) + 1u);
  for (uint job = first + lane; job < jobs; job += lanes) {
    const uint segment = job / 2u;
    const uint child = job % 2u;
    const ulong word = genetic_gap_word(genetic_gap_block(run, generation, pair, segment, 0u), child);
    if (child <= family.has_second && genetic_keeps_segment(run, word) == 0u)
      mutate_segment(units_of_children(children, run, child == 0u ? family.first_child : family.second_child), settings,
                     generation, pair, segment, child, word,
                     genetic_gap_word(genetic_gap_block(run, generation, pair, segment, 1u), child));
  }
}

static inline void mutate_pair(GENETIC_SPACE element* children, global const real* numbers,
                               global const genetic_settings* settings, genetic_settings run, uint generation,
                               uint pair, genetic_family family, uint lane, uint lanes) {
  if (run.mutation_way == GENETIC_NEVER) return;
  if (run.mutation_way == GENETIC_GAPS) {
    mutate_segments(children, settings, run, generation, pair, family, 0u, lane, lanes);
    return;
  }
  {
    GENETIC_SPACE ulong* first = units_of_children(children, run, family.first_child);
    GENETIC_SPACE ulong* second = units_of_children(children, run, family.second_child);
    for (uint unit = lane; unit < run.units; unit += lanes) {
      const genetic_masks masks = genetic_mutated(run, generation, pair, unit);
      first[unit] ^= masks.first;
      if (family.has_second != 0u) second[unit] ^= masks.second;
    }
  }
}

#elif OBJECTIVE_KIND == 3

/* A lane a child: the genes of a permutation depend on each other. */
static inline void cross_pair(GENETIC_SPACE const element* population, GENETIC_SPACE element* children,
                              global const real* numbers, GENETIC_SPACE uint* scratch, genetic_settings run,
                              uint generation, uint pair, genetic_family family, genetic_points points, uint lane,
                              uint lanes, uint turn) {
  const random_block block = random_at(run.seed, GENETIC_ORDER, generation, pair, 0u);
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

static inline void mutate_pair(GENETIC_SPACE element* children, global const real* numbers,
                               global const genetic_settings* settings, genetic_settings run, uint generation,
                               uint pair, genetic_family family, uint lane, uint lanes) {
  for (uint child = lane; child <= family.has_second; child += lanes) {
    const uint to = child == 0u ? family.first_child : family.second_child;
    for (uint unit = 0u; unit < run.units; ++unit) {
      const genetic_masks masks = genetic_mutated(run, generation, pair, unit);
      genetic_rearrange(children + (ulong)to * run.row, run, generation, family.before + to, unit,
                        child == 0u ? masks.first : masks.second);
    }
  }
}

#else

static inline real lower_bound(global const real* numbers, genetic_settings run, uint gene) {
  return numbers[GENETIC_BOUNDS + (run.bounds_each != 0u ? 2u * gene : 0u)];
}
static inline real upper_bound(global const real* numbers, genetic_settings run, uint gene) {
  return numbers[GENETIC_BOUNDS + 1 + (run.bounds_each != 0u ? 2u * gene : 0u)];
}

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
      const random_block block = random_at(run.seed, GENETIC_CROSSOVER, generation, pair, gene);
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

static inline void mutate_pair(GENETIC_SPACE element* children, global const real* numbers,
                               global const genetic_settings* settings, genetic_settings run, uint generation,
                               uint pair, genetic_family family, uint lane, uint lanes) {
  if (run.mutation_way == GENETIC_NEVER) return;
  for (uint unit = 0u; unit < run.units; ++unit) {
    const genetic_masks masks = genetic_mutated(run, generation, pair, unit);
    for (uint child = 0u; child <= family.has_second; ++child) {
      const uint to = child == 0u ? family.first_child : family.second_child;
      const ulong mask = child == 0u ? masks.first : masks.second;
      GENETIC_SPACE element* genes = children + (ulong)to * run.row;
      if (mask == 0) continue;
      for (uint i = lane; i < GENETIC_UNIT; i += lanes) {
        const uint gene = unit * GENETIC_UNIT + i;
        if ((mask >> i & 1) == 0) continue;
        genes[gene] =
            genetic_changed(run, genes[gene], random_at(run.seed, GENETIC_CHANGE, generation, family.before + to, gene),
                            numbers[GENETIC_STEP_SIZE], numbers[GENETIC_MUTATION_POWER],
                            lower_bound(numbers, run, gene), upper_bound(numbers, run, gene));
      }
    }
  }
}

#endif

#endif
