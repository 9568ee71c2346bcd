/// \file
/// The version of clopt: of these headers by macros, and of the library that a program runs with by version().
#pragma once

#include <clopt/export.hpp>

#include <string_view>

// The build takes the project's version from these three lines.
#define CLOPT_VERSION_MAJOR 0
#define CLOPT_VERSION_MINOR 2
#define CLOPT_VERSION_PATCH 0

/// As one number, for comparisons: 10203 is 1.2.3.
#define CLOPT_VERSION (CLOPT_VERSION_MAJOR * 10000 + CLOPT_VERSION_MINOR * 100 + CLOPT_VERSION_PATCH)

#define CLOPT_VERSION_TEXT_OF_2(major, minor, patch) #major "." #minor "." #patch
#define CLOPT_VERSION_TEXT_OF(major, minor, patch) CLOPT_VERSION_TEXT_OF_2(major, minor, patch)
/// As a text: "1.2.3".
#define CLOPT_VERSION_STRING CLOPT_VERSION_TEXT_OF(CLOPT_VERSION_MAJOR, CLOPT_VERSION_MINOR, CLOPT_VERSION_PATCH)

namespace clopt {

/// The library's version, as `clopt --version` prints it.
CLOPT_API std::string_view version();

}  // namespace clopt
