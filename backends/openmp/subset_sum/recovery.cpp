/// \file
/// Twins of kernels_cl/subset_sum/first_down.cl.
#include <subset_sum/operations.hpp>

#include <openmp/team.hpp>
#include <openmp/twin.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <span>

namespace clopt::openmp::subset_sum {
namespace {

namespace operations = clopt::subset_sum::operations;

// Subsets of the first items whose sums are added up once: a block; and blocks that a thread takes at a time.
constexpr std::uint32_t items_added_up = 8;
constexpr std::uint32_t subsets_added_up = 1U << items_added_up;
constexpr std::uint64_t blocks_together = 32;

/// Capacities from `first` to `last`, whose words begin at `words`.
template <class Word>
struct Reached {
  const Word* words;
  std::uint64_t first;
  std::uint64_t last;

  bool holds(std::uint64_t capacity) const {
    constexpr std::uint64_t bits = 8 * sizeof(Word);
    if (capacity < first || capacity > last) return false;
    return (words[(capacity - first) / bits] >> (capacity % bits) & 1) != 0;
  }
};

template <class Word>
void find_item(const Range&, const operations::FirstItemDown<Word>& arguments) {
  ++arguments.launches[0];
  const Reached<Word> reached{&arguments.reached[arguments.offset], arguments.first_known, arguments.last_known};
  const std::span weights = arguments.weights.subspan(*arguments.item);
  auto& found = arguments.found[0];
  for (std::uint32_t i = 0; i < std::min(*arguments.count, found); ++i)
    if (weights[i] <= arguments.sum && reached.holds(arguments.sum - weights[i])) found = i;
}

// Sums of the first items' subsets; 2^64 - 1 stands for what is not below that.
std::array<std::uint64_t, subsets_added_up> low_sums(std::span<const std::uint64_t> weights) {
  std::array<std::uint64_t, subsets_added_up> sums{};
  for (std::uint32_t subset = 1; subset < subsets_added_up; ++subset) {
    const auto highest = static_cast<std::uint32_t>(std::bit_width(subset)) - 1;
    const auto weight = highest < weights.size() ? weights[highest] : ~std::uint64_t{0};
    const auto rest = sums[subset ^ (1U << highest)];
    sums[subset] = weight > ~rest ? ~std::uint64_t{0} : rest + weight;
  }
  return sums;
}

template <class Word>
void find_subset(const Range&, const operations::FirstSubsetDown<Word>& arguments) {
  ++arguments.launches[0];
  const Reached<Word> reached{&arguments.reached[arguments.offset], arguments.first_known, arguments.last_known};
  const std::span weights = arguments.weights.subspan(*arguments.item);
  const std::uint64_t sum = arguments.sum;
  const std::uint32_t begin = arguments.begin;
  const std::uint32_t count = arguments.count;
  const auto sums = low_sums(weights);
  const auto end = begin + count;  // numbers have less than 32 bits
  const auto first_block = begin / subsets_added_up;
  const auto blocks = (std::uint64_t{end} + subsets_added_up - 1) / subsets_added_up;
  std::atomic<std::uint32_t> least{arguments.found[0]};
  const auto search_block = [&](std::uint64_t block) {
    const auto block_begin = static_cast<std::uint32_t>(block) * subsets_added_up;
    auto rest = sum;
    bool fits = block_begin < least.load(std::memory_order_relaxed);
    for (auto subset = block_begin; fits && subset != 0; subset &= subset - 1) {
      const auto weight = weights[static_cast<std::uint32_t>(std::countr_zero(subset))];
      fits = weight <= rest;
      rest -= fits ? weight : 0;
    }
    if (!fits) return;
    for (auto subset = std::max(begin, block_begin); subset < std::min(end, block_begin + subsets_added_up); ++subset) {
      const auto low = sums[subset - block_begin];
      if (low > rest || !reached.holds(rest - low)) continue;
      for (auto before = least.load(std::memory_order_relaxed);
           subset < before && !least.compare_exchange_weak(before, subset, std::memory_order_relaxed);) {
      }
      break;
    }
  };
  // In ascending order, since what is found spares the blocks behind it.
  std::atomic<std::uint64_t> next{first_block};
  for_each_part((blocks - first_block + blocks_together - 1) / blocks_together, [&](std::size_t) {
    const auto some = next.fetch_add(blocks_together, std::memory_order_relaxed);
    for (auto block = some; block < std::min(some + blocks_together, blocks); ++block) search_block(block);
  });
  arguments.found[0] = least;
}

}  // namespace

const Twin first_item_down{find_item<std::uint16_t>, find_item<std::uint32_t>, find_item<std::uint64_t>};
const Twin first_subset_down{find_subset<std::uint16_t>, find_subset<std::uint32_t>, find_subset<std::uint64_t>};

}  // namespace clopt::openmp::subset_sum
