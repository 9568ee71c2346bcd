/* Heat bath with the exact least-conflict move, a work-group a replica; see shared/exchange_search.h.
 *
 * A work-item has some words of four slots each and goes over an orbit's graph for them; only uses of links are shared.
 * PLACE says where they are kept during a launch: EXCHANGE_ALL_LOCAL (uses and distances in local memory),
 * EXCHANGE_DISTANCES_LOCAL, or EXCHANGE_ALL_GLOBAL.
 */
#include "common/reduce.cl"
#include "shared/exchange_search.h"

#define ANNEAL_GROUP_SIZE 256

#define EXCHANGE_ALL_LOCAL 0
#define EXCHANGE_DISTANCES_LOCAL 1
#define EXCHANGE_ALL_GLOBAL 2
#ifndef PLACE
#define PLACE EXCHANGE_ALL_GLOBAL
#endif
#if PLACE == EXCHANGE_ALL_LOCAL
#define USES local
#else
#define USES global
#endif
#if PLACE == EXCHANGE_ALL_GLOBAL
#define DISTANCES global
#else
#define DISTANCES local
#endif

static inline uint byte_of(uint word, uint slot) { return word >> 8 * (slot & 3u) & 0xffu; }

/* The conflicts of a placed orbit's transfer with others. */
static inline uint cost_of(USES const uint* uses, global const ushort* path, uint hops, uint slot, uint words) {
  uint cost = 0;
  for (uint i = 0; i < hops; ++i) cost += byte_of(uses[path[i] * words + slot / 4], slot) - 1u;
  return cost;
}

/* Adds 1, or its negative, to the uses of an orbit's links in its slots; a work-item takes some links. */
static inline void change_uses(USES uint* uses, global const ushort* path, uint hops, uint slot, uint words, uint order,
                               global const ushort* link_images, global const ushort* slot_images, uint change) {
  for (uint i = (uint)get_local_id(0); i < hops * order; i += (uint)get_local_size(0)) {
    const uint hop = i / order;
    const uint element = i - hop * order;
    const uint image = slot_images[slot * order + element];
    atomic_add(uses + link_images[path[hop] * order + element] * words + image / 4, change << 8 * (image & 3u));
  }
}

/* The least cost of reaching each node of the graph in the slots of a word. */
static inline void find_distances(USES const uint* uses, DISTANCES uint* distances, exchange_orbit orbit,
                                  global const ushort* node_first, global const uint* edges, uint words, uint word) {
  distances[word] = 0;
  uint edge = 0;
  for (uint node = 1; node < orbit.nodes; ++node) {
    const uint end = node_first[node + 1];
    uint least = 0x7f7f7f7fu;
    for (; edge < end; ++edge) {
      const uint from = edges[edge];
      const uint cost = distances[(from >> 16) * words + word] + uses[(from & 0xffffu) * words + word];
      least = exchange_least(least, exchange_cut(cost));
    }
    distances[node * words + word] = least;
  }
}

/* Walks back from the receiver along a least conflicting path of a slot. */
static inline void find_path(USES const uint* uses, DISTANCES const uint* distances, exchange_orbit orbit,
                             global const ushort* node_first, global const uint* edges, uint words, uint slot,
                             uint random, global ushort* path) {
  uint node = orbit.nodes - 1u;
  for (uint hop = orbit.hops; hop-- > 0;) {
    uint best = 0xffffffffu;
    uint taken = 0;
    for (uint edge = node_first[node]; edge < node_first[node + 1]; ++edge) {
      const uint from = edges[edge];
      const uint cost = byte_of(distances[(from >> 16) * words + slot / 4], slot) +
                        byte_of(uses[(from & 0xffffu) * words + slot / 4], slot);
      if (exchange_is_preferred(cost, best, edge, random) != 0) {
        best = cost;
        taken = from;
      }
    }
    path[hop] = (ushort)(taken & 0xffffu);
    node = taken >> 16;
  }
}

/* Moves of each replica. orbits, node_first, edges: the graphs; link_images, slot_images: for each link or slot, where
 * the elements of the group move it; weights: EXCHANGE_LEVELS Boltzmann factors for each replica; order: of orbits, for
 * moves in order. slots, paths: where the orbits are; stamps: the last moves of each, modulo 2^32; uses: of each link, a byte for each slot; energies: the replicas'
 * conflicts, divided by the group's order. distances: room, unless it is local. A replica without conflicts whose
 * orbits are all placed makes no more moves. */
