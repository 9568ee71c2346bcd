/// \file
/// The univariate marginal distribution algorithm (section 4 of the paper), wherever its parts run.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <exchange/search.hpp>
#include "extremes.hpp"
#include "genes.hpp"
#include "peer_islands.hpp"

namespace clopt::exchange {

class FitnessTeam;

/// An individual that goes from one population to another.
struct Migrant {
  std::uint64_t fitness = 0;  ///< conflicts
  std::vector<std::uint32_t> genes;
};

template <class Archive>
void fields(Archive& archive, Migrant& migrant) {
  archive("fitness", migrant.fitness)("genes", migrant.genes);
}

/// A population between two generations.
struct UmdaState {
  std::uint32_t generation = 0;
  std::vector<std::uint32_t> genes;    ///< individual after individual
  std::vector<std::uint64_t> fitness;  ///< conflicts
};

template <class Archive>
void fields(Archive& archive, UmdaState& state) {
  archive("generation", state.generation)("genes", state.genes)("fitness", state.fitness);
}

/// Islands at the end of a search.
struct IslandsOutcome {
  IslandStatus status;
  std::uint32_t generation = 0;
  std::vector<UmdaState> states;  ///< of islands, in their order; none where their individuals can still be asked
  std::string how;
  std::uint64_t launches = 0;
  std::vector<std::string> failures;
  std::vector<DevicePart> devices{};  ///< what each has done, where there are several
};

template <class Archive>
void fields(Archive& archive, IslandsOutcome& end) {
  archive("status", end.status)("generation", end.generation)("states", end.states)("how", end.how);
  archive("launches", end.launches)("failures", end.failures);
}

/// Evolves the islands that a task names, in step with those of other ranks.
IslandsOutcome evolve_islands(const SearchTask& task);
/// The result of all islands of a task. \param end of all, or of the one that has found a schedule, with their states.
SearchResult result_of_islands(const SearchTask& task, IslandsOutcome end);

/// A population between two generations, wherever it is.
class PopulationView {
 public:
  /// Takes the genes of some individuals, one after the other.
  using TakeGenes = std::function<void(std::span<const std::uint32_t> genes)>;

  PopulationView() = default;
  PopulationView(const PopulationView&) = delete;
  PopulationView& operator=(const PopulationView&) = delete;
  virtual ~PopulationView() = default;
  virtual std::uint32_t generation() const = 0;
  /// Conflicts of each individual.
  virtual std::span<const std::uint64_t> fitness() = 0;
  virtual const Extremes& extremes() const = 0;
  /// The first individual of the fewest conflicts.
  virtual Migrant best() = 0;
  /// Gives the genes of all individuals, in their order, a piece after the other.
  virtual void for_each_genes(const TakeGenes& take) = 0;
};

/// Of a state, which outlives the view.
class StateView : public PopulationView {
 public:
  explicit StateView(const UmdaState& state) : state_(state), extremes_(extremes_of(state.fitness)) {}
  std::uint32_t generation() const override { return state_.generation; }
  std::span<const std::uint64_t> fitness() override { return state_.fitness; }
  const Extremes& extremes() const override { return extremes_; }
  Migrant best() override {
    const auto genes = state_.genes.size() / state_.fitness.size();
    const auto own = std::span(state_.genes).subspan(extremes_.best * genes, genes);
    return {extremes_.least, {own.begin(), own.end()}};
  }
  void for_each_genes(const TakeGenes& take) override { take(state_.genes); }

 private:
  const UmdaState& state_;
  Extremes extremes_;
};

/// A run of the algorithm. The population after a number of generations is the same for each kind of run.
class Umda : public PopulationView {
 public:
  /// Generations that are begun at once, at most.
  static constexpr std::uint32_t longest_step = 32;

  explicit Umda(const Population& population) : population_(population) {}
  std::uint32_t generation() const override { return generation_; }
  const Extremes& extremes() const override { return extremes_; }
  bool has_found() const { return extremes_.least == 0; }

  /// Makes and evaluates the first population, or takes a state.
  virtual void start(const UmdaState* state) = 0;
  /// Begins to make the generations up to \p end, at most longest_step; none after an individual without conflicts.
  virtual void begin(std::uint32_t end) = 0;
  /// Waits until they are made.
  virtual void finish() = 0;
  /// Puts an individual in place of the first one of the most conflicts. Until the next begin() and finish() nothing
  /// else may be asked.
  virtual void take(const Migrant& migrant) = 0;
  virtual UmdaState state();

 protected:
  Population population_;
  std::uint32_t generation_ = 0;
  Extremes extremes_;  ///< of the generation, after start() and finish()
};

/// The optimiser on the host, the fitness on the devices of a team, which may serve other populations in turn (sections
/// 3.2 and 3.6 of the paper).
std::unique_ptr<Umda> make_host_umda(FitnessTeam& team, const GeneTable& table, const Population& population);

/// A population whose all is on the device: selection, sampling, fitness.
class DeviceUmda : public Umda {
 public:
  using Umda::Umda;
  /// Kernels launched.
  virtual std::uint64_t launches() const = 0;
};
std::unique_ptr<DeviceUmda> make_device_umda(const std::shared_ptr<Device>& device, const GeneTable& table,
                                             const Population& population);

}  // namespace clopt::exchange
