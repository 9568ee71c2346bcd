/// \file
/// Reading descriptions such as "mesh:4x4" strictly.
#pragma once

#include <clopt/error.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clopt::exchange {

/// The number that a text is, of digits only; none where it is anything else or does not fit.
std::optional<std::uint64_t> number_of(std::string_view text);

/// The parts of a text between separators; one empty part for an empty text.
std::vector<std::string_view> split(std::string_view text, char separator);

}  // namespace clopt::exchange
