/// \file
/// Sweeps over the sums that are reached, in place of all capacities.
#pragma once

#include <clopt/run.hpp>
#include <subset_sum/reduction/reduced_problem.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace clopt {
class Device;
}

namespace clopt::subset_sum {

/// What the first items reach, ascending, each sum with the item that reaches it first: g of chapter 3.5.1 without the
/// capacities that are not reached. Those that later items cannot bring to a sum that is wanted may be missing.
struct NamedSums {
  std::size_t items = 0;             ///< that were taken
  std::vector<std::uint64_t> sums;   ///< ascending
  std::vector<std::uint32_t> first;  ///< items, from 1

  /// 0 for the empty sum and for one that is missing.
  std::uint32_t first_item(std::uint64_t sum) const;
};

/// What a sparse sweep may take.
struct SparseLimits {
  std::uint64_t most_sums;  ///< in the list at a time, at least 1
  /// Capacities that a sweep with a bit for each takes in the time that a list takes for a sum. On one thread of a
  /// server, a list merges 1.5e8 sums a second and 1.5e11 capacities are swept.
  std::uint64_t capacities_a_sum = 512;
};

/// The sweep that continues after the sums of the first items.
using Continue = std::function<Found(const NamedSums& known)>;

/// The methods k1 to k3 on a list: an item merges the ascending list of the sums that matter (chapter 4.2) with itself,
/// moved up by the weight, and gives its name to new sums. O(sums) an item, whatever the capacity.
/// \param dense how to continue where the list has become denser than a vector of bits, or has no room any more; null
///        where the capacities do not fit anywhere. The subset is the one that g gives.
/// \throws DeviceError, InternalError, and InvalidInput with the sizes where sums have no room and `dense` is null.
Found sweep_sparsely(const ReducedProblem& reduced, Device& device, const Watch& watch, const SparseLimits& limits,
                     const Continue& dense);

/// Sums for which a device has room, and the host for the walk back.
std::uint64_t sums_that_fit(const Device& device);

}  // namespace clopt::subset_sum
