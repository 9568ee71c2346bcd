/// What the kernels of kernels_cl/common/subgroup_test.cl must write, computed lane by lane in plain C++.
///
/// Shares no code with the kernels: the definitions in the heading of common/subgroup.cl are followed here a second
/// time. The layout of values and results, and the meaning of each row, stand in subgroup_test.cl.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace clopt::test {

inline constexpr std::size_t kSubgroupFunctionRows = 41;
inline constexpr std::size_t kSubgroupVoteRows = 13;
inline constexpr std::array<std::uint32_t, 10> kSubgroupOffsets = {0, 1, 2, 3, 4, 8, 16, 32, 63, 100};

/// What a row of subgroup_functions_T is, for the message of a failed comparison.
inline std::string subgroup_function_row_name(std::size_t row) {
  static const std::array<const char*, 10> names = {"shuffle",
                                                    "shuffle reversed",
                                                    "broadcast of the first lane",
                                                    "broadcast of the middle lane",
                                                    "broadcast of the last lane",
                                                    "reduce add",
                                                    "reduce min",
                                                    "reduce max",
                                                    "inclusive scan",
                                                    "exclusive scan"};
  static const std::array<const char*, 3> shuffles = {"shuffle xor ", "shuffle up ", "shuffle down "};
  if (row < names.size()) return names[row];
  if (row == 40) return "shuffle in a loop";
  return shuffles.at(row / 10 - 1) + std::to_string(kSubgroupOffsets[row % 10]);
}

/// What a row of subgroup_votes is.
inline std::string subgroup_vote_row_name(std::size_t row) {
  static const std::array<const char*, kSubgroupVoteRows> names = {"size",
                                                                   "lane",
                                                                   "index",
                                                                   "count",
                                                                   "width",
                                                                   "ballot",
                                                                   "ballot of true",
                                                                   "any",
                                                                   "any of false",
                                                                   "all",
                                                                   "all of true",
                                                                   "any by the last lane",
                                                                   "all but the last lane"};
  return names.at(row);
}

namespace subgroup_oracle {

/// The bits of a result, extended with zeros.
template <class T>
std::uint64_t bits_of(T value) {
  if constexpr (sizeof(T) == 4) {
    return std::bit_cast<std::uint32_t>(value);
  } else {
    return std::bit_cast<std::uint64_t>(value);
  }
}

/// The argument of type T in a word of the kernel's input.
template <class T>
T argument(std::uint64_t word) {
  if constexpr (std::is_same_v<T, float>) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(word >> 32));
  } else if constexpr (sizeof(T) == 4) {
    return std::bit_cast<T>(static_cast<std::uint32_t>(word));
  } else {
    return std::bit_cast<T>(word);
  }
}

/// Integers wrap around.
template <class T>
T add(T left, T right) {
  if constexpr (std::is_integral_v<T>) {
    using Unsigned = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<Unsigned>(left) + static_cast<Unsigned>(right));
  } else {
    return left + right;
  }
}

/// The tree over neighbours: the left half holds a power of two of lanes, the right half the rest.
template <class T, class Combine>
T tree(std::span<const T> lanes, Combine combine) {
  if (lanes.size() == 1) return lanes[0];
  const std::size_t half = std::bit_ceil(lanes.size()) / 2;
  return combine(tree(lanes.first(half), combine), tree(lanes.subspan(half), combine));
}

/// The inclusive sum of lane `last` over `span` lanes (fewer at the beginning), as Kogge and Stone's scan adds them:
/// the earlier half of the lanes, then the later half.
template <class T>
T scan(std::span<const T> lanes, std::size_t last, std::size_t span) {
  if (span == 1) return lanes[last];
  const T later = scan(lanes, last, span / 2);
  return last < span / 2 ? later : add(scan(lanes, last - span / 2, span / 2), later);
}

