/* Local search of individuals whose moves are evaluated as whole ones: see shared/ecga/improvement.h. */
#include "shared/ecga/improvement.h"

/* Takes each search on to its next move that changes something, or to its end.
 * Launched over the individuals. */
kernel void find_moves(global uint* population, global const uint* rows, global const uint* lists,
                       global uint* searches, ecga_improvement run, uint begins) {
  const uint i = (uint)get_global_id(0);
  if (i >= run.individuals) return;
  global uint* search = searches + i;
  uint steps = begins != 0u ? 0u : search[ECGA_STEPS * run.stride];
  uint vain = begins != 0u ? 0u : search[ECGA_VAIN * run.stride];
  const uint moves = ecga_moves(run);
  ecga_genes x;
  x.words = population + i;
  x.stride = run.stride;
  while (ecga_is_searching(run, steps, vain) != 0u && steps % moves >= run.length &&
         ecga_donated(run, x, rows, lists, steps % moves - run.length, i, steps) == 0u) {
    ++steps;
    ++vain;
  }
  search[ECGA_STEPS * run.stride] = steps;
  search[ECGA_VAIN * run.stride] = vain;
}

/* trials[k] = individual active[k] after its next move. Launched over the `count` active ones. */
kernel void propose_moves(global uint* population, global const uint* rows, global const uint* lists,
                          global const uint* searches, global const uint* active, global uint* trials,
                          ecga_improvement run, uint count) {
  const uint k = (uint)get_global_id(0);
  if (k >= count) return;
  const uint i = active[k];
  const uint steps = searches[ECGA_STEPS * run.stride + i];
  const uint move = steps % ecga_moves(run);
  ecga_genes x;
  x.words = trials + k;
  x.stride = run.stride;
  for (uint word = 0u; word < run.words; ++word)
    trials[(ulong)word * run.stride + k] = population[(ulong)word * run.stride + i];
  if (move < run.length) {
    ecga_bijection flips;
    ecga_set_flips(&flips, run, i);
    ecga_flip(x, ecga_image(flips, move));
  } else {
    const uint block = move - run.length;
    ecga_flip_donated(run, x, lists, block, ecga_donated(run, x, rows, lists, block, i, steps));
  }
}
