/// \file
/// How a generation is divided into launches: five strategies behind one interface.
#pragma once

#include <clopt/device.hpp>

#include <cstdint>
#include <memory>
#include <optional>

#include <genetic/problems/start_tour.hpp>
#include "generation_stages.hpp"
#include "kernel_builder.hpp"

namespace clopt::genetic {

enum class Strategy : std::uint8_t {
  stages,        ///< each stage has a launch of its own
  teams,         ///< one launch a generation, by teams of the granularity asked for
  local_island,  ///< many generations a launch, an island in the local memory of one work-group
  local_pairs,   ///< one launch a generation, the children of a work-group's pairs in local memory
  segments       ///< nothing is bred: segments of each tour are searched
};

Strategy choose_strategy(const Device& device, const Plan& plan, const Options& options, Granularity granularity,
                         bool is_batch_function);

/// Breeds generations. The work's buffers have generation g in populations[g % 2] and costs[g % 2].
template <class Element, class Real>
class Launcher {
 public:
  Launcher() = default;
  Launcher(const Launcher&) = delete;
  Launcher& operator=(const Launcher&) = delete;
  virtual ~Launcher() = default;
  /// Launches what breeds generation \p from + 1 to generation \p to. Nothing happens after the one that ends the run.
  /// Where the work keeps costs, those of each generation go to its history.
  virtual void advance(std::uint64_t from, std::uint64_t to) = 0;
  /// The shortest tour of a generation that was left before its end; none where there is none.
  virtual std::optional<StartTour> left() { return std::nullopt; }
  /// Individuals that share a work-group, after clamping.
  virtual std::uint32_t individuals_per_group() const = 0;
};

// Each builds its kernels and allocates what the work has not. Work and stages must outlive the launcher.
template <class Element, class Real>
std::unique_ptr<Launcher<Element, Real>> launch_stages(const Builder& builder, Work<Element, Real>& work,
                                                       Stages<Element, Real>& stages);
template <class Element, class Real>
std::unique_ptr<Launcher<Element, Real>> launch_teams(const Builder& builder, Work<Element, Real>& work,
                                                      Stages<Element, Real>& stages);
template <class Element, class Real>
std::unique_ptr<Launcher<Element, Real>> launch_local_island(const Builder& builder, Work<Element, Real>& work,
                                                             Stages<Element, Real>& stages);
template <class Element, class Real>
std::unique_ptr<Launcher<Element, Real>> launch_local_pairs(const Builder& builder, Work<Element, Real>& work,
                                                            Stages<Element, Real>& stages);
template <class Element, class Real>
std::unique_ptr<Launcher<Element, Real>> launch_segments(const Builder& builder, Work<Element, Real>& work,
                                                         Stages<Element, Real>& stages);

}  // namespace clopt::genetic
