/// \file
/// What the extended compact genetic algorithm asks of a device.
#pragma once

#include <shared/ecga/ecga.h>
#include <clopt/program.hpp>
#include <device/checked_operation.hpp>

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

// The population. Launched over (individuals or words of a row, words of an individual or groups).
/// Population; individuals, stride, length; seed.
inline constexpr auto initial_population =
    operation<InOut<std::uint32_t>, std::uint32_t, std::uint32_t, std::uint32_t, std::uint64_t>(
        "ecga/initial_population");
/// Fitness, parents, copies, totals; individuals, size of a tournament; seed, generation.
inline constexpr auto tournament =
    operation<In<float>, InOut<std::uint32_t>, InOut<std::uint32_t>, InOut<std::uint32_t>, std::uint32_t, std::uint32_t,
              std::uint64_t, std::uint32_t>("ecga/tournament");
/// Copies, totals, chosen; individuals, stride, layers. In work-groups of list_group.
inline constexpr auto list_layers = operation<InOut<std::uint32_t>, InOut<std::uint32_t>, InOut<std::uint32_t>,
                                              std::uint32_t, std::uint32_t, std::uint32_t>("ecga/list_layers");
inline constexpr std::uint32_t list_group = 256;
/// Population, chosen, totals, counted rows; individuals, stride, words of a row, length, layers.
inline constexpr auto select_layers =
    operation<In<std::uint32_t>, In<std::uint32_t>, In<std::uint32_t>, InOut<std::uint32_t>, std::uint32_t,
              std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>("ecga/select_layers");
/// Population, parents, rows; individuals, stride, words of a row, length.
inline constexpr auto select_rows = operation<In<std::uint32_t>, In<std::uint32_t>, InOut<std::uint32_t>, std::uint32_t,
                                              std::uint32_t, std::uint32_t, std::uint32_t>("ecga/select_rows");
/// Rows, population; stride, words of a row, length.
inline constexpr auto rows_to_population =
    operation<In<std::uint32_t>, InOut<std::uint32_t>, std::uint32_t, std::uint32_t, std::uint32_t>(
        "ecga/rows_to_population");
/// Rows, lists, sampled rows; groups, how many are mixed; individuals, how many are mixed; words of a row; seed,
/// generation.
inline constexpr auto sample =
    operation<In<std::uint32_t>, In<std::uint32_t>, InOut<std::uint32_t>, std::uint32_t, std::uint32_t, std::uint32_t,
              std::uint32_t, std::uint32_t, std::uint64_t, std::uint32_t>("ecga/sample");
/// Population, genes; individual, stride, words.
inline constexpr auto take_individual =
    operation<In<std::uint32_t>, InOut<std::uint32_t>, std::uint32_t, std::uint32_t, std::uint32_t>(
        "ecga/take_individual");
/// Fitness, two numbers a section; individuals, those of a section. A work-group a section.
inline constexpr auto find_best =
    operation<In<float>, InOut<std::uint64_t>, std::uint32_t, std::uint32_t>("ecga/find_best");
// Counts.
/// Rows, ones; words of a row. A work-group a row.
inline constexpr auto count_ones = operation<In<std::uint32_t>, InOut<std::uint32_t>, std::uint32_t>("ecga/count_ones");
/// Rows, lists, what the new rows are, totals; the first new row, words of a row, layers. Launched over (words of a
/// row, new rows).
inline constexpr auto make_rows = operation<InOut<std::uint32_t>, In<std::uint32_t>, In<Product>, In<std::uint32_t>,
                                            std::uint32_t, std::uint32_t, std::uint32_t>("ecga/make_rows");
/// Rows, lists, blocks, totals; words of a row, layers. Launched over (words of a row, blocks).
inline constexpr auto make_block_rows =
    operation<InOut<std::uint32_t>, In<std::uint32_t>, In<Block>, In<std::uint32_t>, std::uint32_t, std::uint32_t>(
        "ecga/make_block_rows");
/// Rows, lists, totals, counts; which. Launched over tiles_range().
inline constexpr auto count_pairs =
    operation<In<std::uint32_t>, In<std::uint32_t>, In<std::uint32_t>, InOut<std::uint32_t>, Tiles>("ecga/count_pairs");
/// Rows, totals, counts; the first row, words of a row, layers, stride. A work-group a row.
inline constexpr auto count_diagonal =
    operation<In<std::uint32_t>, In<std::uint32_t>, InOut<std::uint32_t>, std::uint32_t, std::uint32_t, std::uint32_t,
              std::uint32_t>("ecga/count_diagonal");
/// The same by 1-bit matrix units, built by matrix_program().
inline constexpr auto count_pairs_matrix =
    operation<In<std::uint32_t>, In<std::uint32_t>, In<std::uint32_t>, InOut<std::uint32_t>, Tiles>(
        "ecga/count_pairs_matrix");

