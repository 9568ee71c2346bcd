/// \file
/// The launches of each method.
#pragma once

#include <clopt/device.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "plan.hpp"

namespace clopt::differential_evolution {

/// A batch's buffers, as operations take them.
template <class Real>
struct Buffers {
  Buffer<Real> vectors;
  Buffer<Real> others;  ///< trials, or the next vectors
  Buffer<Real> values;
  Buffer<Real> controls;
  Buffer<State> states;
  Buffer<std::uint32_t> order;  ///< individuals by rank, one element where nobody asks
  Buffer<Real> archive;         ///< vectors that SHADE keeps of replaced individuals, one element where nobody asks
  Buffer<Real> bounds;
  Buffer<Real> rows;
  Buffer<Real> tables;
};

/// The numbers of a plan in the run's precision.
template <class Real>
struct Numbers {
  Real weight;
  Real crossover;
  Real target;
  Real spread;
};

/// The kernel that an operation is built to.
template <class>
struct KernelOf;
template <class... Parameters>
struct KernelOf<const Operation<Parameters...>> {
  using Type = Kernel<Parameters...>;
};

/// How a method runs its generations; it leaves the vectors in Buffers::vectors.
template <class Real>
class Launcher {
 public:
  Launcher() = default;
  Launcher(const Launcher&) = delete;
  Launcher& operator=(const Launcher&) = delete;
  virtual ~Launcher() = default;
  /// I and E, of the problems from \p first to \p end - 1 of the batch.
  virtual void initialise(Queue& queue, std::size_t first, std::size_t end) = 0;
  /// Finds leaders and ranks in vectors that were made or written, and the problems that end with them.
  virtual void begin(Queue& queue, std::uint32_t generation) = 0;
  /// \param running the places of the problems that have not stopped.
  virtual void advance(Queue& queue, std::uint32_t first_generation, std::uint32_t last_generation,
                       const std::vector<std::uint32_t>& running) = 0;
  /// Launches into queues of its own.
  virtual std::uint64_t launches() const { return 0; }
};

/// How an operation with the plan's shape is built. On a GPU the shape is compiled in, so that short vectors stay in
/// registers; elsewhere a kernel serves any population, since building takes longer than it saves.
Program program_of(const Device& device, const Plan& plan, bool with_objective);

/// Work-items of a work-group that is a whole population.
std::uint32_t group_size_of(const Plan& plan, std::uint32_t most);

/// \param count problems of the batch. \throws InvalidInput, BuildError, OutOfMemory.
template <class Real>
std::unique_ptr<Launcher<Real>> make_launcher(const std::string& method, Device& device, const Plan& plan,
                                              Buffers<Real>& buffers, std::size_t count);

}  // namespace clopt::differential_evolution
