#include "fault_detection.hpp"
#include <clopt/error.hpp>

#include <fmt/format.h>

namespace clopt {

void report_fault(const Device& device, std::string_view what) {
  throw DeviceError(
      fmt::format("{} ({}) {}: a defect of the device or its driver, or work that was lost. Run `clopt validate`, or "
                  "take another device",
                  device.info().id, device.info().name, what));
}

LaunchCount::LaunchCount(Device& device, Queue& queue)
    : device_(device), queue_(queue), word_(device.buffer<std::uint32_t>("launches that were made", 1)) {
  queue_.fill(word_, 0);
}

void LaunchCount::require_all() const {
  std::uint32_t made = 0;
  queue_.read(word_, std::span(&made, 1));
  if (made != begun_) report_fault(device_, fmt::format("says that {} of {} launches were made", made, begun_));
}

}  // namespace clopt
