/* A replica by one sub-group of 32 work-items, each with 32 slots of a cell of the graph, as planes of bits. Uses of
 * links up to PLANES_MOST are told apart; a replica whose move could depend on more stops before it, and made[] says so.
 */
#include "exchange/planes.cl"

#define ITEMS 32u
/* Work-items that find an orbit's cost, for each of the orbits drawn. */
#define ITEMS_A_DRAW 8u
#define DRAWS_AT_ONCE (ITEMS / ITEMS_A_DRAW)

/* What a replica has in local memory. */
typedef struct {
  local planes* uses;      /* of a link, `words` of them; at the end those of no link */
  local planes* distances; /* of a cell */
  local uint* chosen;      /* of a cell: slots that are reached over the second edge */
  local exchange_cell* cells;
  uint words;    /* of 32 slots */
  uint word;     /* the work-item's own */
  uint position; /* of its cell among those of a round */
} replica_memory;

/* The orbit that a move takes. */
typedef struct {
  uint number;
  uint slot;
  uint cost;
  uint hops;
  uint slots;
  uint first_cell;
  uint cells;
} drawn_orbit;

/* The place of the lowest 1. */
static inline uint lowest(uint bits) { return 31u - clz(bits & (0u - bits)); }

/* Adds 1 to the uses of an orbit's links and their images, or takes it away. link: of a path, a hop a work-item. */
static inline void change_uses(subgroup sg, local planes* uses, uint link, uint hops, uint slot, uint words, uint order,
                               global const ushort* link_images, global const ushort* slot_images, uint is_added) {
  if (order == 1u) {
    local planes* own = uses + link * words + slot / 32u;
    if (sg.lane < hops) *own = planes_changed(*own, 1u << (slot & 31u), is_added);
    subgroup_fence(sg);
    return;
  }
  for (uint first = 0; first < hops * order; first += ITEMS) {
    const uint i = first + sg.lane;
    const uint hop = i / order;
    const uint own_link = subgroup_shuffle_uint(sg, link, hop & (ITEMS - 1u));
    if (hop < hops) {
      const uint image = slot_images[slot * order + i - hop * order];
      const uint link_image = link_images[own_link * order + i - hop * order];
      /* Images may be bits of one word. */
      local uint* word = (local uint*)(uses + link_image * words + image / 32u);
      uint carry = 1u << (image & 31u);
      for (uint k = 0; k < 4u && carry != 0u; ++k) {
        const uint before = atomic_xor(word + k, carry);
        carry &= is_added != 0u ? before : ~before;
      }
    }
  }
  subgroup_fence(sg);
}

/* What a work-item knows of an orbit that is drawn, before its cost can be told: ITEMS_A_DRAW work-items an orbit. */
typedef struct {
  uint number;
  uint slot;
  uint stamp; /* of its last move */
  uint field; /* of the orbit's hops, slots, first_cell and cells */
  uint link;  /* of a hop */
} drawn_part;

/* Where the replica's orbits are. */
typedef struct {
  global uint* slots;
  global ushort* paths;
  global uint* stamps;
} replica_orbits;

/* DRAWS_AT_ONCE orbits of a move; those beyond the last draw are that of the last one. */
static inline drawn_part draw_parts(subgroup sg, exchange_moves moves, random_block draws, uint first, ulong move,
                                    exchange_shape shape, global const exchange_orbit* orbits,
                                    global const uint* order, replica_orbits own) {
  const uint part = sg.lane & (ITEMS_A_DRAW - 1u);
  const uint draw = min(first + sg.lane / ITEMS_A_DRAW, moves.draws - 1u);
  drawn_part drawn;
  drawn.number = moves.in_order != 0u ? order[(move + (uint)get_group_id(0) * 7919u) % shape.orbits]
                                      : exchange_draw(draws, draw, shape.orbits);
  drawn.slot = own.slots[drawn.number];
  drawn.stamp = moves.tenure != 0u ? own.stamps[drawn.number] : 0u;
  drawn.field = ((global const uint*)(orbits + drawn.number))[4u + (part & 3u)];
  drawn.link = own.paths[drawn.number * shape.most_hops + min(part, shape.most_hops - 1u)];
  return drawn;
}

