/// \file
/// A population that evolves on one device.
#pragma once

#include <clopt/device.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "launcher.hpp"
#include "offload.hpp"

namespace clopt::genetic {

/// The buffers and kernels of a run. Element and Real as in operations.hpp.
template <class Element, class Real>
class Engine {
 public:
  /// Builds the kernels and allocates; computes nothing. \throws BuildError, InvalidInput, OutOfMemory.
  Engine(Device& device, const Problem& problem, const Options& options, const Plan& plan, Granularity granularity);

  /// Evaluates the start population, of which `given` individuals are there already. \throws Cancelled where that was
  /// left before its end; what was not evaluated has infinite costs.
  void start(std::uint32_t given);
  /// Draws and evaluates a new population for the next generation. The limits' best one is that since then; who wants
  /// the one before reads it first.
  void restart();
  /// Breeds one generation after the other, up to a generation.
  void advance(std::uint64_t generation);
  /// The generation that the population is of, unless the run stopped before.
  std::uint64_t generation() const { return generation_; }
  /// What a generation that was left has found: see Launcher.
  std::optional<StartTour> left() { return launcher_->left(); }
  /// Sets the generation of the buffers, for a run that is resumed or has stopped.
  void set_generation(std::uint64_t generation) { generation_ = generation; }

  /// Calls a function between the launches of a generation. What leaves the generation by Cancelled reaches the caller
  /// of start(), restart() or advance(), unless whole generations went before it.
  void call_between_launches(const std::function<void()>& call) { work_.between_launches = call; }
  /// Has the run's islands meet those of other runs.
  void work_with(Peers* peers) { work_.peers = peers; }
  /// Keeps the generation, for put_back().
  void keep(Device& device) { snapshot_.take(device, work_, generation_); }
  /// Goes back to the generation that was kept.
  void put_back() { generation_ = snapshot_.put_back(work_); }

  /// What the evaluation of a generation takes where the objective may be costly, as far as that is known; else 0.
  double seconds_of_evaluation() const { return stages_.evaluation.seconds(); }
  /// Individuals of the last generation that had launches of its own which were evaluated.
  std::uint64_t evaluated() const { return stages_.evaluation.evaluated(); }
  /// From now on a launch is a piece of a generation. \throws BuildError
  void divide_generations();
  /// From now on other devices evaluate, too, what was bred of the only island. \throws BuildError
  void offload_to(std::span<const std::shared_ptr<Device>> others);
  /// Those that do; null: none.
  const Offload<Element, Real>* offload() const { return offload_.get(); }

  Queue& queue() { return *work_.queue; }
  const Buffer<Element>& population() const { return work_.buffers.populations[generation_ % 2]; }
  const Buffer<Real>& costs() const { return work_.buffers.costs[generation_ % 2]; }
  const Buffer<Real>& limits() const { return work_.buffers.limits; }
  const Buffer<Element>& best() const { return work_.buffers.best; }
  const Buffer<std::uint32_t>& marks() const { return work_.buffers.marks; }
  /// The costs of the generations of the last advance(), where there are statistics; of at most most_kept() of them.
  const Buffer<Real>& history() const { return work_.buffers.history; }
  std::uint64_t most_kept() const { return work_.most_kept(); }

  std::uint32_t individuals_per_group() const { return launcher_->individuals_per_group(); }
  const std::vector<StageTime>& stages() const { return stages_.clock.times(); }

 private:
  Builder builder_;
  bool divides_generations_;
  Work<Element, Real> work_;
  std::uint64_t generation_ = 0;
  Snapshot<Element, Real> snapshot_;
  Kernel<operations::Start<Element, Real>> start_;
  Stages<Element, Real> stages_;
  std::unique_ptr<Launcher<Element, Real>> launcher_;
  std::unique_ptr<Offload<Element, Real>> offload_;

  Engine(const Builder& builder, Strategy strategy);
  void draw(std::uint32_t given);
};

}  // namespace clopt::genetic
