/* A replica by one sub-group of 32 work-items, each with 32 slots of a cell of the graph, as planes of bits. Uses of
 * links up to PLANES_MOST are distinguished; a replica whose move could depend on more stops before it.
 */
#include "exchange/planes.cl"

#define ITEMS 32u
/* Work-items that find an orbit's cost, for each of the orbits drawn. */
#define ITEMS_A_DRAW 8u
#define DRAWS_AT_ONCE (ITEMS / ITEMS_A_DRAW)
#define DRAWS_AHEAD (3u * DRAWS_AT_ONCE)

/* What a replica works with: the kernel's arguments, its own orbits, and its local memory. */
typedef struct {
  exchange_shape shape;
  exchange_moves moves;
  global const exchange_orbit* orbits;
  global const exchange_cell* cells;
  global const ushort* link_images;
  global const ushort* slot_images;
  global const uint* order;
  global const uint* weights;
  global uint* slots;
  global ushort* paths;
  global uint* stamps;
  local planes* uses;      /* of a link, `words` of them; at the end those of no link */
  local planes* distances; /* of a cell, as many */
  local exchange_cell* own_cells; /* of the orbit that is moved */
  local uint* chosen;      /* of a cell: slots that are reached over the second edge */
  uint words;              /* of 32 slots */
  uint word;               /* the work-item's own */
  uint position;           /* of its cell among those of a round */
} replica_tables;

/* A work-item's data of an orbit that is drawn, before its cost is known: ITEMS_A_DRAW work-items an orbit. */
typedef struct {
  uint number;
  uint slot;
  uint stamp; /* of its last move */
  uint field; /* of the orbit's hops, slots, first_cell and cells */
  uint link;  /* of a hop */
} drawn_part;

/* Two of an orbit's cells. */
typedef struct {
  exchange_cell near;
  exchange_cell far;
} drawn_cells;

/* The draws of a move that are loaded while the move before it is made, and the cells of the first ones. */
typedef struct {
  drawn_part first;
  drawn_part second;
  drawn_part third;
  drawn_cells cells;
} drawn_ahead;

/* The orbit that a move takes. */
typedef struct {
  uint number;
  uint slot;
  uint cost;
  uint hops;
  uint slots;
  uint cells;
  uint link; /* of the path, a hop a work-item */
} drawn_orbit;

/* The place of the lowest 1. */
static inline uint lowest(uint bits) { return 31u - clz(bits & (0u - bits)); }

/* Adds 1 to the uses of an orbit's links and their images, or takes it away. link: of a path, a hop a work-item. */
static inline void change_uses(subgroup sg, replica_tables t, uint link, uint hops, uint slot, uint is_added) {
  const uint order = t.shape.order;
  if (order == 1u) {
    local planes* own = t.uses + link * t.words + slot / 32u;
    if (sg.lane < hops) *own = planes_changed(*own, 1u << (slot & 31u), is_added);
    subgroup_fence(sg);
    return;
  }
  for (uint first = 0; first < hops * order; first += ITEMS) {
    const uint i = first + sg.lane;
    const uint hop = i / order;
    const uint own_link = subgroup_shuffle_uint(sg, link, hop & (ITEMS - 1u));
    if (hop < hops) {
      const uint image = t.slot_images[slot * order + i - hop * order];
      const uint link_image = t.link_images[own_link * order + i - hop * order];
      /* Images may be bits of one word. */
      local uint* word = (local uint*)(t.uses + link_image * t.words + image / 32u);
      uint carry = 1u << (image & 31u);
      for (uint k = 0; k < 4u && carry != 0u; ++k) {
        const uint before = atomic_xor(word + k, carry);
        carry &= is_added != 0u ? before : ~before;
      }
    }
  }
  subgroup_fence(sg);
}

/* DRAWS_AT_ONCE orbits of a move; those beyond the last draw are that of the last one. */
static inline drawn_part draw_parts(subgroup sg, replica_tables t, random_block draws, uint first, ulong move) {
  const uint part = sg.lane & (ITEMS_A_DRAW - 1u);
  const uint draw = min(first + sg.lane / ITEMS_A_DRAW, t.moves.draws - 1u);
  drawn_part drawn;
  drawn.number = t.moves.in_order != 0u ? t.order[(move + (uint)get_group_id(0) * 7919u) % t.shape.orbits]
                                        : exchange_draw(draws, draw, t.shape.orbits);
  drawn.slot = t.slots[drawn.number];
  drawn.stamp = t.moves.tenure != 0u ? t.stamps[drawn.number] : 0u;
  drawn.field = ((global const uint*)(t.orbits + drawn.number))[4u + (part & 3u)];
  drawn.link = t.paths[drawn.number * t.shape.most_hops + min(part, t.shape.most_hops - 1u)];
  return drawn;
}

