/// \file
/// Ranges that the devices of a rank do side by side.
#pragma once

#include <clopt/detail/run_times.hpp>
#include <clopt/device.hpp>
#include <clopt/run.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include <support/stopwatch.hpp>
#include "lost_devices.hpp"
#include "mailbox.hpp"

namespace clopt::group {

/// Does ranges on several places, each in a thread of its own. A place is a device's. Two of one device are double
/// buffering: while one reads its results and takes the next range, the other one computes. The range of a device that
/// fails is done at another place.
class Places {
 public:
  struct Work {
    /// Makes a place ready. Who takes long for that delays no other.
    std::function<void(std::size_t place)> prepare;
    /// Does a range, and returns the result's message and the launches that it took.
    std::function<std::pair<Bytes, std::uint64_t>(std::size_t place, const Order& order)> run;
  };

  /// \param devices of the places. \param lost takes those that fail. \param work is called in the place's thread.
  Places(std::vector<std::shared_ptr<Device>> devices, LostDevices& lost, Mailbox& mailbox, Work work);

  /// Until the run has ended. \throws what work throws, but a DeviceError only where no device is left.
  void serve();
  /// What each of some devices has done.
  std::vector<DevicePart> parts(std::span<const std::shared_ptr<Device>> devices) const;

 private:
  void serve(std::size_t place);
  void take_ranges(std::size_t place, const RunTimes& times);
  void do_range(std::size_t place, const Order& order, const RunTimes& times);
  bool is_over(std::size_t place) const;

  std::vector<std::shared_ptr<Device>> devices_;
  LostDevices& lost_;
  Mailbox& mailbox_;
  Work work_;
  mutable std::mutex mutex_;
  std::vector<Done> done_;             // by places
  std::vector<double> build_seconds_;  // of places
  std::size_t at_work_ = 0;
  Stopwatch since_busy_;
  double busy_seconds_ = 0;  // in which some place was at work, but for the time since then
  std::uint64_t launches_ = 0;
  std::exception_ptr error_;  // that ends the run
};

}  // namespace clopt::group
