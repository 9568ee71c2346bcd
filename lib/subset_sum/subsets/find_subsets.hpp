/// \file
/// Subsets with a sum: the smallest ones, those of a count, all of them. On the host, by what takes the least time.
#pragma once

#include <clopt/run.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "subset_list.hpp"

namespace clopt::subset_sum {

/// Numbers whose magnitudes add up to less than this.
inline constexpr std::int64_t most_magnitude = std::int64_t{1} << 61;

/// Which subsets have the sum that is asked for.
struct SubsetsQuestion {
  std::vector<std::int64_t> numbers;   ///< none is 0; their magnitudes add up to less than most_magnitude
  std::int64_t sum = 0;                ///< of a subset
  bool fewest = false;                 ///< those of the least count
  std::optional<std::size_t> count{};  ///< those of a count
  std::size_t most = 1;                ///< that are listed
};

/// What was found.
struct SubsetsAnswer {
  bool is_complete = false;     ///< else the members below are empty
  std::string way;              ///< "lists of few numbers", "lists of halves" or "table"
  std::string reason;           ///< why it is not complete: time, or the sizes; else empty
  std::vector<Subset> subsets;  ///< in the order of their positions
  bool has_more = false;        ///< than were to be listed
};

/// Finds subsets with a sum. \param bytes of memory that may be taken.
SubsetsAnswer find_subsets(const SubsetsQuestion& question, double bytes, const Watch& watch);

/// The largest sum of `count` numbers that is at most a capacity.
struct CountAnswer {
  bool is_complete = false;
  std::string way;
  std::string reason;
  std::optional<std::int64_t> sum;  ///< none: all sums of that many numbers are larger
};
CountAnswer best_sum_of_count(const std::vector<std::int64_t>& numbers, std::size_t count, std::int64_t capacity,
                              double bytes, const Watch& watch);

}  // namespace clopt::subset_sum
