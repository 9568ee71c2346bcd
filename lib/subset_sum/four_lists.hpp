/// \file
/// Meet in the middle with little memory: four lists (Schroeppel and Shamir, SIAM Journal on Computing 10(3), 1981),
/// streamed by ranges of sums through the cache in place of priority queues.
#pragma once

#include <clopt/run.hpp>

#include "../support/wide.hpp"
#include "plan.hpp"

namespace clopt::subset_sum {

/// What four_lists needs for a plan of at most 64 items.
Wide four_lists_bytes(const Plan& plan);

/// Splits the items into halves and each half into two lists of subset sums. The sums of one half are made a range of
/// values at a time, ascending, those of the other half descending, so that only the sums of both ranges can make the
/// capacity. They are not sorted but filtered against each other by hashed bits of their values, which leaves few once
/// a good sum is known. Time O(2^(n/2)), space O(2^(n/4)). Any subset with the best sum is given, the same one always.
Found four_lists(const Plan& plan, const Watch& watch);

/// The same with ranges of about so many sums, to test it on few items.
Found four_lists(const Plan& plan, const Watch& watch, std::size_t sums_a_range);

}  // namespace clopt::subset_sum
