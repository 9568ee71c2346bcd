/// \file
/// Kernels that are built side by side.
#pragma once

#include <clopt/detail/run_times.hpp>
#include <clopt/device.hpp>
#include <clopt/error.hpp>

#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace clopt {

/// While it lives, Device::kernel() on this thread only begins to build, on any device, so that a run's kernels are
/// built at once where the driver allows it. A kernel that is used before finish() is waited for there.
class BuildAhead {
 public:
  BuildAhead();
  ~BuildAhead();
  BuildAhead(const BuildAhead&) = delete;
  BuildAhead& operator=(const BuildAhead&) = delete;

  /// Waits for all kernels: the time since this was made is one of building. \throws the error of the first of them, in
  /// the order in which they were asked for, that does not build.
  void finish();

  /// The one of this thread, the innermost; or null.
  static BuildAhead* current();
  /// \param keep is called once it is built.
  void add(std::shared_ptr<KernelBase> kernel, std::function<void()> keep);
  /// What throws the error that the caller gets where the kernel that was added last does not build.
  void set_failure(std::function<void(const BuildError& error)> rethrow);

  /// While it lives, kernels are built as ever: for devices and launches that a caller does not see.
  class Pause {
   public:
    Pause();
    ~Pause();
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;

   private:
    BuildAhead* paused_;
  };

 private:
  struct Begun {
    std::shared_ptr<KernelBase> kernel;
    std::function<void()> keep;
    std::function<void(const BuildError& error)> rethrow;
  };

  TimedPart building_{TimePart::build};
  BuildAhead* outer_;
  std::vector<Begun> kernels_;
};

}  // namespace clopt
