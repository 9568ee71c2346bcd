/// \file
/// Twin of kernels_cl/exchange/anneal.cl: a thread for a replica, slots in vector registers.
#include <openmp/twin.hpp>
#include "moves.hpp"

#include <support/vectorize.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace clopt::openmp::exchange {
namespace {

using MakeMoves = std::uint32_t (*)(const Replica&, const SearchTables&);

MakeMoves best_moves() {
#ifdef __x86_64__
  if (has_avx512_moves()) return make_moves_avx512;
  if (has_avx2_moves()) return make_moves_avx2;
#endif
  return make_moves_plain;
}

CLOPT_VECTORIZE void edges_to_places(std::span<const std::uint32_t> edges, const SearchShape& shape,
                                     std::uint32_t* places) {
  const auto link = static_cast<std::uint32_t>(row_bytes(shape) / place_unit);
  const auto node = static_cast<std::uint32_t>(node_bytes(row_bytes(shape)) / place_unit);
  for (std::size_t i = 0; i < edges.size(); ++i)
    places[i] = (edges[i] >> 16) * node << 16 | (edges[i] & 0xffffU) * link;
}

/// A line of a cache.
struct alignas(64) Line {
  std::array<std::uint8_t, 64> bytes;
};

}  // namespace

const Twin anneal{
    clopt::exchange::anneal_moves,
    [](const Range& range, std::span<const SearchOrbit> orbits, std::span<const std::uint16_t> node_first,
       std::span<const std::uint32_t> edges, std::span<const std::uint16_t> link_images,
       std::span<const std::uint16_t> slot_images, std::span<const std::uint32_t> weights,
       std::span<const std::uint32_t> order, std::span<std::uint32_t> slots, std::span<std::uint16_t> paths,
       std::span<std::uint32_t> stamps, std::span<std::uint32_t> uses, std::span<std::uint32_t>,
       std::span<std::uint32_t> energies, std::span<std::uint32_t>, SearchShape shape, SearchMoves moves,
       LocalMemory<std::uint32_t>, LocalMemory<std::uint32_t>) {
      static const MakeMoves make_moves = best_moves();
      std::vector<std::uint32_t> places(can_have_places(shape) ? edges.size() : 0);
      if (!places.empty()) edges_to_places(edges, shape, places.data());
      const SearchTables tables{orbits,      node_first,  places.empty() ? edges : places,
                                link_images, slot_images, order,
                                shape,       moves,       !places.empty()};
      const auto replicas = static_cast<std::int64_t>(range.groups());
      const std::size_t uses_bytes = shape.links * row_bytes(shape);
#pragma omp parallel if (replicas > 1)
      {
        std::vector<Line> distances(shape.most_nodes * node_bytes(row_bytes(shape)) / sizeof(Line));
#pragma omp for schedule(dynamic, 1)
        for (std::int64_t i = 0; i < replicas; ++i) {
          const auto r = static_cast<std::size_t>(i);
          const Replica replica{
              static_cast<std::uint32_t>(r),    weights.data() + r * EXCHANGE_LEVELS,
              slots.data() + r * shape.orbits,  paths.data() + r * shape.orbits * shape.most_hops,
              stamps.data() + r * shape.orbits, reinterpret_cast<std::uint8_t*>(uses.data()) + r * uses_bytes,
              distances.data()->bytes.data(),   energies[r]};
          energies[r] = make_moves(replica, tables);
        }
      }
    }};

}  // namespace clopt::openmp::exchange
