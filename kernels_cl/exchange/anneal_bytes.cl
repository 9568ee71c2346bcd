/* A replica by a work-group, whose work-items have some words of four slots each and go over an orbit's graph for them;
 * only uses of links are shared. With GRAPH_NODES and GRAPH_EDGES, room for the largest graph, a move's graph is copied
 * into local memory.
 *
 * A move is a chain of short steps, each of which waits for the one before; so work-items share out what they can, and
 * random numbers are made for many moves at once.
 */
#define ANNEAL_GROUP_SIZE 128
/* Moves whose random numbers are made at once. */
#define MOVES_AHEAD 32

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
#ifdef GRAPH_NODES
#define GRAPH local
#define PATH local
#else
#define GRAPH global
#define PATH global
#endif

/* What a replica keeps in global memory is written and read by work-items of one work-group. NVIDIA's barrier orders
 * that by itself; its fence, which also serves other work-groups, would empty the cache. */
#ifdef CLOPT_SUBGROUP_PTX
#define GROUP_FENCE CLK_LOCAL_MEM_FENCE
#else
#define GROUP_FENCE (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#endif

/* What a replica works with: the kernel's arguments, its own orbits, and memory of its work-group. */
typedef struct {
  exchange_shape shape;
  exchange_moves moves;
  global const exchange_orbit* orbits;
  global const ushort* node_first;
  global const uint* edges;
  global const ushort* link_images;
  global const ushort* slot_images;
  global const uint* order;
  global const uint* weights;
  global uint* slots;
  global ushort* paths;
  global uint* stamps;
  USES uint* uses;
  DISTANCES uint* distances;
  local ulong* parts;
  local uint* words_of_group;
#ifdef GRAPH_NODES
  local ushort* nodes; /* of the orbit that is moved */
  local uint* graph;
  local uint* taken;
  local ushort* link_of_hop;
#endif
} replica_tables;

static inline uint byte_of(uint word, uint slot) { return word >> 8 * (slot & 3u) & 0xffu; }

/* PoCL, whose sub-groups are of one work-item, compiles all that follows a barrier in a branch once more for each side.
 * So the branches that only save time have no barriers there. */
#if defined(CLOPT_SUBGROUP_EMULATED) && CLOPT_SUBGROUP_SIZE == 1
#define BRANCHES_WITH_BARRIERS 0
#else
#define BRANCHES_WITH_BARRIERS 1
#endif
#define IS_ONE_SUBGROUP(sg) (BRANCHES_WITH_BARRIERS != 0 && sg.count == 1u)

