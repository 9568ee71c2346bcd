/// \file
/// Whether a run repays what the host's compiler makes of its model.
#pragma once

#include <clopt/device.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>

#include <fit/plan.hpp>
#include "kernels.hpp"

namespace clopt::fit {

/// Seconds of unoptimised fits that repay a compiler beside them.
inline constexpr double seconds_worth_compiler = 3;

/// Code for the host that this process fits by, whether it is optimised or not. Any thread may call.
class HostCode : public std::enable_shared_from_this<HostCode> {
 public:
  /// The one of all runs for which the same is compiled.
  static std::shared_ptr<HostCode> of(const Specialisation& special);
  HostCode();

  /// Counts seconds in which rows were fitted without optimisation.
  void add_seconds(double seconds) { seconds_ += seconds; }
  double seconds() const { return seconds_; }
  /// Has a thread compile it with optimisation, at the first call for which no other code is being compiled so. Runs
  /// continue meanwhile, and need not wait for it to end; the end of the process does away with it.
  void optimise(const Specialisation& special);
  /// Whether build_kernels() now finds the optimised one. False for ever where that does not compile.
  bool is_optimised() const { return state_ == State::optimised; }

 private:
  enum class State { quick, begun, optimised, failed };

  void compile(const Specialisation& special, const std::stop_token& stop);

  std::atomic<double> seconds_ = 0;
  std::atomic<State> state_ = State::quick;
  std::atomic<unsigned> forks_;  // of the process that compiles
};

/// Chooses `quick_build` and `code` of a plan for fits of that many rows. A quick build suits where they probably end
/// before optimised code would have been compiled. What this process has fitted by the same code counts too: once many
/// small calls repay it, optimised code is compiled beside them, and those that begin later have it. \throws
/// InvalidInput for another CLOPT_BUILD than it takes.
void choose_build(Plan& plan, std::uint64_t rows, std::span<const std::shared_ptr<Device>> devices);

}  // namespace clopt::fit
