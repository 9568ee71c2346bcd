/// \file
/// Twins of kernels_cl/ecga/block_trees.cl.
#include <openmp/team.hpp>
#include <openmp/twin.hpp>

#include <support/numbers/vectorize.hpp>

#include <ecga/operations.hpp>

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <vector>

namespace clopt::openmp::ecga {
namespace {

namespace op = clopt::ecga;
namespace operations = op::operations;
using Words = std::span<const std::uint32_t>;
using Sums = std::span<const std::int64_t>;
using Trees = std::span<const op::Tree>;

constexpr std::uint32_t all_patterns = ECGA_BLOCK_PATTERNS;
using Line = std::array<std::uint32_t, all_patterns>;
/// Individuals with each pattern of the second block, and of the first.
using Table = std::array<Line, all_patterns>;

// From how many individuals have all loci of a subset to how many have exactly these (Moebius).
void count_patterns(Line& line, std::uint32_t entries) {
  for (std::uint32_t step = 1; step < entries; step *= 2)
    for (std::uint32_t m = 0; m < entries; ++m)
      if ((m & step) == 0) line[m] -= line[m | step];
}

std::int64_t sum_of_subset(const Line& patterns, std::uint32_t entries, std::uint32_t subset, Sums logarithms) {
  Line individuals{};
  for (std::uint32_t m = 0; m < entries; ++m) individuals[m & subset] += patterns[m];
  std::int64_t sum = 0;
  for (std::uint32_t m = 0; m < entries; ++m) sum += logarithms[individuals[m]];
  return sum;
}

/// Two blocks and the table of their patterns.
struct BlockPair {
  Words counts;
  Sums logarithms;
  op::Pairs pairs;
  op::Block first;
  op::Block second;
};

std::int64_t fill_table(const BlockPair& pair, Table& table) {
  const std::uint64_t stride = pair.pairs.stride;
  const auto in_first = 1U << pair.first.size;
  const auto in_second = 1U << pair.second.size;
  const auto ones = [&](std::uint32_t row) { return pair.counts[row * stride + row]; };
  table[0][0] = pair.pairs.individuals;
  for (std::uint32_t m = 1; m < in_first; ++m) table[0][m] = ones(pair.first.row + m - 1);
  for (std::uint32_t n = 1; n < in_second; ++n) {
    const auto row = pair.second.row + n - 1;
    table[n][0] = ones(row);
    std::copy_n(&pair.counts[row * stride + pair.first.row], in_first - 1, table[n].begin() + 1);
  }
  for (std::uint32_t step = 1; step < in_second; step *= 2)
    for (std::uint32_t n = 0; n < in_second; ++n)
      if ((n & step) == 0)
        for (std::uint32_t m = 0; m < in_first; ++m) table[n][m] -= table[n | step][m];
  std::int64_t sum = 0;
  for (std::uint32_t n = 0; n < in_second; ++n) {
    count_patterns(table[n], in_first);
    for (std::uint32_t m = 0; m < in_first; ++m) sum += pair.logarithms[table[n][m]];
  }
  return sum;
}

// The subsets of a set, in ascending order.
struct Subsets {
  std::array<std::uint32_t, all_patterns> sets{};
  std::uint32_t count = 0;

