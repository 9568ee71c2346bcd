/// \file
/// Moves of one replica of the search for a schedule, compiled for several instruction sets.
#pragma once

#include <exchange/operations.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace clopt::openmp::exchange {

using clopt::exchange::SearchMoves;
using clopt::exchange::SearchOrbit;
using clopt::exchange::SearchShape;

/// What an edge adds up: where the costs of its first node and the uses of its link begin, in bytes.
struct EdgePlaces {
  std::uint32_t uses;
  std::uint32_t distances;
};

/// Bytes of a link's uses; costs beyond the slots are there too.
inline std::size_t row_bytes(const SearchShape& shape) { return std::size_t{4} * shape.words; }

/// Bytes of a node's costs and of what finds the way back from it, whole lines of a cache.
inline std::size_t node_bytes(const SearchShape& shape) {
  constexpr std::size_t way_back = 32, line = 64;
  return (row_bytes(shape) + way_back + line - 1) / line * line;
}

/// What all replicas share.
struct SearchTables {
  std::span<const SearchOrbit> orbits;
  std::span<const std::uint16_t> node_first;
  std::span<const EdgePlaces> edges;
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
  std::uint8_t* distances;  ///< node_bytes() for each node of a graph, at the beginning of a cache's line
  std::uint32_t energy;
};

void make_moves_plain(Replica& replica, const SearchTables& tables);
#ifdef __x86_64__
void make_moves_avx2(Replica& replica, const SearchTables& tables);
void make_moves_avx512(Replica& replica, const SearchTables& tables);
#endif

}  // namespace clopt::openmp::exchange
