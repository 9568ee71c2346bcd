/// \file
/// The stages of a generation on one device.
#pragma once

#include <clopt/device.hpp>
#include <objective/program.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "operations.hpp"
#include "settings.hpp"

namespace clopt::genetic {

// Islands that one work-group sums up. (Where there is much to do, waiting until everything is written takes longer
// than a launch that finds it written.)
inline constexpr std::uint32_t most_summed_up = 16;
// From here on one work-group would take too long to go over the costs of an island.
inline constexpr std::uint32_t most_without_survey = 16384;

/// Who works on an individual; the values of GENETIC_TEAM.
enum class Team : std::uint32_t { thread, group, subgroup };

/// The work-groups of a stage.
struct TeamShape {
  std::uint32_t teams = 1;  ///< of a work-group
  std::uint32_t group_size = 1;
  Range range(std::uint64_t count) const { return Range::of_groups((count + teams - 1) / teams, group_size); }
};

/// Shapes the work-groups of a kernel. \param wanted_lanes work-items that a team has use for.
inline TeamShape shape_of(Team team, std::uint32_t individuals_per_group, std::uint32_t group_size,
                          std::uint32_t max_group_size, std::uint32_t subgroup_size, std::uint32_t wanted_lanes) {
  constexpr std::uint32_t usual_group = 256;
  constexpr std::uint32_t largest_group = 1024;
  const auto most = std::min(max_group_size, largest_group);
  std::uint32_t lanes = 1;
  if (team == Team::subgroup) lanes = std::min(subgroup_size, most);
  if (team == Team::group) {
    const auto asked = group_size != 0 ? group_size : usual_group;
    lanes = std::clamp(std::min(asked, most) / individuals_per_group, 1U, std::bit_ceil(wanted_lanes));
  }
  const auto teams = std::max(1U, std::min(individuals_per_group, most / lanes));
  return {teams, teams * lanes};
}

struct Builder;

/// The buffers and kernels of a run. Element and Real as in operations.hpp.
template <class Element, class Real>
class Engine {
 public:
  /// Builds the kernels and allocates; computes nothing. \throws BuildError, InvalidInput, OutOfMemory.
  Engine(Device& device, const Problem& problem, const Options& options, const Plan& plan,
         const std::string& granularity);

  /// Evaluates the start population, of which `given` individuals are there already.
  void start(std::uint32_t given);
  /// Breeds one generation after the other, up to a generation.
  void advance(std::uint64_t generation);
  /// The generation that the population is of, unless the run stopped before.
  std::uint64_t generation() const { return generation_; }

  Queue& queue() { return *queue_; }
  const Buffer<Element>& population() const { return populations_[generation_ % 2]; }
  const Buffer<Real>& costs() const { return costs_[generation_ % 2]; }
  const Buffer<Real>& limits() const { return limits_; }
  const Buffer<Element>& best() const { return best_; }
  const Buffer<std::uint32_t>& marks() const { return marks_; }
  /// Says which generation the buffers are of, for a run that goes on or has stopped.
  void set_generation(std::uint64_t generation) { generation_ = generation; }

  std::uint32_t individuals_per_group() const { return individuals_per_group_; }
  const std::vector<StageTime>& stages() const { return stages_; }

 private:
  void build_stages(const Builder& builder, const Options& options);
  void build_teams(const Builder& builder, const Options& options);
  void build_at_home(const Builder& builder);
  void build_brood(const Builder& builder);
  template <class... Parameters>
  TeamShape shape_of(Team team, const Options& options, const Kernel<Parameters...>& kernel) const;
  void allocate(const Builder& builder);
  // Whether nothing comes between a generation's children and its summary.
  bool bred_is_all() const { return run_.elites == 0 && migrate_every_ == 0; }
  void breed_staged();
  void breed_at_once();
  void launch_brood();
  void launch_teams();
  std::uint32_t brood_groups() const { return (run_.pairs + pairs_each_ - 1) / pairs_each_; }
  bool fits_local_memory(const Device& device, const Plan& plan) const;
  // How many pairs' children local memory holds.
  std::uint64_t brood_room(const Device& device) const;
  void shape_brood(const DeviceInfo& info, std::uint32_t width, std::uint32_t most_items, std::uint64_t most_pairs);
  std::uint32_t lanes_of_team(std::uint32_t width) const;
  void allocate_ahead(Device& device);
  void draw_ahead(std::uint64_t count);
  void advance_in_local_memory(std::uint64_t generation);
  void weigh();
  void select();
  void evaluate(std::uint64_t generation);
  void replace();
  void migrate();
  void summarise();
  void shape_home(std::uint32_t width, std::uint32_t most_items);
  template <class... Parameters>
  std::uint32_t groups_of(const Kernel<Parameters...>& kernel, std::uint32_t most = 256) const {
    return std::min(most, kernel.max_group_size());
  }
  // Runs a stage, and waits for it where its time is wanted.
  void timed(std::size_t stage, const std::function<void()>& run);

