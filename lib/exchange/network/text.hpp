/// \file
/// Reading descriptions such as "mesh:4x4" strictly.
#pragma once

#include <clopt/detail/numbers.hpp>
#include <clopt/error.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace clopt::exchange {

/// The parts of a text between separators; one empty part for an empty text.
std::vector<std::string_view> split(std::string_view text, char separator);

}  // namespace clopt::exchange
