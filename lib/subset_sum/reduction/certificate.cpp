#include "certificate.hpp"

#include <algorithm>
#include <bit>

namespace clopt::subset_sum {
namespace {

using Word = std::uint64_t;
constexpr std::uint64_t word_bits = 64;
/// Largest sum that a bit set holds. Enough for the paper's classes from about 40 items on.
constexpr std::uint64_t largest_base_sum = (std::uint64_t{1} << 22) - 1;
/// Words that all bit sets together may take: 8 MiB, about a millisecond.
constexpr std::size_t most_words = std::size_t{1} << 20;

/// The sums from 0 to `last` that some items reach. Bits beyond it, up to the word's end, may be missing.
struct ReachableSums {
  std::uint64_t last = 0;
  std::vector<Word> words{1};

  bool contains(std::uint64_t sum) const { return (words[sum / word_bits] >> (sum % word_bits) & 1) != 0; }
};

/// The sums up to `last` with one item more.
ReachableSums with_item(const ReachableSums& before, std::uint64_t weight, std::uint64_t last) {
  ReachableSums after{last, std::vector<Word>(last / word_bits + 1)};
  std::copy(before.words.begin(), before.words.end(), after.words.begin());
  const std::size_t skip = weight / word_bits;
  const int shift = static_cast<int>(weight % word_bits);
  if (skip >= after.words.size()) return after;
  const std::size_t whole = std::min(before.words.size(), after.words.size() - skip);
  Word* const to = after.words.data() + skip;
  if (shift == 0) {
    for (std::size_t k = 0; k < whole; ++k) to[k] |= before.words[k];
  } else {
    const int back = static_cast<int>(word_bits) - shift;
    to[0] |= before.words[0] << shift;
    for (std::size_t k = 1; k < whole; ++k) to[k] |= before.words[k] << shift | before.words[k - 1] >> back;
    if (whole < after.words.size() - skip) to[whole] |= before.words[whole - 1] >> back;
  }
  return after;
}

/// Consecutive reachable sums, both ends included.
struct RunOfSums {
  std::uint64_t first;
  std::uint64_t last;
};

/// The longest run through a sum that is reachable.
RunOfSums run_through(const ReachableSums& sums, std::uint64_t through) {
  std::size_t k = through / word_bits;
  const Word upwards = ~sums.words[k] >> (through % word_bits);
  std::uint64_t last = through;
  if (upwards != 0) {
    last += static_cast<std::uint64_t>(std::countr_zero(upwards)) - 1;
  } else {
    while (++k < sums.words.size() && sums.words[k] == ~Word{0}) {
    }
    last = k * word_bits - 1;
    if (k < sums.words.size()) last += static_cast<std::uint64_t>(std::countr_one(sums.words[k]));
  }
  k = through / word_bits;
  const Word downwards = ~sums.words[k] << (word_bits - 1 - through % word_bits);
  std::uint64_t first = through;
  if (downwards != 0) {
    first -= static_cast<std::uint64_t>(std::countl_zero(downwards)) - 1;
  } else {
    while (k > 0 && sums.words[k - 1] == ~Word{0}) --k;
    first = k * word_bits;
    if (k > 0) first -= static_cast<std::uint64_t>(std::countl_one(sums.words[k - 1]));
  }
  return {first, last};
}

/// The search, from the lightest item on.
class IntervalSearch {
 public:
  IntervalSearch(std::span<const Item> descending, std::uint64_t target) : items_(descending), target_(target) {
    base_.emplace_back();
    base_[0].words[0] = 1;
  }

  std::optional<std::vector<std::uint32_t>> search() {
    std::size_t words = 1;
    while (base_items() < items_.size()) {
      const std::uint64_t weight = ascending(base_items());
      if (weight > target_) return std::nullopt;
      const std::uint64_t last = std::min(target_, base_.back().last + weight);
      words += last / word_bits + 1;
      if (last > largest_base_sum || words > most_words) return std::nullopt;
      base_.push_back(with_item(base_.back(), weight, last));
      const ReachableSums& sums = base_.back();
      if (last == target_ && sums.contains(target_)) return walk_back({target_, target_}, 0);
      // Sums lie symmetrically about the middle, and are densest there. A set cut at the target is looked at there
      // where its middle would be beyond.
      base_sum_ += weight;
      const std::uint64_t middle = std::min<std::uint64_t>(target_, base_sum_ / 2);
      if (!sums.contains(middle)) continue;
      const RunOfSums run = run_through(sums, middle);
      if (const auto items = items_to_extend(run)) return walk_back(run, *items);
    }
    return std::nullopt;
  }

 private:
  std::size_t base_items() const { return base_.size() - 1; }
  std::size_t position(std::size_t from_lightest) const { return items_.size() - 1 - from_lightest; }
  std::uint64_t ascending(std::size_t from_lightest) const { return items_[position(from_lightest)].weight; }

  /// How many items after the base, in ascending order, carry the run to the target; nothing when they do not.
  std::optional<std::size_t> items_to_extend(RunOfSums run) const {
    std::size_t next = base_items();
    while (run.last < target_) {
      if (next == items_.size() || ascending(next) > run.last - run.first + 1) return std::nullopt;
      run.last += ascending(next++);
    }
    return next - base_items();
  }

  std::vector<std::uint32_t> walk_back(RunOfSums run, std::size_t extension) const {
    std::vector<std::uint32_t> positions;
    std::uint64_t left = target_;
    // Taking an item when the run before it does not end below `left` is never needed, but it keeps the base's part
    // small; where it is needed, the run is at least as long as the item, so `left` stays within the run.
    for (std::size_t i = base_items() + extension; i-- > base_items();) {
      if (left < run.first + ascending(i)) continue;
      left -= ascending(i);
      positions.push_back(static_cast<std::uint32_t>(position(i)));
    }
    for (std::size_t i = base_items(); i-- > 0;) {
      if (left <= base_[i].last && base_[i].contains(left)) continue;
      left -= ascending(i);
      positions.push_back(static_cast<std::uint32_t>(position(i)));
    }
    return positions;
  }

  std::span<const Item> items_;
  std::uint64_t target_;
  std::uint64_t base_sum_ = 0;
  std::vector<ReachableSums> base_;  ///< base_[i]: what the i lightest items reach
};

}  // namespace

std::optional<std::vector<std::uint32_t>> reach_by_interval(std::span<const Item> descending, std::uint64_t target) {
  return IntervalSearch(descending, target).search();
}

}  // namespace clopt::subset_sum
