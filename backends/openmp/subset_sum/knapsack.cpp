/// \file
/// Twin of kernels_cl/subset_sum/take_profit.cl.
#include <subset_sum/operations.hpp>
#include <support/numbers/vectorize.hpp>

#include <openmp/team.hpp>
#include <openmp/twin.hpp>

#include <algorithm>
#include <cstdint>

namespace clopt::openmp::subset_sum {
namespace {

namespace operations = clopt::subset_sum::operations;

constexpr std::uint64_t chunk_capacities = std::uint64_t{1} << 14;

template <class Word>
[[gnu::always_inline]] inline void raise(const Word* before, const Word* low, Word profit, Word* after,
                                         std::uint64_t count) {
  for (std::uint64_t k = 0; k < count; ++k) after[k] = std::max(before[k], static_cast<Word>(low[k] + profit));
}

#define CLOPT_RAISE(Word)                                                                               \
  CLOPT_VECTORIZE(void, raise_block,                                                                    \
                  (const Word* before, const Word* low, Word profit, Word* after, std::uint64_t count), \
                  (before, low, profit, after, count)) {                                                \
    raise(before, low, profit, after, count);                                                           \
  }
CLOPT_RAISE(std::uint16_t)
CLOPT_RAISE(std::uint32_t)
CLOPT_RAISE(std::uint64_t)
#undef CLOPT_RAISE

template <class Word>
void take(const Range&, const operations::TakeProfit<Word>& arguments) {
  ++arguments.launches[0];
  const std::uint64_t known = arguments.known;
  const std::uint64_t weight = arguments.weight;
  const Word profit = arguments.profit;
  const Word* const before = arguments.before.data();
  Word* const after = arguments.after.data();
  for_ranges(*arguments.last + 1, chunk_capacities, [&](std::uint64_t begin, std::uint64_t end) {
    auto k = begin;
    for (; k < std::min(end, weight); ++k) after[k] = before[std::min(k, known)];
    const auto both = std::clamp(known + 1, k, end);
    if (k < both) raise_block(before + k, before + (k - weight), profit, after + k, both - k);
    for (k = std::max(k, both); k < end; ++k)
      after[k] = std::max(before[known], static_cast<Word>(before[k - weight] + profit));
  });
}

}  // namespace

const Twin take_profit{take<std::uint16_t>, take<std::uint32_t>, take<std::uint64_t>};

}  // namespace clopt::openmp::subset_sum
