/// \file
/// The calls that the library's threads are in: for programs that must say what holds a run back.
#pragma once

#include <clopt/export.hpp>

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace clopt {

/// A call that a thread has not returned from.
struct ActivityReport {
  std::string what;    ///< "waiting for the kernel genetic/fused on opencl:0 (NVIDIA H200)"
  double seconds = 0;  ///< since it began
};

/// The calls under way that may take long, in drivers, compilers and objectives, of all threads; the one that began
/// last first, which is the innermost one where a thread is in several. Any thread may ask.
CLOPT_API std::vector<ActivityReport> activities();

/// Reports a call to activities() while the object lives, which must be on one thread. It costs about 50 ns.
class CLOPT_API Activity {
 public:
  /// The report reads "<doing> <name> on <place>"; \p name and \p place may be empty. The texts are not copied, and
  /// must live as long as the object.
  explicit Activity(std::string_view doing, std::string_view name = {}, std::string_view place = {});
  ~Activity();
  Activity(const Activity&) = delete;
  Activity& operator=(const Activity&) = delete;

 private:
  friend std::vector<ActivityReport> activities();

  std::string text() const;

  std::string_view doing_;
  std::string_view name_;
  std::string_view place_;
  std::chrono::steady_clock::time_point begin_;
  // All activities are in one list, the newest first.
  Activity* newer_ = nullptr;
  Activity* older_ = nullptr;
};

}  // namespace clopt
