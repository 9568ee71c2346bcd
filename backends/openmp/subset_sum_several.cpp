/// \file
/// Twins of the kernels of subset-sum that take several items in one launch.
#include "twin.hpp"

#include <shared/subset_sum_bits.h>
#include <subset_sum/operations.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace clopt::openmp::subset_sum {
namespace {

using clopt::subset_sum::SweepStep;

template <class Word>
constexpr std::uint64_t bits = 8 * sizeof(Word);
// Words from which on threads share them.
constexpr std::uint64_t words_to_share = std::uint64_t{1} << 14;

template <class Word>
Word moved(std::span<const Word> vector, std::uint64_t x, std::uint64_t weight) {
  const auto whole_words = weight / bits<Word>;
  const Word high = x >= whole_words ? vector[x - whole_words] : Word{0};
  const Word low = x > whole_words ? vector[x - whole_words - 1] : Word{0};
  return shared::complementary_bits<Word>(high, low, static_cast<std::uint32_t>(weight % bits<Word>));
}

template <class Word>
void name_capacities(std::span<std::uint32_t> first_item, std::uint64_t x, Word fresh, std::uint32_t item) {
  for (; fresh != 0; fresh = static_cast<Word>(fresh & (fresh - 1)))
    first_item[x * bits<Word> + static_cast<unsigned>(std::countr_zero(fresh))] = item;
}

template <class Word>
void pair(const Range&, std::span<const Word> before, std::span<Word> after, std::span<std::uint32_t> first_item,
          std::uint64_t first, std::uint64_t count, std::uint64_t weight, std::uint64_t second_weight,
          std::uint64_t named_from, std::uint64_t second_named_from, std::uint32_t item) {
  const auto end = static_cast<std::int64_t>(first + count);
#pragma omp parallel for schedule(static) if (count > words_to_share)
  for (auto signed_x = static_cast<std::int64_t>(first); signed_x < end; ++signed_x) {
    const auto x = static_cast<std::uint64_t>(signed_x);
    const Word reached = before[x];
    const auto between = static_cast<Word>(reached | moved(before, x, weight));
    after[x] = static_cast<Word>(between | moved(before, x, second_weight) | moved(before, x, weight + second_weight));
    if (item == 0) continue;
    if (x >= named_from) name_capacities(first_item, x, static_cast<Word>(between & ~reached), item);
    if (x >= second_named_from) name_capacities(first_item, x, static_cast<Word>(after[x] & ~between), item + 1);
  }
}

// The words that are written and those that they depend on, in place from the highest down.
template <class Word>
void light(const Range&, std::span<const Word> before, std::span<Word> after, std::span<std::uint32_t> first_item,
           std::span<const SweepStep> steps, std::uint32_t first_step, std::uint32_t number, std::uint64_t first,
           std::uint64_t count, std::uint32_t halo, std::uint32_t item, LocalMemory<Word>) {
  const auto beneath = std::min<std::uint64_t>(first, halo);
  const auto origin = first - beneath;
  const auto words = before.subspan(origin, beneath + count);
  std::vector<Word> staged(words.begin(), words.end());
  for (std::uint32_t i = 0; i < number; ++i) {
    const auto& step = steps[first_step + i];
    for (auto j = staged.size(); j-- > 0;) {
      const auto complementary = moved<Word>(staged, j, step.weight);
      const auto fresh = static_cast<Word>(complementary & ~staged[j]);
      if (item != 0 && j >= beneath && origin + j >= step.first / bits<Word>)
        name_capacities(first_item, origin + j, fresh, item + i);
      staged[j] = static_cast<Word>(staged[j] | complementary);
    }
  }
  std::copy(staged.begin() + static_cast<std::ptrdiff_t>(beneath), staged.end(),
            after.begin() + static_cast<std::ptrdiff_t>(first));
}

}  // namespace

const Twin sweep_pair{{clopt::subset_sum::sweep_pair<std::uint16_t>, pair<std::uint16_t>},
                      {clopt::subset_sum::sweep_pair<std::uint32_t>, pair<std::uint32_t>},
                      {clopt::subset_sum::sweep_pair<std::uint64_t>, pair<std::uint64_t>}};

const Twin sweep_light{{clopt::subset_sum::sweep_light<std::uint16_t>, light<std::uint16_t>},
                       {clopt::subset_sum::sweep_light<std::uint32_t>, light<std::uint32_t>},
                       {clopt::subset_sum::sweep_light<std::uint64_t>, light<std::uint64_t>}};

}  // namespace clopt::openmp::subset_sum
