/// \file
/// A search among the schedules that a group of symmetries leaves as they are, as the tables that a device works with.
#pragma once

#include <clopt/exchange.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <exchange/operations.hpp>
#include "symmetry.hpp"

namespace clopt::exchange {

/// The tables of a search at a number of steps. The group moves slots too: as many slots as it has elements are moved
/// in a ring of their own each, and what is left over in smaller rings, whose slots some elements leave in place.
struct OrbitTables {
  SearchShape shape{};
  std::uint32_t steps = 0;
  std::vector<SearchOrbit> orbits;
  std::vector<Transfer> representatives;  ///< the transfer that stands for each orbit
  std::vector<std::uint16_t> node_first;
  std::vector<std::uint32_t> edges;
  std::vector<SearchCell> cells;           ///< none where graphs, paths or slots are too large for them
  std::vector<std::uint16_t> link_images;  ///< of link l under element a, at l * order + a
  std::vector<std::uint16_t> slot_images;  ///< of slot s under element a, at s * order + a
  SymmetryGroup group;

  /// Bytes of a replica's uses, and of its distances.
  std::uint64_t uses_bytes() const { return std::uint64_t{4} * shape.links * shape.words; }
  std::uint64_t distances_bytes() const { return std::uint64_t{4} * shape.most_nodes * shape.words; }
  /// Bytes of a replica's uses as planes of bits, with those of no link, of its cells, and to align them.
  std::uint64_t planes_bytes() const {
    return std::uint64_t{2} * (shape.links + 1) * shape.words +
           shape.most_cells * (std::uint64_t{2} * shape.words + sizeof(SearchCell) + shape.words / 2) + 12;
  }
  /// Bytes of the tables.
  std::uint64_t bytes() const;
};

/// Makes the tables. \returns none where some transfer finds no slot that it may take, because its images would meet it
///          there. \throws InvalidInput for more links, slots or nodes on shortest paths than the tables can name.
std::optional<OrbitTables> make_orbit_tables(const Network& network, std::span<const Transfer> transfers,
                                             SymmetryGroup group, std::uint32_t steps);

/// Whether an orbit may have a slot and a path. \param path links, shape.most_hops of them; those behind the orbit's
/// own do not count.
bool is_placement(const OrbitTables& tables, const Network& network, std::size_t orbit, std::uint32_t slot,
                  std::span<const std::uint16_t> path);

/// The schedule of all transfers that orbits' slots and paths stand for. \param transfers the problem's, ascending.
/// \param slots one for each orbit; \param paths links, shape.most_hops for each orbit.
Schedule expand(const OrbitTables& tables, const Network& network, std::span<const Transfer> transfers,
                std::span<const std::uint32_t> slots, std::span<const std::uint16_t> paths);

/// Makes the tables' cells and refers its orbits to them, if all graphs, paths and slots are small enough.
void add_cells(OrbitTables& tables);

}  // namespace clopt::exchange
