/// \file
/// Batches of items that devices share, where one thread has the items and all devices compute on them.
#pragma once

#include <clopt/device.hpp>
#include <clopt/run.hpp>
#include <device/device_threads.hpp>

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lost_devices.hpp"

namespace clopt::group {

/// Consecutive items.
struct Batch {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

/// Room for a batch on a device, with a queue of its own.
class BatchPlace {
 public:
  BatchPlace() = default;
  BatchPlace(const BatchPlace&) = delete;
  BatchPlace& operator=(const BatchPlace&) = delete;
  virtual ~BatchPlace() = default;
  /// Begins to compute a batch.
  virtual void begin(const Batch& batch) = 0;
  /// Waits for the one that was begun, and takes its results.
  virtual void finish(const Batch& batch) = 0;
};

/// Devices that take batches, each with a thread of the host, the first one with the caller's. One with two places uses
/// them in turn, so that one batch is made and transferred while the other one is computed. A device that fails gives
/// its batches back. One that would take longer for a batch than the quickest one for all that is left takes none, but
/// for one run of many, in which it is measured again. What is computed does not depend on who does it.
class BatchTeam {
 public:
  using Places = std::vector<std::unique_ptr<BatchPlace>>;
  /// Makes the places of a device, by its number.
  using Make = std::function<Places(std::size_t number)>;

  /// \throws DeviceError where no device can be made ready.
  BatchTeam(std::span<const std::shared_ptr<Device>> devices, const Make& make);

  /// Has all items computed. \param most of a batch. \param attend called by the caller's thread every few milliseconds
  /// while it waits for others; what it throws ends the work. \throws DeviceError of the last device where all have
  /// failed, and what a place throws besides.
  void run(std::uint64_t items, std::uint64_t most, const std::function<void()>& attend = {});
  /// Throws the failure of the first device, if it has failed.
  void require_first() const {
    if (lost_.has(*devices_.front())) lost_.rethrow();
  }

  std::size_t size() const { return devices_.size(); }
  std::vector<std::string> failures() const { return lost_.failures(); }
  /// What each device has done.
  std::vector<DevicePart> parts() const { return parts_of(devices_, devices_, done_, lost_); }

 private:
  std::optional<Batch> take(std::size_t number);
  void work(std::size_t number);
  void wait_for_others(const std::function<void()>& attend);
  void forget_old_times();
  void end_work();
  bool has_any() const;

  std::vector<std::shared_ptr<Device>> devices_;
  std::vector<Places> places_;
  LostDevices lost_;
  DeviceThreads threads_;
  std::mutex mutex_;
  std::vector<Done> done_;            // by devices
  std::vector<double> seconds_each_;  // of an item, by devices; 0: not known
  std::vector<std::uint64_t> begun_;  // items, by devices, that are not finished
  std::vector<unsigned> idle_runs_;   // by devices, in which they took nothing
  std::size_t working_ = 0;           // devices
  std::condition_variable changed_;
  std::uint64_t next_ = 0;
  std::uint64_t items_ = 0;
  std::uint64_t unfinished_ = 0;
  std::uint64_t most_ = 1;
  std::deque<Batch> given_back_;
};

}  // namespace clopt::group
