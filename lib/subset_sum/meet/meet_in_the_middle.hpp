/// \file
/// Meet in the middle (Horowitz and Sahni, Journal of the ACM 21(2), 1974): for few items of any weight.
#pragma once

#include <clopt/run.hpp>
#include <clopt/shard.hpp>

#include <optional>

#include <subset_sum/reduction/reduced_problem.hpp>
#include <support/numbers/uint128.hpp>

namespace clopt {
class Device;
}

namespace clopt::subset_sum {

/// The memory that meet_in_the_middle may take, in bytes.
inline constexpr std::uint64_t meet_in_the_middle_memory = std::uint64_t{2} << 30;

/// What meet_in_the_middle needs for a reduced problem: at most 2^(n/2) sums a half, fewer where weights are small.
struct MeetInTheMiddleNeed {
  Uint128 sums = 0;       ///< in both halves together, at most
  Uint128 bytes = 0;      ///< at most; above meet_in_the_middle_memory the method refuses the reduced problem
  bool streamed = false;  ///< whether it goes through four_lists()
};
MeetInTheMiddleNeed meet_in_the_middle_need(const ReducedProblem& reduced);

/// Lists the subset sums of the heavier half of the items and of the lighter half, both ascending, and meets from both
/// ends. Time and space O(2^(n/2)). Of all subsets with the best sum it gives the one that recover() gives.
/// Sums too large for any sweep go through four_lists() on the device, with space O(2^(n/4)); lists stay on the host.
/// \param parts as Options::range; only four_lists() can be divided.
/// \throws InvalidInput for a reduced problem that does not fit, with its sizes.
Found meet_in_the_middle(const ReducedProblem& reduced, Device& device, const Watch& watch,
                         const std::optional<WorkRange>& parts = std::nullopt);

}  // namespace clopt::subset_sum
