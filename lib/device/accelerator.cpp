#include "accelerator.hpp"
#include <clopt/detail/background.hpp>
#include <clopt/devices.hpp>
#include <clopt/error.hpp>
#include <support/process/environment.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

namespace clopt {
namespace {

std::string key_of_options(const DeviceOptions& options) {
  return fmt::format("{} {} {} {}", options.threads, options.force, options.self_test, environment::accelerator());
}

}  // namespace

Accelerator& Accelerator::instance() {
  static auto* const accelerator = new Accelerator;  // never destroyed: it may be being opened when the process ends
  return *accelerator;
}

std::shared_ptr<Device> Accelerator::find(const DeviceOptions& options) {
  const std::lock_guard lock(mutex_);
  forget_other_process();
  const auto found = open_.find(key_of_options(options));
  return found == open_.end() ? nullptr : found->second;
}

std::shared_ptr<Device> Accelerator::open(const DeviceOptions& options) {
  const std::lock_guard lock(opening_);
  if (auto known = find(options)) return known;
  const auto id = choose();
  BackgroundWork::guard_driver();
  auto device = open_device(id, options);
  BackgroundWork::guard_driver();
  const std::lock_guard own(mutex_);
  return open_[key_of_options(options)] = std::move(device);
}

void Accelerator::release() {
  const std::lock_guard lock(mutex_);
  open_.clear();
}

std::string Accelerator::choose() const {
  const auto named = environment::accelerator();
  if (named == "none") throw NoDevice("CLOPT_ACCELERATOR is none");
  if (!named.empty()) return named;
  const auto list = list_devices();
  const auto gpu = std::find_if(list.devices.begin(), list.devices.end(),
                                [](const DeviceInfo& info) { return info.kind == DeviceKind::gpu; });
  if (gpu == list.devices.end()) throw NoDevice("there is no GPU");
  return gpu->id;
}

// A driver does not survive a fork: the child opens its own, and leaves that of its parent as it is.
void Accelerator::forget_other_process() {
  if (forks_ == number_of_forks()) return;
  forks_ = number_of_forks();
  static auto* const left = new std::vector<std::map<std::string, std::shared_ptr<Device>>>;
  left->push_back(std::move(open_));
  open_.clear();
}

}  // namespace clopt