kernel SUBGROUP_REQUIRE void anneal(global const exchange_orbit* orbits, global const ushort* node_first,
                                    global const uint* edges, global const ushort* link_images,
                                    global const ushort* slot_images, global const uint* weights,
                                    global const uint* order, global uint* slots, global ushort* paths,
                                    global uint* stamps, global uint* uses, global uint* distances,
                                    global uint* energies,
                                    exchange_shape shape, exchange_moves moves, local uint* local_uses,
                                    local uint* local_distances) {
  SUBGROUP_BEGIN(sg, ANNEAL_GROUP_SIZE);
  local ulong parts[ANNEAL_GROUP_SIZE + 1];
  local uint small_parts[ANNEAL_GROUP_SIZE + 1];
  local uint chosen_slot;
  local uint chosen_cost;
  const uint item = (uint)get_local_id(0);
  const uint items = (uint)get_local_size(0);
  const uint replica = (uint)get_group_id(0);
  const uint words = shape.words;
  global uint* own_slots = slots + (ulong)replica * shape.orbits;
  global ushort* own_paths = paths + (ulong)replica * shape.orbits * shape.most_hops;
  global uint* own_stamps = stamps + (ulong)replica * shape.orbits;
  global uint* own_uses = uses + (ulong)replica * shape.links * words;
  global const uint* own_weights = weights + replica * EXCHANGE_LEVELS;
#if PLACE == EXCHANGE_ALL_LOCAL
  local uint* use = local_uses;
  for (uint i = item; i < shape.links * words; i += items) use[i] = own_uses[i];
#else
  global uint* use = own_uses;
#endif
#if PLACE == EXCHANGE_ALL_GLOBAL
  global uint* distance = distances + (ulong)replica * shape.most_nodes * words;
#else
  local uint* distance = local_distances;
#endif
  uint energy = energies[replica];
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);

  for (uint move = 0; move < moves.count && (moves.in_order != 0 || energy != 0); ++move) {
    const exchange_random random = exchange_random_at(moves.seed, replica, moves.first + move);
    const uint stamp = (uint)((moves.first + move) & 0xffffffffu);
    uint number = 0;
    uint cost_before = 0;
    if (moves.in_order != 0) {
      number = order[(moves.first + move + replica * 7919u) % shape.orbits];
      if (own_slots[number] != EXCHANGE_NOWHERE)
        cost_before = cost_of(use, own_paths + number * shape.most_hops, orbits[number].hops, own_slots[number], words);
    } else {
      for (uint i = 0; i < moves.draws; ++i) {
        number = exchange_draw(random.draws, i, shape.orbits);
        cost_before = cost_of(use, own_paths + number * shape.most_hops, orbits[number].hops, own_slots[number], words);
        if (exchange_is_moved(moves, random.draws, cost_before, stamp - own_stamps[number]) != 0) break;
      }
    }
    const exchange_orbit orbit = orbits[number];
    global ushort* path = own_paths + number * shape.most_hops;
    global const ushort* nodes = node_first + orbit.first_node;
    global const uint* graph = edges + orbit.first_edge;
    const uint slot_before = own_slots[number];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (slot_before != EXCHANGE_NOWHERE)
      change_uses(use, path, orbit.hops, slot_before, words, shape.order, link_images, slot_images, 0xffffffffu);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);

    uint least = 255;
    for (uint word = item; word < words; word += items) {
      find_distances(use, distance, orbit, nodes, graph, words, word);
      const uint costs = exchange_within(distance[(orbit.nodes - 1u) * words + word], 4 * word, orbit.slots);
      least = min(min(least, min(costs & 0xffu, costs >> 8 & 0xffu)), min(costs >> 16 & 0xffu, costs >> 24));
    }
    least = group_reduce_min_uint(sg, least, small_parts);
    exchange_counts own = {0, 0};
    for (uint word = item; word < words; word += items)
      own = exchange_add_counts(own, exchange_within(distance[(orbit.nodes - 1u) * words + word], 4 * word, orbit.slots),
                                least);
    exchange_counts counts;
    counts.low = group_reduce_add_ulong(sg, own.low, parts);
    counts.high = group_reduce_add_ulong(sg, own.high, parts);

    ulong total = 0;
    for (uint level = 0; level < EXCHANGE_LEVELS; ++level)
      total += exchange_level_weight(counts, level, own_weights[level]);
    ulong rest = uniform_below_64(random_word_64(random.choice.a, random.choice.b), total);
    uint level = 0;
    while (level + 1u < EXCHANGE_LEVELS && rest >= exchange_level_weight(counts, level, own_weights[level])) {
      rest -= exchange_level_weight(counts, level, own_weights[level]);
      ++level;
    }
    uint wanted = uniform_below(random.choice.c, exchange_count_at(counts, level));

    /* The slots of a work-item are in blocks of 4 * items slots; blocks one after the other. */
    const uint cost = min(least + level, 254u);
    uint before_block = 0;
    for (uint first = 0; first < words; first += items) {
      const uint word = first + item;
      const uint costs =
          word < words ? exchange_within(distance[(orbit.nodes - 1u) * words + word], 4 * word, orbit.slots)
                       : 0xffffffffu;
      uint in_block = 0;
      const uint before =
          before_block + group_scan_exclusive_add_uint(sg, exchange_count_equal(costs, cost), small_parts, &in_block);
      uint seen = before;
      for (uint i = 0; i < 4; ++i) {
        if ((costs >> 8 * i & 0xffu) != cost) continue;
        if (seen == wanted) {
          chosen_slot = 4 * word + i;
          chosen_cost = cost;
        }
        ++seen;
      }
      before_block += in_block;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    const uint slot = chosen_slot;
    energy += chosen_cost - cost_before;
    if (item == 0) {
      find_path(use, distance, orbit, nodes, graph, words, slot, random.choice.d, path);
      own_slots[number] = slot;
      own_stamps[number] = stamp;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    change_uses(use, path, orbit.hops, slot, words, shape.order, link_images, slot_images, 1);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }

#if PLACE == EXCHANGE_ALL_LOCAL
  for (uint i = item; i < shape.links * words; i += items) own_uses[i] = use[i];
#endif
  if (item == 0) energies[replica] = energy;
}
