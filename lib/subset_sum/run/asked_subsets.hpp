/// \file
/// Problems of amounts that ask for more than the largest sum within the capacity.
#pragma once

#include <clopt/subset_sum.hpp>

#include <functional>

namespace clopt::subset_sum {

/// Checks the options that only problems of amounts have. \throws InvalidInput.
void check_question(const Amounts& amounts, const Options& options);

/// Whether the answer is another one than the largest sum within the capacity, with any subset.
bool asks_for_more(const Amounts& amounts, const Options& options);

/// The largest sum within a capacity, with any subset.
using SolvePlain =
    std::function<AmountsResult(const Amounts& amounts, const Options& options, const RunControl& control)>;

/// solve() where asks_for_more().
AmountsResult solve_asked(const Amounts& amounts, const Options& options, const RunControl& control,
                          const SolvePlain& solve_plain);

/// The checksum of an answer: of its value and indices, and of all subsets that are listed.
std::uint64_t checksum_of(const AmountsResult& answer);

}  // namespace clopt::subset_sum
