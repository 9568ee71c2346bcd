/* What happens to one move of the search for a schedule: a transfer is taken out of the schedule and put back into a
 * slot and onto a shortest path that the heat bath chooses among the least conflicting paths of all slots.
 *
 * The search is among schedules that a group of symmetries leaves as they are: each symmetry moves links, transfers and
 * slots. Transfers fall into orbits of as many transfers as the group has elements; where one transfer of an orbit is,
 * says where the others are. With the trivial group an orbit is a transfer.
 *
 * The cost of a path in a slot is the sum of its links' uses there, cut at EXCHANGE_MOST_COST; costs of four slots are
 * the bytes of a word.
 */
#ifndef CLOPT_SHARED_EXCHANGE_SEARCH_H
#define CLOPT_SHARED_EXCHANGE_SEARCH_H

#include "shared/random.h"

#define EXCHANGE_MOST_COST 127u
/* The heat bath considers costs from the least one to the least one plus this many, less 1. */
#define EXCHANGE_LEVELS 8
/* The slot of an orbit that is not placed. */
#define EXCHANGE_NOWHERE 0xffffffffu
/* An edge of an orbit's graph of shortest paths is the place of the node that it comes from, in the graph, in the upper
 * half, and the link in the lower half. Half a word can number this many links, slots, and edges of a graph. */
#define EXCHANGE_MOST_NUMBERED 65535u

/* Random numbers are kept apart by purpose. */
#define EXCHANGE_PURPOSE_MOVE 0x45584d56u
#define EXCHANGE_PURPOSE_SWAP 0x45585357u
#define EXCHANGE_PURPOSE_PACK 0x4558504bu
#define EXCHANGE_PURPOSE_SHARE 0x45585348u

CLOPT_SHARED_BEGIN

/* An orbit's transfer and the graph of its shortest paths. Nodes are in the order of their distance from the sender,
 * which is node 0; the receiver is the last. The edges into node v are those from node_first[first_node + v] to below
 * node_first[first_node + v + 1], counted from first_edge. */
struct exchange_orbit {
  uint first_edge;
  uint first_node;
  uint nodes;
  uint edges;
  uint hops;       /* links of a path */
  uint slots;      /* it may be put into slots below this one */
  uint first_cell; /* see exchange_cell */
  uint cells;      /* with the sender's */
};
typedef struct exchange_orbit exchange_orbit;

/* An orbit's graph for work-items that have 32 slots each: what reaches a node over one of two edges. A node with more
 * edges than two is reached through a chain of cells. Cell 0 is the sender, which has no edges, the last one is the
 * receiver. Cells are found in rounds; those of a round need those of earlier rounds alone. In the lower half of a word
 * is a link, or the number of links for no link; above it, in 8 bits, the cell that it comes from. */
#ifdef __OPENCL_VERSION__
typedef uint2 exchange_cell; /* a vector, so that one instruction loads it */
#else
struct exchange_cell {
  alignas(8) uint x; /* the first edge; in the highest 8 bits: where the cells of its round end */
  uint y;            /* the second edge; in the highest 8 bits: the edge's number, modulo 32 */
};
#endif
#define EXCHANGE_MOST_CELLS 255

/* The sizes of a search. */
struct exchange_shape {
  uint orbits;
  uint links;
  uint words;      /* of four slots */
  uint order;      /* elements of the group */
  uint most_hops;  /* of an orbit */
  uint most_nodes; /* of an orbit's graph */
  uint most_cells; /* the same; 0 where there are no cells */
};
typedef struct exchange_shape exchange_shape;

/* Which moves a launch makes. */
struct exchange_moves {
  ulong seed;
  ulong first; /* the number of the first move since the search began */
  uint count;
  uint in_order; /* 1: the orbits of the list `order`, one after the other; 0: drawn */
  uint draws;    /* orbits drawn for a move, at most, to find one in conflict */
  uint focus;    /* of 2^32: how often an orbit without conflict is passed over for another one */
  uint tenure;   /* an orbit that one of this many moves before took is passed over too (tabu search) */
  uint unused;   /* some drivers take no structure with room at its end */
};
typedef struct exchange_moves exchange_moves;

