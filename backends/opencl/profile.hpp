/// \file
/// A profile of a device's commands.
#pragma once

#include "opencl.hpp"

#include <string>
#include <utility>
#include <vector>

namespace clopt::opencl {

/// Whether the environment variable CLOPT_PROFILE asks for a table of the device's commands at the end of the program:
/// for each kernel and each kind of copy how many there were and their seconds on the device. Measuring slows launches
/// down by some microseconds each.
bool profile_wanted();

/// The commands of one queue whose times are still to be asked for.
class Profile {
 public:
  /// Remembers a command; what has ended is added up now and then.
  void add(const std::string& name, cl::Event event);
  /// Adds up all that was remembered. The queue must be finished.
  void close();

 private:
  std::vector<std::pair<std::string, cl::Event>> commands_;
};

}  // namespace clopt::opencl