/* The first cells of each orbit drawn. */
static inline drawn_cells fetch_cells(subgroup sg, replica_tables t, drawn_part parts) {
  const uint part = sg.lane & (ITEMS_A_DRAW - 1u);
  const uint first = subgroup_shuffle_uint(sg, parts.field, sg.lane - part + 2u);
  const uint last = subgroup_shuffle_uint(sg, parts.field, sg.lane - part + 3u) - 1u;
  drawn_cells cells;
  cells.near = t.cells[first + min(part, last)];
  cells.far = t.cells[first + min(part + ITEMS_A_DRAW, last)];
  return cells;
}

/* The first draws of a move, but for their cells: those draws that the launch makes. */
static inline void draw_ahead(subgroup sg, replica_tables t, random_block draws, ulong move, drawn_ahead* ahead) {
  ahead->first = draw_parts(sg, t, draws, 0, move);
  if (t.moves.draws > DRAWS_AT_ONCE) ahead->second = draw_parts(sg, t, draws, DRAWS_AT_ONCE, move);
  if (t.moves.draws > 2u * DRAWS_AT_ONCE) ahead->third = draw_parts(sg, t, draws, 2u * DRAWS_AT_ONCE, move);
}

/* Whether an orbit is among them. */
static inline int is_drawn(subgroup sg, replica_tables t, drawn_ahead ahead, uint number) {
  const uint in_second = t.moves.draws > DRAWS_AT_ONCE && ahead.second.number == number ? 1u : 0u;
  const uint in_third = t.moves.draws > 2u * DRAWS_AT_ONCE && ahead.third.number == number ? 1u : 0u;
  return subgroup_any(sg, (int)((ahead.first.number == number ? 1u : 0u) | in_second | in_third));
}

/* The conflicts of each orbit drawn. */
static inline uint cost_of_parts(subgroup sg, replica_tables t, drawn_part parts) {
  const uint part = sg.lane & (ITEMS_A_DRAW - 1u);
  const uint is_high = sg.lane / (2u * ITEMS_A_DRAW);
  const uint shift = 16u * (sg.lane / ITEMS_A_DRAW & 1u);
  const uint hops = subgroup_shuffle_uint(sg, parts.field, sg.lane - part);
  uint cost = 0;
  if (parts.slot != EXCHANGE_NOWHERE && part < hops) {
    local const planes* uses = t.uses + parts.slot / 32u;
    cost = planes_at(uses[parts.link * t.words], parts.slot) - 1u;
#pragma unroll 1
    for (uint i = part + ITEMS_A_DRAW; i < hops; i += ITEMS_A_DRAW)
      cost += planes_at(uses[t.paths[parts.number * t.shape.most_hops + i] * t.words], parts.slot) - 1u;
  }
  const uint low = subgroup_reduce_add_uint(sg, is_high != 0u ? 0u : cost << shift);
  const uint high = subgroup_reduce_add_uint(sg, is_high != 0u ? cost << shift : 0u);
  return (is_high != 0u ? high : low) >> shift & 0xffffu;
}

/* The orbit of a move: of those drawn, the first one that is moved, or the last one. Its cells go into local memory.
 * ahead: what was loaded ahead. */