/* The orbit of a move: of those drawn, the first one that is moved, or the last one. parts: of the first draws. */
static inline drawn_orbit draw_orbit(subgroup sg, exchange_moves moves, random_block draws, ulong move,
                                     exchange_shape shape, global const exchange_orbit* orbits,
                                     global const uint* order, replica_orbits own, replica_memory memory,
                                     drawn_part parts) {
  const uint part = sg.lane & (ITEMS_A_DRAW - 1u);
  const uint is_high = sg.lane / (2u * ITEMS_A_DRAW);
  const uint shift = 16u * (sg.lane / ITEMS_A_DRAW & 1u);
  const uint stamp = (uint)(move & 0xffffffffu);
  drawn_orbit drawn;
  for (uint first = 0;;) {
    const uint hops = subgroup_shuffle_uint(sg, parts.field, sg.lane - part);
    uint cost = 0;
    if (parts.slot != EXCHANGE_NOWHERE && part < hops) {
      const uint word = parts.slot / 32u;
      cost = planes_at(memory.uses[parts.link * memory.words + word], parts.slot) - 1u;
      for (uint i = part + ITEMS_A_DRAW; i < hops; i += ITEMS_A_DRAW) {
        const uint link = own.paths[parts.number * shape.most_hops + i];
        cost += planes_at(memory.uses[link * memory.words + word], parts.slot) - 1u;
      }
    }
    const uint low = subgroup_reduce_add_uint(sg, is_high != 0u ? 0u : cost << shift);
    const uint high = subgroup_reduce_add_uint(sg, is_high != 0u ? cost << shift : 0u);
    cost = (is_high != 0u ? high : low) >> shift & 0xffffu;
    const uint is_last = first + sg.lane / ITEMS_A_DRAW + 1u >= moves.draws ? 1u : 0u;
    const uint is_moved = exchange_is_moved(moves, draws, cost, stamp - parts.stamp);
    const uint moved = (uint)subgroup_ballot(sg, (int)(is_last | is_moved));
    const uint source = moved != 0u ? lowest(moved) : 0u;
    drawn.number = subgroup_shuffle_uint(sg, parts.number, source);
    drawn.slot = subgroup_shuffle_uint(sg, parts.slot, source);
    drawn.cost = subgroup_shuffle_uint(sg, cost, source);
    drawn.hops = subgroup_shuffle_uint(sg, parts.field, source);
    drawn.slots = subgroup_shuffle_uint(sg, parts.field, source + 1u);
    drawn.first_cell = subgroup_shuffle_uint(sg, parts.field, source + 2u);
    drawn.cells = subgroup_shuffle_uint(sg, parts.field, source + 3u);
    if (moved != 0u) return drawn;
    first += DRAWS_AT_ONCE;
    parts = draw_parts(sg, moves, draws, first, move, shape, orbits, order, own);
  }
}

/* The least costs of reaching each cell. Returns the receiver's, word by word in the first work-items. A work-item whose
 * round has no cell for it finds one of a later round beforehand: wrongly, but that round comes before it is read. */
static inline planes find_distances(subgroup sg, replica_memory memory, uint cells, uint random) {
  planes least = (planes)(0);
  exchange_cell edges = memory.cells[min(1u + memory.position, cells - 1u)];
  for (uint first = 1; first < cells;) {
    const uint end = memory.cells[first].first >> 24;
    const uint cell = min(first + memory.position, cells - 1u);
    const planes a = planes_sum(memory.distances[(edges.first >> 16 & 0xffu) * memory.words + memory.word],
                                memory.uses[(edges.first & 0xffffu) * memory.words + memory.word]);
    const planes b = planes_sum(memory.distances[(edges.second >> 16 & 0xffu) * memory.words + memory.word],
                                memory.uses[(edges.second & 0xffffu) * memory.words + memory.word]);
    const uint chosen = planes_less(b, a, 0u - (random >> (edges.second >> 24) & 1u));
    edges = memory.cells[min(end + memory.position, cells - 1u)];
    least = planes_select(a, b, chosen);
    memory.distances[cell * memory.words + memory.word] = least;
    memory.chosen[cell * memory.words + memory.word] = chosen;
    subgroup_fence(sg);
    first = end;
  }
  return least;
}

