/* Local search of a population, between sampling and selection: see shared/ecga/improvement.h. The state of each search
 * is in `searches`, so that it does not matter where a launch ends. */
#include "shared/ecga/parts.h"

/* Of an objective with known parts. Individuals with moves left after `most` steps are counted in `unfinished`; begins:
 * whether this is the first launch. Launched over the individuals. */
kernel void improve(global uint* population, global const uint* rows, global const real* tables,
                    global const uint* parts, global const uint* lists, global uint* searches, global uint* unfinished,
                    ecga_improvement run, uint begins, uint most) {
  const uint i = (uint)get_global_id(0);
  if (i >= run.individuals) return;
  global uint* search = searches + i;
  uint steps = begins != 0u ? 0u : search[ECGA_STEPS * run.stride];
  uint vain = begins != 0u ? 0u : search[ECGA_VAIN * run.stride];
  uint tries = begins != 0u ? 0u : search[ECGA_TRIES * run.stride];
  const uint moves = ecga_moves(run);
  uint move = steps % moves;
  ecga_bijection flips;
  ecga_genes x;
  x.words = population + i;
  x.stride = run.stride;
  ecga_set_flips(&flips, run, i);
  for (uint step = 0u; step < most && ecga_is_searching(run, steps, vain) != 0u; ++step) {
    uint is_better = 0u;
    if (move < run.length) {
      const uint locus = ecga_image(flips, move);
      is_better = ecga_flip_gain(tables, parts, run.kind, x, locus) > 0 ? 1u : 0u;
      if (is_better != 0u) ecga_flip(x, locus);
      ++tries;
    } else {
      const uint block = move - run.length;
      const uint donated = ecga_donated(run, x, rows, lists, block, i, steps);
      real gain = 0;
      for (uint left = donated; left != 0u; left &= left - 1u) {
        const uint locus = ecga_block_locus(run, lists, block, 31u - clz(left & (0u - left)));
        gain += ecga_flip_gain(tables, parts, run.kind, x, locus);
        ecga_flip(x, locus);
      }
      is_better = gain > 0 ? 1u : 0u;
      if (is_better == 0u) ecga_flip_donated(run, x, lists, block, donated);
      if (donated != 0u) ++tries;
    }
    vain = is_better != 0u ? 1u : vain + 1u;
    ++steps;
    move = move + 1u == moves ? 0u : move + 1u;
  }
  search[ECGA_STEPS * run.stride] = steps;
  search[ECGA_VAIN * run.stride] = vain;
  search[ECGA_TRIES * run.stride] = tries;
  if (ecga_is_searching(run, steps, vain) != 0u) atomic_inc(unfinished);
}

/* Replaces each active individual whose trial is better. Launched over the `count` active ones. */
kernel void accept_moves(global uint* population, global real* fitness, global uint* searches,
                         global const uint* active, global const uint* trials, global const real* trial_fitness,
                         ecga_improvement run, uint count) {
  const uint k = (uint)get_global_id(0);
  if (k >= count) return;
  const uint i = active[k];
  global uint* search = searches + i;
  const uint is_better = trial_fitness[k] > fitness[i] ? 1u : 0u;
  ++search[ECGA_STEPS * run.stride];
  search[ECGA_VAIN * run.stride] = is_better != 0u ? 1u : search[ECGA_VAIN * run.stride] + 1u;
  if (is_better == 0u) return;
  fitness[i] = trial_fitness[k];
  for (uint word = 0u; word < run.words; ++word)
    population[(ulong)word * run.stride + i] = trials[(ulong)word * run.stride + k];
}
