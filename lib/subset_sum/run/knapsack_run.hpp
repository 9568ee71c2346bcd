/// \file
/// The run of a knapsack: which method decides it.
#pragma once

#include <clopt/subset_sum.hpp>

#include <memory>
#include <span>

#include <subset_sum/knapsack/knapsack.hpp>

namespace clopt::subset_sum {

/// Whether amounts are a knapsack.
inline bool is_knapsack(const Amounts& amounts) { return !amounts.profits.empty(); }

/// \throws InvalidInput for profits or options that a knapsack does not have.
void check_knapsack(const Amounts& amounts, const Options& options);

/// solve() of a knapsack.
AmountsResult solve_knapsack(const Amounts& amounts, const Options& options,
                             std::span<const std::shared_ptr<Device>> devices, const RunControl& control,
                             const KnapsackLimits& limits = {});

}  // namespace clopt::subset_sum
