/// \file
/// Standard output and error, and what drivers print there.
#pragma once

#include <clopt/export.hpp>

#include <string_view>

namespace clopt {

/// Hides what drivers print: from now on, while a driver looks for devices, builds a kernel or runs one for the first
/// time, this process's standard output and error lead into a file in memory, whose text CLOPT_LOG=build shows.
/// For programs that write to both streams by write_stream() only: what other code writes meanwhile is hidden with it.
/// A library that only uses clopt leaves it alone.
CLOPT_API void hide_driver_output();

/// Writes a text, whole, to standard output (1) or error (2), also while a driver's output is hidden.
/// \returns 0, or the system's error number.
CLOPT_API int write_stream(int number, std::string_view text);

}  // namespace clopt
