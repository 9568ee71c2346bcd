/// \file
/// A thread of the host for each of several devices.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace clopt {

/// Threads that wait between calls, as many as there are devices but for the first, whose work the caller does. So all
/// devices are fed at once, and no thread is begun for a step.
class DeviceThreads {
 public:
  /// \throws std::system_error where a thread cannot be begun.
  explicit DeviceThreads(std::size_t devices);
  ~DeviceThreads();
  DeviceThreads(const DeviceThreads&) = delete;
  DeviceThreads& operator=(const DeviceThreads&) = delete;

  /// Does a device's part, given its number, for all devices, and waits for them. \throws what a part throws, once all
  /// have ended: the first one by devices.
  void run(const std::function<void(std::size_t device)>& work);

 private:
  void serve(std::size_t device);
  void end();
  void attempt(std::size_t device);

  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void(std::size_t)>* work_ = nullptr;
  std::uint64_t round_ = 0;  ///< of run()
  std::size_t working_ = 0;  ///< threads
  bool is_ending_ = false;
  std::vector<std::exception_ptr> errors_;  ///< by devices
  std::vector<std::thread> threads_;
};

}  // namespace clopt
