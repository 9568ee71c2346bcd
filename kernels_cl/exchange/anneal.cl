/* Heat bath with the exact least-conflict move, a work-group a replica; see shared/exchange_search.h.
 *
 * PLACE says how a replica's slots lie and where they are kept during a launch: EXCHANGE_PLANES (32 slots a word, local
 * memory), or four slots a word: EXCHANGE_ALL_LOCAL (uses and distances in local memory), EXCHANGE_DISTANCES_LOCAL, or
 * EXCHANGE_ALL_GLOBAL.
 */
#include "common/reduce.cl"
#include "shared/exchange_search.h"

#define EXCHANGE_ALL_LOCAL 0
#define EXCHANGE_DISTANCES_LOCAL 1
#define EXCHANGE_ALL_GLOBAL 2
#define EXCHANGE_PLANES 3
#ifndef PLACE
#define PLACE EXCHANGE_ALL_GLOBAL
#endif

/* The heat bath's choice among some levels of cost, and in *number which of the slots of this level. */
static inline uint choose_level(exchange_counts counts, const uint* weight, uint levels, random_block random,
                                uint* number) {
  ulong total = 0;
  for (uint i = 0; i < levels; ++i) total += exchange_level_weight(counts, i, weight[i]);
  const ulong drawn = uniform_below_64(random_word_64(random.a, random.b), total);
  uint level = 0;
  ulong below = 0;
  for (uint i = 0; i + 1u < levels; ++i) {
    below += exchange_level_weight(counts, i, weight[i]);
    level += drawn >= below ? 1u : 0u;
  }
  *number = uniform_below(random.c, exchange_count_at(counts, level));
  return level;
}

#if PLACE == EXCHANGE_PLANES
#include "exchange/anneal_planes.cl"
#else
#include "exchange/anneal_bytes.cl"
#endif

/* Moves of each replica. orbits, node_first, edges: the graphs; link_images, slot_images: for each link or slot, where
 * the elements of the group move it; weights: EXCHANGE_LEVELS Boltzmann factors for each replica; order: of orbits, for
 * moves in order. slots, paths: where the orbits are; stamps: the last moves of each, modulo 2^32; uses: of each link,
 * a byte for each slot; energies: the replicas' conflicts, divided by the group's order. distances: room, unless it is
 * local. edges: for planes, cells in their place. made: how many of the launch's moves have been made: by planes, which
 * make fewer where they cannot tell all uses apart; bytes make the others, and leave 0. A replica without conflicts whose
 * orbits are all placed makes no more moves. */
