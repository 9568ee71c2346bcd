/* Mutation of one pair's children, shared out among the lanes of a team. GENETIC_SPACE is where genes are. */
#ifndef CLOPT_GENETIC_PAIR_MUTATION_CL
#define CLOPT_GENETIC_PAIR_MUTATION_CL

#include "genetic/pair_members.cl"
#include "genetic/pair_parents.cl"
#include "shared/genetic/mutation.h"

#ifdef OBJECTIVE_UNPACKED
#include "genetic/pair_genes.cl"
#elif OBJECTIVE_KIND == 0

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
            genetic_changed(run, genes[gene],
                            genetic_of_individual(run, GENETIC_CHANGE, generation, family.before + to, gene),
                            numbers[GENETIC_STEP_SIZE], numbers[GENETIC_MUTATION_POWER],
                            lower_bound(numbers, run, gene), upper_bound(numbers, run, gene));
      }
    }
  }
}

#endif

#endif
