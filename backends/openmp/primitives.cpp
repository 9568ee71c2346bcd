/// \file
/// Twins of kernels_cl/primitives.
#include "twin.hpp"

#include <shared/order.h>
#include <shared/ordered_sum.h>
#include <shared/random.h>
#include <primitives/operations.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

namespace clopt::openmp::primitives {
namespace {

namespace op = clopt::primitives;
using op::Wide;
using std::uint32_t;
using std::uint64_t;

// Calls visit(section, its elements) for each section of a launch.
template <class T, class Visit>
void for_each_section(const Range& range, std::span<T> values, uint64_t count, uint64_t section, Visit visit) {
  const auto groups = static_cast<std::int64_t>(range.groups());
#pragma omp parallel for schedule(static) if (groups > 1)
  for (std::int64_t group = 0; group < groups; ++group) {
    const auto index = static_cast<uint64_t>(group);
    const auto begin = std::min(index * section, count);
    visit(index, values.subspan(begin, std::min(section, count - begin)));
  }
}

// results[i] = make(i).
template <class T, class Make>
void generate(std::span<T> results, uint64_t count, Make make) {
  const auto items = static_cast<std::int64_t>(count);
#pragma omp parallel for schedule(static)
  for (std::int64_t item = 0; item < items; ++item)
    results[static_cast<std::size_t>(item)] = make(static_cast<uint64_t>(item));
}

// Sums wrap around, so they are taken without sign.
template <class T>
uint64_t sum_of(std::span<const T> values) {
  uint64_t sum = 0;
  for (const auto value : values) sum += static_cast<uint64_t>(value);
  return sum;
}

template <class T>
Implementation sum_implementation() {
  return {op::sum<T>,
          [](const Range& range, std::span<const T> values, std::span<Wide<T>> sums, uint64_t count, uint64_t section) {
            for_each_section(range, values, count, section,
                             [&](uint64_t group, auto part) { sums[group] = static_cast<Wide<T>>(sum_of(part)); });
          }};
}

template <class T>
Implementation sum_of_sections_implementation() {
  return {op::sum_of_sections<T>,
          [](const Range&, std::span<const Wide<T>> sums, std::span<Wide<T>> total, uint64_t sections) {
            total[0] = static_cast<Wide<T>>(sum_of(sums.first(sections)));
          }};
}

template <class T>
Implementation population_count_implementation() {
  return {op::population_count<T>, [](const Range& range, std::span<const T> values, std::span<Wide<T>> counts,
                                      uint64_t count, uint64_t section) {
            for_each_section(range, values, count, section, [&](uint64_t group, auto part) {
              Wide<T> bits = 0;
              for (const auto value : part) bits += std::popcount(static_cast<std::make_unsigned_t<T>>(value));
              counts[group] = bits;
            });
          }};
}

template <class T>
Implementation minimum_implementation() {
  return {op::minimum<T>,
          [](const Range& range, std::span<const T> values, std::span<T> least, uint64_t count, uint64_t section) {
            for_each_section(range, values, count, section, [&](uint64_t group, auto part) {
              T smallest = std::numeric_limits<T>::max();
              for (const auto value : part) smallest = std::min(smallest, value);
              least[group] = smallest;
            });
          }};
}

template <class T>
Implementation maximum_implementation() {
  return {op::maximum<T>,
          [](const Range& range, std::span<const T> values, std::span<T> greatest, uint64_t count, uint64_t section) {
            for_each_section(range, values, count, section, [&](uint64_t group, auto part) {
              T largest = std::numeric_limits<T>::lowest();
              for (const auto value : part) largest = std::max(largest, value);
              greatest[group] = largest;
            });
          }};
}

template <class T>
Implementation scan_sums_implementation() {
  return {op::scan_sums<T>,
          [](const Range& range, std::span<const T> values, std::span<T> sums, uint64_t count, uint64_t section) {
            for_each_section(range, values, count, section,
                             [&](uint64_t group, auto part) { sums[group] = static_cast<T>(sum_of(part)); });
          }};
}

template <class T>
Implementation scan_sections_implementation() {
  return {op::scan_sections<T>, [](const Range&, std::span<T> sums, uint64_t sections) {
            const auto part = sums.first(sections);
            std::exclusive_scan(part.begin(), part.end(), part.begin(), T{0});
          }};
}

template <class T>
Implementation scan_implementation() {
  return {op::scan<T>, [](const Range& range, std::span<const T> values, std::span<const T> sums, std::span<T> results,
                          std::span<T> total, uint64_t count, uint64_t section, uint32_t inclusive) {
            for_each_section(range, values, count, section, [&](uint64_t group, auto part) {
              const auto first = static_cast<std::size_t>(part.data() - values.data());
              T before = range.groups() > 1 ? sums[group] : T{0};
              for (std::size_t i = 0; i < part.size(); ++i) {
                const T value = part[i];  // before the result, which may take its place
                results[first + i] = inclusive != 0 ? before + value : before;
                before += value;
              }
              if (group == range.groups() - 1) total[0] = before;
            });
          }};
}

// The first of equal ranks stays.
struct Ranked {
  uint64_t rank = ORDER_LAST;
  uint64_t index = ORDER_LAST;
  friend auto operator<=>(const Ranked&, const Ranked&) = default;
};

template <class T>
Implementation arg_min_implementation() {
  return {op::arg_min<T>, [](const Range& range, std::span<const T> values, std::span<uint64_t> ranks,
                             std::span<uint64_t> indices, uint64_t count, uint64_t section, uint32_t largest_first) {
            for_each_section(range, values, count, section, [&](uint64_t group, auto part) {
              const auto first = static_cast<uint64_t>(part.data() - values.data());
              Ranked best;
              for (std::size_t i = 0; i < part.size(); ++i)
                best = std::min(best, Ranked{shared::order_rank(part[i], largest_first), first + i});
              ranks[group] = best.rank;
              indices[group] = best.index;
            });
          }};
}

template <class T>
Implementation arg_min_of_sections_implementation() {
  return {op::arg_min_of_sections<T>,
          [](const Range&, std::span<const uint64_t> ranks, std::span<const uint64_t> indices,
             std::span<uint64_t> index, uint64_t sections) {
            Ranked best;
            for (uint64_t i = 0; i < sections; ++i) best = std::min(best, Ranked{ranks[i], indices[i]});
            index[0] = best.index;
          }};
}

template <class T>
Implementation ordered_sum_implementation() {
  return {op::ordered_sum<T>,
          [](const Range& range, std::span<const T> values, std::span<T> sums, uint64_t count, LocalMemory<T>) {
            const auto section = uint64_t{range.group[0]} * ORDERED_SUM_VALUES;
            for_each_section(range, values, count, section, [&](uint64_t group, auto part) {
              std::vector<T> tree(part.begin(), part.end());
              while (tree.size() > 1) {
                const auto half = tree.size() / 2;
                for (std::size_t i = 0; i < half; ++i) tree[i] = tree[2 * i] + tree[2 * i + 1];
                if (tree.size() % 2 != 0) tree[half] = tree.back();
                tree.resize(tree.size() - half);
              }
              sums[group] = tree.empty() ? static_cast<T>(ORDERED_SUM_ABSENT) : tree[0];
            });
          }};
}

// Swaps ever smaller quarters across the diagonal (Warren, Hacker's Delight, 7-3), lowest bit and row first.
template <class Word>
void transpose(const Word* rows, Word* columns) {
  constexpr unsigned bits = 8 * sizeof(Word);
  std::copy(rows, rows + bits, columns);
  Word mask = static_cast<Word>(~Word{0}) >> (bits / 2);
  for (unsigned size = bits / 2; size != 0; size /= 2, mask ^= static_cast<Word>(mask << size))
    for (unsigned row = 0; row < bits; row = (row + size + 1) & ~size) {
      const Word swapped = static_cast<Word>((columns[row] >> size ^ columns[row + size]) & mask);
      columns[row] ^= static_cast<Word>(swapped << size);
      columns[row + size] ^= swapped;
    }
}

template <class Word>
Implementation transpose_bits_implementation() {
  return {op::transpose_bits<Word>,
          [](const Range&, std::span<const Word> rows, std::span<Word> columns, uint64_t words) {
            constexpr std::size_t bits = 8 * sizeof(Word);
            const auto matrices = static_cast<std::int64_t>(words / bits);
#pragma omp parallel for schedule(static)
            for (std::int64_t matrix = 0; matrix < matrices; ++matrix) {
              const auto first = static_cast<std::size_t>(matrix) * bits;
              transpose(&rows[first], &columns[first]);
            }
          }};
}

}  // namespace

#define CLOPT_INTEGER_TWIN(name)                                                     \
  const Twin name {                                                                  \
    name##_implementation<std::uint32_t>(), name##_implementation<std::uint64_t>(),  \
        name##_implementation<std::int32_t>(), name##_implementation<std::int64_t>() \
  }
#define CLOPT_UNSIGNED_TWIN(name) \
  const Twin name { name##_implementation<std::uint32_t>(), name##_implementation<std::uint64_t>() }
#define CLOPT_NUMBER_TWIN(name)                                                                                       \
  const Twin name {                                                                                                   \
    name##_implementation<std::uint32_t>(), name##_implementation<std::uint64_t>(),                                   \
        name##_implementation<std::int32_t>(), name##_implementation<std::int64_t>(), name##_implementation<float>(), \
        name##_implementation<double>()                                                                               \
  }

CLOPT_INTEGER_TWIN(sum);
CLOPT_INTEGER_TWIN(sum_of_sections);
CLOPT_INTEGER_TWIN(population_count);
CLOPT_INTEGER_TWIN(minimum);
CLOPT_INTEGER_TWIN(maximum);
CLOPT_UNSIGNED_TWIN(scan_sums);
CLOPT_UNSIGNED_TWIN(scan_sections);
CLOPT_UNSIGNED_TWIN(scan);
CLOPT_NUMBER_TWIN(arg_min);
CLOPT_NUMBER_TWIN(arg_min_of_sections);
CLOPT_UNSIGNED_TWIN(transpose_bits);
const Twin ordered_sum{ordered_sum_implementation<float>(), ordered_sum_implementation<double>()};

const Twin random_words{op::random_words, [](const Range&, std::span<uint32_t> words, uint64_t blocks, uint64_t seed,
                                             uint32_t purpose, uint32_t y, uint32_t z) {
                          const auto count = static_cast<std::int64_t>(blocks);
#pragma omp parallel for schedule(static)
                          for (std::int64_t i = 0; i < count; ++i) {
                            const auto block = shared::random_at(seed, purpose, static_cast<uint32_t>(i), y, z);
                            const std::array four{block.a, block.b, block.c, block.d};
                            std::copy(four.begin(), four.end(), &words[4 * static_cast<std::size_t>(i)]);
                          }
                        }};

const Twin uniform_numbers{
    op::uniform_numbers,
    [](const Range&, std::span<uint32_t> numbers, uint64_t count, uint64_t seed, uint32_t purpose, uint32_t n) {
      generate(numbers, count, [=](uint64_t i) { return shared::uniform_at(seed, purpose, i, n); });
    }};

const Twin uniform_numbers_64{
    op::uniform_numbers_64,
    [](const Range&, std::span<uint64_t> numbers, uint64_t count, uint64_t seed, uint32_t purpose, uint64_t n) {
      generate(numbers, count, [=](uint64_t i) { return shared::uniform_at_64(seed, purpose, i, n); });
    }};

const Twin bernoulli_words{
    op::bernoulli_words, [](const Range&, std::span<uint32_t> words, uint64_t count, uint64_t seed, uint32_t purpose,
                            uint32_t y, uint32_t z, uint64_t probability) {
      generate(words, count, [=](uint64_t i) {
        return shared::bernoulli_word(seed, purpose, static_cast<uint32_t>(i), y, z, probability);
      });
    }};

const Twin bernoulli_words_64{
    op::bernoulli_words_64, [](const Range&, std::span<uint64_t> words, uint64_t count, uint64_t seed, uint32_t purpose,
                               uint32_t y, uint32_t z, uint64_t probability) {
      generate(words, count, [=](uint64_t i) {
        return shared::bernoulli_word_64(seed, purpose, static_cast<uint32_t>(i), y, z, probability);
      });
    }};

const Twin uniform_floats{
    op::uniform_floats, [](const Range&, std::span<float> fractions, uint64_t count, uint64_t seed, uint32_t purpose,
                           uint32_t y, uint32_t z) {
      generate(fractions, count, [=](uint64_t i) {
        return shared::uniform_float(shared::random_at(seed, purpose, static_cast<uint32_t>(i), y, z).a);
      });
    }};

const Twin uniform_doubles{op::uniform_doubles, [](const Range&, std::span<double> fractions, uint64_t count,
                                                   uint64_t seed, uint32_t purpose, uint32_t y, uint32_t z) {
                             generate(fractions, count, [=](uint64_t i) {
                               const auto block = shared::random_at(seed, purpose, static_cast<uint32_t>(i), y, z);
                               return shared::uniform_double(shared::random_word_64(block.a, block.b));
                             });
                           }};

}  // namespace clopt::openmp::primitives
