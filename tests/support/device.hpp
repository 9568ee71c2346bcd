/// \file
/// The device that a test runs on.
#pragma once

#include <clopt/devices.hpp>

#include <cstdlib>
#include <memory>
#include <string>

namespace clopt::test {

/// The device that the environment's CLOPT_TEST_DEVICE names, by default OpenMP's; opened once, and trusted, since
/// tests are there to judge it.
inline Device& device() {
  // Never released: at the end of the process, drivers may be gone before the last statics are.
  static const auto& opened = *new std::shared_ptr<Device>([] {
    const char* name = std::getenv("CLOPT_TEST_DEVICE");
    DeviceOptions options;
    options.self_test = false;
    return open_device(name && *name ? name : "openmp:0", options);
  }());
  return *opened;
}

/// The platform under test, as the list of what may be skipped calls it.
inline std::string platform() {
  const char* name = std::getenv("CLOPT_TEST_PLATFORM");
  return name && *name ? name : "openmp";
}

/// Whether the tests may take their time: the environment's CLOPT_TEST_LONG is 1.
inline bool long_run() {
  const char* text = std::getenv("CLOPT_TEST_LONG");
  return text && std::string(text) == "1";
}

/// Whether every platform runs all that is for devices: the build's CLOPT_TEST_WIDE is on.
inline bool wide_run() { return std::getenv("CLOPT_TEST_WIDE") != nullptr; }

/// Whether every combination of options is tried. Where kernels are compiled for each, which takes seconds, some are
/// enough for every day.
inline bool tries_all() { return platform() == "openmp" || long_run(); }

/// Rounds of a random test. \param usual where they need no compiler. \param compiled where one takes seconds for each.
inline int rounds(int usual, int compiled) {
  if (platform() == "openmp") return long_run() ? 5 * usual : usual;
  return long_run() ? 10 : compiled;
}

}  // namespace clopt::test