/* The random words of a move. */
struct exchange_random {
  random_block choice; /* a, b: the cost; c: the slot among those of this cost; d: which predecessor at a tie */
  random_block draws;  /* a: orbits; d: whether any orbit will do */
};
typedef struct exchange_random exchange_random;

CLOPT_SHARED exchange_random exchange_random_at(ulong seed, uint replica, ulong move) {
  exchange_random random;
  const uint low = (uint)(move & 0xffffffffu);
  const uint high = (uint)(move >> 32) << 1;
  random.choice = random_at(seed, EXCHANGE_PURPOSE_MOVE, replica, low, high);
  random.draws = random_at(seed, EXCHANGE_PURPOSE_MOVE, replica, low, high | 1u);
  return random;
}

/* The i-th orbit drawn for a move: of a random word, mixed with i as MurmurHash3 ends. */
CLOPT_SHARED uint exchange_draw(random_block draws, uint i, uint orbits) {
  uint word = draws.a + i * 0x9e3779b9u;
  word = (word ^ word >> 16) * 0x85ebca6bu;
  word = (word ^ word >> 13) * 0xc2b2ae35u;
  return uniform_below(word ^ word >> 16, orbits);
}

/* Whether a drawn orbit is moved. age: moves since it was last moved. */
CLOPT_SHARED uint exchange_is_moved(exchange_moves moves, random_block draws, uint cost, uint age) {
  return age >= moves.tenure && (cost != 0u || draws.d >= moves.focus) ? 1u : 0u;
}

/* Costs above all others; the highest bit of each byte stays set while costs are lowered. */
#define EXCHANGE_NO_COST 0xffffffffu

/* For each byte: the less one of a cost and of another one, at most 254. */
CLOPT_SHARED uint exchange_lower(uint least, uint cost) {
  const uint is_less = (least - (cost & 0x7f7f7f7fu)) & ~cost & 0x80808080u;
  const uint mask = is_less - (is_less >> 7);
  return (cost & mask) | (least & ~mask);
}

/* How many bytes are equal to a value. */
CLOPT_SHARED uint exchange_count_equal(uint a, uint value) {
  const uint x = a ^ value * 0x01010101u;
  return popcount(~(((x & 0x7f7f7f7fu) + 0x7f7f7f7fu) | x | 0x7f7f7f7fu));
}

/* The word of costs whose slots from `slots` on are out of reach: their bytes become 255. first: its first slot. */
CLOPT_SHARED uint exchange_within(uint costs, uint first, uint slots) {
  if (first + 4u <= slots) return costs;
  if (first >= slots) return 0xffffffffu;
  return costs | 0xffffffffu << 8 * (slots - first);
}

/* Numbers of slots at each level of cost, 16 bits each: levels 0 to 3, and 4 to 7. */
struct exchange_counts {
  ulong low;
  ulong high;
};
typedef struct exchange_counts exchange_counts;

CLOPT_SHARED uint exchange_count_at(exchange_counts counts, uint level) {
  return (uint)((level < 4u ? counts.low >> 16 * level : counts.high >> 16 * (level - 4u)) & 0xffffu);
}

/* The slots of a word of costs at four levels from a cost on, 16 bits each. */
CLOPT_SHARED ulong exchange_four_counts(uint costs, uint least) {
  ulong counts = 0;
  for (uint level = 0; level < 4u; ++level)
    counts |= (ulong)exchange_count_equal(costs, min(least + level, 254u)) << 16 * level;
  return counts;
}

/* What the heat bath chooses: a level of cost, and the slot of this level by its number among them. */
struct exchange_choice {
  uint level;
  uint number;
};
typedef struct exchange_choice exchange_choice;

/* weight: of one slot at a level, the Boltzmann factor of its cost above the least, in units of 2^-30. */
CLOPT_SHARED ulong exchange_level_weight(exchange_counts counts, uint level, uint weight) {
  return (ulong)exchange_count_at(counts, level) * weight;
}

/* Whether an edge takes the place of the best one so far: it does at a tie where the random word has a 1 for it. */
CLOPT_SHARED uint exchange_is_preferred(uint cost, uint best, uint edge, uint word) {
  return cost < best || (cost == best && (word >> (edge & 31u) & 1u) != 0u) ? 1u : 0u;
}

CLOPT_SHARED_END

#endif
