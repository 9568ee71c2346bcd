/// \file
/// The launches of each method.
#pragma once

#include <clopt/device.hpp>
#include <objective/counted_calls.hpp>
#include <objective/program.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <differential_evolution/plan.hpp>

namespace clopt::differential_evolution {

/// A batch's buffers.
template <class Real>
struct Buffers {
  Buffer<Real> vectors;
  Buffer<Real> next_vectors;  ///< trials, or the next vectors
  Buffer<Real> values;
  Buffer<Real> controls;
  Buffer<State> states;
  Buffer<std::uint32_t> order;  ///< individuals by rank; one element where they are not needed
  Buffer<Real> archive;  ///< vectors that SHADE keeps of replaced individuals; one element where it is not needed
  Buffer<Real> bounds;   ///< and flags of whole numbers
  Buffer<Real> initial;  ///< start vectors that were given; one element where there are none
  Buffer<Real> rows;
  Buffer<Real> tables;
  Buffer<Real> history;  ///< values after each of a few generations; one element where they are not kept
};

/// The numbers of a plan in the run's precision.
template <class Real>
struct Numbers {
  explicit Numbers(const Plan& plan)
      : weight(static_cast<Real>(plan.weight())),
        crossover(static_cast<Real>(plan.crossover())),
        target(static_cast<Real>(plan.target())),
        spread(static_cast<Real>(plan.spread())) {}

  Real weight;
  Real crossover;
  Real target;
  Real spread;
};

/// How a method runs its generations; it leaves the vectors in Buffers::vectors.
template <class Real>
class Launcher {
 public:
  Launcher() = default;
  Launcher(const Launcher&) = delete;
  Launcher& operator=(const Launcher&) = delete;
  virtual ~Launcher() = default;
  /// Has \p count problems from now on, at most as many as there is room for.
  virtual void take(std::size_t count) = 0;
  /// I and E, of the problems from \p first to \p end - 1 of the batch.
  virtual void initialise(Queue& queue, std::size_t first, std::size_t end) = 0;
  /// Finds leaders and ranks in vectors that were made or written, and the problems that end with them.
  virtual void begin(Queue& queue, std::uint32_t generation) = 0;
  /// \param running the places of the problems that have not stopped. \param keeps_values whether the values after each
  ///        generation go to Buffers::history.
  virtual void advance(Queue& queue, std::uint32_t first_generation, std::uint32_t last_generation,
                       const std::vector<std::uint32_t>& running, bool keeps_values) = 0;
  /// Launches into queues of its own.
  virtual std::uint64_t launches() const { return 0; }
};

/// How an operation with the plan's shape is built. On a GPU the shape is compiled in, so that short vectors stay in
/// registers; elsewhere a kernel serves any population, since building takes longer than it saves.
Program program_of(const Device& device, const Plan& plan, bool with_objective);

/// Work-items of a work-group that is a whole population.
std::uint32_t group_size_of(const Plan& plan, std::uint32_t most);

/// Builds a run's kernels.
class Builder {
 public:
  /// \param calls counts the calls of an objective that takes whole generations; null: they are not counted.
  Builder(Device& device, const Plan& plan, objective::CountedCalls* calls = nullptr)
      : device_(device), plan_(plan), calls_(calls) {}

  Device& device() const { return device_; }
  const Plan& plan() const { return plan_; }

  /// An operation that does not call the objective.
  template <OperationArguments Arguments>
  Kernel<Arguments> plain() const {
    return device_.kernel<Arguments>(program_of(device_, plan_, false));
  }
  /// P: its signature does not say the precision, which its file needs.
  Kernel<operations::Prepare> prepare() const {
    auto program = program_of(device_, plan_, false);
    if (plan_.is_double())
      program.defines.set_type<double>("real");
    else
      program.defines.set_type<float>("real");
    return device_.kernel<operations::Prepare>(program);
  }
  /// An operation that calls the objective.
  template <OperationArguments Arguments>
  Kernel<Arguments> with_objective() const {
    return with_objective<Arguments>(program_of(device_, plan_, true));
  }
  template <OperationArguments Arguments>
  Kernel<Arguments> with_objective(Program program) const {
    if (calls_ != nullptr) program.host_function = calls_->counted(program.host_function);
    return objective::build<Arguments>(device_, program, plan_.objective);
  }

 private:
  Device& device_;
  const Plan& plan_;
  objective::CountedCalls* calls_;
};

/// \param room problems of the batch at most. \throws InvalidInput, BuildError, OutOfMemory.
template <class Real>
std::unique_ptr<Launcher<Real>> make_launcher(Method method, Builder& builder, Buffers<Real>& buffers,
                                              std::size_t room);

}  // namespace clopt::differential_evolution
