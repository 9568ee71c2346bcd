/// \file
/// Twin of kernels_cl/exchange/anneal.cl: a thread for a replica, slots in vector registers.
#include <openmp/team.hpp>
#include <openmp/twin.hpp>
#include "moves.hpp"

#include <support/numbers/vectorize.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace clopt::openmp::exchange {
namespace {

namespace operations = clopt::exchange::operations;

CLOPT_VECTORIZE(void, edges_to_places,
                (std::span<const std::uint32_t> edges, const SearchShape& shape, std::uint32_t* places),
                (edges, shape, places)) {
  const auto link = static_cast<std::uint32_t>(row_bytes(shape) / place_unit);
  const auto node = static_cast<std::uint32_t>(node_bytes(row_bytes(shape)) / place_unit);
  for (std::size_t i = 0; i < edges.size(); ++i)
    places[i] = (edges[i] >> 16) * node << 16 | (edges[i] & 0xffffU) * link;
}

/// A line of a cache.
struct alignas(64) Line {
  std::array<std::uint8_t, 64> bytes;
};

Replica replica_of(const operations::Anneal& arguments, std::size_t number, std::uint8_t* distances) {
  const SearchShape& shape = arguments.shape;
  const std::size_t uses_bytes = shape.links * row_bytes(shape);
  return {static_cast<std::uint32_t>(number),
          arguments.weights.data() + number * EXCHANGE_LEVELS,
          arguments.slots.data() + number * shape.orbits,
          arguments.paths.data() + number * shape.orbits * shape.most_hops,
          arguments.stamps.data() + number * shape.orbits,
          reinterpret_cast<std::uint8_t*>(arguments.uses.data()) + number * uses_bytes,
          distances,
          arguments.energies[number]};
}

}  // namespace

const Twin anneal{Implementation([](const Range& range, const operations::Anneal& arguments) {
  const MakeMoves make_moves = moves_for(instruction_set());
  const SearchShape& shape = arguments.shape;
  std::vector<std::uint32_t> places(can_have_places(shape) ? arguments.edges.size() : 0);
  if (!places.empty()) edges_to_places(arguments.edges, shape, places.data());
  const SearchTables tables{arguments.orbits,
                            arguments.node_first,
                            places.empty() ? std::span<const std::uint32_t>(arguments.edges) : places,
                            arguments.link_images,
                            arguments.slot_images,
                            arguments.order,
                            shape,
                            arguments.moves,
                            !places.empty()};
  PerThread<std::vector<Line>> scratch;
  for_each_part(range.groups(), [&](std::size_t i, unsigned thread) {
    auto& distances = scratch.of(
        thread, [&] { return std::vector<Line>(shape.most_nodes * node_bytes(row_bytes(shape)) / sizeof(Line)); });
    arguments.energies[i] = make_moves(replica_of(arguments, i, distances.data()->bytes.data()), tables);
  });
})};

}  // namespace clopt::openmp::exchange