kernel SUBGROUP_REQUIRE void anneal(global const exchange_orbit* orbits, global const ushort* node_first,
                                    global const uint* edges, global const ushort* link_images,
                                    global const ushort* slot_images, global const uint* weights,
                                    global const uint* order, global uint* slots, global ushort* paths,
                                    global uint* stamps, global uint* uses, global uint* distances,
                                    global uint* energies, global uint* made, exchange_shape shape,
                                    exchange_moves moves, local uint* local_uses, local uint* local_distances) {
#if PLACE == EXCHANGE_PLANES
  SUBGROUP_BEGIN(whole, ITEMS);
  /* A compiler that knows that no lane is absent has shuffles in one instruction each. */
  subgroup sg = whole;
  sg.size = ITEMS;
  sg.index = 0;
  sg.count = 1;
  const ulong replica = get_group_id(0);
  replica_tables t;
  t.shape = shape;
  t.moves = moves;
  t.orbits = orbits;
  t.cells = (global const uint2*)edges;
  t.link_images = link_images;
  t.slot_images = slot_images;
  t.order = order;
  t.weights = weights + replica * EXCHANGE_LEVELS;
  t.slots = slots + replica * shape.orbits;
  t.paths = paths + replica * shape.orbits * shape.most_hops;
  t.stamps = stamps + replica * shape.orbits;
  t.words = shape.words / 8u;
  t.position = sg.lane / t.words;
  t.word = sg.lane - t.position * t.words;
  global uint* own_uses = uses + replica * shape.links * shape.words;
  uint energy = energies[replica];
  uint count = 0;
  if (load_planes(sg, &t, own_uses, local_uses) != 0u) {
    count = make_moves(sg, t, &energy);
    for (uint i = sg.lane; i < shape.links * t.words; i += ITEMS) planes_to_bytes(t.uses[i], own_uses + 8 * i);
  }
  if (sg.lane == 0) {
    energies[replica] = energy;
    made[replica] = count;
  }
#else
  SUBGROUP_BEGIN(sg, ANNEAL_GROUP_SIZE);
  local ulong parts[ANNEAL_GROUP_SIZE + 1];
  local uint* small_parts = (local uint*)parts;
  local exchange_random ahead[MOVES_AHEAD];
  local uint words_of_group[3];
#ifdef GRAPH_NODES
  local ushort nodes[GRAPH_NODES + 1];
  local uint graph[GRAPH_EDGES];
  local uint taken[GRAPH_NODES];
  local ushort link_of_hop[GRAPH_NODES];
#else
  local uint taken[1];
#endif
  const uint item = (uint)get_local_id(0);
  const uint items = (uint)get_local_size(0);
  const uint replica = (uint)get_group_id(0);
  const uint words = shape.words;
  global uint* own_slots = slots + (ulong)replica * shape.orbits;
  global ushort* own_paths = paths + (ulong)replica * shape.orbits * shape.most_hops;
  global uint* own_stamps = stamps + (ulong)replica * shape.orbits;
  global uint* own_uses = uses + (ulong)replica * shape.links * words;
  global const uint* own_weights = weights + replica * EXCHANGE_LEVELS;
  uint weight[EXCHANGE_LEVELS];
  for (uint level = 0; level < EXCHANGE_LEVELS; ++level) weight[level] = own_weights[level];
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
  barrier(GROUP_FENCE);

  const uint begin = made[replica];
  for (uint move = begin; move < moves.count && (moves.in_order != 0 || energy != 0); ++move) {
    if (move == begin || move % MOVES_AHEAD == 0) {
      for (uint i = item; i < MOVES_AHEAD; i += items)
        ahead[i] = exchange_random_at(moves.seed, replica, moves.first + (move - move % MOVES_AHEAD) + i);
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    const exchange_random random = ahead[move % MOVES_AHEAD];
    const uint in_order = moves.in_order != 0 ? order[(moves.first + move + replica * 7919u) % shape.orbits] : 0u;
    uint cost_before;
    const uint number = draw_orbit(sg, moves, random, move, in_order, shape.orbits, orbits, use, own_slots, own_paths,
                                   own_stamps, shape.most_hops, words, &cost_before, words_of_group, small_parts);
    const exchange_orbit orbit = orbits[number];
    global ushort* path = own_paths + number * shape.most_hops;
    const uint slot_before = own_slots[number];
#ifdef GRAPH_NODES
    for (uint i = item; i < orbit.edges; i += items) graph[i] = edges[orbit.first_edge + i];
    for (uint i = item; i <= orbit.nodes; i += items) nodes[i] = node_first[orbit.first_node + i];
#else
    global const ushort* nodes = node_first + orbit.first_node;
    global const uint* graph = edges + orbit.first_edge;
#endif
#ifdef GRAPH_NODES
    for (uint hop = item; hop < orbit.hops; hop += items) link_of_hop[hop] = path[hop];
    barrier(GROUP_FENCE);
#else
    global ushort* link_of_hop = path;
#endif
    if (slot_before != EXCHANGE_NOWHERE)
      change_uses(use, link_of_hop, orbit.hops, slot_before, words, shape.order, link_images, slot_images, 0xffffffffu);
    barrier(GROUP_FENCE);

    DISTANCES const uint* last = distance + (orbit.nodes - 1u) * words;
    const uint least = find_least(sg, use, distance, orbit, nodes, graph, words, small_parts);
    uint wanted;
    const uint cost = choose_cost(sg, last, orbit.slots, words, least, weight, random.choice, &wanted, parts);
    const uint slot = find_slot(sg, last, orbit.slots, words, cost, wanted, words_of_group + 2, small_parts);
    energy += cost - cost_before;
    find_path(use, distance, orbit, nodes, graph, words, slot, random.choice.d, taken, link_of_hop, path);
    if (item == 0) {
      own_slots[number] = slot;
      own_stamps[number] = (uint)((moves.first + move) & 0xffffffffu);
    }
    barrier(GROUP_FENCE);
    change_uses(use, link_of_hop, orbit.hops, slot, words, shape.order, link_images, slot_images, 1);
    barrier(GROUP_FENCE);
  }

#if PLACE == EXCHANGE_ALL_LOCAL
  for (uint i = item; i < shape.links * words; i += items) own_uses[i] = use[i];
#endif
  if (item == 0) {
    energies[replica] = energy;
    made[replica] = 0;
  }
#endif
}
