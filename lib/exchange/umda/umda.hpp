/// \file
/// The univariate marginal distribution algorithm (section 4 of the paper), wherever its parts run.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <exchange/search.hpp>
#include "genes.hpp"

namespace clopt::exchange {

/// A population between two generations.
struct UmdaState {
  std::uint32_t generation = 0;
  std::vector<std::uint32_t> genes;    ///< individual after individual
  std::vector<std::uint64_t> fitness;  ///< conflicts
};

/// A run of the algorithm. The population after a number of generations is the same for each kind of run.
class Umda {
 public:
  Umda() = default;
  Umda(const Umda&) = delete;
  Umda& operator=(const Umda&) = delete;
  virtual ~Umda() = default;
  /// Makes and evaluates the first population, or takes a state.
  virtual void start(const UmdaState* state) = 0;
  /// Makes a generation or some more, at most \p most; none after an individual without conflicts.
  virtual void advance(std::uint32_t most) = 0;
  virtual std::uint32_t generation() const = 0;
  /// Conflicts of the generation's individuals.
  virtual std::span<const std::uint64_t> fitness() const = 0;
  virtual UmdaState state() = 0;
  virtual double build_seconds() const = 0;
  virtual std::uint64_t launches() const = 0;
};

/// Everything on the device: population, selection, sampling, fitness.
std::unique_ptr<Umda> make_device_umda(const std::shared_ptr<Device>& device, const GeneTable& table,
                                       const Population& population);

}  // namespace clopt::exchange
