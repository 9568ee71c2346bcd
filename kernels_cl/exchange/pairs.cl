/* Conflicts of individuals of the UMDA by all pairs of paths of a slot: the paper's kernel (section 3.3), with what it
 * needs before and after; see shared/exchange/umda.h. */
#include "common/reduce.cl"
#include "shared/exchange/umda.h"
#include "exchange/fitness_group.cl"
#include "exchange/shared_links.cl"

/* Sorts the genes of each individual by slot. members: the genes' numbers, slot after slot, in any order; ends: where
 * the slots end. Launched with a work-group for each individual; counts has a word for each slot. */
kernel void partition(global const uint* genes, global uint* members, global uint* ends, exchange_population population,
                      local uint* counts) {
  const uint item = (uint)get_local_id(0);
  const uint items = (uint)get_local_size(0);
  const ulong individual = get_group_id(0);
  global const uint* own = genes + individual * population.genes;
  for (uint i = item; i < population.slots; i += items) counts[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = item; i < population.genes; i += items) atomic_inc(counts + exchange_gene_slot(own[i]));
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item == 0) {
    uint begin = 0;
    for (uint slot = 0; slot < population.slots; ++slot) {
      const uint count = counts[slot];
      counts[slot] = begin;
      begin += count;
      ends[individual * population.slots + slot] = begin;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = item; i < population.genes; i += items)
    members[individual * population.genes + atomic_inc(counts + exchange_gene_slot(own[i]))] = i;
}

/* parts[individual * slots + slot] = the conflicts of one slot: work-items take pairs of its paths, numbered as in
 * equation 15 of the paper but each once. genes: a word each, individual after individual; members, ends: as partition
 * made them; table, paths: what genes stand for. Launched with work-groups of at most 256 work-items over the pairs, one
 * for each slot (second dimension) and individual (third). */
kernel SUBGROUP_REQUIRE void pairs(global const uint* genes, global const uint* members, global const uint* ends,
                                   global const exchange_gene* table, global const ushort* paths, global ulong* parts,
                                   exchange_population population) {
  SUBGROUP_BEGIN(sg, FITNESS_GROUP_SIZE);
  local ulong sums[FITNESS_PARTS];
  const uint slot = (uint)get_group_id(1);
  const ulong individual = get_group_id(2);
  global const uint* own_ends = ends + individual * population.slots;
  global const uint* own = genes + individual * population.genes;
  const uint begin = slot == 0 ? 0 : own_ends[slot - 1u];
  const ulong count = own_ends[slot] - begin;
  global const uint* member = members + individual * population.genes + begin;
  /* Of `count` paths round a ring, each is paired with the next (count - 1) / 2; with count even, half of them with the
   * one opposite. */
  const ulong pair_count = count * (count - 1u) / 2u;
  ulong shared = 0;
  for (ulong pair = get_local_id(0); count > 1 && pair < pair_count; pair += get_local_size(0)) {
    /* pair modulo count, and the place `round` + 1 further along the ring. */
    const ulong round = pair / count;
    const ulong place = pair - round * count;
    const ulong other = place + round + 1u;
    const uint a = member[place];
    const uint b = member[other < count ? other : other - count];
    shared += shared_links(path_of(paths, table[a], own[a]), table[a].hops, path_of(paths, table[b], own[b]),
                           table[b].hops);
  }
  shared = group_reduce_add_ulong(sg, shared, sums);
  if (get_local_id(0) == 0) parts[individual * population.slots + slot] = shared;
}

/* fitness[i] = the sum of individual i's parts, one for each slot. Launched over the individuals. */
kernel void sum_slots(global const ulong* parts, global ulong* fitness, uint slots, uint individuals) {
  const ulong i = get_global_id(0);
  if (i >= individuals) return;
  ulong sum = 0;
  for (uint slot = 0; slot < slots; ++slot) sum += parts[i * slots + slot];
  fitness[i] = sum;
}
