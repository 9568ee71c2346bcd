#include "accelerator.hpp"
#include <clopt/detail/background.hpp>
#include <clopt/devices.hpp>
#include <clopt/error.hpp>
#include <support/process/environment.hpp>
#include <support/threads/process_mutex.hpp>
#include "registry.hpp"

#include <algorithm>
#include <mutex>
#include <optional>
#include <string>

namespace clopt {
namespace {

// The one that was opened last, by which CLOPT_ACCELERATOR: to look for it again would ask the drivers.
struct Known {
  std::string named;
  DeviceInfo info;
};

// Never destroyed: it may be being opened when the process ends.
struct LastAccelerator {
  ProcessMutex mutex{Holding::others};
  std::optional<Known> known;
  std::optional<std::string> none_for;  // the CLOPT_ACCELERATOR by which there is none

  static LastAccelerator& instance() {
    static auto* const last = new LastAccelerator;
    return *last;
  }
};

std::string choose(const std::string& named) {
  if (named == "none") throw NoDevice("CLOPT_ACCELERATOR is none");
  if (!named.empty()) return named;
  const auto list = list_devices();
  const auto gpu = std::find_if(list.devices.begin(), list.devices.end(),
                                [](const DeviceInfo& info) { return info.kind == DeviceKind::gpu; });
  if (gpu == list.devices.end()) throw NoDevice("there is no GPU");
  return gpu->id;
}

}  // namespace

std::shared_ptr<Device> open_accelerator(const DeviceOptions& options) {
  if (auto open = find_accelerator(options)) return open;
  const auto named = environment::accelerator();
  auto& last = LastAccelerator::instance();
  const auto id = [&] {
    {
      const std::lock_guard lock(last.mutex);
      if (last.none_for == named) throw NoDevice("there is no GPU");
    }
    try {
      return choose(named);
    } catch (const NoDevice&) {
      const std::lock_guard lock(last.mutex);
      last.none_for = named;
      throw;
    }
  }();
  BackgroundWork::guard_driver();
  auto device = open_device(id, options);
  BackgroundWork::guard_driver();
  const std::lock_guard lock(last.mutex);
  last.known = {named, device->info()};
  return device;
}

std::shared_ptr<Device> find_accelerator(const DeviceOptions& options) {
  auto& last = LastAccelerator::instance();
  const std::lock_guard lock(last.mutex);
  if (!last.known || last.known->named != environment::accelerator()) return nullptr;
  return Registry::instance().find_open(last.known->info, options);
}

}  // namespace clopt
