/// \file
/// The univariate marginal distribution algorithm (section 4 of the paper), wherever its parts run.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <exchange/search.hpp>
#include "genes.hpp"
#include "other_islands.hpp"

namespace clopt::exchange {

class FitnessTeam;

/// An individual that goes from one population to another.
struct Migrant {
  std::uint64_t fitness = 0;  ///< conflicts
  std::vector<std::uint32_t> genes;
};

/// A population between two generations.
struct UmdaState {
  std::uint32_t generation = 0;
  std::vector<std::uint32_t> genes;    ///< individual after individual
  std::vector<std::uint64_t> fitness;  ///< conflicts
};

/// Islands at the end of a search.
struct IslandsEnd {
  IslandStand stand;
  std::uint32_t generation = 0;
  std::vector<UmdaState> states;  ///< of islands, in their order
  std::string how;
  double build_seconds = 0;
  std::uint64_t launches = 0;
  std::vector<std::string> failures;
};

/// Evolves the islands that a task names, in step with those of other ranks.
IslandsEnd evolve_islands(const SearchTask& task);
/// The result of all islands of a task. \param end of all, or of the one that has found a schedule.
SearchResult result_of_islands(const SearchTask& task, IslandsEnd end);

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
  /// The first individual of the fewest conflicts.
  virtual Migrant best() = 0;
  /// Puts an individual in place of the first one of the most conflicts.
  virtual void take(const Migrant& migrant) = 0;
};

/// The optimiser on the host, the fitness on the devices of a team, which may serve other populations in turn (sections
/// 3.2 and 3.6 of the paper).
std::unique_ptr<Umda> make_host_umda(FitnessTeam& team, const GeneTable& table, const Population& population);

/// A population whose all is on the device: selection, sampling, fitness.
class DeviceUmda : public Umda {
 public:
  virtual double build_seconds() const = 0;
  /// Kernels launched.
  virtual std::uint64_t launches() const = 0;
};
std::unique_ptr<DeviceUmda> make_device_umda(const std::shared_ptr<Device>& device, const GeneTable& table,
                                             const Population& population);

}  // namespace clopt::exchange
