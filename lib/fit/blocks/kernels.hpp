/// \file
/// The kernels of a run on a device.
#pragma once

#include <clopt/device.hpp>

#include <atomic>
#include <future>
#include <memory>
#include <span>
#include <stop_token>

#include <fit/operations.hpp>
#include <fit/plan.hpp>
#include "long_rows.hpp"

namespace clopt::fit {

template <class Real>
struct Kernels {
  bool has_long_rows = false;
  LongRowsKernels<Real> long_rows;  ///< where there are
  Kernel<operations::FitRows<Real>> fit_rows;
  Kernel<operations::FindErrors<Real>> find_errors;
};

/// \throws as objective::build().
template <class Real>
Kernels<Real> build_kernels(Device& device, const Plan& plan);

/// Builds the kernels of devices on a thread of its own, where there is one to be had, while the calling one has other
/// work: build_kernels() finds them afterwards.
class KernelsBeside {
 public:
  /// \param plan and devices stay where they are for as long as this.
  KernelsBeside(const Plan& plan, std::span<const std::shared_ptr<Device>> devices);
  /// Ends the host's compiler. Those of drivers do not end before, and are waited for.
  ~KernelsBeside() { stop_.request_stop(); }
  KernelsBeside(const KernelsBeside&) = delete;
  KernelsBeside& operator=(const KernelsBeside&) = delete;
  /// Waits for all.
  void finish();
  /// Whether nothing is being built any more.
  bool has_finished() const;
  /// Whether all were built, once nothing is.
  bool has_built() const { return has_built_; }

 private:
  std::stop_source stop_;
  const std::stop_token stop_token_ = stop_.get_token();
  std::atomic<bool> has_built_ = false;
  std::future<void> building_;
};

}  // namespace clopt::fit