static inline drawn_orbit draw_orbit(subgroup sg, replica_tables t, random_block draws, ulong move, drawn_ahead ahead) {
  const uint part = sg.lane & (ITEMS_A_DRAW - 1u);
  const uint stamp = (uint)(move & 0xffffffffu);
  drawn_orbit drawn;
  drawn_part parts = ahead.first;
  uint source = 0;
  uint first = 0;
  for (;;) {
    drawn.cost = cost_of_parts(sg, t, parts);
    const uint is_last = first + sg.lane / ITEMS_A_DRAW + 1u >= t.moves.draws ? 1u : 0u;
    const uint is_moved = exchange_is_moved(t.moves, draws, drawn.cost, stamp - parts.stamp);
    const uint moved = (uint)subgroup_ballot(sg, (int)(is_last | is_moved));
    if (moved != 0u) {
      source = lowest(moved);
      break;
    }
    first += DRAWS_AT_ONCE;
    parts = ahead.second;
    ahead.second = ahead.third;
    if (first >= DRAWS_AHEAD) parts = draw_parts(sg, t, draws, first, move);
  }
  const drawn_cells cells = first == 0u ? ahead.cells : fetch_cells(sg, t, parts);
  drawn.number = subgroup_shuffle_uint(sg, parts.number, source);
  drawn.slot = subgroup_shuffle_uint(sg, parts.slot, source);
  drawn.cost = subgroup_shuffle_uint(sg, drawn.cost, source);
  drawn.hops = subgroup_shuffle_uint(sg, parts.field, source);
  drawn.slots = subgroup_shuffle_uint(sg, parts.field, source + 1u);
  drawn.cells = subgroup_shuffle_uint(sg, parts.field, source + 3u);
  const uint first_cell = subgroup_shuffle_uint(sg, parts.field, source + 2u);
  drawn.link = subgroup_shuffle_uint(sg, parts.link, source + part);
  if (sg.lane >= ITEMS_A_DRAW && sg.lane < drawn.hops)
    drawn.link = t.paths[drawn.number * t.shape.most_hops + sg.lane];
  if (sg.lane - part == source) {
    if (part < drawn.cells) t.own_cells[part] = cells.near;
    if (part + ITEMS_A_DRAW < drawn.cells) t.own_cells[part + ITEMS_A_DRAW] = cells.far;
  }
#pragma unroll 1
  for (uint i = 2u * ITEMS_A_DRAW + sg.lane; i < drawn.cells; i += ITEMS) t.own_cells[i] = t.cells[first_cell + i];
  subgroup_fence(sg);
  return drawn;
}

/* The least costs of reaching each cell. Returns the receiver's, word by word in the first work-items. */
static inline planes find_distances(subgroup sg, replica_tables t, uint cells, uint random) {
  planes least = (planes)(0);
  exchange_cell edges = t.own_cells[min(1u + t.position, cells - 1u)];
#pragma unroll 1
  for (uint first = 1; first < cells;) {
    const uint end = t.own_cells[first].x >> 24;
    const uint cell = first + t.position;
    if (cell < end) {
      const planes a = planes_sum(t.distances[(edges.x >> 16 & 0xffu) * t.words + t.word],
                                  t.uses[(edges.x & 0xffffu) * t.words + t.word]);
      const planes b = planes_sum(t.distances[(edges.y >> 16 & 0xffu) * t.words + t.word],
                                  t.uses[(edges.y & 0xffffu) * t.words + t.word]);
      const uint chosen = planes_less(b, a, 0u - (random >> (edges.y >> 24) & 1u));
      least = planes_select(a, b, chosen);
      t.distances[cell * t.words + t.word] = least;
      t.chosen[cell * t.words + t.word] = chosen;
    }
    /* Those of the next round are on their way while it is waited for. */
    edges = t.own_cells[min(end + t.position, cells - 1u)];
    subgroup_fence(sg);
    first = end;
  }
  return least;
}

/* The least of some costs, among the slots of a mask. */
static inline uint find_least(subgroup sg, planes costs, uint mask) {
  const uint planes_of_costs[4] = {costs.x, costs.y, costs.z, costs.w};
  uint least = 0;
  for (uint k = 4; k-- > 0;) {
    const uint without = mask & ~planes_of_costs[k];
    const uint is_there = (uint)subgroup_any(sg, without != 0u);
    mask = is_there != 0u ? without : mask;
    least |= is_there != 0u ? 0u : 1u << k;
  }
  return least;
}

/* Slots of a mask at two costs, 16 bits each. */
static inline uint count_two(subgroup sg, planes costs, uint mask, uint cost) {
  return subgroup_reduce_add_uint(sg, (uint)popcount(mask & planes_equal(costs, cost)) |
                                          (uint)popcount(mask & planes_equal(costs, cost + 1u)) << 16);
}

/* Slots of a mask at eight costs. */
static inline exchange_counts count_costs(subgroup sg, planes costs, uint mask, uint cost) {
  exchange_counts counts;
  counts.low = count_two(sg, costs, mask, cost) | (ulong)count_two(sg, costs, mask, cost + 2u) << 32;
  counts.high = count_two(sg, costs, mask, cost + 4u) | (ulong)count_two(sg, costs, mask, cost + 6u) << 32;
  return counts;
}

/* The heat bath's choice of a cost, and in *number which of the slots of this cost; EXCHANGE_MOST_COST where costs that
 * cannot be distinguished might be chosen. Mostly the least cost is small and four levels have weights. */
