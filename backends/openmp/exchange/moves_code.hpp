// The moves themselves: slots in vector registers. Compiled for each instruction set by simd/each_set.hpp.

namespace clopt::openmp::exchange {
namespace {
namespace CLOPT_SET {

using namespace simd::CLOPT_SET;

#define MOVES_INLINE [[gnu::always_inline]] inline
/// What has all registers to itself.
#define MOVES_PART [[gnu::noinline]]

/// The costs of cost_lanes slots: a whole register, and at the end of a row what is a multiple of 32.
constexpr std::size_t cost_lanes = lanes<std::uint8_t>;
using Costs = Bytes;
typedef std::uint8_t FewCosts __attribute__((vector_size(std::min<std::size_t>(cost_lanes, 32))));

/// Moves whose random words are made at once, in vector registers, and the first orbits that each of them draws.
constexpr std::uint32_t moves_ahead = 32;
constexpr std::uint32_t draws_ahead = 3;

struct RandomAhead {
  std::uint32_t words[6][moves_ahead];
  std::uint32_t orbits[draws_ahead][moves_ahead];
};

void make_random(std::uint64_t seed, std::uint32_t replica, std::uint64_t first, std::uint32_t orbits,
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
  for (std::uint32_t edge = 0; edge < 32; edge += 16) __builtin_prefetch(tables.edges.data() + orbit.first_edge + edge);
}

template <std::size_t known>
MOVES_INLINE std::uint32_t cost_of(const Replica& replica, const SearchTables& tables, std::uint32_t orbit) {
  const std::size_t row = known != 0 ? known : row_bytes(tables.shape);
  const std::uint16_t* path = replica.paths + std::size_t{orbit} * tables.shape.most_hops;
  const std::uint8_t* uses = replica.uses + replica.slots[orbit];
  const std::uint32_t hops = tables.orbits[orbit].hops;
  // What follows a short path is read too, and left out: the end of a loop would be mispredicted.
  constexpr std::uint32_t usual = 8;
  std::uint32_t cost = 0;
  std::uint32_t i = 0;
  if (tables.shape.most_hops >= usual)
    for (; i < usual; ++i) cost += (uses[path[i] * row] - 1U) & (0U - ((i - hops) >> 31));
  for (; i < hops; ++i) cost += uses[path[i] * row] - 1U;
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
template <std::size_t known>
MOVES_INLINE std::uint32_t remove_orbit(const Replica& replica, const SearchTables& tables, std::uint32_t orbit) {
  if (tables.shape.order != 1) {
    const std::uint32_t cost = cost_of<known>(replica, tables, orbit);
    change_uses(replica, tables, orbit, -1);
    return cost;
  }
  const std::size_t row = known != 0 ? known : row_bytes(tables.shape);
  const std::uint16_t* path = replica.paths + std::size_t{orbit} * tables.shape.most_hops;
  std::uint8_t* uses = replica.uses + replica.slots[orbit];
  const std::uint32_t hops = tables.orbits[orbit].hops;
  std::uint32_t cost = 0;
  for (std::uint32_t i = 0; i < hops; ++i) cost += --uses[path[i] * row];
  return cost;
}

/// How paths come to a node, kept behind its costs: its first edge and its last.
struct WayBack {
  std::uint32_t first;
  std::uint32_t unused_1;
  std::uint32_t last;
  std::uint32_t unused_2;
  std::uint32_t last_number;  ///< of the last edge; the first one follows the last one of the node before
};
static_assert(sizeof(WayBack) <= way_back_bytes);

/// Where an edge's link and its first node have their bytes.
template <std::size_t known>
MOVES_INLINE std::size_t link_of(std::uint32_t edge, std::size_t row) {
  return (edge & 0xffffU) * (known != 0 ? place_unit : row);
}
template <std::size_t known>
MOVES_INLINE std::size_t node_of(std::uint32_t edge, std::size_t row) {
  return (edge >> 16) * (known != 0 ? place_unit : node_bytes(row));
}

/// Lowers costs to those over an edge.
template <class Vector>
MOVES_INLINE void lower(Vector& least, const std::uint8_t* uses, const std::uint8_t* distances) {
  Vector use;
  Vector cost;
  std::memcpy(&use, uses, sizeof use);
  std::memcpy(&cost, distances, sizeof cost);
  cost += use;
  least = cost < least ? cost : least;
}

template <std::size_t known, std::size_t whole, std::size_t halves>
MOVES_INLINE void lower_all(Costs (&least)[whole + 1], FewCosts& few, std::uint32_t edge, const std::uint8_t* uses,
                            const std::uint8_t* distances, std::size_t row) {
  uses += link_of<known>(edge, row);
  distances += node_of<known>(edge, row);
  for (std::size_t v = 0; v < whole; ++v) lower(least[v], uses + v * cost_lanes, distances + v * cost_lanes);
  if (halves != 0) lower(few, uses + whole * cost_lanes, distances + whole * cost_lanes);
}

/// The least costs of reaching each node, in some slots at once: whole vectors, then half of one. Most nodes have one
/// edge or two: the first and the last are taken without asking whether they are the same, which no processor would
/// guess. \param way_back where the ways back are. \returns the receiver's costs.
template <std::size_t known, std::size_t whole, std::size_t halves>
MOVES_INLINE std::uint8_t* find_distances(const SearchOrbit& orbit, const std::uint16_t* node_first,
                                          const std::uint32_t* edges, const std::uint8_t* uses, std::uint8_t* distances,
                                          std::size_t row, std::size_t way_back) {
  constexpr auto most = static_cast<std::uint8_t>(EXCHANGE_MOST_COST);
  constexpr std::size_t behind = whole * cost_lanes;
  const std::size_t stride = node_bytes(known != 0 ? known : row);
  std::memset(distances, 0, behind + halves * 32);
  reinterpret_cast<WayBack*>(distances + way_back)->last_number = ~0U;
  std::uint8_t* node = distances;
  std::uint8_t* const receiver = distances + (orbit.nodes - 1) * stride;
  const std::uint32_t* edge = edges;
  for (const std::uint16_t* next = node_first + 2; node != receiver; ++next) {
    const std::uint32_t* const end = edges + *next;
    Costs least[whole + 1];
    FewCosts few = FewCosts{} + most;
    for (auto& cost : least) cost = Costs{} + most;
    lower_all<known, whole, halves>(least, few, edge[0], uses, distances, row);
    lower_all<known, whole, halves>(least, few, end[-1], uses, distances, row);
    for (const std::uint32_t* between = edge + 1; __builtin_expect(between + 1 < end, 0); ++between)
      lower_all<known, whole, halves>(least, few, *between, uses, distances, row);
    node += stride;
    auto& way = *reinterpret_cast<WayBack*>(node + way_back);
    way.first = edge[0];
    way.last = end[-1];
    way.last_number = static_cast<std::uint32_t>(end - edges) - 1;
    std::memcpy(node, least, behind);
    if (halves != 0) std::memcpy(node + behind, &few, sizeof few);
    edge = end;
  }
  return receiver;
}

/// The same in all slots of a row. \tparam known its bytes, or 0.
template <std::size_t known>
MOVES_PART std::uint8_t* find_all_distances(const SearchOrbit& orbit, const SearchTables& tables,
                                            const Replica& replica) {
  const std::size_t row = known != 0 ? known : row_bytes(tables.shape);
  const std::uint16_t* nodes = tables.node_first.data() + orbit.first_node;
  const std::uint32_t* edges = tables.edges.data() + orbit.first_edge;
  if constexpr (known != 0) {
    return find_distances<known, known / cost_lanes, known % cost_lanes / 32>(orbit, nodes, edges, replica.uses,
                                                                              replica.distances, row, row);
  } else {
    std::size_t first = 0;
    for (; first + 128 <= row; first += 128)
      find_distances<0, 128 / cost_lanes, 0>(orbit, nodes, edges, replica.uses + first, replica.distances + first, row,
                                             row - first);
    for (; first < row; first += 32)
      find_distances<0, 32 / cost_lanes, 32 % cost_lanes / 32>(orbit, nodes, edges, replica.uses + first,
                                                               replica.distances + first, row, row - first);
    return replica.distances + (orbit.nodes - 1) * node_bytes(row);
  }
}

/// Puts the slots that an orbit may not take out of reach: mostly, they are few.
template <std::size_t known>
MOVES_INLINE void close_slots(std::uint8_t* costs, std::size_t row, std::uint32_t slots) {
  constexpr std::size_t few = sizeof(FewCosts);
  static constexpr auto limits = [] {
    std::array<std::uint8_t, 2 * few> bytes{};
    std::fill(bytes.begin() + few, bytes.end(), std::uint8_t{255});
    return bytes;
  }();
  if (known != 0 && __builtin_expect(slots + few > known, 1)) {
    FewCosts end;
    FewCosts closed;
    std::memcpy(&end, costs + known - few, few);
    std::memcpy(&closed, limits.data() + (known - slots), few);
    end |= closed;
    std::memcpy(costs + known - few, &end, few);
  } else {
    std::fill(costs + slots, costs + row, std::uint8_t{255});
  }
}

/// How many costs of a row are equal to a value.
MOVES_INLINE std::uint32_t count_equal(const std::uint8_t* costs, std::size_t row, std::uint32_t value) {
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < row; i += 32)
    count += static_cast<std::uint32_t>(std::popcount(equal_bits(costs + i, value)));
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

/// Takes another edge where exchange_is_preferred() says so, but without a branch: at a tie a random bit decides.
template <std::size_t known>
MOVES_INLINE void compare(std::uint32_t& taken, std::uint32_t& best, std::uint32_t other, std::uint32_t bit,
                          const std::uint8_t* uses, const std::uint8_t* distances, std::size_t row) {
  const std::uint32_t cost = std::uint32_t{distances[node_of<known>(other, row)]} + uses[link_of<known>(other, row)];
  const std::uint32_t is_preferred = (cost - best - bit) >> 31;
  best ^= (best ^ cost) & (0U - is_preferred);
  taken ^= (taken ^ other) & (0U - is_preferred);
}

/// Goes back from the receiver, whose costs are given, and counts the links' uses on the way where the group is
/// trivial.
template <std::size_t known>
MOVES_PART void find_path(const Replica& replica, const SearchTables& tables, std::uint32_t number, std::uint32_t slot,
                          std::uint32_t random, const std::uint8_t* receiver) {
  const std::size_t row = known != 0 ? known : row_bytes(tables.shape);
  const std::uint32_t* edges = tables.edges.data() + tables.orbits[number].first_edge;
  const std::uint8_t* const ways = replica.distances + row;
  const std::uint8_t* const distances = replica.distances + slot;
  std::uint8_t* const uses = replica.uses + slot;
  const bool is_alone = tables.shape.order == 1;
  std::uint16_t* const path = replica.paths + std::size_t{number} * tables.shape.most_hops;
  std::size_t node = static_cast<std::size_t>(receiver - replica.distances);
  for (std::uint32_t hop = tables.orbits[number].hops; hop-- > 0;) {
    const auto& way = *reinterpret_cast<const WayBack*>(ways + node);
    const std::uint32_t last = way.last_number;
    std::uint32_t taken = way.first;
    std::uint32_t best = std::uint32_t{distances[node_of<known>(taken, row)]} + uses[link_of<known>(taken, row)];
    const std::uint32_t before = reinterpret_cast<const WayBack*>(ways + node - node_bytes(row))->last_number;
    for (std::uint32_t between = before + 2; __builtin_expect(between < last, 0); ++between)
      compare<known>(taken, best, edges[between], random >> (between & 31U) & 1U, uses, distances, row);
    compare<known>(taken, best, way.last, random >> (last & 31U) & 1U, uses, distances, row);
    path[hop] = static_cast<std::uint16_t>((taken & 0xffffU) / (known != 0 ? known / place_unit : 1));
    if (is_alone) ++uses[link_of<known>(taken, row)];
    node = node_of<known>(taken, row);
  }
}

/// The orbit that a move takes.
template <std::size_t known>
MOVES_INLINE std::uint32_t draw_orbit(const Replica& replica, const SearchTables& tables, const RandomAhead& ahead,
                                      std::uint32_t place, const shared::random_block& draws, std::uint32_t stamp) {
  const auto& moves = tables.moves;
  std::uint32_t number = ahead.orbits[0][place];
  // The heat bath takes the first one so often, whatever its conflicts.
  if (moves.tenure == 0 && draws.d >= moves.focus) return number;
  for (std::uint32_t draw = 0; draw + 1 < moves.draws;) {
    const std::uint32_t age = moves.tenure == 0 ? 0 : stamp - replica.stamps[number];
    if (shared::exchange_is_moved(moves, draws, cost_of<known>(replica, tables, number), age) != 0) break;
    ++draw;
    number = draw < draws_ahead ? ahead.orbits[draw][place] : shared::exchange_draw(draws, draw, tables.shape.orbits);
  }
  return number;
}

/// \tparam known the bytes of a row, where edges are places; or 0. \returns the energy.
template <std::size_t known>
std::uint32_t make_moves(Replica replica, const SearchTables& tables) {
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
    const std::uint32_t number = moves.in_order != 0
                                     ? tables.order[(moves.first + move + replica.number * 7919U) % tables.shape.orbits]
                                     : draw_orbit<known>(replica, tables, ahead, place, random.draws, stamp);
    const std::uint32_t cost_before =
        replica.slots[number] != EXCHANGE_NOWHERE ? remove_orbit<known>(replica, tables, number) : 0;
    const SearchOrbit& orbit = tables.orbits[number];
    std::uint8_t* const costs = find_all_distances<known>(orbit, tables, replica);
    close_slots<known>(costs, row, orbit.slots);
    const std::uint32_t slot = choose_slot<known>(costs, row, replica.weights, levels, random);
    replica.energy += costs[slot] - cost_before;
    replica.slots[number] = slot;
    replica.stamps[number] = stamp;
    find_path<known>(replica, tables, number, slot, random.choice.d, costs);
    if (tables.shape.order != 1) change_uses(replica, tables, number, 1);
  }
  return replica.energy;
}

std::uint32_t make_moves_of_any(const Replica& replica, const SearchTables& tables) {
  switch (tables.has_places ? row_bytes(tables.shape) : 0) {
    case 32: return make_moves<32>(replica, tables);
    case 64: return make_moves<64>(replica, tables);
    case 96: return make_moves<96>(replica, tables);
    case 128: return make_moves<128>(replica, tables);
    default: return make_moves<0>(replica, tables);
  }
}

#undef MOVES_INLINE
#undef MOVES_PART

}  // namespace CLOPT_SET
}  // namespace
}  // namespace clopt::openmp::exchange
