#include "few_numbers.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <vector>

namespace clopt::subset_sum {
namespace {

constexpr std::size_t most_in_half = FewNumbers::most_in_subset / 2;
constexpr double seconds_a_lookup = 1.2e-7;
constexpr double seconds_a_merged_sum = 2e-9;

using Places = std::array<std::uint16_t, most_in_half>;

/// The sum of some numbers, by their positions.
struct Part {
  std::int64_t sum;
  Places places;
};

struct BySum {
  bool operator()(const Part& one, const Part& other) const { return one.sum < other.sum; }
  bool operator()(const Part& one, std::int64_t sum) const { return one.sum < sum; }
  bool operator()(std::int64_t sum, const Part& one) const { return sum < one.sum; }
};

double choices(std::size_t from, std::size_t count) {
  double result = 1;
  for (std::size_t i = 0; i < count; ++i) result *= static_cast<double>(from - i) / static_cast<double>(i + 1);
  return from < count ? 0 : result;
}

/// Calls \p visit with each choice of `left` positions in [first, end), added to a part of `size` positions. \returns
/// false once \p visit does.
template <class Visit>
bool choose(std::span<const std::int64_t> numbers, std::size_t first, std::size_t end, std::size_t left, Part& part,
            std::size_t size, const Visit& visit) {
  if (left == 0) return visit(part);
  const auto sum = part.sum;
  for (auto i = first; i + left <= end; ++i) {
    part.sum = sum + numbers[i];
    part.places[size] = static_cast<std::uint16_t>(i);
    if (!choose(numbers, i + 1, end, left - 1, part, size + 1, visit)) return false;
  }
  part.sum = sum;
  return true;
}

}  // namespace

double FewNumbers::seconds(std::size_t numbers, std::size_t count) {
  if (count > most_in_subset || numbers > most_numbers) return std::numeric_limits<double>::infinity();
  const auto first = count / 2;
  return choices(numbers, count - first) * seconds_a_lookup +
         static_cast<double>(numbers) * choices(numbers, first) * seconds_a_merged_sum;
}

double FewNumbers::bytes(std::size_t numbers, std::size_t count) {
  return 2 * sizeof(Part) * choices(numbers, count / 2);
}

// Calls \p visit with the sorted first halves below a position and a second half that begins there.
template <class Visit>
bool FewNumbers::for_each(const Visit& visit) {
  const auto first_size = count_ / 2;
  const auto second_size = count_ - first_size;
  std::vector<Part> firsts;
  std::vector<Part> fresh;
  std::vector<Part> merged;
  if (first_size == 0) firsts.push_back({});
  std::uint32_t visits = 0;
  for (std::size_t at = 0; at + second_size <= numbers_.size(); ++at) {
    if (watch_.expired()) return false;
    Part second{numbers_[at], {}};
    second.places[0] = static_cast<std::uint16_t>(at);
    bool goes = true;
    const bool all =
        firsts.empty() || choose(numbers_, at + 1, numbers_.size(), second_size - 1, second, 1, [&](const Part& part) {
          constexpr std::uint32_t between_looks = 1 << 14;
          goes = ++visits % between_looks != 0 || !watch_.expired();
          return goes && visit(firsts, part);
        });
    if (!goes) return false;
    if (!all) return true;
    if (first_size == 0) continue;
    fresh.clear();
    Part first{numbers_[at], {}};
    first.places[0] = static_cast<std::uint16_t>(at);
    choose(numbers_, 0, at, first_size - 1, first, 1, [&](const Part& part) {
      fresh.push_back(part);
      return true;
    });
    std::sort(fresh.begin(), fresh.end(), BySum());
    merged.clear();
    merged.reserve(firsts.size() + fresh.size());
    std::merge(firsts.begin(), firsts.end(), fresh.begin(), fresh.end(), std::back_inserter(merged), BySum());
    firsts.swap(merged);
  }
  return true;
}

bool FewNumbers::list(std::int64_t sum, SubsetList& subsets) {
  if (count_ == 0) {
    if (sum == 0) subsets.add({});
    return true;
  }
  const auto first_size = count_ / 2;
  return for_each([&](const std::vector<Part>& firsts, const Part& second) {
    const auto [begin, end] = std::equal_range(firsts.begin(), firsts.end(), sum - second.sum, BySum());
    for (auto each = begin; each != end; ++each) {
      Subset subset(each->places.begin(), each->places.begin() + static_cast<std::ptrdiff_t>(first_size));
      subset.insert(subset.end(), second.places.begin(),
                    second.places.begin() + static_cast<std::ptrdiff_t>(count_ - first_size));
      subsets.add(std::move(subset));
      if (subsets.is_full()) return false;
    }
    return true;
  });
}

bool FewNumbers::best(std::int64_t capacity, std::optional<std::int64_t>& sum) {
  if (count_ == 0) {
    if (capacity >= 0) sum = 0;
    return true;
  }
  return for_each([&](const std::vector<Part>& firsts, const Part& second) {
    const auto above = std::upper_bound(firsts.begin(), firsts.end(), capacity - second.sum, BySum());
    if (above == firsts.begin()) return true;
    sum = std::max(sum.value_or(std::numeric_limits<std::int64_t>::min()), std::prev(above)->sum + second.sum);
    return *sum != capacity;
  });
}

}  // namespace clopt::subset_sum
