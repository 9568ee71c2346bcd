/// \file
/// Meet in the middle with little memory: four lists (Schroeppel and Shamir, SIAM Journal on Computing 10(3), 1981),
/// streamed by ranges of sums through caches and local memory in place of priority queues.
#pragma once

#include <clopt/run.hpp>
#include <clopt/shard.hpp>

#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include <subset_sum/reduction/reduced_problem.hpp>
#include <support/numbers/uint128.hpp>

namespace clopt {
class Device;
}

namespace clopt::subset_sum {

/// How the work is cut for a device. The answer does not depend on it.
struct FourListsShape {
  std::uint32_t outer_items = 10;         ///< items of a half in its outer list, at most half of them
  std::uint32_t ranges = 1;               ///< ranges of sums that are searched at a time
  std::uint32_t group_size = 256;         ///< work-items for a range, a power of two
  std::uint32_t lane_bits = 0;            ///< 2^lane_bits work-items go through an inner list together
  std::uint32_t sums_a_slice = 1U << 13;  ///< sums of a half that are held against each other, about
  std::uint32_t filter_bits = 17;         ///< 2^filter_bits bits mark the values that were met
  std::uint32_t kept = 512;               ///< values that pass the filter, at most
  std::uint32_t sums_an_item = 128;       ///< sums of a half for a work-item in one slice, at most
};
FourListsShape four_lists_shape(const Device& device);

/// What four_lists needs on a device for a reduced problem of at most 64 items, in bytes.
Uint128 four_lists_bytes(const ReducedProblem& reduced, const FourListsShape& shape);

/// A pair of sums: what it leaves of the capacity, and the first half's sum. The lesser one is the better one.
struct SumPair {
  std::uint64_t slack = 0;
  std::uint64_t x = 0;
  auto operator<=>(const SumPair&) const = default;
};

/// The search of four_lists() for the best pair, in some parts of the sums x after others. It refers to reduced problem
/// and device.
class PairSearch {
 public:
  /// Called between rounds with the best pair so far; returns the best one that others have found, or none.
  using Compare = std::function<std::optional<SumPair>(const std::optional<SumPair>& best)>;

  PairSearch(const ReducedProblem& reduced, Device& device, const FourListsShape& shape);
  ~PairSearch();
  PairSearch(const PairSearch&) = delete;
  PairSearch& operator=(const PairSearch&) = delete;

  /// \returns whether these parts have no better pair than best(); false where the run must end before.
  bool run(const WorkRange& parts, const Watch& watch, const Compare& compare = {});
  /// The best pair so far, found here or passed by Compare; none while none is as good as what was known before.
  std::optional<SumPair> best() const;
  std::uint64_t launches() const;

 private:
  class Inside;
  std::unique_ptr<Inside> inside_;
};

/// Whether all items together are within the capacity, so that there is no pair to be searched for.
bool is_trivial(const ReducedProblem& reduced);
/// The answer to a reduced problem. O(2^(n/4)). \param best the best pair; none: none is as good as what was known
/// before. \param is_certain whether all pairs, or all in these parts, were considered. \param parts as four_lists()
/// has them. \throws InternalError where there must be a pair.
Found answer_of(const ReducedProblem& reduced, const std::optional<SumPair>& best, bool is_certain,
                const std::optional<WorkRange>& parts);
/// What the sum of a pair is as the reduced problem counts it.
std::uint64_t sum_of_reduced(const ReducedProblem& reduced, const SumPair& pair);

/// Splits the items into halves and each half into two lists of subset sums. The sums x of the first half are made
/// range by range, ascending, slice by slice, and held against those sums y of the second half that bring them near the
/// capacity. They are not sorted but filtered against each other by hashed bits of their values, which leaves few once
/// a good sum is known. Time O(2^(n/2)); O(2^(n/4)) values are held, or 2^(n/2 - 10) on a device that takes few outer
/// sums.
///
/// Of all pairs with the best sum the one with the least x is taken, of its subsets and those of y the ones whose outer
/// sums are least in lists of equal numbers of items, and of the subsets of one sum the least as a number: one subset,
/// on every device.
/// \throws DeviceError where the device fails, InvalidInput for lists that it cannot hold, InternalError.
Found four_lists(const ReducedProblem& reduced, Device& device, const Watch& watch);
/// \param parts of the sums x, of meet_parts equal ones; the best pair of these is Found::pair, and where they have
/// none that is as good as what was known before, the answer is not complete.
Found four_lists(const ReducedProblem& reduced, Device& device, const Watch& watch, const FourListsShape& shape,
                 const std::optional<WorkRange>& parts = std::nullopt);

}  // namespace clopt::subset_sum
