/// \file
/// Twins of kernels_cl/ecga/population.cl.
#include <openmp/twin.hpp>
#include "patterns.hpp"

#include <support/vectorize.hpp>

#include <ecga/operations.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <vector>

namespace clopt::openmp::ecga {
namespace {

namespace op = clopt::ecga;

// Individuals that a thread takes at a time.
constexpr std::uint32_t chunk = 4096;
// Words of a row that a thread takes at a time.
constexpr std::uint32_t word_chunk = 16;

// Bit i of word j becomes bit j of word i; each step swaps off-diagonal blocks.
inline void transpose(std::array<std::uint32_t, 32>& matrix) {
  std::uint32_t mask = 0x0000ffff;
  for (std::uint32_t width = 16; width != 0; width >>= 1, mask ^= mask << width)
    for (std::uint32_t block = 0; block < 32; block += 2 * width)
      for (std::uint32_t k = block; k < block + width; ++k) {
        const auto swapped = (matrix[k] >> width ^ matrix[k + width]) & mask;
        matrix[k + width] ^= swapped;
        matrix[k] ^= swapped << width;
      }
}

CLOPT_VECTORIZE void select_word(const std::uint32_t* words, const std::uint32_t* parents, std::uint32_t individuals,
                                 std::uint32_t* rows, std::uint32_t row_words, std::uint32_t loci, std::uint32_t begin,
                                 std::uint32_t end) {
  for (std::uint32_t x = begin; x < end; ++x) {
    std::array<std::uint32_t, 32> matrix{};
    const auto count = 32 * x < individuals ? std::min(32U, individuals - 32 * x) : 0U;
    for (std::uint32_t k = 0; k < count; ++k) matrix[k] = words[parents[32 * x + k]];
    transpose(matrix);
    for (std::uint32_t k = 0; k < loci; ++k) rows[std::uint64_t{k} * row_words + x] = matrix[k];
  }
}

CLOPT_VECTORIZE void return_word(const std::uint32_t* rows, std::uint32_t row_words, std::uint32_t loci,
                                 std::uint32_t* words, std::uint32_t begin, std::uint32_t end) {
  for (std::uint32_t x = begin; x < end; ++x) {
    std::array<std::uint32_t, 32> matrix{};
    for (std::uint32_t k = 0; k < loci; ++k) matrix[k] = rows[std::uint64_t{k} * row_words + x];
    transpose(matrix);
    std::copy(matrix.begin(), matrix.end(), words + 32 * x);
  }
}

// Calls work(begin, end) for parts of [0, count).
template <class Work>
void in_chunks(std::uint32_t count, std::uint32_t size, Work work) {
  const auto chunks = static_cast<std::int64_t>((std::uint64_t{count} + size - 1) / size);
#pragma omp parallel for schedule(static) if (chunks > 1)
  for (std::int64_t part = 0; part < chunks; ++part) {
    const auto begin = static_cast<std::uint32_t>(part) * size;
    work(begin, std::min(count - begin, size) + begin);
  }
}

constexpr std::uint32_t words_of(std::uint32_t length) { return (length + 31) / 32; }

}  // namespace

const Twin initial_population{op::initial_population,
                              [](const Range&, std::span<std::uint32_t> population, std::uint32_t individuals,
                                 std::uint32_t stride, std::uint32_t length, std::uint64_t seed) {
                                in_chunks(stride, chunk, [&](std::uint32_t begin, std::uint32_t end) {
                                  for (std::uint32_t word = 0; word < words_of(length); ++word)
                                    for (auto i = begin; i < end; ++i)
                                      population[std::uint64_t{word} * stride + i] =
                                          i < individuals ? shared::ecga_initial_word(seed, i, word, length) : 0;
                                });
                              }};

const Twin tournament{
    op::tournament, [](const Range&, std::span<const float> fitness, std::span<std::uint32_t> parents,
                       std::span<std::uint32_t> copies, std::span<std::uint32_t> totals, std::uint32_t individuals,
                       std::uint32_t size, std::uint64_t seed, std::uint32_t generation) {
      std::fill(totals.begin(), totals.end(), 0U);
      const auto blocks = individuals / size;
      const auto rounds = static_cast<std::int64_t>((individuals + blocks - 1) / blocks);
#pragma omp parallel for schedule(static) if (individuals > chunk)
      for (std::int64_t round = 0; round < rounds; ++round) {
        const auto turn = static_cast<std::uint32_t>(round);
        std::vector<std::uint32_t> order(individuals);
        make_images(shared::ecga_make_bijection(seed, ECGA_PURPOSE_TOURNAMENT, generation, turn, individuals),
                    order.data());
        const auto first = turn * blocks;
        for (std::uint32_t block = 0; block < std::min(blocks, individuals - first); ++block) {
          const auto* candidates = &order[std::uint64_t{block} * size];
          auto winner = candidates[0];
          for (std::uint32_t j = 1; j < size; ++j)
            if (fitness[candidates[j]] > fitness[winner]) winner = candidates[j];
          parents[first + block] = winner;
          std::atomic_ref(copies[winner]).fetch_add(1, std::memory_order_relaxed);
        }
      }
    }};

const Twin list_layers{op::list_layers, [](const Range&, std::span<std::uint32_t> copies,
                                           std::span<std::uint32_t> totals, std::span<std::uint32_t> chosen,
                                           std::uint32_t individuals, std::uint32_t stride, std::uint32_t layers) {
                         for (std::uint32_t i = 0; i < individuals; ++i) {
                           for (std::uint32_t layer = 0; copies[i] >> layer != 0 && layer < layers; ++layer)
                             if ((copies[i] >> layer & 1U) != 0)
                               chosen[std::uint64_t{layer} * stride + totals[layer]++] = i;
                           copies[i] = 0;
                         }
                       }};

const Twin select_layers{
    op::select_layers,
    [](const Range&, std::span<const std::uint32_t> population, std::span<const std::uint32_t> chosen,
       std::span<const std::uint32_t> totals, std::span<std::uint32_t> rows, std::uint32_t individuals,
       std::uint32_t stride, std::uint32_t row_words, std::uint32_t length, std::uint32_t layers) {
      std::uint32_t begin = 0;
      for (auto layer = layers; layer-- > 0;) {
        const auto words = shared::ecga_layer_words(totals[layer]);
        const auto count = std::min(totals[layer], individuals);
        in_chunks(words, word_chunk, [&](std::uint32_t first, std::uint32_t last) {
          for (std::uint32_t word = 0; word < words_of(length); ++word)
            select_word(&population[std::uint64_t{word} * stride], &chosen[std::uint64_t{layer} * stride], count,
                        &rows[std::uint64_t{32 * word} * row_words + begin], row_words,
                        std::min(32U, length - 32 * word), first, last);
        });
        begin += words;
      }
    }};

const Twin select_rows{
    op::select_rows, [](const Range&, std::span<const std::uint32_t> population, std::span<const std::uint32_t> parents,
                        std::span<std::uint32_t> rows, std::uint32_t individuals, std::uint32_t stride,
                        std::uint32_t row_words, std::uint32_t length) {
      in_chunks(row_words, word_chunk, [&](std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t word = 0; word < words_of(length); ++word)
          select_word(&population[std::uint64_t{word} * stride], parents.data(), individuals,
                      &rows[std::uint64_t{32 * word} * row_words], row_words, std::min(32U, length - 32 * word), begin,
                      end);
      });
    }};

