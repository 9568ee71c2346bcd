/// \file
/// Moves of one replica of the search for a schedule, compiled for several instruction sets.
#pragma once

#include <exchange/operations.hpp>
#include <support/numbers/instruction_set.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace clopt::openmp::exchange {

using clopt::exchange::SearchMoves;
using clopt::exchange::SearchOrbit;
using clopt::exchange::SearchShape;

/// Bytes of a link's uses; costs beyond the slots are there too.
inline std::size_t row_bytes(const SearchShape& shape) { return std::size_t{4} * shape.words; }

/// Bytes of a node's costs and, behind them, of what finds the way back from it: whole lines of a cache.
constexpr std::size_t way_back_bytes = 32;
constexpr std::size_t node_bytes(std::size_t row) { return (row + way_back_bytes + 63) / 64 * 64; }

/// With rows that are usual and small enough, an edge's halves are not numbers, but places in such units: of the costs
/// of the node that it comes from, and of the link's uses.
constexpr std::size_t place_unit = 8;
inline bool can_have_places(const SearchShape& shape) {
  return row_bytes(shape) <= 128 && shape.links * row_bytes(shape) / place_unit <= EXCHANGE_MOST_NUMBERED &&
         shape.most_nodes * node_bytes(row_bytes(shape)) / place_unit <= EXCHANGE_MOST_NUMBERED;
}

/// What all replicas share.
struct SearchTables {
  std::span<const SearchOrbit> orbits;
  std::span<const std::uint16_t> node_first;
  std::span<const std::uint32_t> edges;  ///< or places
  std::span<const std::uint16_t> link_images;
  std::span<const std::uint16_t> slot_images;
  std::span<const std::uint32_t> order;
  SearchShape shape;
  SearchMoves moves;
  bool has_places;
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

/// Makes the moves. \returns the replica's energy.
using MakeMoves = std::uint32_t (*)(const Replica& replica, const SearchTables& tables);
/// The moves by an instruction set that the processor has.
MakeMoves moves_for(InstructionSet set);

}  // namespace clopt::openmp::exchange
