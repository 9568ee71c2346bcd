/// \file
/// Checks of what a device reports: the evidence of a claim is read twice, and launches count themselves.
#pragma once

#include <clopt/device.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace clopt {

/// Throws the error of a device that computed or transferred something wrong, or lost work.
/// \param what it did: "says that 3 of 4 launches were made". \throws DeviceError naming the device.
[[noreturn]] void report_fault(const Device& device, std::string_view what);

/// Reads what a claim rests on, such as that nothing better exists: twice, with one wait. Memory that is the host's own
/// is read once. \throws DeviceError where both differ.
template <class T>
void read_twice(const Device& device, Queue& queue, const Buffer<T>& from, std::span<std::remove_const_t<T>> to,
                std::size_t first = 0) {
  if (device.info().launches_are_calls || to.empty()) return queue.read(from, to, first);
  const HostArray<std::remove_const_t<T>> once(to.size());
  const HostArray<std::remove_const_t<T>> again(to.size());
  queue.read_later(from, once, first);
  queue.read_later(from, again, first).wait();
  const auto bytes = [](const auto& array) { return std::as_bytes(std::span(array.begin(), array.end())); };
  if (!std::ranges::equal(bytes(once), bytes(again)))
    report_fault(device, "gives two things where '" + from.memory()->name() + "' is read twice");
  std::copy(once.begin(), once.end(), to.begin());
}

/// Memory whose numbers kernels use as indexes: all 0 until a kernel has written them, in case its launch is lost.
template <class T>
Buffer<T> zeroed_buffer(Device& device, Queue& queue, const std::string& name, std::size_t count) {
  auto buffer = device.buffer<T>(name, count);
  queue.fill(buffer, T{});
  return buffer;
}

/// Launches that a result rests on. Each adds 1 to a word on the device by count_launch() of
/// kernels_cl/common/launches.cl, or by its twin: a launch that was lost is missing there.
class LaunchCount {
 public:
  LaunchCount(Device& device, Queue& queue);
  /// The word, for one launch more.
  const Buffer<std::uint32_t>& next() {
    ++begun_;
    return word_;
  }
  /// Waits for all launches. \throws DeviceError where one was not made.
  void require_all() const;

 private:
  const Device& device_;
  Queue& queue_;
  Buffer<std::uint32_t> word_;
  std::uint32_t begun_ = 0;
};

}  // namespace clopt
