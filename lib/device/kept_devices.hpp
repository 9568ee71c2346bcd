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
  /// Keeps none of them any longer; each closes with the last run that uses it.
  void release();

 private:
  // While one is opened, which may take seconds, the others are found.
  struct Place {
    ProcessMutex mutex{Holding::others};
    std::shared_ptr<Device> device;
  };

  ProcessMutex mutex_{Holding::alone};
  unsigned forks_ = number_of_forks();  // when they were opened
  std::map<std::string, std::shared_ptr<Place>> places_;
};

}  // namespace clopt