const Twin rows_to_population{
    op::rows_to_population, [](const Range&, std::span<const std::uint32_t> rows, std::span<std::uint32_t> population,
                               std::uint32_t stride, std::uint32_t row_words, std::uint32_t length) {
      in_chunks(row_words, word_chunk, [&](std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t word = 0; word < words_of(length); ++word)
          return_word(&rows[std::uint64_t{32 * word} * row_words], row_words, std::min(32U, length - 32 * word),
                      &population[std::uint64_t{word} * stride], begin, end);
      });
    }};

const Twin sample{
    op::sample,
    [](const Range&, std::span<const std::uint32_t> rows, std::span<const std::uint32_t> lists,
       std::span<std::uint32_t> sampled, std::uint32_t groups, std::uint32_t mixed_groups, std::uint32_t individuals,
       std::uint32_t mixed, std::uint32_t row_words, std::uint64_t seed, std::uint32_t generation) {
      const auto loci = lists.subspan(groups + 1);
#pragma omp parallel if (individuals > chunk)
      {
        std::vector<std::uint16_t> selected(std::size_t{32} * row_words);
        std::vector<std::uint16_t> dealt(std::size_t{32} * row_words);
        std::vector<std::uint32_t> images(std::size_t{32} * row_words);
#pragma omp for schedule(dynamic, 1)
        for (std::int64_t each = 0; each < static_cast<std::int64_t>(groups); ++each) {
          const auto group = static_cast<std::uint32_t>(each);
          const auto* members = &loci[lists[group]];
          const auto size = lists[group + 1] - lists[group];
          if (group >= mixed_groups || mixed == 0) {
            for (std::uint32_t s = 0; s < size; ++s)
              std::copy_n(&rows[std::uint64_t{members[s]} * row_words], row_words,
                          &sampled[std::uint64_t{members[s]} * row_words]);
            continue;
          }
          pack_group(rows, members, size, row_words, selected);
          make_images(shared::ecga_make_bijection(seed, ECGA_PURPOSE_SAMPLING, generation, members[0], mixed),
                      images.data());
          for (std::uint32_t i = 0; i < mixed; ++i) dealt[i] = selected[images[i]];
          std::copy(selected.begin() + mixed, selected.end(), dealt.begin() + mixed);
          unpack_group(dealt, members, size, row_words, sampled);
        }
      }
    }};

const Twin find_best{op::find_best,
                     [](const Range& range, std::span<const float> fitness, std::span<std::uint64_t> best,
                        std::uint32_t individuals, std::uint32_t section) {
                       for (std::uint32_t group = 0; group < range.groups(); ++group) {
                         std::uint64_t key = 0;
                         std::uint32_t first = ~std::uint32_t{0};
                         const auto begin = group * section;
                         for (auto i = begin; i < std::min(begin + section, individuals); ++i) {
                           key = std::max(key, shared::ecga_best_key(fitness[i], i));
                           if (shared::ecga_is_finite(fitness[i]) == 0) first = std::min(first, i);
                         }
                         best[2 * group] = key;
                         best[2 * group + 1] = first;
                       }
                     }};

const Twin take_individual{op::take_individual,
                           [](const Range&, std::span<const std::uint32_t> population, std::span<std::uint32_t> genes,
                              std::uint32_t individual, std::uint32_t stride, std::uint32_t words) {
                             for (std::uint32_t word = 0; word < words; ++word)
                               genes[word] = population[std::uint64_t{word} * stride + individual];
                           }};

}  // namespace clopt::openmp::ecga
