/// \file
/// Whether a run repays what the host's compiler makes of its model.
#pragma once

#include <clopt/device.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>

#include <fit/blocks/kernels.hpp>
#include <fit/plan.hpp>

namespace clopt::fit {

/// Seconds of unoptimised fits that repay a compiler beside them.
inline constexpr double seconds_worth_compiler = 3;

/// Code for the host that this process fits by, whether it is optimised or not. Any thread may call.
class HostCode : public std::enable_shared_from_this<HostCode> {
 public:
  /// The one of all kernels of the same likeness().
  static std::shared_ptr<HostCode> of(const Specialisation& special);
  HostCode();

  /// Counts seconds in which rows were fitted without optimisation.
  void add_seconds(double seconds) { seconds_ += seconds; }
  double seconds() const { return seconds_; }
  /// Has a thread compile it with optimisation, at the first call. Runs continue meanwhile, and need not wait for it to
  /// end; the end of the process does away with it.
  void optimise(const Specialisation& special, const std::shared_ptr<Device>& host);
  /// Whether that is over.
  bool has_ended() const { return state_ == State::optimised || state_ == State::failed; }
  /// Whether build_kernels() now finds the optimised one.
  bool is_optimised() const { return state_ == State::optimised; }

 private:
  enum class State { quick, begun, optimised, failed };

  std::atomic<double> seconds_ = 0;
  std::atomic<State> state_ = State::quick;
  const unsigned forks_;  // a fork's child has none of the threads
};

/// Whether Program::quick_build suits fits of that many rows: they probably end before optimised code would have been
/// compiled. What this process has fitted by the same code counts too: once many small calls repay it, optimised code
/// is compiled beside them, and those that begin later have it. \throws InvalidInput for another CLOPT_BUILD than it
/// takes.
bool suits_quick_build(const Plan& plan, std::uint64_t rows, std::span<const std::shared_ptr<Device>> devices);

/// Whether a run may take optimised code after it began without: CLOPT_BUILD does not forbid it.
bool may_build_anew();

}  // namespace clopt::fit