static inline uint choose_cost(subgroup sg, replica_tables t, planes costs, uint mask, random_block random,
                               uint* number) {
  uint weight[EXCHANGE_LEVELS];
  for (uint i = 0; i < 5u; ++i) weight[i] = t.weights[i];
  exchange_counts counts = count_costs(sg, costs, mask, 0);
  if (weight[4] == 0u && (counts.low != 0ul || (counts.high & 0xfffful) != 0ul)) {
    const uint least = counts.low == 0ul ? 4u : (63u - (uint)clz(counts.low & (0ul - counts.low))) / 16u;
    if (least != 0u)
      counts.low = least == 4u ? counts.high : counts.low >> 16u * least | counts.high << (64u - 16u * least);
    return least + choose_level(counts, weight, 4, random, number);
  }
  const uint least = find_least(sg, costs, mask);
  if (least + EXCHANGE_LEVELS > PLANES_MOST) return EXCHANGE_MOST_COST;
  for (uint i = 5; i < EXCHANGE_LEVELS; ++i) weight[i] = t.weights[i];
  counts = count_costs(sg, costs, mask, least);
  return least + choose_level(counts, weight, EXCHANGE_LEVELS, random, number);
}

/* The slot of a cost by its number among them. equal: slots of this cost. */
static inline uint find_slot(subgroup sg, uint equal, uint words, uint number) {
  uint word = 0;
  uint bits = subgroup_shuffle_uint(sg, equal, 0);
#pragma unroll 1
  while (word + 1u < words && number >= (uint)popcount(bits)) {
    number -= (uint)popcount(bits);
    bits = subgroup_shuffle_uint(sg, equal, ++word);
  }
  const uint is_it = bits >> sg.lane & (popcount(bits & ((1u << sg.lane) - 1u)) == number ? 1u : 0u);
  return 32u * word + lowest((uint)subgroup_ballot(sg, (int)is_it));
}

/* The edge over which a cell is reached in a slot. */
static inline uint find_edge(replica_tables t, uint cell, uint slot) {
  const exchange_cell edges = t.own_cells[cell];
  return (t.chosen[cell * t.words + slot / 32u] >> (slot & 31u) & 1u) != 0u ? edges.y : edges.x;
}

/* The links of the path to the receiver in a slot, a hop a work-item. A cell's edge comes from the work-item that has it
 * in a register, or from local memory where there are more cells than two a work-item. */
static inline uint find_path(subgroup sg, replica_tables t, drawn_orbit orbit, uint slot) {
  const uint last = orbit.cells - 1u;
  const uint low = find_edge(t, min(sg.lane, last), slot);
  const uint high = orbit.cells > ITEMS ? find_edge(t, min(sg.lane + ITEMS, last), slot) : 0u;
  uint link = 0;
  uint hop = orbit.hops;
#pragma unroll 1
  for (uint cell = last; cell != 0u;) {
    uint edge = subgroup_shuffle_uint(sg, low, cell & (ITEMS - 1u));
    if (orbit.cells > ITEMS) {
      const uint other =
          cell < 2u * ITEMS ? subgroup_shuffle_uint(sg, high, cell & (ITEMS - 1u)) : find_edge(t, cell, slot);
      edge = cell < ITEMS ? edge : other;
    }
    hop -= (edge & 0xffffu) != t.shape.links ? 1u : 0u;
    link = hop == sg.lane && (edge & 0xffffu) != t.shape.links ? edge & 0xffffu : link;
    cell = edge >> 16 & 0xffu;
  }
  return link;
}

/* Puts an orbit where the heat bath chooses. \returns its conflicts there, or EXCHANGE_MOST_COST: it is back where it
 * was, and the replica has to stop. */
static inline uint move_orbit(subgroup sg, replica_tables t, drawn_orbit orbit, planes costs, random_block random,
                              uint stamp) {
  const uint below = sg.lane < t.words ? orbit.slots - min(32u * sg.lane, orbit.slots) : 0u;
  const uint mask = below >= 32u ? 0xffffffffu : (1u << below) - 1u;
  uint number;
  const uint cost = choose_cost(sg, t, costs, mask, random, &number);
  if (cost == EXCHANGE_MOST_COST) {
    if (orbit.slot != EXCHANGE_NOWHERE) change_uses(sg, t, orbit.link, orbit.hops, orbit.slot, 1);
    return cost;
  }
  const uint slot = find_slot(sg, mask & planes_equal(costs, cost), t.words, number);
  const uint link = find_path(sg, t, orbit, slot);
  if (sg.lane < orbit.hops) t.paths[orbit.number * t.shape.most_hops + sg.lane] = (ushort)link;
  if (sg.lane == 0) {
    t.slots[orbit.number] = slot;
    t.stamps[orbit.number] = stamp;
  }
  change_uses(sg, t, link, orbit.hops, slot, 1);
  return cost;
}

