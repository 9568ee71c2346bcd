/// \file
/// Twins of the kernels of subset-sum that take several items in one launch.
#include <openmp/team.hpp>
#include <openmp/twin.hpp>
#include <support/numbers/vectorize.hpp>

#include <shared/subset_sum/bits.h>
#include <subset_sum/operations.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace clopt::openmp::subset_sum {
namespace {

namespace operations = clopt::subset_sum::operations;

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

CLOPT_VECTORIZE(void, pair_block,
                (const std::uint16_t* before, const Moved<std::uint16_t>& first, const Moved<std::uint16_t>& second,
                 const Moved<std::uint16_t>& both, std::uint16_t* after, PairBlock<std::uint16_t>& block),
                (before, first, second, both, after, block)) {
  take_pair(before, first, second, both, after, block);
}
CLOPT_VECTORIZE(void, pair_block,
                (const std::uint32_t* before, const Moved<std::uint32_t>& first, const Moved<std::uint32_t>& second,
                 const Moved<std::uint32_t>& both, std::uint32_t* after, PairBlock<std::uint32_t>& block),
                (before, first, second, both, after, block)) {
  take_pair(before, first, second, both, after, block);
}
CLOPT_VECTORIZE(void, pair_block,
                (const std::uint64_t* before, const Moved<std::uint64_t>& first, const Moved<std::uint64_t>& second,
                 const Moved<std::uint64_t>& both, std::uint64_t* after, PairBlock<std::uint64_t>& block),
                (before, first, second, both, after, block)) {
  take_pair(before, first, second, both, after, block);
}

template <class Word>
void pair(const Range&, const operations::SweepPair<Word>& arguments) {
  ++arguments.launches[0];
  const std::span<const Word> before = arguments.before;
  const std::span<Word> after = arguments.after;
  const std::span<std::uint32_t> first_item = arguments.first_item;
  const std::uint64_t first = arguments.first_word;
  const std::uint64_t count = arguments.words;
  const std::uint64_t weight = arguments.weight;
  const std::uint64_t second_weight = arguments.second_weight;
  const std::uint32_t item = arguments.item;
  constexpr auto block_words = PairBlock<Word>::words;
  const auto name = [&](std::uint64_t x, Word between) {
    if (item == 0) return;
    if (x >= arguments.named_from) name_capacities(first_item, x, static_cast<Word>(between & ~before[x]), item);
    if (x >= arguments.second_named_from)
      name_capacities(first_item, x, static_cast<Word>(after[x] & ~between), item + 1);
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
  const std::uint64_t blocks = (end - whole_from) / block_words;
  take_words(first, whole_from);
  for_each_index(blocks, words_to_share / (2 * block_words), [&](std::uint64_t b) {
    PairBlock<Word> block;
    const auto x = whole_from + b * block_words;
    pair_block(&before[x], Moved<Word>(before, x, weight), Moved<Word>(before, x, second_weight),
               Moved<Word>(before, x, weight + second_weight), &after[x], block);
    if (block.fresh == 0) return;
    for (std::uint64_t i = 0; i < block_words; ++i) name(x + i, block.between[i]);
  });
  take_words(whole_from + blocks * block_words, end);
}

// The words that are written and those that they depend on, in place from the highest down.
template <class Word>
void light(const Range&, const operations::SweepLight<Word>& arguments) {
  ++arguments.launches[0];
  const std::uint64_t first = arguments.first_word;
  const std::uint64_t count = arguments.words;
  const std::uint32_t item = arguments.item;
  const auto beneath = std::min<std::uint64_t>(first, *arguments.halo);
  const auto origin = first - beneath;
  const auto words = arguments.before.subspan(origin, beneath + count);
  std::vector<Word> staged(words.begin(), words.end());
  for (std::uint32_t i = 0; i < arguments.step_count; ++i) {
    const auto& step = arguments.steps[arguments.first_step + i];
    for (auto j = staged.size(); j-- > 0;) {
      const auto complementary = moved<Word>(staged, j, step.weight);
      const auto fresh = static_cast<Word>(complementary & ~staged[j]);
      if (item != 0 && j >= beneath && origin + j >= step.first / bits<Word>)
        name_capacities<Word>(arguments.first_item, origin + j, fresh, item + i);
      staged[j] = static_cast<Word>(staged[j] | complementary);
    }
  }
  std::copy(staged.begin() + static_cast<std::ptrdiff_t>(beneath), staged.end(),
            arguments.after.begin() + static_cast<std::ptrdiff_t>(first));
}

}  // namespace

const Twin sweep_pair{pair<std::uint16_t>, pair<std::uint32_t>, pair<std::uint64_t>};
const Twin sweep_light{light<std::uint16_t>, light<std::uint32_t>, light<std::uint64_t>};

}  // namespace clopt::openmp::subset_sum
