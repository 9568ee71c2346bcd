/// \file
/// Dynamic programming over the capacities of a knapsack, on a device.
#pragma once

#include <clopt/device.hpp>
#include <clopt/run.hpp>

#include <cstdint>

#include <subset_sum/knapsack/knapsack.hpp>

namespace clopt::subset_sum {

/// The items of a knapsack on a device, one launch an item over all capacities as by the paper's method k1, whose
/// vector holds the most profit within each capacity. What to take is found by halves of the items: where the sum of
/// both halves' profits is the largest, the capacity is divided (Hirschberg 1975), so that two vectors suffice and the
/// work is twice that of the profit alone.
/// \throws InvalidInput where the device has too little memory, with the sizes; DeviceError where it fails, or where
/// the
///         items that are taken have not the profit that was found.
Packed sweep_profits(const Knapsack& knapsack, const KnapsackLimits& limits, Device& device, const Watch& watch);

/// Capacities times items of such a sweep, recovery included.
double sweep_steps(const Knapsack& knapsack);

}  // namespace clopt::subset_sum
