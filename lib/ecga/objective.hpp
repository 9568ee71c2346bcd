/// \file
/// The objectives that are named by text.
#pragma once

#include <cstdint>
#include <string_view>

namespace clopt::ecga {

/// The order of the traps that a name says: "trap5" is 5, "onemax" is 1.
/// \throws InvalidInput for any other name.
std::uint32_t trap_order(std::string_view name);

}  // namespace clopt::ecga
