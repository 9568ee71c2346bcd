/// \file
/// Which way of counting a run has on a device.
#pragma once

#include <string>

#include <ecga/plan.hpp>

namespace clopt {
class Device;
}

namespace clopt::ecga {

/// A way of counting, of those that a device knows.
struct CountingChoice {
  Counting counting;
  Counting named;  ///< as results name it: `table` stands for either width
  std::string reason;
};

CountingChoice choose_counting(const Plan& plan, Device& device);

}  // namespace clopt::ecga
