/// \file
/// Objectives as the solver uses them.
#pragma once

#include <clopt/objective.hpp>

#include <cstdint>

namespace clopt::ecga {

/// What an objective's length must be a multiple of: the order of traps, else 1.
std::uint32_t block_length(const Objective& objective);

}  // namespace clopt::ecga
