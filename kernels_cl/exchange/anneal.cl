/* Heat bath with the exact least-conflict move, a work-group a replica; see shared/exchange/search.h.
 *
 * PLACE says how a replica's slots lie and where they are kept during a launch: EXCHANGE_PLANES (32 slots a word, local
 * memory), or four slots a word: EXCHANGE_ALL_LOCAL (uses and distances in local memory), EXCHANGE_DISTANCES_LOCAL, or
 * EXCHANGE_ALL_GLOBAL.
 */
#include "common/reduce.cl"
#include "shared/exchange/search.h"

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

/* Heat-bath moves of several replicas. orbits, node_first, edges: the graphs; cells: the graphs for planes, unused by
 * bytes, as edges are by planes; link_images, slot_images: for each link or slot, where the elements of the group move
 * it; weights: EXCHANGE_LEVELS Boltzmann factors for each replica; order: of orbits, for moves in order. slots, paths:
 * where the orbits of each replica are; stamps: the last moves of each, modulo 2^32; uses: of each link, a byte for each
 * slot; energies: the replicas' conflicts, divided by the group's order. distances: room, unless it is local. made: how
 * many of the launch's moves have been made: by planes, which make fewer where they cannot hold all uses; bytes
 * make the others, and leave 0. A replica without conflicts whose orbits are all placed makes no more moves. local_uses,
 * local_distances: words for uses and distances, as PLACE says. Launched with a work-group for each replica. */
kernel SUBGROUP_REQUIRE void anneal(global const exchange_orbit* orbits, global const ushort* node_first,
                                    global const uint* edges, global const exchange_cell* cells,
                                    global const ushort* link_images,
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
#else
  SUBGROUP_BEGIN(sg, ANNEAL_GROUP_SIZE);
  local ulong parts[ANNEAL_GROUP_SIZE + 1];
  local exchange_random ahead[MOVES_AHEAD];
  local uint words_of_group[3];
#ifdef GRAPH_NODES
  local ushort nodes[GRAPH_NODES + 1];
  local uint graph[GRAPH_EDGES];
  local uint taken[GRAPH_NODES];
  local ushort link_of_hop[GRAPH_NODES];
#endif
#endif
  const ulong replica = get_group_id(0);
  replica_tables t;
  t.shape = shape;
  t.moves = moves;
  t.orbits = orbits;
  t.link_images = link_images;
  t.slot_images = slot_images;
  t.order = order;
  t.weights = weights + replica * EXCHANGE_LEVELS;
  t.slots = slots + replica * shape.orbits;
  t.paths = paths + replica * shape.orbits * shape.most_hops;
  t.stamps = stamps + replica * shape.orbits;
  global uint* own_uses = uses + replica * shape.links * shape.words;
  uint energy = energies[replica];
  uint count;
#if PLACE == EXCHANGE_PLANES
  t.cells = cells;
  count = load_planes(sg, &t, own_uses, local_uses) != 0u ? make_moves(sg, t, own_uses, &energy) : 0u;
#else
  t.node_first = node_first;
  t.edges = edges;
  t.parts = parts;
  t.words_of_group = words_of_group;
#ifdef GRAPH_NODES
  t.nodes = nodes;
  t.graph = graph;
  t.taken = taken;
  t.link_of_hop = link_of_hop;
#endif
#if PLACE == EXCHANGE_ALL_LOCAL
  t.uses = local_uses;
#else
  t.uses = own_uses;
#endif
#if PLACE == EXCHANGE_ALL_GLOBAL
  t.distances = distances + replica * shape.most_nodes * shape.words;
#else
  t.distances = local_distances;
#endif
  make_moves(sg, t, own_uses, made[replica], ahead, &energy);
  count = 0;
#endif
  if (get_local_id(0) == 0) {
    energies[replica] = energy;
    made[replica] = count;
  }
}