/* In a work-group of one sub-group nothing goes through local memory. */
#define REDUCE(name, type, value, parts) \
  (IS_ONE_SUBGROUP(sg) ? subgroup_reduce_##name##_##type(sg, value) : group_reduce_##name##_##type(sg, value, parts))

/* The conflicts of a placed orbit's transfer with others. */
static inline uint cost_of(USES const uint* uses, global const ushort* path, uint hops, uint slot, uint words) {
  uint cost = 0;
  /* Four links at once, since each load takes long. */
  for (uint i = 0; i < hops; i += 4u) {
    const uint last = hops - 1u;
    const ushort a = path[i];
    const ushort b = path[min(i + 1u, last)];
    const ushort c = path[min(i + 2u, last)];
    const ushort d = path[min(i + 3u, last)];
    cost += byte_of(uses[a * words + slot / 4], slot) - 1u;
    if (i + 1u < hops) cost += byte_of(uses[b * words + slot / 4], slot) - 1u;
    if (i + 2u < hops) cost += byte_of(uses[c * words + slot / 4], slot) - 1u;
    if (i + 3u < hops) cost += byte_of(uses[d * words + slot / 4], slot) - 1u;
  }
  return cost;
}

/* Adds 1, or its negative, to the uses of the links of an orbit's path in its slots; a work-item takes some links. */
static inline void change_uses(USES uint* uses, PATH const ushort* path, uint hops, uint slot, uint words, uint order,
                               global const ushort* link_images, global const ushort* slot_images, uint change) {
  const uint items = (uint)get_local_size(0);
  for (uint i = (uint)get_local_id(0); i < hops * order; i += items) {
    const uint hop = i / order;
    const uint element = i - hop * order;
    const uint image = slot_images[slot * order + element];
    atomic_add(uses + link_images[path[hop] * order + element] * words + image / 4, change << 8 * (image & 3u));
  }
}

/* The least cost of reaching each node of the graph in the slots of a word. */
static inline void find_distances(USES const uint* uses, DISTANCES uint* distances, uint nodes,
                                  GRAPH const ushort* node_first, GRAPH const uint* edges, uint words, uint word) {
  distances[word] = 0;
  uint first = 0;
  for (uint node = 1; node < nodes; ++node) {
    const uint end = node_first[node + 1];
    /* Most nodes have one edge or two: the first and the last are loaded together, even where they are the same. */
    const uint a = edges[first];
    const uint b = edges[end - 1u];
    const uint cost_a = distances[(a >> 16) * words + word] + uses[(a & 0xffffu) * words + word];
    const uint cost_b = distances[(b >> 16) * words + word] + uses[(b & 0xffffu) * words + word];
    uint least = exchange_lower(exchange_lower(EXCHANGE_NO_COST, cost_a), cost_b);
    for (uint edge = first + 1u; edge + 1u < end; ++edge) {
      const uint from = edges[edge];
      least = exchange_lower(least, distances[(from >> 16) * words + word] + uses[(from & 0xffffu) * words + word]);
    }
    distances[node * words + word] = least & 0x7f7f7f7fu;
    first = end;
  }
}

/* The edge over which a least conflicting path of a slot reaches a node. */
static inline uint find_edge(USES const uint* uses, DISTANCES const uint* distances, GRAPH const ushort* node_first,
                             GRAPH const uint* edges, uint words, uint slot, uint random, uint node) {
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
  return taken;
}

/* The orbit of a move, and in *cost its conflicts. A work-item a draw, in their order: the first one that is moved, or
 * the last one. drawn: two words. */
static inline uint draw_orbit(subgroup sg, exchange_moves moves, exchange_random random, uint move, uint in_order,
                              uint orbit_count, global const exchange_orbit* orbits, USES const uint* use,
                              global const uint* slots, global const ushort* paths, global const uint* stamps,
                              uint most_hops, uint words, uint* cost, local uint* drawn, local uint* parts) {
  const uint stamp = (uint)((moves.first + move) & 0xffffffffu);
  for (uint first = 0, found = 0; found == 0; first += (uint)get_local_size(0)) {
    const uint draw = first + (uint)get_local_id(0);
    uint number = 0;
    uint own_cost = 0;
    uint place = 0xffffffffu;
    if (draw < moves.draws) {
      number = moves.in_order != 0 ? in_order : exchange_draw(random.draws, draw, orbit_count);
      const uint slot = slots[number];
      if (slot != EXCHANGE_NOWHERE)
        own_cost = cost_of(use, paths + number * most_hops, orbits[number].hops, slot, words);
      if (draw + 1u == moves.draws ||
          exchange_is_moved(moves, random.draws, own_cost, stamp - stamps[number]) != 0)
        place = draw;
    }
    const uint first_place = REDUCE(min, uint, place, parts);
    if (first_place == 0xffffffffu) continue;
    if (place == first_place) {
      drawn[0] = number;
      drawn[1] = own_cost;
    }
    found = 1;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  *cost = drawn[1];
  return drawn[0];
}

/* The least cost over all slots that an orbit may take, in every work-item. last: costs of reaching the receiver. */
static inline uint find_least(subgroup sg, USES const uint* use, DISTANCES uint* distance, exchange_orbit orbit,
                              GRAPH const ushort* nodes, GRAPH const uint* graph, uint words, local uint* parts) {
  DISTANCES const uint* last = distance + (orbit.nodes - 1u) * words;
  uint least = 255;
  for (uint word = (uint)get_local_id(0); word < words; word += (uint)get_local_size(0)) {
    find_distances(use, distance, orbit.nodes, nodes, graph, words, word);
    const uint costs = exchange_within(last[word], 4 * word, orbit.slots);
    least = min(min(least, min(costs & 0xffu, costs >> 8 & 0xffu)), min(costs >> 16 & 0xffu, costs >> 24));
  }
  return REDUCE(min, uint, least, parts);
}

/* The heat bath's choice of a cost, and in *number which of the slots of this cost. */
static inline uint choose_cost(subgroup sg, DISTANCES const uint* last, uint slots, uint words, uint least,
                               const uint* weight, random_block random, uint* number, local ulong* parts) {
  const uint has_high_levels = weight[4] != 0 ? 1u : 0u;
  exchange_counts counts = {0, 0};
  for (uint word = (uint)get_local_id(0); word < words; word += (uint)get_local_size(0)) {
    const uint costs = exchange_within(last[word], 4 * word, slots);
    counts.low += exchange_four_counts(costs, least);
    if (has_high_levels != 0) counts.high += exchange_four_counts(costs, least + 4u);
  }
  counts.low = REDUCE(add, ulong, counts.low, parts);
  if (BRANCHES_WITH_BARRIERS == 0 || has_high_levels != 0) counts.high = REDUCE(add, ulong, counts.high, parts);
  return min(least + choose_level(counts, weight, EXCHANGE_LEVELS, random, number), 254u);
}

/* The slot of a cost by its number among them. The slots of a work-item are in blocks of 4 * items slots; blocks one
 * after the other. chosen: a word. */
static inline uint find_slot(subgroup sg, DISTANCES const uint* last, uint slots, uint words, uint cost, uint number,
                             local uint* chosen, local uint* parts) {
  const uint items = (uint)get_local_size(0);
  uint before_block = 0;
  for (uint first = 0; first < words; first += items) {
    const uint word = first + (uint)get_local_id(0);
    const uint costs = word < words ? exchange_within(last[word], 4 * word, slots) : 0xffffffffu;
    const uint equal = exchange_count_equal(costs, cost);
    uint in_block = 0;
    uint seen = before_block;
    if (IS_ONE_SUBGROUP(sg) && words <= items)
      seen += subgroup_scan_exclusive_add_uint(sg, equal);
    else
      seen += group_scan_exclusive_add_uint(sg, equal, parts, &in_block);
    if (number >= seen && number < seen + equal) {
      for (uint i = 0; i < 4; ++i) {
        if ((costs >> 8 * i & 0xffu) != cost) continue;
        if (seen == number) *chosen = 4 * word + i;
        ++seen;
      }
    }
    before_block += in_block;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  return *chosen;
}

/* The links of a least conflicting path of a slot. taken: a word for each node of a graph in local memory, for which
 * all nodes' edges are found at once; else unused. */
static inline void find_path(USES const uint* use, DISTANCES const uint* distance, exchange_orbit orbit,
                             GRAPH const ushort* nodes, GRAPH const uint* graph, uint words, uint slot, uint random,
                             local uint* taken, PATH ushort* link_of_hop, global ushort* path) {
#ifdef GRAPH_NODES
  for (uint node = 1u + (uint)get_local_id(0); node < orbit.nodes; node += (uint)get_local_size(0))
    taken[node] = find_edge(use, distance, nodes, graph, words, slot, random, node);
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  if (get_local_id(0) == 0) {
    uint node = orbit.nodes - 1u;
    for (uint hop = orbit.hops; hop-- > 0;) {
#ifdef GRAPH_NODES
      const uint edge = taken[node];
      link_of_hop[hop] = (ushort)(edge & 0xffffu);
#else
      const uint edge = find_edge(use, distance, nodes, graph, words, slot, random, node);
#endif
      path[hop] = (ushort)(edge & 0xffffu);
      node = edge >> 16;
    }
  }
}

/* A move. \returns the conflicts that it adds. */
static inline uint make_move(subgroup sg, replica_tables t, const uint* weight, uint move, exchange_random random) {
  const uint item = (uint)get_local_id(0);
  const uint items = (uint)get_local_size(0);
  const uint words = t.shape.words;
  local uint* small_parts = (local uint*)t.parts;
  const uint replica = (uint)get_group_id(0);
  const uint in_order =
      t.moves.in_order != 0 ? t.order[(t.moves.first + move + replica * 7919u) % t.shape.orbits] : 0u;
  uint cost_before;
  const uint number = draw_orbit(sg, t.moves, random, move, in_order, t.shape.orbits, t.orbits, t.uses, t.slots,
                                 t.paths, t.stamps, t.shape.most_hops, words, &cost_before, t.words_of_group,
                                 small_parts);
  const exchange_orbit orbit = t.orbits[number];
  global ushort* path = t.paths + number * t.shape.most_hops;
  const uint slot_before = t.slots[number];
#ifdef GRAPH_NODES
  local ushort* nodes = t.nodes;
  local uint* graph = t.graph;
  local uint* taken = t.taken;
  local ushort* link_of_hop = t.link_of_hop;
  for (uint i = item; i < orbit.edges; i += items) graph[i] = t.edges[orbit.first_edge + i];
  for (uint i = item; i <= orbit.nodes; i += items) nodes[i] = t.node_first[orbit.first_node + i];
  for (uint hop = item; hop < orbit.hops; hop += items) link_of_hop[hop] = path[hop];
  barrier(GROUP_FENCE);
#else
  global const ushort* nodes = t.node_first + orbit.first_node;
  global const uint* graph = t.edges + orbit.first_edge;
  local uint* taken = t.words_of_group;
  global ushort* link_of_hop = path;
#endif
  if (slot_before != EXCHANGE_NOWHERE)
    change_uses(t.uses, link_of_hop, orbit.hops, slot_before, words, t.shape.order, t.link_images, t.slot_images,
                0xffffffffu);
  barrier(GROUP_FENCE);
  DISTANCES const uint* last = t.distances + (orbit.nodes - 1u) * words;
  const uint least = find_least(sg, t.uses, t.distances, orbit, nodes, graph, words, small_parts);
  uint wanted;
  const uint cost = choose_cost(sg, last, orbit.slots, words, least, weight, random.choice, &wanted, t.parts);
  const uint slot = find_slot(sg, last, orbit.slots, words, cost, wanted, t.words_of_group + 2, small_parts);
  find_path(t.uses, t.distances, orbit, nodes, graph, words, slot, random.choice.d, taken, link_of_hop, path);
  if (item == 0) {
    t.slots[number] = slot;
    t.stamps[number] = (uint)((t.moves.first + move) & 0xffffffffu);
  }
  barrier(GROUP_FENCE);
  change_uses(t.uses, link_of_hop, orbit.hops, slot, words, t.shape.order, t.link_images, t.slot_images, 1);
  barrier(GROUP_FENCE);
  return cost - cost_before;
}

/* A launch's moves of a replica from one on. energy: its conflicts; ahead: random numbers of MOVES_AHEAD moves. */
static inline void make_moves(subgroup sg, replica_tables t, global uint* uses, uint begin,
                              local exchange_random* ahead, uint* energy) {
  const uint item = (uint)get_local_id(0);
  const uint items = (uint)get_local_size(0);
  const uint replica = (uint)get_group_id(0);
  uint weight[EXCHANGE_LEVELS];
  for (uint level = 0; level < EXCHANGE_LEVELS; ++level) weight[level] = t.weights[level];
#if PLACE == EXCHANGE_ALL_LOCAL
  for (uint i = item; i < t.shape.links * t.shape.words; i += items) t.uses[i] = uses[i];
#endif
  barrier(GROUP_FENCE);
  for (uint move = begin; move < t.moves.count && (t.moves.in_order != 0 || *energy != 0); ++move) {
    if (move == begin || move % MOVES_AHEAD == 0) {
      for (uint i = item; i < MOVES_AHEAD; i += items)
        ahead[i] = exchange_random_at(t.moves.seed, replica, t.moves.first + (move - move % MOVES_AHEAD) + i);
#if BRANCHES_WITH_BARRIERS
      barrier(CLK_LOCAL_MEM_FENCE);
    }
#else
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    *energy += make_move(sg, t, weight, move, ahead[move % MOVES_AHEAD]);
  }
#if PLACE == EXCHANGE_ALL_LOCAL
  for (uint i = item; i < t.shape.links * t.shape.words; i += items) uses[i] = t.uses[i];
#endif
}
