/// \file
/// The calls that the library's threads are in: for programs that must say what a start waits for, or what hangs.
#pragma once

#include <clopt/export.hpp>

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace clopt {

/// A call that a thread has not returned from.
struct ActivityReport {
  std::string
      what;  ///< in words that continue "clopt is ...": "waiting for the kernel genetic/fused on opencl:0 (H200)"
  bool is_preparation = false;                  ///< whether it is done once for a device, driver or program
  std::chrono::steady_clock::time_point since;  ///< when it began

  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - since).count(); }
};

/// The calls under way that may take long, in drivers, compilers and objectives, of all threads; the one that began
/// last first, which is the innermost one where a thread is in several. Any thread may ask.
CLOPT_API std::vector<ActivityReport> activities();

/// Reports a call to activities() while the object lives, which must be on one thread. It costs about 50 ns.
class CLOPT_API Activity {
 public:
  /// A preparation, in words that continue "clopt is ...".
  explicit Activity(std::string preparation);
  /// Part of a run: "<doing> <name> on <place>"; \p name and \p place may be empty. The texts are not copied, and must
  /// live as long as the object.
  Activity(std::string_view doing, std::string_view name, std::string_view place = {});
  ~Activity();
  Activity(const Activity&) = delete;
  Activity& operator=(const Activity&) = delete;

 private:
  friend std::vector<ActivityReport> activities();

  void begin();
  std::string text() const;

  std::string preparation_;  // empty for a part of a run
  std::string_view doing_;
  std::string_view name_;
  std::string_view place_;
  std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
  // All activities are in one list, the newest first.
  Activity* newer_ = nullptr;
  Activity* older_ = nullptr;
  unsigned forks_ = 0;  // when it began
  bool is_listed_ = false;
};

/// While it lives, the calling thread's activities are not reported: no run waits for them.
class CLOPT_API HiddenActivities {
 public:
  /// \param hides whether it does so; false: nothing changes.
  explicit HiddenActivities(bool hides = true);
  ~HiddenActivities();
  HiddenActivities(const HiddenActivities&) = delete;
  HiddenActivities& operator=(const HiddenActivities&) = delete;

  /// Whether the calling thread's are hidden: for threads that it begins.
  static bool are_hidden();

 private:
  bool before_;
};

}  // namespace clopt
