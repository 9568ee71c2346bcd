/// \file
/// What clopt waits for: a driver that is looked at, a program that is built, a device that is tested.
#pragma once

#include <clopt/export.hpp>

#include <chrono>
#include <list>
#include <optional>
#include <string>

namespace clopt {

/// Something that may take long and has no progress of its own, from the construction of the object to its end.
/// Threads may have one each.
class CLOPT_API Activity {
 public:
  /// \param what in words that continue "clopt is ...": "building genetic/start for opencl:0".
  explicit Activity(std::string what);
  ~Activity();
  Activity(const Activity&) = delete;
  Activity& operator=(const Activity&) = delete;

  /// What lasts at the moment.
  struct Current {
    std::string what;
    std::chrono::steady_clock::time_point since;  ///< when it began
  };
  /// The activity that began last of those that last, of any thread. Threads may ask at any time.
  static std::optional<Current> current();

 private:
  std::list<Current>::iterator place_;
};

}  // namespace clopt