  const Settings run_;
  const std::uint64_t individuals_;
  const std::uint64_t pairs_;
  std::uint64_t migrate_every_;
  std::uint32_t migrants_;
  bool measure_;
  bool has_sections_;
  std::uint32_t individuals_per_group_;
  std::uint64_t generation_ = 0;
  std::unique_ptr<Queue> queue_;

  std::array<Buffer<Element>, 2> populations_;
  std::array<Buffer<Real>, 2> costs_;
  Buffer<Real> limits_;
  Buffer<Element> best_;
  Buffer<std::uint32_t> marks_;
  Buffer<Real> numbers_;
  Buffer<Settings> settings_;
  Buffer<Real> tables_;
  Buffer<std::uint32_t> parents_;
  Buffer<std::uint32_t> scratch_;
  Buffer<std::uint64_t> sections_;
  std::uint32_t surveyed_sections_ = 0;
  Buffer<Real> surveyed_;
  Buffer<std::uint32_t> surveyed_places_;
  Buffer<std::uint32_t> best_places_;
  Buffer<std::uint32_t> worst_places_;
  Buffer<std::uint32_t> elite_places_;

  using Words = InOut<std::uint32_t>;
  using Marks = In<std::uint32_t>;
  using Number = std::uint32_t;
  Kernel<InOut<Element>, In<Real>, In<Settings>, Number> start_;
  Kernel<In<Real>, In<Real>, In<std::uint64_t>, Words, Marks, In<Settings>, Number, Number> select_;
  Kernel<In<Real>, In<Real>, InOut<std::uint64_t>, Marks, In<Settings>, Number> weigh_;
  Kernel<In<Element>, InOut<Element>, Marks, In<Real>, Words, Marks, In<Settings>, Number, Number> crossover_;
  Kernel<InOut<Element>, In<Real>, Marks, In<Settings>, Number, Number> mutate_;
  Kernel<In<Element>, InOut<Real>, In<Real>, Marks, In<Settings>, Number, Number> evaluate_;
  Kernel<In<Real>, InOut<Real>, Words, In<Settings>, Number> survey_;
  Kernel<In<Element>, In<Real>, InOut<Real>, InOut<Element>, Words, In<Real>, In<Real>, Marks, In<Settings>, Number,
         Number>
      summarise_;
  Kernel<In<Real>, Words, In<Settings>, Number, Number, Number> extremes_;
  Kernel<In<Element>, In<Real>, Marks, InOut<Element>, InOut<Real>, Marks, In<Settings>, Marks, Number, Number> copy_;
  Kernel<In<Element>, InOut<Element>, In<Real>, InOut<Real>, InOut<Real>, In<std::uint64_t>, InOut<Element>, Words,
         In<Real>, In<Real>, Words, In<Settings>, Number, Number, Number, Number>
      offspring_;
  Kernel<In<Element>, InOut<Element>, In<Real>, InOut<Real>, InOut<Real>, Marks, InOut<Element>, Words, In<Real>,
         In<Real>, InOut<Real>, Words, Words, In<Settings>, Number, Number, Number, Number, Local<std::uint64_t>,
         Local<std::uint32_t>, Local<std::uint32_t>>
      breed_;
  Kernel<InOut<Element>, InOut<Element>, InOut<Real>, InOut<Real>, InOut<Real>, InOut<Element>, Words, In<Real>,
         In<Real>, Marks, In<std::uint64_t>, In<Settings>, Number, Number, Number, Local<std::uint64_t>, Local<Real>,
         Local<std::uint32_t>>
      generations_;
  Kernel<Words, InOut<std::uint64_t>, In<Settings>, Number, Number> draw_ahead_;
  Buffer<std::uint32_t> tries_ahead_;
  Buffer<std::uint64_t> masks_ahead_;
  TeamShape fused_shape_;
  std::uint32_t fused_lanes_ = 1;  ///< of a team
  std::uint32_t pairs_each_ = 1;   ///< of a work-group with a brood
  bool selects_apart_ = true;      ///< whether parents are selected before `breed`
  bool sums_up_ = false;           ///< whether the kernel that breeds ends with a summary
  TeamShape team_shape_;
  std::uint32_t most_at_once_ = 1;  ///< generations of a launch
  TeamShape crossover_shape_;
  TeamShape mutate_shape_;
  TeamShape evaluate_shape_;
  std::vector<StageTime> stages_;
};

extern template class Engine<std::uint32_t, float>;
extern template class Engine<std::uint32_t, double>;
extern template class Engine<std::int32_t, float>;
extern template class Engine<std::int32_t, double>;
extern template class Engine<float, float>;
extern template class Engine<double, double>;

}  // namespace clopt::genetic
