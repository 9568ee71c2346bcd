/// \file
/// A case of `clopt validate`: work with one right checksum.
#pragma once

#include <clopt/run.hpp>

#include <cstdint>
#include <functional>
#include <string>

namespace clopt {
class Device;
}

namespace clopt::apps {

/// What a case gave on a device.
struct ValidationOutcome {
  std::uint64_t checksum = 0;
  std::string wrong;      ///< what is wrong with the answer, by itself; empty where nothing is
  std::string skipped{};  ///< what the device lacks for this case, such as double precision; empty where it ran
};

/// Work that must end with the same checksum on every device.
struct ValidationCase {
  std::string name;         ///< what it runs: "subset-sum/k3-32/half:100"
  bool uses_device = true;  ///< false: the host does it alone, so that one device is enough
  /// Runs it; may end early, with any outcome, once a stop is requested.
  std::function<ValidationOutcome(Device&, const RunControl&)> run;
};

}  // namespace clopt::apps