/* Makes a launch's moves of a replica, or fewer. energy: its conflicts. \returns how many. */
static inline uint make_all_moves(subgroup sg, replica_tables t, uint* energy) {
  const uint replica = (uint)get_group_id(0);
  /* Of each of the next moves, and of the move after it: what that one draws is on its way while this one is made. */
  random_block choices, following;
  random_block draws = exchange_random_at(t.moves.seed, replica, t.moves.first).draws;
  drawn_ahead ahead;
  draw_ahead(sg, t, draws, t.moves.first, &ahead);
  ahead.cells = fetch_cells(sg, t, ahead.first);
  for (uint move = 0; move < t.moves.count && (t.moves.in_order != 0 || *energy != 0); ++move) {
    const uint turn = move % ITEMS;
    const ulong number = t.moves.first + move;
    if (turn == 0) {
      choices = exchange_random_at(t.moves.seed, replica, number + sg.lane).choice;
      following = exchange_random_at(t.moves.seed, replica, number + sg.lane + 1ul).draws;
    }
    const drawn_orbit orbit = draw_orbit(sg, t, draws, number, ahead);
    draws.a = subgroup_shuffle_uint(sg, following.a, turn);
    draws.d = subgroup_shuffle_uint(sg, following.d, turn);
    draw_ahead(sg, t, draws, number + 1ul, &ahead);
    if (orbit.slot != EXCHANGE_NOWHERE) change_uses(sg, t, orbit.link, orbit.hops, orbit.slot, 0);
    random_block random;
    random.a = subgroup_shuffle_uint(sg, choices.a, turn);
    random.b = subgroup_shuffle_uint(sg, choices.b, turn);
    random.c = subgroup_shuffle_uint(sg, choices.c, turn);
    random.d = subgroup_shuffle_uint(sg, choices.d, turn);
    const planes costs = find_distances(sg, t, orbit.cells, random.d);
    ahead.cells = fetch_cells(sg, t, ahead.first);
    const uint cost = move_orbit(sg, t, orbit, costs, random, (uint)(number & 0xffffffffu));
    if (cost == EXCHANGE_MOST_COST) return move;
    *energy += cost - orbit.cost;
    if (is_drawn(sg, t, ahead, orbit.number) != 0) draw_ahead(sg, t, draws, number + 1ul, &ahead);
  }
  return t.moves.count;
}

/* A replica's local memory: t.uses and what follows, and its uses. room: words, planes_bytes() / 4 of them. \returns
 * whether the uses are small enough. */
static inline uint load_planes(subgroup sg, replica_tables* t, global const uint* uses, local uint* room) {
  t->words = t->shape.words / 8u;
  t->position = sg.lane / t->words;
  t->word = sg.lane - t->position * t->words;
  /* Room is aligned for the type that it is declared with. */
  t->uses = (local planes*)(((size_t)room + sizeof(planes) - 1u) & ~(sizeof(planes) - 1u));
  t->distances = t->uses + (t->shape.links + 1u) * t->words;
  t->own_cells = (local exchange_cell*)(t->distances + t->shape.most_cells * t->words);
  t->chosen = (local uint*)(t->own_cells + t->shape.most_cells);
  uint over = 0;
  for (uint i = sg.lane; i < t->shape.links * t->words; i += ITEMS) t->uses[i] = planes_of_bytes(uses + 8 * i, &over);
  for (uint i = sg.lane; i < t->words; i += ITEMS) {
    t->uses[t->shape.links * t->words + i] = (planes)(0);
    t->distances[i] = (planes)(0);
  }
  subgroup_fence(sg);
  return subgroup_any(sg, over != 0u) != 0 ? 0u : 1u;
}

/* The same; the uses are written back. */
static inline uint make_moves(subgroup sg, replica_tables t, global uint* uses, uint* energy) {
  const uint count = make_all_moves(sg, t, energy);
  for (uint i = sg.lane; i < t.shape.links * t.words; i += ITEMS) planes_to_bytes(t.uses[i], uses + 8 * i);
  return count;
}
