/// \file
/// The kernels of a run on a device.
#pragma once

#include <clopt/device.hpp>

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

/// Builds the kernels of all devices on a thread of its own, where there is one to be had, while a search for guesses
/// builds its own and runs. What does not build, the fits report.
class KernelsBeside {
 public:
  /// \param plan and devices stay where they are for as long as this.
  KernelsBeside(const Plan& plan, std::span<const std::shared_ptr<Device>> devices);
  /// Waits for the one that is being built: a compiler does not end before.
  ~KernelsBeside() { stop_.request_stop(); }
  KernelsBeside(const KernelsBeside&) = delete;
  KernelsBeside& operator=(const KernelsBeside&) = delete;
  /// Waits for all.
  void finish();

 private:
  std::stop_source stop_;
  std::future<void> building_;
};

}  // namespace clopt::fit
