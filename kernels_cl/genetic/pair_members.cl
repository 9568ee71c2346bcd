/* Where a pair's individuals are in memory. GENETIC_SPACE is where genes are. */
#ifndef CLOPT_GENETIC_PAIR_MEMBERS_CL
#define CLOPT_GENETIC_PAIR_MEMBERS_CL

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
  family.has_second = genetic_bred(run) % 2u == 0u || place + 1u < genetic_bred(run) ? 1u : 0u;
  return family;
}

/* The same where memory holds the pair's island only. */
static inline genetic_family family_in_island(genetic_settings run, uint pair, uint first, uint second) {
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

#elif OBJECTIVE_KIND != 3

static inline real lower_bound(global const real* numbers, genetic_settings run, uint gene) {
  return numbers[GENETIC_BOUNDS + (run.bounds_each != 0u ? 2u * gene : 0u)];
}
static inline real upper_bound(global const real* numbers, genetic_settings run, uint gene) {
  return numbers[GENETIC_BOUNDS + 1 + (run.bounds_each != 0u ? 2u * gene : 0u)];
}

#endif

#endif
