/// \file
/// Twins of kernels_cl/ecga/counts.cl and matrix_units.cl.
#include "counts.hpp"

#include <openmp/team.hpp>
#include <openmp/twin.hpp>

#include <ecga/operations.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include <support/numbers/vectorize.hpp>

#define CLOPT_CODE <openmp/ecga/counts_code.hpp>
#include <openmp/simd/each_set.hpp>

namespace clopt::openmp::ecga {
namespace {

namespace operations = clopt::ecga::operations;

// Rows of a task, in either direction: those of one side stay in the second-level cache.
constexpr std::uint32_t task_rows = 32;
// Words of rows that are worth a thread, a microsecond or two.
constexpr std::uint64_t words_to_share = 8192;

std::uint64_t rows_to_share(std::uint32_t row_words) { return words_to_share / row_words + 1; }

#ifdef CLOPT_VECTOR_POPCOUNT
CLOPT_VECTOR_POPCOUNT void count_by_popcount(const std::uint32_t* const* p, const std::uint32_t* const* q, Ends ends,
                                             std::uint32_t* counts) {
  __m512i sums[block_rows][block_rows];
  for (auto& line : sums)
    for (auto& sum : line) sum = _mm512_setzero_si512();
  std::uint32_t x = 0;
  for (const auto end : ends) {
    for (auto& line : sums)
      for (auto& sum : line) sum = _mm512_add_epi64(sum, sum);
    for (; x < end; x += 16) {
      __m512i right[block_rows];
      for (std::uint32_t j = 0; j < block_rows; ++j) right[j] = _mm512_loadu_si512(q[j] + x);
      for (std::uint32_t i = 0; i < block_rows; ++i) {
        const __m512i left = _mm512_loadu_si512(p[i] + x);
        for (std::uint32_t j = 0; j < block_rows; ++j)
          sums[i][j] = _mm512_add_epi64(sums[i][j], _mm512_popcnt_epi64(_mm512_and_si512(left, right[j])));
      }
    }
  }
  // Counts fit into 32 bits: two are added up at once.
  for (std::uint32_t i = 0; i < block_rows; i += 2)
    for (std::uint32_t j = 0; j < block_rows; ++j) {
      alignas(64) std::uint64_t parts[8];
      _mm512_store_si512(parts, _mm512_or_si512(sums[i][j], _mm512_maskz_slli_epi64(0xff, sums[i + 1][j], 32)));
      std::uint64_t sum = 0;
      for (const auto part : parts) sum += part;
      counts[block_rows * i + j] = static_cast<std::uint32_t>(sum);
      counts[block_rows * (i + 1) + j] = static_cast<std::uint32_t>(sum >> 32);
    }
}
#endif

// Arguments: those of count_pairs, or of one of its forms for matrix units.
template <class Arguments>
void count_tiles(const Range&, const Arguments& arguments) {
  const shared::ecga_tiles tiles = arguments.tiles;
  const std::span<const std::uint32_t> rows = arguments.rows;
  const std::span<const std::uint32_t> lists = arguments.lists;
  const std::span<const std::uint32_t> totals = arguments.totals;
  const std::span<std::uint32_t> counts = arguments.counts;
  std::array<std::uint32_t, ECGA_MOST_LAYERS> ends{};
  std::uint32_t words = 0;
  for (std::uint32_t layer = 0; layer < tiles.layers; ++layer)
    ends[layer] = words += shared::ecga_layer_words(totals[tiles.layers - 1 - layer]);
  const auto p_rows = lists.subspan(tiles.first, tiles.first_count);
  const auto q_rows = lists.subspan(tiles.second, tiles.second_count);
  const auto count = count_block();
  const auto tasks_of = [](std::size_t all) { return (all + task_rows - 1) / task_rows; };
  const auto p_tasks = tasks_of(p_rows.size());
  const auto q_tasks = tasks_of(q_rows.size());
  const auto row = [&](std::uint32_t index) { return &rows[std::uint64_t{index} * tiles.row_words]; };
  for_each_part(p_tasks * q_tasks, [&](std::size_t task) {
    // Tasks that follow each other share their second rows, which are many and come from memory.
    const auto p_begin = task % p_tasks * task_rows;
    const auto q_begin = task / p_tasks * task_rows;
    const auto p_end = std::min(p_begin + task_rows, p_rows.size());
    const auto q_end = std::min(q_begin + task_rows, q_rows.size());
    for (auto p = p_begin; p < p_end; p += block_rows)
      for (auto q = q_begin; q < q_end && q_rows[q] <= p_rows[std::min(p + block_rows, p_end) - 1]; q += block_rows) {
        const std::uint32_t* left[block_rows];
        const std::uint32_t* right[block_rows];
        std::uint32_t left_row[block_rows];
        std::uint32_t right_row[block_rows];
        for (std::size_t i = 0; i < block_rows; ++i) {
          left[i] = row(left_row[i] = p_rows[std::min(p + i, p_end - 1)]);
          right[i] = row(right_row[i] = q_rows[std::min(q + i, q_end - 1)]);
        }
        std::uint32_t block[block_rows * block_rows];
        count(left, right, {ends.data(), tiles.layers}, block);
        // Rows behind the end repeat the last one, and so do their counts.
        for (std::size_t i = 0; i < block_rows; ++i)
          for (std::size_t j = 0; j < block_rows; ++j)
            if (right_row[j] <= left_row[i])
              counts[std::uint64_t{left_row[i]} * tiles.stride + right_row[j]] = block[block_rows * i + j];
      }
  });
}

std::uint32_t words_of_layers(std::span<const std::uint32_t> totals) {
  std::uint32_t words = 0;
  for (const auto total : totals) words += shared::ecga_layer_words(total);
  return words;
}

}  // namespace

CountBlock count_block() {
#ifdef CLOPT_VECTOR_POPCOUNT
  if (has_vector_popcount()) return count_by_popcount;
#endif
  return CLOPT_BEST(count);
}

std::uint32_t count_row(const std::uint32_t* row, std::uint32_t words) {
  std::uint32_t sum = 0;
  for (std::uint32_t x = 0; x < words; ++x) sum += static_cast<std::uint32_t>(std::popcount(row[x]));
  return sum;
}

const Twin count_ones{[](const Range& range, const operations::CountOnes& arguments) {
  for_each_index(range.groups(), rows_to_share(arguments.row_words), [&](std::uint64_t row) {
    arguments.ones[row] = count_row(&arguments.rows[row * arguments.row_words], arguments.row_words);
  });
}};

const Twin make_rows{[](const Range& range, const operations::MakeRows& arguments) {
  const auto words = words_of_layers(arguments.totals.first(arguments.layers));
  const std::uint32_t row_words = arguments.row_words;
  for_each_index(range.items[1], rows_to_share(row_words), [&](std::uint64_t index) {
    const auto product = arguments.products[index];
    auto* row = &arguments.rows[(arguments.first_row + index) * row_words];
    std::fill_n(row, words, ~std::uint32_t{0});
    for (std::uint32_t s = 0; product.subset >> s != 0; ++s) {
      if ((product.subset >> s & 1U) == 0) continue;
      const auto* locus = &arguments.rows[std::uint64_t{arguments.lists[product.loci + s]} * row_words];
      for (std::uint32_t x = 0; x < words; ++x) row[x] &= locus[x];
    }
  });
}};

const Twin make_block_rows{[](const Range& range, const operations::MakeBlockRows& arguments) {
  const auto words = words_of_layers(arguments.totals.first(arguments.layers));
  const std::uint32_t row_words = arguments.row_words;
  for_each_index(range.items[1], rows_to_share(row_words), [&](std::uint64_t index) {
    const auto& block = arguments.blocks[index];
    const auto row = [&](std::uint32_t subset) {
      return &arguments.rows[(std::uint64_t{block.row} + subset - 1) * row_words];
    };
    for (std::uint32_t s = 0; s < block.size; ++s) {
      std::copy_n(&arguments.rows[std::uint64_t{arguments.lists[block.loci + s]} * row_words], words, row(1U << s));
      for (std::uint32_t m = 1; m < 1U << s; ++m) {
        auto* product = row(1U << s | m);
        const auto* left = row(1U << s);
        const auto* right = row(m);
        for (std::uint32_t x = 0; x < words; ++x) product[x] = left[x] & right[x];
      }
    }
  });
}};

const Twin count_diagonal{[](const Range& range, const operations::CountDiagonal& arguments) {
  for_each_index(range.groups(), rows_to_share(arguments.row_words), [&](std::uint64_t each) {
    const auto index = arguments.first_row + each;
    const auto* row = &arguments.rows[index * arguments.row_words];
    std::uint32_t sum = 0;
    for (std::uint32_t layer = arguments.layers; layer-- > 0;) {
      const auto words = shared::ecga_layer_words(arguments.totals[layer]);
      sum = 2 * sum + count_row(row, words);
      row += words;
    }
    arguments.counts[index * (std::uint64_t{arguments.stride} + 1)] = sum;
  });
}};

const Twin count_pairs{&count_tiles<operations::CountPairs>};
// A processor has no such units.
const Twin count_pairs_wide{&count_tiles<operations::CountPairsWide>};
const Twin count_pairs_matrix{&count_tiles<operations::CountPairsMatrix>};

}  // namespace clopt::openmp::ecga
