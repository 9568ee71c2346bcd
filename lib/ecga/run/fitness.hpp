/// \file
/// The fitness of a run's population: the objective's values in the run's precision, with their sign changed where they
/// are minimised, and minus infinity in place of NaN.
#pragma once

#include <clopt/device.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <ecga/dimensions.hpp>
#include <ecga/model/device_counter.hpp>
#include <ecga/plan.hpp>
#include "improvement.hpp"
#include "mean_fitness.hpp"
#include "state.hpp"

namespace clopt {
class Checksum;
}

namespace clopt::ecga {

/// Fitness on a device, which is of floats or of doubles.
class Fitness {
 public:
  /// The best individual, the first of equal ones.
  struct Best {
    double value = 0;
    std::uint32_t individual = 0;
  };

  /// Begins to build kernels. \param is_observed whether mean_and_least() is asked for. All must outlive the object.
  static std::unique_ptr<Fitness> make(const Plan& plan, const Dimensions& dimensions, Device& device, Queue& queue,
                                       bool is_observed);
  virtual ~Fitness() = default;

  /// Takes the memory, once kernels are built.
  virtual void reserve() = 0;
  virtual void evaluate(const Buffer<std::uint32_t>& population) = 0;
  /// Makes a population local optima, and evaluates it; in a run that improves individuals. One whose moves are tried
  /// as whole individuals must have been evaluated.
  virtual Improved improve(const NewPopulation& population) = 0;
  /// The winners of a generation's tournaments; counts their copies.
  virtual void select(const Buffer<std::uint32_t>& parents, const DeviceCounter& counter, std::uint64_t generation) = 0;
  /// Begins to look for the best, and to read all where they are observed.
  virtual void begin_to_read(const DeviceCounter& counter) = 0;
  /// Waits for what was begun.
  virtual Best best() = 0;
  /// Waits for what was begun.
  virtual MeanAndLeast mean_and_least() = 0;
  /// Of each section of the population, the order of its best fitness and the individual.
  virtual std::span<const std::uint64_t> sections() const = 0;
  /// Exchanges all fitness with that of the generation before, where that is kept.
  virtual void exchange() = 0;
  virtual void load(const State& state) = 0;
  virtual void keep(State& state) const = 0;
  virtual void add_to(Checksum& checksum) const = 0;
  /// Evaluates an individual on the host. \returns why that was not done; empty where it was. \throws DeviceError where
  /// the host finds another fitness.
  virtual std::string check(std::span<const std::uint32_t> genes, double fitness, bool was_ended) const = 0;
};

/// Builds the kernel that evaluates a population.
void build_evaluation(const Plan& plan, Device& device);

}  // namespace clopt::ecga
