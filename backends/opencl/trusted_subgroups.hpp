/// \file
/// Sub-groups that are taken on trust while they are still tried, so that a run's kernels are built meanwhile.
#pragma once

#include "opencl.hpp"

#include <clopt/device.hpp>

#include <atomic>
#include <functional>
#include <future>
#include <mutex>
#include <string>

namespace clopt::opencl {

/// Kernels may be built with what is taken on trust; none is launched before it is known to work.
class TrustedSubgroups {
 public:
  explicit TrustedSubgroups(SharedLabel device) : device_(std::move(device)) {}
  TrustedSubgroups(const TrustedSubgroups&) = delete;
  TrustedSubgroups& operator=(const TrustedSubgroups&) = delete;

  /// Takes sub-groups on trust. \param find finds out which ones work, and remembers it.
  /// \param now whether it is called now, in a thread of its own, whose launches need no trust; else by confirm().
  void trust(const Subgroup& subgroup, std::function<Subgroup()> find, bool now);
  /// For each launch of a kernel that uses them, and where one does not build: waits until the sub-groups, where they
  /// were taken on trust, are known to work. \throws DeviceError where they do not.
  void confirm() {
    if (is_open_) settle();
  }

  /// Waits for a trial that runs: the device is about to go.
  void leave();

 private:
  void settle();

  const SharedLabel device_;
  std::mutex mutex_;
  Subgroup trusted_;
  std::atomic<bool> is_open_{false};
  std::shared_future<Subgroup> trial_;  // last: its thread uses the others
};

}  // namespace clopt::opencl