/// Calls visit(first item, size) for each sub-group of each work-group.
template <class Visit>
void for_each_subgroup(std::size_t items, std::size_t group_size, std::size_t width, Visit visit) {
  for (std::size_t group = 0; group < items; group += group_size) {
    for (std::size_t first = 0; first < group_size; first += width) {
      visit(group + first, std::min(width, group_size - first));
    }
  }
}

}  // namespace subgroup_oracle

/// The results of subgroup_functions_T. The number of values must be a multiple of the group size.
template <class T>
std::vector<std::uint64_t> subgroup_functions(std::span<const std::uint64_t> values, std::size_t group_size,
                                              std::size_t width) {
  namespace oracle = subgroup_oracle;
  const std::size_t items = values.size();
  std::vector<std::uint64_t> results(kSubgroupFunctionRows * items);
  oracle::for_each_subgroup(items, group_size, width, [&](std::size_t first, std::size_t size) {
    std::vector<T> lanes;
    for (std::size_t lane = 0; lane < size; ++lane) lanes.push_back(oracle::argument<T>(values[first + lane]));
    const std::span<const T> all(lanes);

    for (std::size_t lane = 0; lane < size; ++lane) {
      const auto write = [&](std::size_t row, T value) {
        results[row * items + first + lane] = oracle::bits_of(value);
      };
      const auto from = [&](std::size_t source) { return source < size ? lanes[source] : lanes[lane]; };

      write(0, from((values[first + lane] >> 8) % 64));
      write(1, from(size - 1 - lane));
      write(2, from(0));
      write(3, from(size / 2));
      write(4, from(size - 1));
      write(5, oracle::tree(all, [](T left, T right) { return oracle::add(left, right); }));
      write(6, oracle::tree(all, [](T left, T right) { return std::min(left, right); }));
      write(7, oracle::tree(all, [](T left, T right) { return std::max(left, right); }));
      write(8, oracle::scan(all, lane, std::bit_ceil(size)));
      write(9, lane == 0 ? T{0} : oracle::scan(all, lane - 1, std::bit_ceil(size)));
      for (std::size_t i = 0; i < kSubgroupOffsets.size(); ++i) {
        const std::size_t offset = kSubgroupOffsets[i];
        write(10 + i, from(lane ^ offset));
        write(20 + i, offset <= lane ? lanes[lane - offset] : lanes[lane]);
        write(30 + i, from(lane + offset));
      }
      write(40, from((lane + 3 + items % 5) % size));
    }
  });
  return results;
}

/// The results of subgroup_votes.
inline std::vector<std::uint64_t> subgroup_votes(std::span<const std::uint64_t> values, std::size_t group_size,
                                                 std::size_t width) {
  const std::size_t items = values.size();
  std::vector<std::uint64_t> results(kSubgroupVoteRows * items);
  subgroup_oracle::for_each_subgroup(items, group_size, width, [&](std::size_t first, std::size_t size) {
    std::uint64_t some_bits = 0;
    std::uint64_t all_bits = 0;
    bool any = false;
    bool all = true;
    for (std::size_t lane = 0; lane < size; ++lane) {
      const std::uint64_t word = values[first + lane];
      all_bits |= std::uint64_t{1} << lane;
      if ((word & 6) != 0) some_bits |= std::uint64_t{1} << lane;
      any = any || (word & 0x700) == 0;
      all = all && (word & 0x700) != 0;
    }
    for (std::size_t lane = 0; lane < size; ++lane) {
      const std::array<std::uint64_t, kSubgroupVoteRows> rows = {size,
                                                                 lane,
                                                                 first % group_size / width,
                                                                 (group_size + width - 1) / width,
                                                                 width,
                                                                 some_bits,
                                                                 all_bits,
                                                                 any,
                                                                 0,
                                                                 all,
                                                                 1,
                                                                 1,
                                                                 0};
      for (std::size_t row = 0; row < rows.size(); ++row) results[row * items + first + lane] = rows[row];
    }
  });
  return results;
}

}  // namespace clopt::test
