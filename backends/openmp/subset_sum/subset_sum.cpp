/// \file
/// Twins of kernels_cl/subset_sum, and walk_back as it stands.
#include <support/numbers/vectorize.hpp>
#include "sweep.hpp"

#include <shared/subset_sum/bits.h>
#include <shared/subset_sum/subset_sum.h>
#include <subset_sum/operations.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>

#include <openmp/work_item.hpp>

namespace clopt::openmp::subset_sum {
namespace {

using clopt::subset_sum::SweepStep;
namespace operations = clopt::subset_sum::operations;

struct Items : WorkItem {
#include <openmp/kernel_text.hpp>

#include <subset_sum/walk_back.cl>

#include <openmp/kernel_text_end.hpp>
};

// Words that are looked at together before their new capacities are: a few vectors of the widest kind.
constexpr std::uint64_t block_words = 64;
// Words that a thread takes at a time: enough to outweigh the handing out, few enough to share.
constexpr std::uint64_t chunk_words = std::uint64_t{1} << 14;
constexpr std::uint64_t chunk_capacities = std::uint64_t{1} << 14;

// after = before | complementary for words whose complementary words all exist; returns the or of the new bits.
template <class Word>
[[gnu::always_inline]] inline Word step_words(const Word* before, const Word* high, Word* after, std::uint64_t count,
                                              std::uint32_t shift) {
  Word fresh = 0;
  for (std::uint64_t x = 0; x < count; ++x) {
    const Word complementary = shared::complementary_bits<Word>(high[x], high[x - 1], shift);
    fresh = static_cast<Word>(fresh | (complementary & ~before[x]));
    after[x] = static_cast<Word>(before[x] | complementary);
  }
  return fresh;
}

CLOPT_VECTORIZE(std::uint16_t, step_block,
                (const std::uint16_t* before, const std::uint16_t* high, std::uint16_t* after, std::uint64_t count,
                 std::uint32_t shift),
                (before, high, after, count, shift)) {
  return step_words(before, high, after, count, shift);
}
CLOPT_VECTORIZE(std::uint32_t, step_block,
                (const std::uint32_t* before, const std::uint32_t* high, std::uint32_t* after, std::uint64_t count,
                 std::uint32_t shift),
                (before, high, after, count, shift)) {
  return step_words(before, high, after, count, shift);
}
CLOPT_VECTORIZE(std::uint64_t, step_block,
                (const std::uint64_t* before, const std::uint64_t* high, std::uint64_t* after, std::uint64_t count,
                 std::uint32_t shift),
                (before, high, after, count, shift)) {
  return step_words(before, high, after, count, shift);
}

template <class Word>
void name_item(Word fresh, std::uint64_t word, std::span<std::uint32_t> first_item, std::uint32_t item) {
  for (; fresh != 0; fresh = static_cast<Word>(fresh & (fresh - 1)))
    first_item[word * (8 * sizeof(Word)) + static_cast<unsigned>(std::countr_zero(fresh))] = item;
}

template <class Word>
void sweep(const Range&, const operations::SweepBits<Word>& arguments) {
  ++arguments.launches[0];
  const std::span<const Word> before = arguments.before;
  const std::span<Word> after = arguments.after;
  const std::span<std::uint32_t> first_item = arguments.first_item;
  const std::uint64_t first = arguments.first_word;
  const std::uint64_t end = first + arguments.words;
  const std::uint64_t whole_words = arguments.whole_words;
  const std::uint32_t shift = arguments.shift;
  const std::uint32_t item = arguments.item;
  // The lowest words lack complementary words, or have half of them.
  const auto whole_from = std::clamp(whole_words + 1, first, end);
  for (auto x = first; x < whole_from; ++x) {
    const Word high = x >= whole_words ? before[x - whole_words] : Word{0};
    const Word complementary = shared::complementary_bits<Word>(high, 0, shift);
    if (item != 0) name_item<Word>(static_cast<Word>(complementary & ~before[x]), x, first_item, item);
    after[x] = static_cast<Word>(before[x] | complementary);
  }
  for_each_part((end - whole_from + chunk_words - 1) / chunk_words, [&](std::size_t chunk) {
    const auto begin = whole_from + chunk * chunk_words;
    const auto stop = std::min(begin + chunk_words, end);
    for (auto x = begin; x < stop; x += block_words) {
      const auto words = std::min(block_words, stop - x);
      const auto fresh = step_block(&before[x], &before[x - whole_words], &after[x], words, shift);
      if (fresh == 0 || item == 0) continue;
      for (auto y = x; y < x + words; ++y)
        name_item<Word>(static_cast<Word>(after[y] & ~before[y]), y, first_item, item);
    }
  });
}

// By itself, so that the loop has all registers.
[[gnu::noinline]] void fill_some(std::span<std::uint32_t> g, std::span<const SweepStep> steps, std::uint64_t first,
                                 std::uint64_t end) {
  const auto count = static_cast<std::uint32_t>(steps.size());
  for (auto k = first; k < end; ++k) {
    const auto is_reached_by = [=](std::uint32_t i) {
      const auto& step = steps[i];
      return k >= step.first && k <= step.last && g[k - step.weight] <= i;
    };
    std::uint32_t i = 0;
    while (i < count && !is_reached_by(i)) ++i;
    if (i < count) g[k] = i + 1;
  }
}

// Algorithm 15 for the capacities of one block.
void fill(std::span<std::uint32_t> g, std::span<const SweepStep> steps, std::uint64_t first, std::uint64_t end) {
  for_ranges(end - first, chunk_capacities / 32, [&](std::uint64_t range_begin, std::uint64_t range_end) {
    fill_some(g, steps, first + range_begin, first + range_end);
  });
}

// The end of for_ranges() is the barrier, of either kind.
template <class Arguments>
void fill_blocks(const Range& range, const Arguments& arguments) {
  ++arguments.launches[0];
  const std::span<const SweepStep> steps = arguments.steps.first(*arguments.step_count);
  for (std::uint64_t block = arguments.first_capacity; block <= arguments.last_capacity; block += range.items[0])
    fill(arguments.g, steps, block, std::min(block + range.items[0], arguments.last_capacity + 1));
}

}  // namespace

const Twin sweep_bits{sweep<std::uint16_t>, sweep<std::uint32_t>, sweep<std::uint64_t>};

const Twin fill_block{[](const Range&, const operations::FillBlock& arguments) {
  ++arguments.launches[0];
  fill(arguments.g, arguments.steps.first(*arguments.step_count), arguments.first_capacity,
       arguments.first_capacity + arguments.capacities);
}};
const Twin fill_blocks_xiao_feng{fill_blocks<operations::FillBlocksXiaoFeng>};
const Twin fill_blocks_cyclic{fill_blocks<operations::FillBlocksCyclic>};

const Twin take_item{[](const Range&, const operations::TakeItem& arguments) {
  ++arguments.launches[0];
  const std::span<std::uint32_t> g = arguments.g;
  const std::uint64_t weight = arguments.weight;
  const std::uint32_t item = arguments.item;
  const std::uint64_t first = arguments.first_capacity;
  for_each_index(arguments.capacities, chunk_capacities / 2, [=](std::uint64_t index) {
    const auto k = first + index;
    // Threads may access the same capacity: either value read there is valid.
    const std::atomic_ref capacity(g[k]);
    const std::atomic_ref complementary(g[k - weight]);
    if (shared::reached_first(capacity.load(std::memory_order_relaxed), complementary.load(std::memory_order_relaxed),
                              item))
      capacity.store(item, std::memory_order_relaxed);
  });
}};

const Twin sweep_items{[](const Range&, const operations::SweepItems& arguments) {
  ++arguments.launches[0];
  sweep_in_place(arguments.reached, arguments.first_item,
                 arguments.steps.subspan(*arguments.first_step, *arguments.step_count), arguments.first_step + 1);
}};

const Twin reach_items{[](const Range&, const operations::ReachItems& arguments) {
  ++arguments.launches[0];
  sweep_in_place(arguments.reached, {}, arguments.steps.subspan(*arguments.first_step, *arguments.step_count),
                 arguments.first_step + 1);
}};

const Twin walk_back{items_of<operations::WalkBack, &Items::walk_back>(std::uint64_t{1})};

}  // namespace clopt::openmp::subset_sum