/* The least of some numbers, among the slots of a mask. */
static inline uint find_least(subgroup sg, planes costs, uint mask) {
  uint least = 0;
  const uint without_eight = mask & ~costs.w;
  if (subgroup_any(sg, without_eight != 0u)) mask = without_eight; else least |= 8u;
  const uint without_four = mask & ~costs.z;
  if (subgroup_any(sg, without_four != 0u)) mask = without_four; else least |= 4u;
  const uint without_two = mask & ~costs.y;
  if (subgroup_any(sg, without_two != 0u)) mask = without_two; else least |= 2u;
  const uint without_one = mask & ~costs.x;
  if (!subgroup_any(sg, without_one != 0u)) least |= 1u;
  return least;
}

/* Slots of a mask at two levels of cost, 16 bits each. */
static inline uint count_two(subgroup sg, planes costs, uint mask, uint cost) {
  return subgroup_reduce_add_uint(sg, (uint)popcount(mask & planes_equal(costs, cost)) |
                                          (uint)popcount(mask & planes_equal(costs, cost + 1u)) << 16);
}

/* The slot of a cost by its number among them. */
static inline uint find_slot(subgroup sg, uint equal, uint words, uint number) {
  uint word = 0;
  uint bits = subgroup_shuffle_uint(sg, equal, 0);
  while (word + 1u < words && number >= (uint)popcount(bits)) {
    number -= (uint)popcount(bits);
    bits = subgroup_shuffle_uint(sg, equal, ++word);
  }
  const uint is_it = bits >> sg.lane & (popcount(bits & ((1u << sg.lane) - 1u)) == number ? 1u : 0u);
  return 32u * word + lowest((uint)subgroup_ballot(sg, (int)is_it));
}

/* The links of the path to the receiver in a slot, a hop a work-item. */
static inline uint find_path(subgroup sg, replica_memory memory, drawn_orbit orbit, uint links, uint slot) {
  uint own = 0;
  uint hop = orbit.hops;
  for (uint cell = orbit.cells - 1u; cell != 0u;) {
    const exchange_cell edges = memory.cells[cell];
    const uint is_second = memory.chosen[cell * memory.words + slot / 32u] >> (slot & 31u) & 1u;
    const uint edge = is_second != 0u ? edges.second : edges.first;
    if ((edge & 0xffffu) != links) {
      --hop;
      if (hop == sg.lane) own = edge & 0xffffu;
    }
    cell = edge >> 16 & 0xffu;
  }
  return own;
}

