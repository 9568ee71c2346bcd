/// \file
/// Twins of kernels_cl/subset_sum/recovery.cl.
#include <subset_sum/operations.hpp>

#include <openmp/twin.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>

namespace clopt::openmp::subset_sum {
namespace {

// Subsets of the first items whose sums are added up once, and subsets that a thread takes at a time.
constexpr std::uint32_t items_added_up = 8;
constexpr std::uint32_t subsets_added_up = 1U << items_added_up;
constexpr std::int64_t blocks_for_threads = 64;

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
void find_item(const Range&, std::span<const Word> words, std::span<const std::uint64_t> weights,
               std::span<std::uint32_t> found, std::uint64_t offset, std::uint64_t first, std::uint64_t last,
               std::uint64_t sum, std::uint32_t item, std::uint32_t count) {
  const Reached<Word> reached{&words[offset], first, last};
  for (std::uint32_t i = 0; i < std::min(count, found[0]); ++i)
    if (weights[item + i] <= sum && reached.holds(sum - weights[item + i])) found[0] = i;
}

// Sums of the first items' subsets; 2^64 - 1 stands for what is not below that.
std::array<std::uint64_t, subsets_added_up> low_sums(std::span<const std::uint64_t> weights, std::uint32_t item) {
  std::array<std::uint64_t, subsets_added_up> sums{};
  for (std::uint32_t subset = 1; subset < subsets_added_up; ++subset) {
    const auto highest = static_cast<std::uint32_t>(std::bit_width(subset)) - 1;
    const auto weight = item + highest < weights.size() ? weights[item + highest] : ~std::uint64_t{0};
    const auto rest = sums[subset ^ (1U << highest)];
    sums[subset] = weight > ~rest ? ~std::uint64_t{0} : rest + weight;
  }
  return sums;
}

template <class Word>
void find_subset(const Range&, std::span<const Word> words, std::span<const std::uint64_t> weights,
                 std::span<std::uint32_t> found, std::uint64_t offset, std::uint64_t first, std::uint64_t last,
                 std::uint64_t sum, std::uint32_t item, std::uint32_t begin, std::uint32_t count) {
  const Reached<Word> reached{&words[offset], first, last};
  const auto sums = low_sums(weights, item);
  const auto end = begin + count;  // numbers have less than 32 bits
  const auto blocks = (static_cast<std::int64_t>(end) + subsets_added_up - 1) / subsets_added_up;
  auto least = found[0];
#pragma omp parallel for schedule(static, 1) reduction(min : least) if (blocks > blocks_for_threads)
  for (std::int64_t block = begin / subsets_added_up; block < blocks; ++block) {
    const auto block_begin = static_cast<std::uint32_t>(block) * subsets_added_up;
    auto rest = sum;
    bool fits = block_begin < least;
    for (auto subset = block_begin; fits && subset != 0; subset &= subset - 1) {
      const auto weight = weights[item + static_cast<std::uint32_t>(std::countr_zero(subset))];
      fits = weight <= rest;
      rest -= fits ? weight : 0;
    }
    if (!fits) continue;
    for (auto subset = std::max(begin, block_begin); subset < std::min(end, block_begin + subsets_added_up); ++subset) {
      const auto low = sums[subset - block_begin];
      if (low > rest || !reached.holds(rest - low)) continue;
      least = std::min(least, subset);
      break;
    }
  }
  found[0] = least;
}

}  // namespace

const Twin first_item_down{{clopt::subset_sum::first_item_down<std::uint16_t>, find_item<std::uint16_t>},
                           {clopt::subset_sum::first_item_down<std::uint32_t>, find_item<std::uint32_t>},
                           {clopt::subset_sum::first_item_down<std::uint64_t>, find_item<std::uint64_t>}};

const Twin first_subset_down{{clopt::subset_sum::first_subset_down<std::uint16_t>, find_subset<std::uint16_t>},
                             {clopt::subset_sum::first_subset_down<std::uint32_t>, find_subset<std::uint32_t>},
                             {clopt::subset_sum::first_subset_down<std::uint64_t>, find_subset<std::uint64_t>}};

}  // namespace clopt::openmp::subset_sum
