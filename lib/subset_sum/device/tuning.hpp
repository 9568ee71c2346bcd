/// \file
/// The speeds that were measured on a device, remembered between runs.
#pragma once

#include "cost.hpp"

namespace clopt::subset_sum {

/// What tune() measured on a device, else the built-in figures.
Speeds speeds_of(const Device& device);

}  // namespace clopt::subset_sum
