/// \file
/// The moves themselves: slots in vector registers. The file that includes this one says for which instruction set: by
/// MOVES_TARGET, an attribute of functions, and by two functions on words of bits before, equal_bits() and nth_bit().
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace clopt::openmp::exchange {
namespace {

#define MOVES_INLINE MOVES_TARGET __attribute__((always_inline)) inline

/// The costs of so many slots.
constexpr std::size_t lanes = 64;
typedef std::uint8_t Costs __attribute__((vector_size(lanes), aligned(1), may_alias));
typedef std::uint8_t FewCosts __attribute__((vector_size(lanes / 2), aligned(1), may_alias));

/// Moves whose random words are made at once, in vector registers, and the first orbits that each of them draws.
constexpr std::uint32_t moves_ahead = 32;
constexpr std::uint32_t draws_ahead = 3;

struct RandomAhead {
  std::uint32_t words[6][moves_ahead];
  std::uint32_t orbits[draws_ahead][moves_ahead];
};

MOVES_TARGET void make_random(std::uint64_t seed, std::uint32_t replica, std::uint64_t first, std::uint32_t orbits,
                              RandomAhead& made) {
  for (std::uint32_t i = 0; i < moves_ahead; ++i) {
    const auto random = shared::exchange_random_at(seed, replica, first + i);
    made.words[0][i] = random.choice.a;
    made.words[1][i] = random.choice.b;
    made.words[2][i] = random.choice.c;
    made.words[3][i] = random.choice.d;
    made.words[4][i] = random.draws.a;
    made.words[5][i] = random.draws.d;
  }
  for (std::uint32_t draw = 0; draw < draws_ahead; ++draw)
    for (std::uint32_t i = 0; i < moves_ahead; ++i)
      made.orbits[draw][i] = shared::exchange_draw({made.words[4][i], 0, 0, 0}, draw, orbits);
}

MOVES_INLINE shared::exchange_random random_of(const RandomAhead& made, std::uint32_t i) {
  return {{made.words[0][i], made.words[1][i], made.words[2][i], made.words[3][i]},
          {made.words[4][i], 0, 0, made.words[5][i]}};
}

/// Has the memory of the orbits that a later move draws brought near.
MOVES_INLINE void fetch_orbits(const Replica& replica, const SearchTables& tables, const RandomAhead& made,
                               std::uint32_t i) {
  for (const auto& draw : made.orbits) {
    __builtin_prefetch(&tables.orbits[draw[i]]);
    __builtin_prefetch(replica.slots + draw[i]);
    __builtin_prefetch(replica.paths + std::size_t{draw[i]} * tables.shape.most_hops);
  }
}

/// The same for the graph of the orbit that the next move takes, if none of those drawn is in conflict.
MOVES_INLINE void fetch_graph(const SearchTables& tables, const RandomAhead& made, std::uint32_t i) {
  const bool is_first = made.words[5][i] >= tables.moves.focus;
  const SearchOrbit& orbit = tables.orbits[made.orbits[is_first ? 0 : draws_ahead - 1][i]];
  __builtin_prefetch(tables.node_first.data() + orbit.first_node);
  for (std::size_t line = 0; line < 4; ++line) __builtin_prefetch(tables.edges.data() + orbit.first_edge + 8 * line);
}

MOVES_INLINE std::uint32_t cost_of(const Replica& replica, const SearchTables& tables, std::uint32_t orbit) {
  const std::size_t stride = row_bytes(tables.shape);
  const std::uint16_t* path = replica.paths + std::size_t{orbit} * tables.shape.most_hops;
  const std::uint8_t* uses = replica.uses + replica.slots[orbit];
  const std::uint32_t hops = tables.orbits[orbit].hops;
  // What follows a short path is read too, and left out: no processor would guess where a loop ends.
  constexpr std::uint32_t most_known = 8;
  const std::uint32_t known = tables.shape.most_hops >= most_known ? most_known : 0;
  std::uint32_t cost = 0;
  if (known != 0)
    for (std::uint32_t i = 0; i < most_known; ++i) {
      const std::uint32_t others = uses[path[i] * stride] - 1U;
      cost += i < hops ? others : 0;
    }
  for (std::uint32_t i = known; i < hops; ++i) cost += uses[path[i] * stride] - 1U;
  return cost;
}

MOVES_INLINE void change_uses(const Replica& replica, const SearchTables& tables, std::uint32_t orbit, int change) {
  const std::size_t stride = row_bytes(tables.shape);
  const std::uint16_t* path = replica.paths + std::size_t{orbit} * tables.shape.most_hops;
  const std::size_t group = tables.shape.order;
  const std::uint16_t* slot_images = tables.slot_images.data() + replica.slots[orbit] * group;
  const std::uint32_t hops = tables.orbits[orbit].hops;
  for (std::uint32_t i = 0; i < hops; ++i) {
    const std::uint16_t* link_images = tables.link_images.data() + path[i] * group;
    for (std::size_t element = 0; element < group; ++element) {
      auto& use = replica.uses[link_images[element] * stride + slot_images[element]];
      use = static_cast<std::uint8_t>(use + change);
    }
  }
}

/// Takes an orbit out of the schedule. \returns its conflicts.
MOVES_INLINE std::uint32_t remove_orbit(const Replica& replica, const SearchTables& tables, std::uint32_t orbit) {
  if (tables.shape.order != 1) {
    const std::uint32_t cost = cost_of(replica, tables, orbit);
    change_uses(replica, tables, orbit, -1);
    return cost;
  }
  const std::size_t stride = row_bytes(tables.shape);
  const std::uint16_t* path = replica.paths + std::size_t{orbit} * tables.shape.most_hops;
  std::uint8_t* uses = replica.uses + replica.slots[orbit];
  const std::uint32_t hops = tables.orbits[orbit].hops;
  std::uint32_t cost = 0;
  for (std::uint32_t i = 0; i < hops; ++i) cost += --uses[path[i] * stride];
  return cost;
}

/// How paths come to a node, kept behind its costs: its first edge and its last.
struct WayBack {
  EdgePlaces first;
  std::uint32_t last_number;  ///< of the last edge; the first one follows the last one of the node before
  std::uint32_t unused;
  EdgePlaces last;
};
static_assert(sizeof(WayBack) <= 32);

template <class Vector>
MOVES_INLINE Vector cost_over(EdgePlaces edge, const std::uint8_t* uses, const std::uint8_t* distances) {
  return *reinterpret_cast<const Vector*>(distances + edge.distances) +
         *reinterpret_cast<const Vector*>(uses + edge.uses);
}

template <class Vector>
MOVES_INLINE Vector lesser(const Vector& a, const Vector& b) {
  return a < b ? a : b;
}

/// The least costs of reaching each node, in some slots at once: whole vectors, then half of one. Most nodes have one
/// edge or two: the first and the last are taken without asking whether they are the same, which no processor would
/// guess. \param way_back where the ways back are. \returns the receiver's costs.
template <std::size_t whole, std::size_t halves>
MOVES_INLINE std::uint8_t* find_distances(const SearchOrbit& orbit, const std::uint16_t* node_first,
                                          const EdgePlaces* edges, const std::uint8_t* uses, std::uint8_t* distances,
                                          std::size_t stride, std::size_t way_back) {
  constexpr std::size_t behind = whole * lanes;
  const auto most = static_cast<std::uint8_t>(EXCHANGE_MOST_COST);
  for (std::size_t v = 0; v < whole; ++v) *reinterpret_cast<Costs*>(distances + v * lanes) = Costs{};
  if (halves != 0) *reinterpret_cast<FewCosts*>(distances + behind) = FewCosts{};
  reinterpret_cast<WayBack*>(distances + way_back)->last_number = ~0U;
  std::uint8_t* node = distances;
  std::uint8_t* const receiver = distances + (orbit.nodes - 1) * stride;
  const EdgePlaces* edge = edges;
  for (const std::uint16_t* next = node_first + 2; node != receiver; ++next) {
    const EdgePlaces* const end = edges + *next;
    const EdgePlaces first = edge[0];
    const EdgePlaces last = end[-1];
    Costs least[whole + 1];
    FewCosts few{};
    for (std::size_t v = 0; v < whole; ++v) {
      const Costs cost = cost_over<Costs>(first, uses + v * lanes, distances + v * lanes);
      least[v] = lesser(lesser(Costs{} + most, cost), cost_over<Costs>(last, uses + v * lanes, distances + v * lanes));
    }
    if (halves != 0) {
      const FewCosts cost = cost_over<FewCosts>(first, uses + behind, distances + behind);
      few = lesser(lesser(FewCosts{} + most, cost), cost_over<FewCosts>(last, uses + behind, distances + behind));
    }
    for (const EdgePlaces* between = edge + 1; __builtin_expect(between + 1 < end, 0); ++between) {
      for (std::size_t v = 0; v < whole; ++v)
        least[v] = lesser(least[v], cost_over<Costs>(*between, uses + v * lanes, distances + v * lanes));
      if (halves != 0) few = lesser(few, cost_over<FewCosts>(*between, uses + behind, distances + behind));
    }
    node += stride;
    auto& way = *reinterpret_cast<WayBack*>(node + way_back);
    std::memcpy(&way.first, edge, sizeof way.first);
    way.last_number = static_cast<std::uint32_t>(end - edges) - 1;
    std::memcpy(&way.last, end - 1, sizeof way.last);
    for (std::size_t v = 0; v < whole; ++v) *reinterpret_cast<Costs*>(node + v * lanes) = least[v];
    if (halves != 0) *reinterpret_cast<FewCosts*>(node + behind) = few;
    edge = end;
  }
  return receiver;
}

/// The same in all slots of a row. \tparam known its bytes, or 0.
template <std::size_t known>
MOVES_INLINE std::uint8_t* find_all_distances(const SearchOrbit& orbit, const SearchTables& tables,
                                              const Replica& replica) {
  const std::size_t row = known != 0 ? known : row_bytes(tables.shape);
  const std::size_t stride = node_bytes(tables.shape);
  const std::uint16_t* nodes = tables.node_first.data() + orbit.first_node;
  const EdgePlaces* edges = tables.edges.data() + orbit.first_edge;
  if constexpr (known != 0) {
    return find_distances<known / lanes, known % lanes / (lanes / 2)>(orbit, nodes, edges, replica.uses,
                                                                      replica.distances, stride, row);
  } else {
    std::size_t first = 0;
    for (; first + 2 * lanes <= row; first += 2 * lanes)
      find_distances<2, 0>(orbit, nodes, edges, replica.uses + first, replica.distances + first, stride, row - first);
    for (; first < row; first += lanes / 2)
      find_distances<0, 1>(orbit, nodes, edges, replica.uses + first, replica.distances + first, stride, row - first);
    return replica.distances + (orbit.nodes - 1) * stride;
  }
}

/// How many costs of a row are equal to a value.
MOVES_INLINE std::uint32_t count_equal(const std::uint8_t* costs, std::size_t row, std::uint32_t value) {
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < row; i += 32) count += static_cast<std::uint32_t>(std::popcount(equal_bits(costs + i, value)));
  return count;
}

/// The place of the n-th of the costs that are equal to a value.
template <std::size_t known>
MOVES_INLINE std::uint32_t find_equal(const std::uint8_t* costs, std::uint32_t value, std::uint32_t n) {
  if constexpr (known == 0 || known > 128) {
    for (std::uint32_t first = 0;; first += 32) {
      const std::uint32_t bits = equal_bits(costs + first, value);
      const auto count = static_cast<std::uint32_t>(std::popcount(bits));
      if (n < count) return first + nth_bit(bits, n);
      n -= count;
    }
  } else {
    std::uint64_t words[2]{};
    for (std::size_t i = 0; i < known; i += 32) words[i / 64] |= std::uint64_t{equal_bits(costs + i, value)} << i % 64;
    const auto count = static_cast<std::uint32_t>(std::popcount(words[0]));
    const bool is_beyond = n >= count;
    return nth_bit(is_beyond ? words[1] : words[0], is_beyond ? n - count : n) + (is_beyond ? 64U : 0U);
  }
}

/// Chooses a slot by the heat bath; costs from the orbit's slots on are 255. \param levels those with a weight.
template <std::size_t known>
MOVES_INLINE std::uint32_t choose_slot(const std::uint8_t* costs, std::size_t row_or_0, const std::uint32_t* weights,
                                       std::uint32_t levels, const shared::exchange_random& random) {
  const std::size_t row = known != 0 ? known : row_or_0;
  std::array<std::uint32_t, EXCHANGE_LEVELS> counts;
  std::uint32_t least = 0;
  while ((counts[0] = count_equal(costs, row, least)) == 0) ++least;
  std::uint64_t total = std::uint64_t{counts[0]} * weights[0];
  for (std::uint32_t level = 1; level < levels; ++level) {
    counts[level] = count_equal(costs, row, std::min(least + level, 254U));
    total += std::uint64_t{counts[level]} * weights[level];
  }
  std::uint64_t rest = shared::uniform_below_64(shared::random_word_64(random.choice.a, random.choice.b), total);
  std::uint32_t level = 0;
  while (level + 1 < levels && rest >= std::uint64_t{counts[level]} * weights[level]) {
    rest -= std::uint64_t{counts[level]} * weights[level];
    ++level;
  }
  return find_equal<known>(costs, std::min(least + level, 254U), shared::uniform_below(random.choice.c, counts[level]));
}

/// Goes back from the receiver, whose costs are given, and counts the links' uses on the way where the group is trivial.
/// As exchange_is_preferred() says, but without a branch: at a tie it is a random bit that decides.
template <std::size_t known>
MOVES_INLINE void find_path(const Replica& replica, const SearchTables& tables, std::uint32_t number,
                            std::uint32_t slot, std::uint32_t random, const std::uint8_t* receiver) {
  const std::size_t row = known != 0 ? known : row_bytes(tables.shape);
  const std::size_t stride = node_bytes(tables.shape);
  // Divides multiples of a row exactly, below 2^32.
  const std::uint64_t reciprocal = ((std::uint64_t{1} << 32) + row - 1) / row;
  const EdgePlaces* edges = tables.edges.data() + tables.orbits[number].first_edge;
  const std::uint8_t* distances = replica.distances + slot;
  std::uint8_t* uses = replica.uses + slot;
  const bool is_alone = tables.shape.order == 1;
  std::uint16_t* const path = replica.paths + std::size_t{number} * tables.shape.most_hops;
  const std::uint8_t* node = receiver;
  for (std::uint32_t hop = tables.orbits[number].hops; hop-- > 0;) {
    const auto& way = *reinterpret_cast<const WayBack*>(node + row);
    std::uint32_t best = std::uint32_t{distances[way.first.distances]} + uses[way.first.uses];
    auto taken = std::bit_cast<std::uint64_t>(way.first);
    const auto look = [&](EdgePlaces edge, std::uint32_t edge_number) {
      const std::uint32_t cost = std::uint32_t{distances[edge.distances]} + uses[edge.uses];
      const std::uint32_t is_preferred = (cost - best - (random >> (edge_number & 31U) & 1U)) >> 31;
      best ^= (best ^ cost) & (0U - is_preferred);
      taken ^= (taken ^ std::bit_cast<std::uint64_t>(edge)) & (std::uint64_t{0} - is_preferred);
    };
    const std::uint32_t before = reinterpret_cast<const WayBack*>(node + row - stride)->last_number;
    for (std::uint32_t edge = before + 2; __builtin_expect(edge < way.last_number, 0); ++edge) look(edges[edge], edge);
    look(way.last, way.last_number);
    const auto edge = std::bit_cast<EdgePlaces>(taken);
    path[hop] = static_cast<std::uint16_t>(edge.uses * reciprocal >> 32);
    if (is_alone) ++uses[edge.uses];
    node = replica.distances + edge.distances;
  }
}

/// The orbit that a move takes.
MOVES_INLINE std::uint32_t draw_orbit(const Replica& replica, const SearchTables& tables, const RandomAhead& ahead,
                                      std::uint32_t place, const shared::random_block& draws, std::uint32_t stamp) {
  const auto& moves = tables.moves;
  std::uint32_t number = ahead.orbits[0][place];
  // The heat bath takes the first one so often, whatever its conflicts.
  if (moves.tenure == 0 && draws.d >= moves.focus) return number;
  for (std::uint32_t draw = 0; draw + 1 < moves.draws;) {
    const std::uint32_t age = moves.tenure == 0 ? 0 : stamp - replica.stamps[number];
    if (shared::exchange_is_moved(moves, draws, cost_of(replica, tables, number), age) != 0) break;
    ++draw;
    number = draw < draws_ahead ? ahead.orbits[draw][place] : shared::exchange_draw(draws, draw, tables.shape.orbits);
  }
  return number;
}

/// \tparam known the bytes of a row, or 0.
template <std::size_t known>
MOVES_TARGET void make_moves(Replica& replica, const SearchTables& tables) {
  const std::size_t row = known != 0 ? known : row_bytes(tables.shape);
  const auto& moves = tables.moves;
  std::uint32_t levels = 1;
  while (levels < EXCHANGE_LEVELS && replica.weights[levels] != 0) ++levels;
  RandomAhead ahead;
  for (std::uint32_t move = 0; move < moves.count && (moves.in_order != 0 || replica.energy != 0); ++move) {
    const std::uint32_t place = move % moves_ahead;
    if (place == 0) make_random(moves.seed, replica.number, moves.first + move, tables.shape.orbits, ahead);
    const auto random = random_of(ahead, place);
    if (place + 2 < moves_ahead) {
      fetch_orbits(replica, tables, ahead, place + 2);
      fetch_graph(tables, ahead, place + 1);
    }
    const auto stamp = static_cast<std::uint32_t>(moves.first + move);
    const std::uint32_t number =
        moves.in_order != 0 ? tables.order[(moves.first + move + replica.number * 7919U) % tables.shape.orbits]
                            : draw_orbit(replica, tables, ahead, place, random.draws, stamp);
    const std::uint32_t cost_before =
        replica.slots[number] != EXCHANGE_NOWHERE ? remove_orbit(replica, tables, number) : 0;
    const SearchOrbit& orbit = tables.orbits[number];
    std::uint8_t* const costs = find_all_distances<known>(orbit, tables, replica);
    for (std::size_t i = orbit.slots; i < row; ++i) costs[i] = 255;
    const std::uint32_t slot = choose_slot<known>(costs, row, replica.weights, levels, random);
    replica.energy += costs[slot] - cost_before;
    replica.slots[number] = slot;
    replica.stamps[number] = stamp;
    find_path<known>(replica, tables, number, slot, random.choice.d, costs);
    if (tables.shape.order != 1) change_uses(replica, tables, number, 1);
  }
}

/// Rows of up to 128 slots are the usual ones.
MOVES_TARGET void make_moves_of_any(Replica& replica, const SearchTables& tables) {
  switch (row_bytes(tables.shape)) {
    case 32: return make_moves<32>(replica, tables);
    case 64: return make_moves<64>(replica, tables);
    case 96: return make_moves<96>(replica, tables);
    case 128: return make_moves<128>(replica, tables);
    default: return make_moves<0>(replica, tables);
  }
}

}  // namespace
}  // namespace clopt::openmp::exchange
