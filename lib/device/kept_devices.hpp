/// \file
/// Devices that stay open for the next run of the process.
#pragma once

#include <clopt/device.hpp>
#include <support/threads/process_mutex.hpp>

#include <functional>
#include <map>
#include <memory>
#include <string>

namespace clopt {

/// Opening a driver takes longer than most runs, and so does building their kernels: a device that was opened is kept,
/// with its kernels, until release().
class KeptDevices {
 public:
  /// The device that was opened before in this process under the same key, or what \p open returns. One that has failed
  /// is opened anew. A child of a fork opens its own: its parent's cannot be used there, nor closed.
  std::shared_ptr<Device> find_or_open(const std::string& key, const std::function<std::shared_ptr<Device>()>& open);
  /// The one that find_or_open() would give without opening; null where there is none. At once.
  std::shared_ptr<Device> find(const std::string& key);
  /// Keeps a device no longer; it closes with the last run that uses it.
  void release(const Device& device);
  /// The same for all.
  void release();

 private:
  // While one is opened, which may take seconds, the others are found.
  struct Place {
    ProcessMutex opening{Holding::others};
    std::shared_ptr<Device> device;
  };

  std::shared_ptr<Place> place_of(const std::string& key);
  std::shared_ptr<Device> device_in(const Place& place);

  ProcessMutex mutex_{Holding::alone};  // of what follows, and of the places' devices
  unsigned forks_ = number_of_forks();  // when they were opened
  std::map<std::string, std::shared_ptr<Place>> places_;
};

}  // namespace clopt