/* Moves of a replica; the arguments are those of the kernel. */
static inline void anneal_planes(subgroup sg, global const exchange_orbit* orbits, global const uint* cells,
                                 global const ushort* link_images, global const ushort* slot_images,
                                 global const uint* weights, global const uint* order, global uint* slots,
                                 global ushort* paths, global uint* stamps, global uint* uses, global uint* energies,
                                 global uint* made, exchange_shape shape, exchange_moves moves, local uint* room) {
  const uint replica = (uint)get_group_id(0);
  const uint words = shape.words / 8u;
  replica_memory memory;
  /* Room is aligned for the type that it is declared with. */
  memory.uses = (local planes*)(((size_t)room + sizeof(planes) - 1u) & ~(sizeof(planes) - 1u));
  memory.distances = memory.uses + (shape.links + 1u) * words;
  memory.cells = (local exchange_cell*)(memory.distances + shape.most_cells * words);
  memory.chosen = (local uint*)(memory.cells + shape.most_cells);
  memory.words = words;
  memory.position = sg.lane / words;
  memory.word = sg.lane - memory.position * words;
  replica_orbits own;
  own.slots = slots + (ulong)replica * shape.orbits;
  own.paths = paths + (ulong)replica * shape.orbits * shape.most_hops;
  own.stamps = stamps + (ulong)replica * shape.orbits;
  global uint* own_uses = uses + (ulong)replica * shape.links * shape.words;
  global const uint* own_weights = weights + replica * EXCHANGE_LEVELS;
  uint weight[EXCHANGE_LEVELS];
  for (uint level = 0; level < EXCHANGE_LEVELS; ++level) weight[level] = own_weights[level];
  const uint most_level = weight[4] != 0 ? 7u : 3u;
  uint over = 0;
  for (uint i = sg.lane; i < shape.links * words; i += ITEMS) memory.uses[i] = planes_of_bytes(own_uses + 8 * i, &over);
  for (uint i = sg.lane; i < words; i += ITEMS) {
    memory.uses[shape.links * words + i] = (planes)(0);
    memory.distances[i] = (planes)(0);
  }
  uint energy = energies[replica];
  uint count = subgroup_any(sg, over != 0u) ? 0u : moves.count;
  subgroup_fence(sg);

  /* Of each of the next moves, and of the move after it: what that one draws is on its way while this one is made. */
  random_block choices, following;
  random_block draws = exchange_random_at(moves.seed, replica, moves.first).draws;
  drawn_part parts = draw_parts(sg, moves, draws, 0, moves.first, shape, orbits, order, own);
  uint move = 0;
  for (; move < count && (moves.in_order != 0 || energy != 0); ++move) {
    const uint turn = move % ITEMS;
    const ulong number = moves.first + move;
    if (turn == 0) {
      choices = exchange_random_at(moves.seed, replica, number + sg.lane).choice;
      following = exchange_random_at(moves.seed, replica, number + sg.lane + 1ul).draws;
    }
    const drawn_orbit orbit = draw_orbit(sg, moves, draws, number, shape, orbits, order, own, memory, parts);
    draws.a = subgroup_shuffle_uint(sg, following.a, turn);
    draws.d = subgroup_shuffle_uint(sg, following.d, turn);
    parts = draw_parts(sg, moves, draws, 0, number + 1ul, shape, orbits, order, own);
    for (uint i = sg.lane; i < orbit.cells; i += ITEMS)
      memory.cells[i] = ((global const exchange_cell*)cells)[orbit.first_cell + i];
    global ushort* path = own.paths + orbit.number * shape.most_hops;
    const uint link_before = sg.lane < orbit.hops ? path[sg.lane] : 0u;
    if (orbit.slot != EXCHANGE_NOWHERE)
      change_uses(sg, memory.uses, link_before, orbit.hops, orbit.slot, words, shape.order, link_images, slot_images,
                    0);
    subgroup_fence(sg);

    random_block random;
    random.a = subgroup_shuffle_uint(sg, choices.a, turn);
    random.b = subgroup_shuffle_uint(sg, choices.b, turn);
    random.c = subgroup_shuffle_uint(sg, choices.c, turn);
    random.d = subgroup_shuffle_uint(sg, choices.d, turn);
    const planes costs = find_distances(sg, memory, orbit.cells, random.d);
    const uint below = sg.lane < words ? orbit.slots - min(32u * sg.lane, orbit.slots) : 0u;
    const uint mask = below >= 32u ? 0xffffffffu : (1u << below) - 1u;
    const uint least = find_least(sg, costs, mask);
    if (least + most_level >= PLANES_MOST) {
      if (orbit.slot != EXCHANGE_NOWHERE)
        change_uses(sg, memory.uses, link_before, orbit.hops, orbit.slot, words, shape.order, link_images,
                      slot_images, 1);
      count = move;
      break;
    }
    exchange_counts counts;
    counts.low = count_two(sg, costs, mask, least) | (ulong)count_two(sg, costs, mask, least + 2u) << 32;
    counts.high = 0;
    if (most_level > 3u)
      counts.high = count_two(sg, costs, mask, least + 4u) | (ulong)count_two(sg, costs, mask, least + 6u) << 32;
    uint wanted;
    const uint cost = least + choose_level(counts, weight, random, &wanted);
    const uint slot = find_slot(sg, mask & planes_equal(costs, cost), words, wanted);
    energy += cost - orbit.cost;
    const uint link = find_path(sg, memory, orbit, shape.links, slot);
    if (sg.lane < orbit.hops) path[sg.lane] = (ushort)link;
    if (sg.lane == 0) {
      own.slots[orbit.number] = slot;
      own.stamps[orbit.number] = (uint)(number & 0xffffffffu);
    }
    change_uses(sg, memory.uses, link, orbit.hops, slot, words, shape.order, link_images, slot_images, 1);
    if (subgroup_any(sg, parts.number == orbit.number) != 0)
      parts = draw_parts(sg, moves, draws, 0, number + 1ul, shape, orbits, order, own);
  }

  if (count != 0u)
    for (uint i = sg.lane; i < shape.links * words; i += ITEMS) planes_to_bytes(memory.uses[i], own_uses + 8 * i);
  if (sg.lane == 0) {
    energies[replica] = energy;
    made[replica] = count;
  }
}
