/// \file
/// The kernels of a run on a device.
#pragma once

#include <clopt/device.hpp>
#include <clopt/objective.hpp>
#include <clopt/program.hpp>

#include <cstdint>
#include <future>
#include <memory>
#include <stop_token>
#include <vector>

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

/// What kernels are compiled for; it outlives its run.
struct Specialisation {
  explicit Specialisation(const Plan& plan);
  Specialisation optimised() const;

  std::shared_ptr<const Objective> residuals;
  std::uint32_t parameters;
  std::uint32_t loss;
  bool is_double;
  bool has_derivative;
  bool is_bounded;
  bool has_errors;
  bool has_long_rows;
  bool has_lanes;  ///< of consecutive data
  bool quick_build;
};

/// What is compiled of it for a device of the host, or another one.
Program program_of(const Specialisation& special, bool is_host);

/// \throws as objective::build().
template <class Real>
Kernels<Real> build_kernels(Device& device, const Specialisation& special);

/// Builds the kernels of devices, which build_kernels() finds afterwards. \returns whether all were built: of what
/// fails, or is stopped, the log alone has a word.
bool build_beside(const Specialisation& special, const std::vector<std::shared_ptr<Device>>& devices,
                  const std::stop_token& stop);

/// Does so on a thread of its own, where there is one to be had, while the calling one has other work.
class KernelsBeside {
 public:
  KernelsBeside(Specialisation special, std::vector<std::shared_ptr<Device>> devices);
  /// Ends the host's compiler. Those of drivers do not end before, and are waited for.
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
