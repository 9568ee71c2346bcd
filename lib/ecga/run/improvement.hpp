/// \file
/// The local search of new individuals.
#pragma once

#include <clopt/device.hpp>
#include <clopt/ecga.hpp>

#include <cstdint>
#include <functional>

#include <ecga/dimensions.hpp>
#include <ecga/plan.hpp>
#include <run/pacing.hpp>

namespace clopt::ecga {

/// A population that is to be improved.
struct NewPopulation {
  const Buffer<std::uint32_t>& individuals;
  const Buffer<std::uint32_t>& selected;  ///< rows of the individuals that blocks take values from
  const Model& model;                     ///< of these; empty: there is none
  std::uint64_t generation = 0;
  std::uint64_t evaluations = 0;   ///< of the run so far
  bool is_shared = false;          ///< other ranks improve the same one, and ask must_end as often
  std::function<bool()> must_end;  ///< called between launches
};

/// What an improvement did.
struct Improved {
  std::uint64_t evaluations = 0;
  bool is_complete = true;
};

/// Makes individuals local optima, in a run that improves them. Where the objective's parts are known, a move is
/// evaluated by those that it changes, else as a whole individual.
template <class Real>
class Improvement {
 public:
  /// Evaluates the first of some individuals.
  using Evaluate =
      std::function<void(const Buffer<std::uint32_t>& individuals, const Buffer<Real>& values, std::uint32_t count)>;

  /// Begins to build kernels. All must outlive the object.
  Improvement(const Plan& plan, const Dimensions& dimensions, Device& device, Queue& queue);
  /// Takes the memory, once kernels are built.
  void reserve();
  /// \param tables of the objective. \param fitness of the population where moves are tried as whole individuals; is
  /// set to that of the improved ones, which is valid also where it must end.
  Improved improve(const NewPopulation& population, const Buffer<Real>& tables, const Buffer<Real>& fitness,
                   const Evaluate& evaluate);

 private:
  ImprovementSettings write_lists(const NewPopulation& population);
  Improved improve_by_parts(const NewPopulation& population, const Buffer<Real>& tables);
  Improved improve_whole(const NewPopulation& population, const Buffer<Real>& fitness, const Evaluate& evaluate);
  bool is_enough(const Buffer<Real>& fitness, std::uint64_t evaluations) const;
  std::uint64_t tries() const;

  const Plan& plan_;
  const Dimensions& dimensions_;
  Device& device_;
  Queue& queue_;
  Pacing pacing_;  ///< of steps of an individual

  Kernel<operations::Improve<Real>> improve_;
  Kernel<operations::FindMoves> find_moves_;
  Kernel<operations::ProposeMoves> propose_moves_;
  Kernel<operations::AcceptMoves<Real>> accept_moves_;

  Buffer<std::uint32_t> parts_;
  Buffer<std::uint32_t> lists_;
  Buffer<std::uint32_t> searches_;
  Buffer<std::uint32_t> unfinished_;
  Buffer<std::uint32_t> active_;
  Buffer<std::uint32_t> trials_;
  Buffer<Real> trial_fitness_;
};

}  // namespace clopt::ecga
