/// \file
/// What the extended compact genetic algorithm asks of a device: the operations of kernels_cl/ecga, and how they are
/// launched and built.
#pragma once

#include <shared/ecga/ecga.h>
#include <shared/ecga/parts.h>
#include <clopt/operation.hpp>
#include <clopt/program.hpp>
#include <generated/operations/ecga.hpp>

#include <cstdint>

namespace clopt::ecga {

/// Structures of kernels_cl/shared/ecga/ecga.h.
using Group = shared::ecga_group;
using Edge = shared::ecga_edge;
using Product = shared::ecga_product;
using Block = shared::ecga_block;
using Tree = shared::ecga_tree;
using Tiles = shared::ecga_tiles;
using Pairs = shared::ecga_pairs;
using ImprovementSettings = shared::ecga_improvement;

/// Work-items of the work-groups of list_layers, grow_trees and check_trees, and of count_pairs and its forms for
/// matrix units.
inline constexpr std::uint32_t list_group = 256;
inline constexpr std::uint32_t tree_group = 32;
inline constexpr std::uint32_t count_group = 64;
inline constexpr std::uint32_t matrix_group = 32;
inline constexpr std::uint32_t wide_group = 128;

/// Pairs of rows that a work-group of count_pairs takes, in each direction; and of count_pairs_wide.
inline constexpr std::uint32_t tile = 32;
inline constexpr std::uint32_t wide_tile = 128;

/// The work-groups for count_pairs, of a size.
inline clopt::Range tiles_range(const Tiles& tiles, std::uint32_t group_size, std::uint32_t side = tile) {
  const auto tiles_of = [side](std::uint64_t count) { return (count + side - 1) / side; };
  return {{tiles_of(tiles.second_count) * group_size, tiles_of(tiles.first_count), tiles.parts}, {group_size, 1, 1}};
}

/// How count_pairs_matrix and count_pairs_wide are built where there are matrix units.
inline Program matrix_program() {
  Program program;
  program.defines.set("ECGA_MATRIX_UNITS", 1);
  return program;
}

/// How table_gains is built. \param bits of the numbers whose ones are in the table: 8 or 16.
inline Program table_program(int bits) {
  Program program;
  program.defines.set("TABLE_BITS", bits);
  return program;
}

}  // namespace clopt::ecga
