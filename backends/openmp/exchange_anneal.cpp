/// \file
/// Twin of kernels_cl/exchange/anneal.cl: a thread for a replica, slots in vector registers.
#include "twin.hpp"

#include <exchange/operations.hpp>
#include <support/vectorize.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace clopt::openmp::exchange {
namespace {

using clopt::exchange::SearchMoves;
using clopt::exchange::SearchOrbit;
using clopt::exchange::SearchShape;

constexpr std::size_t lanes = 32;
/// The costs of so many slots.
typedef std::uint8_t Costs __attribute__((vector_size(lanes), aligned(1), may_alias));
#define ALWAYS_INLINE __attribute__((always_inline)) inline

/// What all replicas share.
struct Tables {
  std::span<const SearchOrbit> orbits;
  std::span<const std::uint16_t> node_first;
  std::span<const std::uint32_t> edges;
  std::span<const std::uint16_t> link_images;
  std::span<const std::uint16_t> slot_images;
  std::span<const std::uint32_t> order;
  SearchShape shape;
  SearchMoves moves;
};

/// One replica.
struct Replica {
  std::uint32_t number;
  const std::uint32_t* weights;
  std::uint32_t* slots;
  std::uint16_t* paths;
  std::uint32_t* stamps;
  std::uint8_t* uses;
  std::uint8_t* distances;
  std::uint32_t energy;
};

/// Moves whose random words are made at once, in vector registers.
constexpr std::uint32_t moves_ahead = 32;

struct RandomAhead {
  std::uint32_t words[6][moves_ahead];
};

CLOPT_VECTORIZE void make_random(std::uint64_t seed, std::uint32_t replica, std::uint64_t first, RandomAhead& made) {
  for (std::uint32_t i = 0; i < moves_ahead; ++i) {
    const auto random = shared::exchange_random_at(seed, replica, first + i);
    made.words[0][i] = random.choice.a;
    made.words[1][i] = random.choice.b;
    made.words[2][i] = random.choice.c;
    made.words[3][i] = random.choice.d;
    made.words[4][i] = random.draws.a;
    made.words[5][i] = random.draws.d;
  }
}

ALWAYS_INLINE shared::exchange_random random_of(const RandomAhead& made, std::uint32_t i) {
  return {{made.words[0][i], made.words[1][i], made.words[2][i], made.words[3][i]},
          {made.words[4][i], 0, 0, made.words[5][i]}};
}

/// Has the memory of the orbits that a later move draws brought near.
ALWAYS_INLINE void fetch_orbits(const Replica& replica, const Tables& tables, const shared::random_block& draws) {
  const std::uint32_t most = std::min<std::uint32_t>(tables.moves.draws, 3);
  for (std::uint32_t i = 0; i < most; ++i) {
    const std::uint32_t number = shared::exchange_draw(draws, i, tables.shape.orbits);
    __builtin_prefetch(&tables.orbits[number]);
    __builtin_prefetch(replica.slots + number);
    __builtin_prefetch(replica.paths + std::size_t{number} * tables.shape.most_hops);
  }
}

/// The same for the graphs of the orbits that the next move draws.
ALWAYS_INLINE void fetch_graphs(const Tables& tables, const shared::random_block& draws) {
  const std::uint32_t most = std::min<std::uint32_t>(tables.moves.draws, 3);
  for (std::uint32_t i = 0; i < most; ++i) {
    const SearchOrbit& orbit = tables.orbits[shared::exchange_draw(draws, i, tables.shape.orbits)];
    __builtin_prefetch(tables.node_first.data() + orbit.first_node);
    __builtin_prefetch(tables.edges.data() + orbit.first_edge);
    __builtin_prefetch(tables.edges.data() + orbit.first_edge + 16);
  }
}

ALWAYS_INLINE std::uint32_t cost_of(const Replica& replica, const Tables& tables, std::uint32_t orbit) {
  const std::size_t stride = std::size_t{4} * tables.shape.words;
  const std::uint16_t* path = replica.paths + std::size_t{orbit} * tables.shape.most_hops;
  const std::uint32_t hops = tables.orbits[orbit].hops;
  std::uint32_t cost = 0;
  for (std::uint32_t i = 0; i < hops; ++i) cost += replica.uses[path[i] * stride + replica.slots[orbit]] - 1U;
  return cost;
}

ALWAYS_INLINE void change_uses(const Replica& replica, const Tables& tables, std::uint32_t orbit, int change) {
  const std::size_t stride = std::size_t{4} * tables.shape.words;
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

/// Lowers the costs of some slots to those over an edge.
ALWAYS_INLINE void lower(Costs& least, std::uint32_t edge, const std::uint8_t* uses, const std::uint8_t* distances,
                         std::size_t stride) {
  const Costs cost = *reinterpret_cast<const Costs*>(distances + (edge >> 16) * stride) +
                     *reinterpret_cast<const Costs*>(uses + (edge & 0xffffU) * stride);
  least = cost < least ? cost : least;
}

/// The least costs of reaching each node, in `blocks` blocks of slots at once. Most nodes have one edge or two: the
/// first and the last are taken without asking whether they are the same, which no processor would guess.
template <std::size_t blocks>
ALWAYS_INLINE void find_distances(const SearchOrbit& orbit, const std::uint16_t* node_first, const std::uint32_t* edges,
                                  const std::uint8_t* uses, std::uint8_t* distances, std::size_t stride) {
  for (std::size_t b = 0; b < blocks; ++b) *reinterpret_cast<Costs*>(distances + b * lanes) = Costs{};
  for (std::uint32_t node = 1; node < orbit.nodes; ++node) {
    const std::uint32_t first = node_first[node];
    const std::uint32_t last = node_first[node + 1] - 1U;
    for (std::size_t b = 0; b < blocks; ++b) {
      const std::uint8_t* const use = uses + b * lanes;
      std::uint8_t* const distance = distances + b * lanes;
      Costs least = Costs{} + static_cast<std::uint8_t>(EXCHANGE_MOST_COST);
      lower(least, edges[first], use, distance, stride);
      lower(least, edges[last], use, distance, stride);
      for (std::uint32_t edge = first + 1; edge < last; ++edge) lower(least, edges[edge], use, distance, stride);
      *reinterpret_cast<Costs*>(distance + node * stride) = least;
    }
  }
}

ALWAYS_INLINE void find_all_distances(const SearchOrbit& orbit, const Tables& tables, const Replica& replica) {
  const std::size_t stride = std::size_t{4} * tables.shape.words;
  const std::uint16_t* nodes = tables.node_first.data() + orbit.first_node;
  const std::uint32_t* edges = tables.edges.data() + orbit.first_edge;
  for (std::size_t first = 0; first < stride;) {
    const std::size_t left = (stride - first) / lanes;
    if (left >= 4) {
      find_distances<4>(orbit, nodes, edges, replica.uses + first, replica.distances + first, stride);
      first += 4 * lanes;
    } else if (left == 3) {
      find_distances<3>(orbit, nodes, edges, replica.uses + first, replica.distances + first, stride);
      first += 3 * lanes;
    } else if (left == 2) {
      find_distances<2>(orbit, nodes, edges, replica.uses + first, replica.distances + first, stride);
      first += 2 * lanes;
    } else {
      find_distances<1>(orbit, nodes, edges, replica.uses + first, replica.distances + first, stride);
      first += lanes;
    }
  }
}

ALWAYS_INLINE std::uint64_t word_at(const std::uint8_t* bytes) {
  std::uint64_t word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

/// A 1 in the highest bit of each byte that is equal to a value.
ALWAYS_INLINE std::uint64_t equal_bytes(std::uint64_t word, std::uint64_t value) {
  const std::uint64_t x = word ^ value * 0x0101'0101'0101'0101U;
  constexpr std::uint64_t low = 0x7f7f'7f7f'7f7f'7f7fU;
  return ~(((x & low) + low) | x | low);
}

/// How many of some bytes, a multiple of `lanes`, are equal to a value.
ALWAYS_INLINE std::uint32_t count_equal(const std::uint8_t* costs, std::size_t stride, std::uint32_t value) {
  std::uint32_t count = 0;
  while (stride > 0) {
    const std::size_t part = std::min<std::size_t>(stride, 60 * lanes);
    Costs sum{};
    for (std::size_t i = 0; i < part; i += lanes)
      sum -= static_cast<Costs>(*reinterpret_cast<const Costs*>(costs + i) == static_cast<std::uint8_t>(value));
    std::uint64_t words[lanes / 8];
    std::memcpy(words, &sum, sizeof words);
    constexpr std::uint64_t even = 0x00ff'00ff'00ff'00ffU;
    std::uint64_t pairs = 0;
    for (const auto word : words) pairs += (word & even) + (word >> 8 & even);
    count += static_cast<std::uint32_t>(pairs * 0x0001'0001'0001'0001U >> 48);
    costs += part;
    stride -= part;
  }
  return count;
}

/// The place of the n-th of the bytes that are equal to a value.
ALWAYS_INLINE std::uint32_t find_equal(const std::uint8_t* costs, std::uint32_t value, std::uint32_t n) {
  for (std::uint32_t first = 0;; first += 8) {
    std::uint64_t equal = equal_bytes(word_at(costs + first), value);
    const auto count = static_cast<std::uint32_t>(std::popcount(equal));
    if (n >= count) {
      n -= count;
      continue;
    }
    for (; n > 0; --n) equal &= equal - 1;
    return first + static_cast<std::uint32_t>(std::countr_zero(equal)) / 8;
  }
}

/// Chooses a slot by the heat bath; costs from the orbit's slots on are 255.
ALWAYS_INLINE std::uint32_t choose_slot(const std::uint8_t* costs, std::size_t stride, const std::uint32_t* weights,
                                        const shared::exchange_random& random) {
  std::uint32_t least = 0;
  std::array<std::uint32_t, EXCHANGE_LEVELS> counts{};
  counts[0] = count_equal(costs, stride, 0);
  if (counts[0] == 0) {
    least = *std::min_element(costs, costs + stride);
    counts[0] = count_equal(costs, stride, least);
  }
  std::uint64_t total = std::uint64_t{counts[0]} * weights[0];
  for (std::uint32_t level = 1; level < EXCHANGE_LEVELS && weights[level] != 0; ++level) {
    counts[level] = count_equal(costs, stride, std::min(least + level, 254U));
    total += std::uint64_t{counts[level]} * weights[level];
  }
  std::uint64_t rest = shared::uniform_below_64(shared::random_word_64(random.choice.a, random.choice.b), total);
  std::uint32_t level = 0;
  while (level + 1 < EXCHANGE_LEVELS && rest >= std::uint64_t{counts[level]} * weights[level]) {
    rest -= std::uint64_t{counts[level]} * weights[level];
    ++level;
  }
  return find_equal(costs, std::min(least + level, 254U), shared::uniform_below(random.choice.c, counts[level]));
}

ALWAYS_INLINE void find_path(const Replica& replica, const Tables& tables, std::uint32_t number, std::uint32_t slot,
                             std::uint32_t random) {
  const std::size_t stride = std::size_t{4} * tables.shape.words;
  const SearchOrbit& orbit = tables.orbits[number];
  std::uint16_t* path = replica.paths + std::size_t{number} * tables.shape.most_hops;
  const std::uint16_t* node_first = tables.node_first.data() + orbit.first_node;
  const std::uint32_t* edges = tables.edges.data() + orbit.first_edge;
  std::uint32_t node = orbit.nodes - 1;
  const auto cost_at = [&](std::uint32_t edge) {
    return std::uint32_t{replica.distances[(edges[edge] >> 16) * stride + slot]} +
           replica.uses[(edges[edge] & 0xffffU) * stride + slot];
  };
  for (std::uint32_t hop = orbit.hops; hop-- > 0;) {
    const std::uint32_t last = node_first[node + 1] - 1U;
    std::uint32_t taken = node_first[node];
    std::uint32_t best = cost_at(taken);
    const auto look = [&](std::uint32_t edge) {
      const std::uint32_t cost = cost_at(edge);
      const bool preferred = shared::exchange_is_preferred(cost, best, edge, random) != 0;
      best = preferred ? cost : best;
      taken = preferred ? edge : taken;
    };
    for (std::uint32_t edge = taken + 1; edge < last; ++edge) look(edge);
    look(last);
    path[hop] = static_cast<std::uint16_t>(edges[taken] & 0xffffU);
    node = edges[taken] >> 16;
  }
}

/// The orbit that a move takes, and its conflicts.
ALWAYS_INLINE std::pair<std::uint32_t, std::uint32_t> draw_orbit(const Replica& replica, const Tables& tables,
                                                                 const shared::random_block& draws,
                                                                 std::uint32_t stamp) {
  std::uint32_t number = 0;
  std::uint32_t cost = 0;
  for (std::uint32_t i = 0; i < tables.moves.draws; ++i) {
    number = shared::exchange_draw(draws, i, tables.shape.orbits);
    cost = cost_of(replica, tables, number);
    if (shared::exchange_is_moved(tables.moves, draws, cost, stamp - replica.stamps[number]) != 0) break;
  }
  return {number, cost};
}

CLOPT_VECTORIZE void run_moves(Replica& replica, const Tables& tables) {
  const std::size_t stride = std::size_t{4} * tables.shape.words;
  const auto& moves = tables.moves;
  RandomAhead ahead;
  for (std::uint32_t move = 0; move < moves.count && (moves.in_order != 0 || replica.energy != 0); ++move) {
    const std::uint32_t place = move % moves_ahead;
    if (place == 0) make_random(moves.seed, replica.number, moves.first + move, ahead);
    const auto random = random_of(ahead, place);
    if (place + 2 < moves_ahead) {
      fetch_orbits(replica, tables, random_of(ahead, place + 2).draws);
      fetch_graphs(tables, random_of(ahead, place + 1).draws);
    }
    const auto stamp = static_cast<std::uint32_t>(moves.first + move);
    std::uint32_t number;
    std::uint32_t cost_before = 0;
    if (moves.in_order != 0) {
      number = tables.order[(moves.first + move + replica.number * 7919U) % tables.shape.orbits];
      if (replica.slots[number] != EXCHANGE_NOWHERE) cost_before = cost_of(replica, tables, number);
    } else {
      std::tie(number, cost_before) = draw_orbit(replica, tables, random.draws, stamp);
    }
    const SearchOrbit& orbit = tables.orbits[number];
    if (replica.slots[number] != EXCHANGE_NOWHERE) change_uses(replica, tables, number, -1);
    find_all_distances(orbit, tables, replica);
    std::uint8_t* costs = replica.distances + (orbit.nodes - 1) * stride;
    std::fill(costs + orbit.slots, costs + stride, std::uint8_t{255});
    const std::uint32_t slot = choose_slot(costs, stride, replica.weights, random);
    replica.energy += costs[slot] - cost_before;
    replica.slots[number] = slot;
    replica.stamps[number] = stamp;
    find_path(replica, tables, number, slot, random.choice.d);
    change_uses(replica, tables, number, 1);
  }
}

}  // namespace

const Twin anneal{clopt::exchange::anneal_moves,
                  [](const Range& range, std::span<const SearchOrbit> orbits, std::span<const std::uint16_t> node_first,
                     std::span<const std::uint32_t> edges, std::span<const std::uint16_t> link_images,
                     std::span<const std::uint16_t> slot_images, std::span<const std::uint32_t> weights,
                     std::span<const std::uint32_t> order, std::span<std::uint32_t> slots,
                     std::span<std::uint16_t> paths, std::span<std::uint32_t> stamps, std::span<std::uint32_t> uses,
                     std::span<std::uint32_t>, std::span<std::uint32_t> energies, std::span<std::uint32_t>,
                     SearchShape shape, SearchMoves moves, LocalMemory<std::uint32_t>, LocalMemory<std::uint32_t>) {
                    const Tables tables{orbits, node_first, edges, link_images, slot_images, order, shape, moves};
                    const auto replicas = static_cast<std::int64_t>(range.groups());
                    const std::size_t uses_bytes = std::size_t{4} * shape.links * shape.words;
#pragma omp parallel if (replicas > 1)
                    {
                      std::vector<std::uint8_t> distances(std::size_t{4} * shape.most_nodes * shape.words);
#pragma omp for schedule(dynamic, 1)
                      for (std::int64_t i = 0; i < replicas; ++i) {
                        const auto r = static_cast<std::size_t>(i);
                        Replica replica{static_cast<std::uint32_t>(r),
                                        weights.data() + r * EXCHANGE_LEVELS,
                                        slots.data() + r * shape.orbits,
                                        paths.data() + r * shape.orbits * shape.most_hops,
                                        stamps.data() + r * shape.orbits,
                                        reinterpret_cast<std::uint8_t*>(uses.data()) + r * uses_bytes,
                                        distances.data(),
                                        energies[r]};
                        run_moves(replica, tables);
                        energies[r] = replica.energy;
                      }
                    }
                  }};

}  // namespace clopt::openmp::exchange
