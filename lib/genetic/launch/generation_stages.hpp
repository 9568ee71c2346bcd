/// \file
/// The stages of a generation that have launches of their own.
#pragma once

#include <run/pacing.hpp>
#include <support/stopwatch.hpp>

#include <cstdint>
#include <vector>

#include "buffers.hpp"
#include "improvement.hpp"
#include "kernel_builder.hpp"

namespace clopt::genetic {

// From here on one work-group would take too long to go over the costs of an island: the limits of sections go before.
inline constexpr std::uint32_t most_without_section_limits = 16384;
// Islands that one work-group sums up. (Where there is much to do, waiting until everything is written takes longer
// than a launch that finds it written.)
inline constexpr std::uint32_t most_summed_up = 16;

template <class Element, class Real>
class Offload;

/// Where bits are not packed while they are bred: the way there and back.
template <class Element, class Real>
class Unpacking {
 public:
  Unpacking(const Builder& builder, Work<Element, Real>& work);
  /// Gives each gene of a generation an element of its own.
  void unpack(std::uint64_t generation) const;
  /// Makes a generation's population of its genes, which the thesis calls replacement.
  void pack(std::uint64_t generation) const;

 private:
  Work<Element, Real>& work_;
  Kernel<operations::Unpack> unpack_;
  Kernel<operations::Pack> pack_;
};

/// The costs of a whole generation; where the objective may be costly, in launches that are short, between which the
/// work's between_launches() is called.
template <class Element, class Real>
class Evaluation {
 public:
  /// \param team none: for the start population alone.
  Evaluation(const Builder& builder, Work<Element, Real>& work, std::optional<Team> team);
  /// Those that were bred, or all of generation 0.
  void launch(std::uint64_t generation);
  /// All of a generation.
  void launch_all(std::uint64_t generation);
  /// Of those that were bred, the ones from \p first to below \p end.
  Event launch_range(std::uint64_t generation, std::uint64_t first, std::uint64_t end) {
    return launch_piece(generation, first, end, generation);
  }
  /// Has several devices evaluate those that were bred from now on.
  void offload_to(Offload<Element, Real>& offload) { offload_ = &offload; }
  const TeamShape& shape() const { return shape_; }
  /// Individuals of the last generation that were evaluated.
  std::uint64_t evaluated() const { return evaluated_; }
  /// What a generation takes, as far as that is known; else 0.
  double seconds() const { return seconds_each_ * static_cast<double>(work_.individuals); }

 private:
  void launch(std::uint64_t generation, std::uint64_t individuals, std::uint64_t reported_generation);
  Event launch_piece(std::uint64_t generation, std::uint64_t first, std::uint64_t end,
                     std::uint64_t reported_generation);

  Work<Element, Real>& work_;
  Offload<Element, Real>* offload_ = nullptr;
  bool may_be_costly_;
  Pacing pacing_;
  double seconds_each_ = 0;
  std::uint64_t evaluated_ = 0;
  Kernel<operations::Evaluate<Element, Real>> kernel_;
  TeamShape shape_;
};

/// Weighs the sections of the wheel, where it has any.
template <class Element, class Real>
class WheelSections {
 public:
  WheelSections(const Builder& builder, Work<Element, Real>& work);
  /// \param generation the one that is to be bred.
  void launch(std::uint64_t generation) const;
  bool exist() const { return exist_; }

 private:
  Work<Element, Real>& work_;
  bool exist_;
  Kernel<operations::SumSectionWeights<Real>> kernel_;
};

/// The choice of parents, where it has a launch of its own.
template <class Element, class Real>
class ParentSelection {
 public:
  ParentSelection(const Builder& builder, Work<Element, Real>& work);
  void launch(std::uint64_t generation, const WheelSections<Element, Real>& wheel) const;

 private:
  Work<Element, Real>& work_;
  Kernel<operations::SelectParents<Real>> kernel_;
  Kernel<operations::WalkWheel<Real>> walk_;  ///< where one work-group an island weighs its wheel and selects
  std::uint32_t walk_group_ = 0;
};

/// Elites and migrants.
template <class Element, class Real>
class Replacement {
 public:
  Replacement(const Builder& builder, Work<Element, Real>& work);
  /// Elites of the generation before take the places behind the children.
  void keep_elites(std::uint64_t generation) const;
  /// The best of each island replace the worst of the next one, all at once, where it is time. Where there are other
  /// runs, it waits for the migrants of the one before.
  void migrate(std::uint64_t generation) const;

 private:
  void copy(std::uint64_t from, const Buffer<std::uint32_t>& from_places, std::uint64_t to,
            const Buffer<std::uint32_t>& to_places, std::uint64_t generation, std::uint32_t count) const;
  void pass_on(std::uint64_t generation) const;

  Work<Element, Real>& work_;
  Kernel<operations::Extremes<Real>> extremes_;
  Kernel<operations::CopyIndividuals<Element, Real>> copy_;
  Buffer<std::uint32_t> best_places_;
  Buffer<std::uint32_t> worst_places_;
  Buffer<std::uint32_t> elite_places_;
  /// Between the last island and the next run, and between the run before and the first island.
  struct Passage {
    Buffer<Element> rows;
    Buffer<Real> costs;
    Buffer<std::uint32_t> places;
  };
  Passage passage_;
};

/// What is known of a generation.
template <class Element, class Real>
class Summary {
 public:
  Summary(const Builder& builder, Work<Element, Real>& work);
  void launch(std::uint64_t generation) const;

 private:
  Work<Element, Real>& work_;
  std::uint32_t sections_ = 0;  ///< that an island has
  Kernel<operations::FindSectionLimits<Real>> find_section_limits_;
  Kernel<operations::Summarise<Element, Real>> summarise_;
  Buffer<Real> section_limits_;
  Buffer<std::uint32_t> section_places_;
};

/// The times of stages, where they are wanted.
class StageClock {
 public:
  explicit StageClock(bool is_wanted)
      : is_wanted_(is_wanted), times_{{"selection"}, {"crossover"}, {"mutation"}, {"evaluation"}, {"replacement"}} {}

  /// Runs a stage's launches, and waits for them where its time is wanted.
  template <class Launch>
  void run(Queue& queue, Stage stage, const Launch& launch) {
    if (!is_wanted_) return launch();
    queue.finish();
    const Stopwatch stopwatch;
    launch();
    queue.finish();
    times_[static_cast<std::size_t>(stage)].seconds += stopwatch.seconds();
  }
  const std::vector<StageTime>& times() const { return times_; }

 private:
  bool is_wanted_;
  std::vector<StageTime> times_;
};

/// The stages that a run has whatever its launcher.
template <class Element, class Real>
struct Stages {
  Unpacking<Element, Real> unpacking;
  Evaluation<Element, Real> evaluation;
  Improvement<Element, Real> improvement;
  WheelSections<Element, Real> wheel;
  Replacement<Element, Real> replacement;
  Summary<Element, Real> summary;
  StageClock clock;
};

}  // namespace clopt::genetic
