/// \file
/// Twins of kernels_cl/ecga/gains.cl and table_gains.cl.
#include <openmp/team.hpp>
#include <openmp/twin.hpp>
#include "patterns.hpp"

#include <support/numbers/vectorize.hpp>

#include <ecga/operations.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

namespace clopt::openmp::ecga {
namespace {

namespace op = clopt::ecga;
namespace operations = op::operations;
using Patterns = std::array<std::uint32_t, ECGA_MOST_PATTERNS>;
using Words = std::span<const std::uint32_t>;
using Sums = std::span<const std::int64_t>;
using Groups = std::span<const op::Group>;
using Edges = std::span<op::Edge>;

void add_edge(Edges edges, std::uint32_t first, std::uint32_t second, std::int64_t gain, std::uint32_t most_edges) {
  const auto index = std::atomic_ref(edges[0].first).fetch_add(1, std::memory_order_relaxed);
  if (index < most_edges) edges[index + 1] = {first, second, gain};
}

// From how many individuals have all loci of a subset to how many have exactly these (Moebius).
CLOPT_VECTORIZE(void, count_patterns, (std::uint32_t * patterns, std::uint32_t entries), (patterns, entries)) {
  for (std::uint32_t step = 1; step < entries; step *= 2)
    for (std::uint32_t block = 0; block < entries; block += 2 * step)
      for (std::uint32_t m = block; m < block + step; ++m) patterns[m] -= patterns[m + step];
}

std::int64_t sum_of(const std::uint32_t* patterns, std::uint32_t entries, Sums logarithms) {
  std::int64_t sum = 0;
  for (std::uint32_t m = 0; m < entries; ++m) sum += logarithms[patterns[m]];
  return sum;
}

// Calls work(new group, other group) for the selected pairs.
template <class Work>
void for_each_pair(Groups groups, Words lists, Sums sums, const op::Pairs& pairs, Work work) {
  // Other groups of a task, so that a few new groups occupy all threads.
  constexpr std::uint32_t part = 64;
  const std::uint64_t parts = (pairs.partner_count + part - 1) / part;
  for_each_part(parts * pairs.fresh_count, [&](std::size_t task) {
    const auto one = pairs.fresh + static_cast<std::uint32_t>(task / parts);
    const auto begin = static_cast<std::uint32_t>(task % parts) * part;
    for (const auto other : lists.subspan(pairs.partners + begin, std::min(part, pairs.partner_count - begin)))
      if (shared::ecga_is_wanted(one, other, groups[one], groups[other], sums[one], sums[other], pairs) != 0)
        work(one, other);
  });
}

void finish_pair(Groups groups, Sums sums, const op::Pairs& pairs, std::uint32_t one, std::uint32_t other,
                 std::int64_t sum, Edges edges) {
  const auto gain =
      shared::ecga_gain(pairs.all, sums[one], sums[other], sum, pairs.unit, groups[one].size, groups[other].size);
  if (gain > 0) add_edge(edges, other, one, gain, pairs.most_edges);
}

// Several tables, since incrementing a counter that was just incremented stalls the processor.
void count_individuals(const std::uint16_t* first, const std::uint16_t* second, std::uint32_t shift,
                       std::uint32_t individuals, std::uint32_t entries, std::uint32_t* patterns) {
  std::array<Patterns, 4> tables;
  for (auto& table : tables) std::fill_n(table.data(), entries, 0U);
  std::uint32_t i = 0;
  for (; i + 4 <= individuals; i += 4)
    for (std::uint32_t k = 0; k < 4; ++k) ++tables[k][first[i + k] | std::uint32_t{second[i + k]} << shift];
  for (; i < individuals; ++i) ++tables[0][first[i] | std::uint32_t{second[i]} << shift];
  for (std::uint32_t m = 0; m < entries; ++m) patterns[m] = tables[0][m] + tables[1][m] + tables[2][m] + tables[3][m];
}

}  // namespace

const Twin clear_edges{[](const Range&, const operations::ClearEdges& arguments) { arguments.edges[0].first = 0; }};

const Twin locus_sums{[](const Range&, const operations::LocusSums& arguments) {
  const Sums logarithms = arguments.logarithms;
  for (std::uint32_t i = 0; i < arguments.length; ++i)
    arguments.sums[i] = logarithms[arguments.ones[i]] + logarithms[arguments.individuals - arguments.ones[i]];
}};

const Twin locus_gains{[](const Range&, const operations::LocusGains& arguments) {
  const op::Pairs pairs = arguments.pairs;
  const Words counts = arguments.counts;
  const Words ones = arguments.ones;
  const Sums sums = arguments.sums;
  const Sums logarithms = arguments.logarithms;
  const auto loci = arguments.lists.subspan(pairs.partners, pairs.partner_count);
  // Loci that a thread takes at a time.
  constexpr std::uint64_t part = 16;
  const auto gains_of = [&](std::uint64_t index) {
    const auto second = loci[index];
    for (const auto first : loci.first(index)) {
      const auto both = counts[std::uint64_t{second} * pairs.stride + first];
      const auto sum = logarithms[both] + logarithms[ones[first] - both] + logarithms[ones[second] - both] +
                       logarithms[pairs.individuals - ones[first] - ones[second] + both];
      const auto gain = shared::ecga_gain(pairs.all, sums[first], sums[second], sum, pairs.unit, 1, 1);
      if (gain > 0) add_edge(arguments.edges, first, second, gain, pairs.most_edges);
    }
  };
  for_each_part((pairs.fresh_count + part - 1) / part, [&](std::size_t task) {
    const auto begin = task * part;
    const auto end = std::min<std::uint64_t>(begin + part, pairs.fresh_count);
    for (auto each = begin; each < end; ++each) gains_of(pairs.fresh + each);
  });
}};

const Twin group_sums{[](const Range&, const operations::GroupSums& arguments) {
  const op::Pairs pairs = arguments.pairs;
  for (auto one = pairs.fresh; one < pairs.fresh + pairs.fresh_count; ++one) {
    const auto& group = arguments.groups[one];
    if (group.size > pairs.most_row_loci) continue;
    Patterns patterns;
    patterns[0] = pairs.individuals;
    for (std::uint32_t m = 1; m < 1U << group.size; ++m) {
      const auto row = arguments.lists[group.rows + m - 1];
      patterns[m] = arguments.counts[std::uint64_t{row} * pairs.stride + row];
    }
    count_patterns(patterns.data(), 1U << group.size);
    arguments.sums[one] = sum_of(patterns.data(), 1U << group.size, arguments.logarithms);
  }
}};

namespace {

// Arguments: those of small_pair_gains or pair_gains.
template <class Arguments>
void gain_of_pairs(const Arguments& arguments, bool small) {
  const op::Pairs pairs = arguments.pairs;
  const Words counts = arguments.counts;
  const Groups groups = arguments.groups;
  const Words lists = arguments.lists;
  const Sums sums = arguments.sums;
  const Sums logarithms = arguments.logarithms;
  for_each_pair(groups, lists, sums, pairs, [&](std::uint32_t one, std::uint32_t other) {
    const auto& a = groups[one];
    const auto& b = groups[other];
    if (std::max(a.size, b.size) > pairs.most_row_loci || (shared::ecga_is_small(a, b, pairs) != 0) != small) return;
    const auto* p = &lists[a.rows];
    const auto* q = &lists[b.rows];
    const auto place = [&](std::uint32_t left, std::uint32_t right) {
      return counts[shared::ecga_place(left, right, pairs.stride)];
    };
    Patterns patterns;
    patterns[0] = pairs.individuals;
    for (std::uint32_t m = 1; m < 1U << a.size; ++m) patterns[m] = place(p[m - 1], p[m - 1]);
    for (std::uint32_t n = 1; n < 1U << b.size; ++n) {
      auto* line = &patterns[n << a.size];
      line[0] = place(q[n - 1], q[n - 1]);
      for (std::uint32_t m = 1; m < 1U << a.size; ++m) line[m] = place(p[m - 1], q[n - 1]);
    }
    const auto entries = 1U << (a.size + b.size);
    count_patterns(patterns.data(), entries);
    finish_pair(groups, sums, pairs, one, other, sum_of(patterns.data(), entries, logarithms), arguments.edges);
  });
}

}  // namespace

const Twin small_pair_gains{
    [](const Range&, const operations::SmallPairGains& arguments) { gain_of_pairs(arguments, true); }};
const Twin pair_gains{[](const Range&, const operations::PairGains& arguments) { gain_of_pairs(arguments, false); }};

const Twin histogram_sums{[](const Range&, const operations::HistogramSums& arguments) {
  const op::Pairs pairs = arguments.pairs;
  const std::vector<std::uint16_t> none(pairs.individuals);
  for_each_part(pairs.fresh_count, [&](std::size_t index) {
    const auto one = pairs.fresh + static_cast<std::uint32_t>(index);
    const auto& a = arguments.groups[one];
    if (a.size <= pairs.most_row_loci) return;
    std::vector<std::uint16_t> packed(std::size_t{32} * pairs.row_words);
    pack_group(arguments.rows, &arguments.lists[a.loci], a.size, pairs.row_words, packed);
    Patterns patterns;
    count_individuals(packed.data(), none.data(), 0, pairs.individuals, 1U << a.size, patterns.data());
    arguments.sums[one] = sum_of(patterns.data(), 1U << a.size, arguments.logarithms);
  });
}};

const Twin histogram_gains{[](const Range&, const operations::HistogramGains& arguments) {
  const op::Pairs pairs = arguments.pairs;
  const Groups groups = arguments.groups;
  const Words lists = arguments.lists;
  const Sums sums = arguments.sums;
  const auto others = lists.subspan(pairs.partners, pairs.partner_count);
  std::vector<std::uint16_t> first(std::size_t{32} * pairs.row_words);
  PerThread<std::vector<std::uint16_t>> seconds;
  for (auto one = pairs.fresh; one < pairs.fresh + pairs.fresh_count; ++one) {
    const auto& a = groups[one];
    pack_group(arguments.rows, &lists[a.loci], a.size, pairs.row_words, first);
    for_each_part(others.size(), [&](std::size_t index, unsigned thread) {
      const auto other = others[index];
      const auto& b = groups[other];
      if (std::max(a.size, b.size) <= pairs.most_row_loci ||
          shared::ecga_is_wanted(one, other, a, b, sums[one], sums[other], pairs) == 0)
        return;
      auto& second = seconds.of(thread, [&] { return std::vector<std::uint16_t>(std::size_t{32} * pairs.row_words); });
      pack_group(arguments.rows, &lists[b.loci], b.size, pairs.row_words, second);
      Patterns patterns;
      const auto entries = 1U << (a.size + b.size);
      count_individuals(first.data(), second.data(), a.size, pairs.individuals, entries, patterns.data());
      finish_pair(groups, sums, pairs, one, other, sum_of(patterns.data(), entries, arguments.logarithms),
                  arguments.edges);
    });
  }
}};

// FASTCOUNT: each pattern's individuals are the ones of an and of rows, negated where the pattern has 0.
const Twin table_gains{[](const Range&, const operations::TableGains& arguments) {
  const op::Pairs pairs = arguments.pairs;
  const Words rows = arguments.rows;
  const std::span<const std::uint8_t> table = arguments.table;
  const Groups groups = arguments.groups;
  const Words lists = arguments.lists;
  const Sums sums = arguments.sums;
  const Sums logarithms = arguments.logarithms;
  const bool wide = table.size() > 256;
  for_each_pair(groups, lists, sums, pairs, [&](std::uint32_t one, std::uint32_t other) {
    const auto& a = groups[one];
    const auto& b = groups[other];
    const auto size = a.size + b.size;
    const std::uint32_t* members[ECGA_MOST_LOCI];
    for (std::uint32_t s = 0; s < size; ++s) {
      const auto locus = s < a.size ? lists[a.loci + s] : lists[b.loci + s - a.size];
      members[s] = &rows[std::uint64_t{locus} * pairs.row_words];
    }
    std::int64_t sum = 0;
    for (std::uint32_t pattern = 0; pattern < 1U << size; ++pattern) {
      std::uint32_t count = 0;
      for (std::uint32_t x = 0; 32 * x < pairs.individuals; ++x) {
        const auto left = pairs.individuals - 32 * x;
        auto word = left >= 32 ? ~std::uint32_t{0} : (1U << left) - 1;
        for (std::uint32_t s = 0; s < size; ++s) word &= (pattern >> s & 1U) != 0 ? members[s][x] : ~members[s][x];
        count += wide ? table[word & 0xffff] + table[word >> 16]
                      : table[word & 255] + table[word >> 8 & 255] + table[word >> 16 & 255] + table[word >> 24];
      }
      sum += logarithms[count];
    }
    finish_pair(groups, sums, pairs, one, other, sum, arguments.edges);
  });
}};

}  // namespace clopt::openmp::ecga