/// The same in larger tiles, for many rows.
inline constexpr auto count_pairs_wide =
    operation<In<std::uint32_t>, In<std::uint32_t>, In<std::uint32_t>, InOut<std::uint32_t>, Tiles>(
        "ecga/count_pairs_wide");

/// Pairs of rows that a work-group takes, in each direction.
inline constexpr std::uint32_t tile = 32;
inline constexpr std::uint32_t wide_tile = 128;

/// The work-groups for count_pairs, of a size.
inline clopt::Range tiles_range(const Tiles& tiles, std::uint32_t group_size, std::uint32_t side = tile) {
  const auto tiles_of = [side](std::uint64_t count) { return (count + side - 1) / side; };
  return {{tiles_of(tiles.second_count) * group_size, tiles_of(tiles.first_count), tiles.parts}, {group_size, 1, 1}};
}
inline constexpr std::uint32_t count_group = 64;
inline constexpr std::uint32_t matrix_group = 32;
inline constexpr std::uint32_t wide_group = 128;

/// How count_pairs_matrix is built where there are matrix units.
inline Program matrix_program() {
  Program program;
  program.defines.set("ECGA_MATRIX_UNITS", 1);
  return program;
}

// Gains.
/// Edges.
inline constexpr auto clear_edges = operation<InOut<Edge>>("ecga/clear_edges");
/// Ones, logarithms, sums; individuals, length. Launched over the loci.
inline constexpr auto locus_sums =
    operation<In<std::uint32_t>, In<std::int64_t>, InOut<std::int64_t>, std::uint32_t, std::uint32_t>(
        "ecga/locus_sums");
/// Counts, ones, lists, sums, logarithms, edges; which. Launched over (earlier ones, those that are wanted) of the
/// list `others`.
inline constexpr auto locus_gains = operation<In<std::uint32_t>, In<std::uint32_t>, In<std::uint32_t>, In<std::int64_t>,
                                              In<std::int64_t>, InOut<Edge>, Pairs>("ecga/locus_gains");
/// Counts, groups, lists, logarithms, sums; which. A work-group a new group.
inline constexpr auto group_sums =
    operation<In<std::uint32_t>, In<Group>, In<std::uint32_t>, In<std::int64_t>, InOut<std::int64_t>, Pairs>(
        "ecga/group_sums");
/// Counts, groups, lists, sums, logarithms, edges; which. Pairs with few loci, a work-item for each (other, new), in
/// work-groups of 64 at most.
inline constexpr auto small_pair_gains =
    operation<In<std::uint32_t>, In<Group>, In<std::uint32_t>, In<std::int64_t>, In<std::int64_t>, InOut<Edge>, Pairs>(
        "ecga/small_pair_gains");
/// The same for all others, a work-group for each (other, new).
inline constexpr auto pair_gains =
    operation<In<std::uint32_t>, In<Group>, In<std::uint32_t>, In<std::int64_t>, In<std::int64_t>, InOut<Edge>, Pairs>(
        "ecga/pair_gains");
/// The same for groups without rows: rows of loci in place of counts.
inline constexpr auto histogram_sums =
    operation<In<std::uint32_t>, In<Group>, In<std::uint32_t>, In<std::int64_t>, InOut<std::int64_t>, Pairs>(
        "ecga/histogram_sums");
inline constexpr auto histogram_gains =
    operation<In<std::uint32_t>, In<Group>, In<std::uint32_t>, In<std::int64_t>, In<std::int64_t>, InOut<Edge>, Pairs>(
        "ecga/histogram_gains");
/// The paper's kernel: rows of loci, table, groups, lists, sums, logarithms, edges; which. A work-group for each
/// (other, new). Built by table_program().
inline constexpr auto table_gains =
    operation<In<std::uint32_t>, In<std::uint8_t>, In<Group>, In<std::uint32_t>, In<std::int64_t>, In<std::int64_t>,
              InOut<Edge>, Pairs>("ecga/table_gains");

// Forecasts.
/// Counts, blocks, lists, logarithms, ones, trees, clashes; which, with blocks for groups. A work-group a block.
inline constexpr auto grow_trees = operation<In<std::uint32_t>, In<Block>, In<std::uint32_t>, In<std::int64_t>,
                                             InOut<std::uint32_t>, InOut<Tree>, InOut<Edge>, Pairs>("ecga/grow_trees");
/// Counts, blocks, trees, logarithms, clashes; which. A work-group for each (earlier block, new block).
inline constexpr auto check_trees =
    operation<In<std::uint32_t>, In<Block>, In<Tree>, In<std::int64_t>, InOut<Edge>, Pairs>("ecga/check_trees");
inline constexpr std::uint32_t forecast_group = 32;

/// \param bits of the numbers that are looked up: 8 or 16.
inline Program table_program(int bits) {
  Program program;
  program.defines.set("TABLE_BITS", bits);
  return program;
}

}  // namespace clopt::ecga
