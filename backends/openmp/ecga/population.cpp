/// \file
/// Twins of kernels_cl/ecga/population.cl.
#include <openmp/team.hpp>
#include <openmp/twin.hpp>
#include "patterns.hpp"

#include <support/numbers/vectorize.hpp>

#include <ecga/operations.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace clopt::openmp::ecga {
namespace {

namespace operations = clopt::ecga::operations;

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

CLOPT_VECTORIZE(void, select_word,
                (const std::uint32_t* words, const std::uint32_t* parents, std::uint32_t individuals,
                 std::uint32_t* rows, std::uint32_t row_words, std::uint32_t loci, std::uint32_t begin,
                 std::uint32_t end),
                (words, parents, individuals, rows, row_words, loci, begin, end)) {
  for (std::uint32_t x = begin; x < end; ++x) {
    std::array<std::uint32_t, 32> matrix{};
    const auto count = 32 * x < individuals ? std::min(32U, individuals - 32 * x) : 0U;
    for (std::uint32_t k = 0; k < count; ++k) matrix[k] = words[parents[32 * x + k]];
    transpose(matrix);
    for (std::uint32_t k = 0; k < loci; ++k) rows[std::uint64_t{k} * row_words + x] = matrix[k];
  }
}

CLOPT_VECTORIZE(void, return_word,
                (const std::uint32_t* rows, std::uint32_t row_words, std::uint32_t loci, std::uint32_t* words,
                 std::uint32_t begin, std::uint32_t end),
                (rows, row_words, loci, words, begin, end)) {
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
  for_each_part((std::uint64_t{count} + size - 1) / size, [&](std::size_t part) {
    const auto begin = static_cast<std::uint32_t>(part) * size;
    work(begin, std::min(count - begin, size) + begin);
  });
}

constexpr std::uint32_t words_of(std::uint32_t length) { return (length + 31) / 32; }

}  // namespace

const Twin initial_population{[](const Range&, const operations::InitialPopulation& arguments) {
  const std::uint32_t length = arguments.length;
  const std::uint32_t stride = arguments.stride;
  const std::uint32_t individuals = arguments.individuals;
  const std::uint64_t seed = arguments.seed;
  in_chunks(stride, chunk, [&](std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t word = 0; word < words_of(length); ++word)
      for (auto i = begin; i < end; ++i)
        arguments.population[std::uint64_t{word} * stride + i] =
            i < individuals ? shared::ecga_initial_word(seed, i, word, length) : 0;
  });
}};

const Twin list_layers{[](const Range&, const operations::ListLayers& arguments) {
  const std::uint32_t layers = arguments.layers;
  const std::uint32_t stride = arguments.stride;
  auto* copies = arguments.copies.data();
  auto* totals = arguments.totals.data();
  auto* chosen = arguments.chosen.data();
  for (std::uint32_t i = 0; i < arguments.individuals; ++i) {
    for (std::uint32_t layer = 0; copies[i] >> layer != 0 && layer < layers; ++layer)
      if ((copies[i] >> layer & 1U) != 0) chosen[std::uint64_t{layer} * stride + totals[layer]++] = i;
    copies[i] = 0;
  }
}};

const Twin select_layers{[](const Range&, const operations::SelectLayers& arguments) {
  const std::uint32_t length = arguments.length;
  const std::uint32_t stride = arguments.stride;
  const std::uint32_t row_words = arguments.row_words;
  std::uint32_t begin = 0;
  for (std::uint32_t layer = arguments.layers; layer-- > 0;) {
    const auto words = shared::ecga_layer_words(arguments.totals[layer]);
    const auto count = std::min<std::uint32_t>(arguments.totals[layer], arguments.individuals);
    in_chunks(words, word_chunk, [&](std::uint32_t first, std::uint32_t last) {
      for (std::uint32_t word = 0; word < words_of(length); ++word)
        select_word(&arguments.population[std::uint64_t{word} * stride],
                    &arguments.chosen[std::uint64_t{layer} * stride], count,
                    &arguments.rows[std::uint64_t{32 * word} * row_words + begin], row_words,
                    std::min(32U, length - 32 * word), first, last);
    });
    begin += words;
  }
}};

const Twin select_rows{[](const Range&, const operations::SelectRows& arguments) {
  const std::uint32_t length = arguments.length;
  const std::uint32_t row_words = arguments.row_words;
  in_chunks(row_words, word_chunk, [&](std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t word = 0; word < words_of(length); ++word)
      select_word(&arguments.population[std::uint64_t{word} * arguments.stride], arguments.parents.data(),
                  arguments.individuals, &arguments.rows[std::uint64_t{32 * word} * row_words], row_words,
                  std::min(32U, length - 32 * word), begin, end);
  });
}};

const Twin rows_to_population{[](const Range&, const operations::RowsToPopulation& arguments) {
  const std::uint32_t length = arguments.length;
  const std::uint32_t row_words = arguments.row_words;
  in_chunks(row_words, word_chunk, [&](std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t word = 0; word < words_of(length); ++word)
      return_word(&arguments.rows[std::uint64_t{32 * word} * row_words], row_words, std::min(32U, length - 32 * word),
                  &arguments.population[std::uint64_t{word} * arguments.stride], begin, end);
  });
}};

const Twin sample{[](const Range&, const operations::Sample& arguments) {
  const std::uint32_t groups = arguments.groups;
  const std::uint32_t mixed = arguments.mixed;
  const std::uint32_t row_words = arguments.row_words;
  const std::span<const std::uint32_t> rows = arguments.rows;
  const std::span<const std::uint32_t> lists = arguments.lists;
  const std::span<std::uint32_t> sampled = arguments.sampled;
  const auto loci = lists.subspan(groups + 1);
  struct Scratch {
    ThreadVector<std::uint16_t> selected, dealt;
    ThreadVector<std::uint32_t> images;
  };
  PerThread<Scratch> scratch;
  for_each_index(groups, arguments.individuals > chunk ? 1 : groups, [&](std::uint64_t each, unsigned thread) {
    const auto group = static_cast<std::uint32_t>(each);
    const auto* members = &loci[lists[group]];
    const auto size = lists[group + 1] - lists[group];
    if (group >= arguments.mixed_groups || mixed == 0) {
      for (std::uint32_t s = 0; s < size; ++s)
        std::copy_n(&rows[std::uint64_t{members[s]} * row_words], row_words,
                    &sampled[std::uint64_t{members[s]} * row_words]);
      return;
    }
    auto& [selected, dealt, images] = scratch.of(thread, [&]() -> Scratch {
      const auto all = std::size_t{32} * row_words;
      return {ThreadVector<std::uint16_t>(all), ThreadVector<std::uint16_t>(all), ThreadVector<std::uint32_t>(all)};
    });
    pack_group(rows, members, size, row_words, selected);
    make_images(
        shared::ecga_make_bijection(arguments.seed, ECGA_PURPOSE_SAMPLING, arguments.generation, members[0], mixed),
        images.data());
    for (std::uint32_t i = 0; i < mixed; ++i) dealt[i] = selected[images[i]];
    std::copy(selected.begin() + mixed, selected.end(), dealt.begin() + mixed);
    unpack_group(dealt, members, size, row_words, sampled);
  });
}};

const Twin take_individual{[](const Range&, const operations::TakeIndividual& arguments) {
  for (std::uint32_t word = 0; word < arguments.words; ++word)
    arguments.genes[word] = arguments.population[std::uint64_t{word} * arguments.stride + arguments.individual];
}};

}  // namespace clopt::openmp::ecga
