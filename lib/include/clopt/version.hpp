/// \file
#pragma once

#include <string_view>

namespace clopt {

/// The library's version, as `clopt --version` prints it.
std::string_view version();

}  // namespace clopt
