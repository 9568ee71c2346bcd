#include "half_lists.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace clopt::subset_sum {
namespace {

constexpr double seconds_a_sum = 2e-8;

}  // namespace

double HalfLists::seconds(std::size_t numbers) {
  if (numbers > most_numbers) return std::numeric_limits<double>::infinity();
  return std::ldexp(seconds_a_sum, static_cast<int>(numbers - numbers / 2)) * static_cast<double>(numbers);
}

double HalfLists::bytes(std::size_t numbers) {
  // Both halves, and the longest list once more.
  return std::ldexp(3 * sizeof(Part), static_cast<int>(numbers - numbers / 2));
}

bool HalfLists::make(std::span<const std::int64_t> numbers, Lists& lists, const Watch& watch) {
  lists = {{{0, 0}}};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    lists.emplace_back();
    for (auto count = i + 1; count > 0; --count) {
      if (watch.expired()) return false;
      auto with = lists[count - 1];
      for (auto& part : with) {
        part.sum += numbers[i];
        part.mask |= std::uint32_t{1} << i;
      }
      std::vector<Part> merged;
      merged.reserve(with.size() + lists[count].size());
      std::merge(lists[count].begin(), lists[count].end(), with.begin(), with.end(), std::back_inserter(merged),
                 [](const Part& one, const Part& other) { return one.sum < other.sum; });
      lists[count] = std::move(merged);
    }
  }
  return true;
}

bool HalfLists::make(const Watch& watch) {
  const auto half = numbers_.size() / 2;
  return make(numbers_.first(half), firsts_, watch) && make(numbers_.subspan(half), seconds_, watch);
}

template <class Visit>
bool HalfLists::for_each(std::size_t count, const Visit& visit) const {
  for (std::size_t first = 0; first < firsts_.size() && first <= count; ++first)
    if (count - first < seconds_.size() && !visit(firsts_[first], seconds_[count - first])) return false;
  return true;
}

Subset HalfLists::subset_of(const Part& first, const Part& second) const {
  const auto half = numbers_.size() / 2;
  Subset subset;
  for (std::size_t i = 0; i < numbers_.size(); ++i)
    if (i < half ? first.mask >> i & 1 : second.mask >> (i - half) & 1) subset.push_back(i);
  return subset;
}

bool HalfLists::list(std::int64_t sum, std::size_t count, SubsetList& subsets, const Watch& watch) const {
  return for_each(count, [&](const std::vector<Part>& firsts, const std::vector<Part>& seconds) {
    auto first = firsts.begin();
    auto last = seconds.end();
    while (first != firsts.end() && last != seconds.begin() && !subsets.is_full()) {
      const auto found = first->sum + std::prev(last)->sum;
      if (found > sum) {
        --last;
      } else if (found < sum) {
        ++first;
      } else {
        for (auto each = last; each != seconds.begin() && std::prev(each)->sum == sum - first->sum; --each) {
          subsets.add(subset_of(*first, *std::prev(each)));
          if (subsets.is_full()) break;
        }
        ++first;
      }
    }
    return !watch.expired();
  });
}

bool HalfLists::best(std::int64_t capacity, std::size_t count, std::optional<std::int64_t>& sum,
                     const Watch& watch) const {
  return for_each(count, [&](const std::vector<Part>& firsts, const std::vector<Part>& seconds) {
    auto last = seconds.end();
    for (const auto& first : firsts) {
      while (last != seconds.begin() && first.sum + std::prev(last)->sum > capacity) --last;
      if (last == seconds.begin()) break;
      sum = std::max(sum.value_or(std::numeric_limits<std::int64_t>::min()), first.sum + std::prev(last)->sum);
    }
    return !watch.expired();
  });
}

}  // namespace clopt::subset_sum
