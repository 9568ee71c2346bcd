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

/// The same from a handler of a signal, where no lock can be taken: as much as one write(2) takes.
CLOPT_API void write_stream_in_handler(int number, std::string_view text) noexcept;

/// For backends: while one of these lives, and hide_driver_output() was called, what is written to the file descriptors
/// 1 and 2 goes to a file in memory. Threads may have one each: the first redirects, the last restores and logs the
/// text under the topic `build`. The driver runs without any lock of ours, so that one that hangs blocks no other
/// thread.
class CLOPT_API DriverOutput {
 public:
  DriverOutput();
  ~DriverOutput();
  DriverOutput(const DriverOutput&) = delete;
  DriverOutput& operator=(const DriverOutput&) = delete;

  /// Whether output is hidden at all: else there is nothing to wait for.
  static bool hides();

 private:
  bool active_;
};

}  // namespace clopt
