/// \file
/// The device that runs may move to where the work chooses the device: the first GPU, or the one that the environment's
/// CLOPT_ACCELERATOR names.
#pragma once

#include <clopt/device.hpp>
#include <support/threads/process_mutex.hpp>

#include <atomic>
#include <map>
#include <memory>
#include <string>

namespace clopt {

/// It is looked for and opened once in a process, which may take seconds, and stays open.
class Accelerator {
 public:
  static Accelerator& instance();

  /// Opens it, or gives the one that is open; other threads wait. \throws NoDevice where there is none.
  std::shared_ptr<Device> open(const DeviceOptions& options);
  /// The one that is open; null where it is not yet. At once.
  std::shared_ptr<Device> find(const DeviceOptions& options);
  /// Gives up those that are open.
  void release();

 private:
  std::string choose() const;
  void forget_other_process();

  ProcessMutex opening_{Holding::others};
  ProcessMutex mutex_{Holding::alone};  // of what follows
  std::map<std::string, std::shared_ptr<Device>> open_;
  unsigned forks_ = number_of_forks();
};

}  // namespace clopt