  explicit Subsets(std::uint32_t whole) {
    std::uint32_t set = 0;
    do {
      sets[count++] = set;
      set = (set - whole) & whole;
    } while (set != 0);
  }
};

// Only the counts of the subsets' own products are looked at.
std::int64_t gain_of_subsets(const BlockPair& pair, const op::Tree& a, std::uint32_t i, const op::Tree& b,
                             std::uint32_t j) {
  const Subsets first(a.subset[i]);
  const Subsets second(b.subset[j]);
  const std::uint64_t stride = pair.pairs.stride;
  std::array<std::uint32_t, ECGA_MOST_PATTERNS> patterns;
  for (std::uint32_t n = 0; n < second.count; ++n)
    for (std::uint32_t m = 0; m < first.count; ++m) {
      const auto p = first.sets[m] != 0 ? pair.first.row + first.sets[m] - 1 : pair.second.row + second.sets[n] - 1;
      const auto q = second.sets[n] != 0 ? pair.second.row + second.sets[n] - 1 : p;
      patterns[n * first.count + m] = m + n == 0 ? pair.pairs.individuals : pair.counts[q * stride + p];
    }
  const auto entries = first.count * second.count;
  for (std::uint32_t step = 1; step < entries; step *= 2)
    for (std::uint32_t m = 0; m < entries; ++m)
      if ((m & step) == 0) patterns[m] -= patterns[m | step];
  std::int64_t sum = 0;
  for (std::uint32_t m = 0; m < entries; ++m) sum += pair.logarithms[patterns[m]];
  const auto all = pair.pairs.all;
  return shared::ecga_gain(all, all - a.entropy[i], all - b.entropy[j], sum, pair.pairs.unit,
                           shared::popcount(a.subset[i]), shared::popcount(b.subset[j]));
}

// Adds the pairs of groups of two trees that greedy might merge to the list of clashes.
void check_pair(const BlockPair& pair, const op::Tree& a, const op::Tree& b, std::uint32_t first, std::uint32_t second,
                std::int64_t information, std::span<op::Edge> clashes) {
  for (std::uint32_t j = 0; j < b.count; ++j)
    for (std::uint32_t i = 0; i < a.count; ++i) {
      const auto in_first = shared::popcount(a.subset[i]);
      const auto in_second = shared::popcount(b.subset[j]);
      if (in_first + in_second > pair.pairs.most_loci) continue;
      const auto may_clash = [&](std::int64_t gain) {
        return shared::ecga_may_clash(gain, a.born[i], a.dead[i], b.born[j], b.dead[j]) != 0;
      };
      const auto penalty = shared::ecga_penalty(pair.pairs.unit, in_first, in_second);
      if (!may_clash(std::min({information, a.entropy[i], b.entropy[j]}) - penalty)) continue;
      const auto gain = gain_of_subsets(pair, a, i, b, j);
      if (!may_clash(gain)) continue;
      const auto index = std::atomic_ref(clashes[0].first).fetch_add(1, std::memory_order_relaxed);
      if (index < pair.pairs.most_edges)
        clashes[index + 1] = {shared::ecga_pack_clash(first, a.subset[i]), shared::ecga_pack_clash(second, b.subset[j]),
                              gain};
    }
}

}  // namespace

const Twin grow_trees{[](const Range&, const operations::GrowTrees& arguments) {
  const op::Pairs pairs = arguments.pairs;
  arguments.clashes[0].first = 0;
  // Blocks that are worth a thread.
  constexpr std::uint64_t blocks_to_share = 4;
  for_each_index(pairs.fresh_count, blocks_to_share, [&](std::uint64_t index) {
    const auto& block = arguments.blocks[index];
    const auto entries = 1U << block.size;
    Line patterns{pairs.individuals};
    for (std::uint32_t m = 1; m < entries; ++m)
      patterns[m] = arguments.counts[(std::uint64_t{block.row} + m - 1) * (std::uint64_t{pairs.stride} + 1)];
    for (std::uint32_t s = 0; s < block.size; ++s) arguments.ones[arguments.lists[block.loci + s]] = patterns[1U << s];
    count_patterns(patterns, entries);
    std::array<std::int64_t, all_patterns> sums{};
    for (std::uint32_t m = 0; m < entries; ++m) sums[m] = sum_of_subset(patterns, entries, m, arguments.logarithms);
    shared::ecga_grow_tree(&arguments.trees[index], sums.data(), block.size, pairs);
  });
}};

const Twin check_trees{[](const Range&, const operations::CheckTrees& arguments) {
  const op::Pairs pairs = arguments.pairs;
  const Trees trees = arguments.trees;
  for_each_part(pairs.fresh_count, [&](std::size_t each) {
    const auto second = pairs.fresh + pairs.fresh_count - 1 - static_cast<std::uint32_t>(each);
    const auto& b = trees[second];
    Table table;
    for (std::uint32_t first = 0; first < second; ++first) {
      const auto& a = trees[first];
      if (shared::ecga_most_gain(pairs.all, a.whole, b.whole, pairs.unit, 1, 1) <= 0) continue;
      const BlockPair pair{arguments.counts, arguments.logarithms, pairs, arguments.blocks[first],
                           arguments.blocks[second]};
      const auto information = pairs.all - a.whole - b.whole + fill_table(pair, table);
      check_pair(pair, a, b, first, second, information, arguments.clashes);
    }
  });
}};

}  // namespace clopt::openmp::ecga
