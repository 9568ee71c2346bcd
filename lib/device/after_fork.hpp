/// \file
/// Drivers in the child of a fork.
#pragma once

#include <clopt/device.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>

namespace clopt {

/// For a device whose driver was loaded before the process was forked. \throws NoDevice always.
[[noreturn]] inline void refuse_after_fork(const DeviceInfo& info) {
  throw NoDevice(fmt::format(
      "{} ({}) cannot be used in a process that was forked from one that had loaded its driver: use openmp:0, or start "
      "processes by exec (in Python, by multiprocessing's methods 'spawn' or 'forkserver')",
      info.id, info.name));
}

}  // namespace clopt
