/// \file
/// What all numbers are like, and when floats would lose digits that matter.
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "options.hpp"

namespace clopt::fit {
namespace {

// Numbers that a thread looks through at a time.
constexpr std::size_t numbers_of_part = std::size_t{1} << 15;

/// What was seen of some numbers, before any: none.
struct Seen {
  Extent extent{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  bool has_gaps = false;
};

/// Numbers of each lane in turn, which compilers make vectors of.
template <class T>
struct Lanes {
  static constexpr std::size_t count = 16;
  using Flag = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  std::array<T, count> least;
  std::array<T, count> most;
  std::array<Flag, count> gaps{};

  Lanes() {
    least.fill(std::numeric_limits<T>::infinity());
    most.fill(-std::numeric_limits<T>::infinity());
  }
  void take(std::size_t lane, T number) {
    const bool is_finite = std::abs(number) <= std::numeric_limits<T>::max();
    const T low = is_finite ? number : std::numeric_limits<T>::infinity();
    const T high = is_finite ? number : -std::numeric_limits<T>::infinity();
    least[lane] = low < least[lane] ? low : least[lane];
    most[lane] = high > most[lane] ? high : most[lane];
    gaps[lane] |= Flag{std::isnan(number)};
  }
};

template <class T>
Seen look_through(std::span<const T> numbers) {
  Lanes<T> lanes;
  std::size_t i = 0;
  for (; i + lanes.count <= numbers.size(); i += lanes.count)
    for (std::size_t lane = 0; lane < lanes.count; ++lane) lanes.take(lane, numbers[i + lane]);
  for (; i < numbers.size(); ++i) lanes.take(i % lanes.count, numbers[i]);
  return {{*std::min_element(lanes.least.begin(), lanes.least.end()),
           *std::max_element(lanes.most.begin(), lanes.most.end())},
          std::any_of(lanes.gaps.begin(), lanes.gaps.end(), [](auto gap) { return gap != 0; })};
}

Seen look_through(const SharedNumbers& numbers, ThreadTeam& threads) {
  std::vector<Seen> parts((numbers.size() + numbers_of_part - 1) / numbers_of_part);
  numbers.visit([&](const auto& all) {
    threads.run(parts.size(), [&](std::size_t part) {
      const auto first = part * numbers_of_part;
      parts[part] = look_through(all.subspan(first, std::min(numbers_of_part, all.size() - first)));
    });
  });
  Seen whole;
  for (const auto& [extent, has_gaps] : parts) {
    whole.extent.least = std::min(whole.extent.least, extent.least);
    whole.extent.most = std::max(whole.extent.most, extent.most);
    whole.has_gaps = whole.has_gaps || has_gaps;
  }
  if (whole.extent.least > whole.extent.most) whole.extent = {};
  return whole;
}

double largest(const Extent& extent) { return std::max(std::abs(extent.least), std::abs(extent.most)); }

/// Whether floats distinguish numbers to a part of the whole. A float has 24 bits.
bool is_fine_in_floats(const Extent& extent, double part) {
  return largest(extent) == 0 || extent.most == extent.least ||
         largest(extent) * 0x1p-24 <= (extent.most - extent.least) * part;
}

/// Squares of numbers in this range, times one another, are floats.
bool has_moderate_size(const Extent& extent) {
  const double size = largest(extent);
  return size == 0 || (size > 1e-15 && size < 1e15);
}

}  // namespace

Survey survey(const Problem& problem, ThreadTeam& threads) {
  const auto data = look_through(problem.data, threads);
  return {data.extent, look_through(problem.abscissa, threads).extent, data.has_gaps};
}

Precision precision_of(const Survey& numbers, const Options& options) {
  if (options.precision != "auto") return {options.precision == "double", "precision was chosen"};
  const auto& [data, places, has_gaps] = numbers;
  if (!has_moderate_size(data) || !has_moderate_size(places))
    return {true, "in double: the data's squares are beyond the range of floats"};
  if (!is_fine_in_floats(places, 0x1p-16)) return {true, "in double: floats would not distinguish places"};
  if (!is_fine_in_floats(data, 0x1p-12)) return {true, "in double: floats would not distinguish data"};
  return {false, "in float: it has all digits that matter"};
}

}  // namespace clopt::fit
