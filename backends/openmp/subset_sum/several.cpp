/// \file
/// Twins of the kernels of subset-sum that take several items in one launch.
#include <openmp/twin.hpp>
#include <support/vectorize.hpp>

#include <shared/subset_sum/bits.h>
#include <subset_sum/operations.hpp>

#include <algorithm>
#include <array>
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

/// The words beneath a block, moved up by a weight.
template <class Word>
struct Moved {
  const Word* high;
  std::uint32_t shift;

  Moved(std::span<const Word> vector, std::uint64_t x, std::uint64_t weight)
      : high(&vector[x - weight / bits<Word>]), shift(static_cast<std::uint32_t>(weight % bits<Word>)) {}
  Word at(std::uint64_t i) const { return shared::complementary_bits<Word>(high[i], *(high + i - 1), shift); }
};

/// What a pair of items makes of a block of words that all have complementary ones.
template <class Word>
struct PairBlock {
  static constexpr std::uint64_t words = 64;
  std::array<Word, words> between;  // with the first of the items
  Word fresh;                       // the or of all new capacities
};

template <class Word>
[[gnu::always_inline]] inline void take_pair(const Word* before, Moved<Word> first, Moved<Word> second,
                                             Moved<Word> both, Word* __restrict after,
                                             PairBlock<Word>& __restrict block) {
  Word fresh = 0;
  for (std::uint64_t i = 0; i < PairBlock<Word>::words; ++i) {
    const auto between = static_cast<Word>(before[i] | first.at(i));
    const auto with_both = static_cast<Word>(between | second.at(i) | both.at(i));
    fresh = static_cast<Word>(fresh | (with_both & ~before[i]));
    block.between[i] = between;
    after[i] = with_both;
  }
  block.fresh = fresh;
}

CLOPT_VECTORIZE void pair_block(const std::uint16_t* before, const Moved<std::uint16_t>& first,
                                const Moved<std::uint16_t>& second, const Moved<std::uint16_t>& both,
                                std::uint16_t* after, PairBlock<std::uint16_t>& block) {
  take_pair(before, first, second, both, after, block);
}
CLOPT_VECTORIZE void pair_block(const std::uint32_t* before, const Moved<std::uint32_t>& first,
                                const Moved<std::uint32_t>& second, const Moved<std::uint32_t>& both,
                                std::uint32_t* after, PairBlock<std::uint32_t>& block) {
  take_pair(before, first, second, both, after, block);
}
CLOPT_VECTORIZE void pair_block(const std::uint64_t* before, const Moved<std::uint64_t>& first,
                                const Moved<std::uint64_t>& second, const Moved<std::uint64_t>& both,
                                std::uint64_t* after, PairBlock<std::uint64_t>& block) {
  take_pair(before, first, second, both, after, block);
}

template <class Word>
void pair(const Range&, std::span<const Word> before, std::span<Word> after, std::span<std::uint32_t> first_item,
          std::uint64_t first, std::uint64_t count, std::uint64_t weight, std::uint64_t second_weight,
          std::uint64_t named_from, std::uint64_t second_named_from, std::uint32_t item, LocalMemory<Word>) {
  constexpr auto block_words = PairBlock<Word>::words;
  const auto name = [&](std::uint64_t x, Word between) {
    if (item == 0) return;
    if (x >= named_from) name_capacities(first_item, x, static_cast<Word>(between & ~before[x]), item);
    if (x >= second_named_from) name_capacities(first_item, x, static_cast<Word>(after[x] & ~between), item + 1);
  };
  const auto take_words = [&](std::uint64_t begin, std::uint64_t end) {
    for (auto x = begin; x < end; ++x) {
      const auto between = static_cast<Word>(before[x] | moved(before, x, weight));
      after[x] =
          static_cast<Word>(between | moved(before, x, second_weight) | moved(before, x, weight + second_weight));
      name(x, between);
    }
  };
  // The lowest words lack complementary ones; the highest may be less than a block.
  const auto end = first + count;
  const auto whole_from = std::clamp((weight + second_weight) / bits<Word> + 1, first, end);
  const auto blocks = static_cast<std::int64_t>((end - whole_from) / block_words);
  take_words(first, whole_from);
#pragma omp parallel for schedule(static) if (count > words_to_share)
  for (std::int64_t b = 0; b < blocks; ++b) {
    PairBlock<Word> block;
    const auto x = whole_from + static_cast<std::uint64_t>(b) * block_words;
    pair_block(&before[x], Moved<Word>(before, x, weight), Moved<Word>(before, x, second_weight),
               Moved<Word>(before, x, weight + second_weight), &after[x], block);
    if (block.fresh == 0) continue;
    for (std::uint64_t i = 0; i < block_words; ++i) name(x + i, block.between[i]);
  }
  take_words(whole_from + static_cast<std::uint64_t>(blocks) * block_words, end);
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
