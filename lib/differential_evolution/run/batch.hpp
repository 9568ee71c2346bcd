/// \file
/// Some of a run's problems on one device.
#pragma once

#include <clopt/device.hpp>
#include <clopt/run.hpp>

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include <differential_evolution/fit/polish.hpp>
#include <differential_evolution/plan.hpp>

namespace clopt::differential_evolution {

/// What is known of each problem of a batch.
struct Summary {
  std::vector<State> states;
  std::vector<double> best_values;  ///< to be minimised, like the worst
  std::vector<double> worst_values;
  std::vector<double> best_vectors;
  std::vector<std::uint64_t> digests;
};

/// The least value of some problems, and its vector; infinity and no vector where no value was a number.
struct Best {
  double value = std::numeric_limits<double>::infinity();
  std::vector<double> point{};
};

/// Everything that the rest of a run depends on, of each problem.
struct EvolutionState {
  std::vector<State> states;
  std::vector<double> vectors;  ///< parameter by parameter; floats convert exactly
  std::vector<double> values;
  std::vector<double> controls;
  std::vector<double> archive;  ///< as the vectors, where SHADE keeps one
  // With restarts, the best value of each problem before its last one, and its vector.
  std::vector<double> kept_values;
  std::vector<double> kept_vectors;
};

/// What a launch keeps of each of its generations, for statistics.
enum class HistoryKind : std::uint8_t {
  nothing,
  totals,  ///< those of the least values of all problems, for Batch::totals(); the values can be had, too
  values,  ///< the least value of each problem, for Batch::least_values()
};

/// Values in the precision of the run.
using Values = std::variant<std::span<const double>, std::span<const float>>;

/// Problems that lie on a device together. Only the launches differ from method to method.
class Batch {
 public:
  Batch() = default;
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;
  virtual ~Batch() = default;

  /// Takes problems in place of those before: \p count of them, at most the room, from \p first on.
  virtual void take(std::size_t first, std::size_t count) = 0;
  /// Makes the initial vectors, generation 0, of at least one problem; where the run must end meanwhile, the problems
  /// behind leave the batch.
  virtual void initialise(const Watch& watch) = 0;
  /// How many problems there are.
  virtual std::size_t count() const = 0;
  /// Continues from another device's state.
  virtual void restore(const EvolutionState& state, std::uint32_t generation) = 0;
  /// Begins to run generations of all problems that have not stopped. \param kept for at most most_kept() generations.
  /// \param is_over ends a launch that keeps nothing between two generations, where it can_end_early(),
  /// and the generation of a restart between its two calls.
  virtual void begin_advance(std::uint32_t first_generation, std::uint32_t last_generation, HistoryKind kept,
                             const std::function<bool()>& is_over) = 0;
  /// Waits for them. \returns how many were run; 0 where the objective has left the first one.
  virtual std::uint32_t await() = 0;
  /// Whether a launch can end between two of its generations.
  virtual bool can_end_early() const = 0;
  /// Generations whose values a launch can keep.
  virtual std::uint32_t most_kept() const = 0;
  /// Whether launches can keep totals: where the device has doubles, and loops as long as they take.
  virtual bool has_totals() const = 0;
  /// The totals of the least values of all problems after each generation of the last launch, which kept them: there
  /// after await(), until the next launch begins.
  virtual std::span<const shared::evolution_totals> totals() const = 0;
  /// The least value of each problem after each generation of the last launch, which kept totals or values, one
  /// generation after the other: to be called after await() and before the next launch begins; there until the launch
  /// after the next one begins. Those of a problem behind the generation that ended it mean nothing.
  virtual Values least_values() = 0;
  /// The generation that ended a problem, or EVOLUTION_RUNNING, as await() has found it.
  virtual std::uint32_t stopped_at(std::size_t k) const = 0;
  /// How many problems have not stopped.
  virtual std::size_t running() const = 0;
  virtual Summary summarise() = 0;
  /// The local search, after summarise(); none where the plan has none, and is not a fit.
  virtual std::optional<Polished> polish(const Watch& watch) = 0;
  /// Cheaper than a summary: reads the values of all individuals, and one population.
  virtual Best best() = 0;
  virtual EvolutionState state() = 0;
  /// Kernels launched so far.
  virtual std::uint64_t launches() const = 0;
  /// Seconds from the last begin_advance() to the end of its await().
  virtual double last_seconds() const = 0;
};

/// \throws InvalidInput where the device cannot evaluate the objective in the run's precision.
void require_device(const Device& device, const Plan& plan);

/// Builds the kernels and takes the memory for \p room problems.
/// \param method any but `automatic`. \param most_kept generations that launches keep something of.
/// \throws InvalidInput, OutOfMemory.
std::unique_ptr<Batch> make_batch(Device& device, const Plan& plan, Method method, std::size_t room,
                                  std::size_t most_kept);

/// Generations of \p room problems that a device has room to keep something of: 0 where there are no statistics.
std::size_t most_kept_by(const Device& device, const Plan& plan, std::size_t room);

/// Bytes that a problem takes on a device, at most.
std::size_t bytes_of_problem(const Plan& plan);

}  // namespace clopt::differential_evolution
