/// \file
/// How the kernels of a run are built, and the shape of their work-groups.
#pragma once

#include <clopt/device.hpp>
#include <objective/program.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>

#include <genetic/plan.hpp>

namespace clopt::genetic {

/// The work-items that work on a pair or an individual; the values of GENETIC_TEAM.
enum class Team : std::uint32_t { thread, group, subgroup, mixed, subgroups, gene };

enum class Stage : std::uint8_t { selection, crossover, mutation, evaluation, replacement };

/// The team that a granularity gives a stage.
inline Team team_of(Granularity granularity, Stage stage) {
  if (granularity == Granularity::thread) return Team::thread;
  if (granularity == Granularity::subgroup) return Team::subgroup;
  if (granularity == Granularity::subgroups) return Team::subgroups;
  if (granularity == Granularity::gene) return Team::gene;
  if (granularity == Granularity::hybrid && stage != Stage::mutation) return Team::subgroup;
  return Team::group;
}

/// The work-groups of a launch.
struct TeamShape {
  std::uint32_t teams = 1;  ///< of a work-group
  std::uint32_t group_size = 1;
  Range range(std::uint64_t count) const { return Range::of_groups((count + teams - 1) / teams, group_size); }
};

/// Shapes the work-groups of a kernel for teams. \param wanted_lanes work-items that a team has use for.
template <class Arguments>
TeamShape shape_of(Team team, const Options& options, const Kernel<Arguments>& kernel, const Settings& settings) {
  constexpr std::uint32_t usual_group = 256;
  constexpr std::uint32_t largest_group = 1024;
  const auto useful = team == Team::gene                     ? settings.genes
                      : settings.kind == GENETIC_BITS        ? settings.units
                      : settings.kind == GENETIC_PERMUTATION ? 2
                                                             : settings.genes;
  const auto wanted_lanes = std::min(useful, largest_group);
  const auto most = std::min(kernel.max_group_size(), largest_group);
  std::uint32_t lanes = 1;
  if (team == Team::subgroup) lanes = std::min(kernel.subgroup_size(), most);
  const auto usual = team == Team::gene ? largest_group : usual_group;
  const auto slice =
      std::min(options.group_size != 0 ? options.group_size : usual, most) / options.individuals_per_group;
  if (team == Team::group || team == Team::gene) lanes = std::clamp(slice, 1U, std::bit_ceil(wanted_lanes));
  if (team == Team::subgroups) {
    // Two sub-groups at least, where the device has them.
    const auto width = std::min(kernel.subgroup_size(), most);
    const auto useful_groups = std::max(2U, (wanted_lanes + width - 1) / width);
    lanes = width * std::min(std::clamp(slice / width, 2U, useful_groups), most / width);
  }
  const auto teams = std::max(1U, std::min(options.individuals_per_group, most / lanes));
  return {teams, teams * lanes};
}

/// The work-items of a work-group that goes over something together.
template <class Arguments>
std::uint32_t group_of(const Kernel<Arguments>& kernel) {
  return std::min(256U, kernel.max_group_size());
}

/// Builds a run's kernels. On a graphics processor most programs are made for the run; any other takes longer to
/// compile for each number of genes than it gains.
struct Builder {
  Device& device;
  const Objective& objective;
  const Options& options;
  const Plan& plan;
  Granularity granularity;

  bool is_gpu() const { return device.info().kind == DeviceKind::gpu; }

  /// What is launched once need not be compiled for each run.
  Program of_any_run() const {
    Program program;
    objective::prepare(program, objective, plan.double_precision, 0);
    if (is_gpu()) fix_first(program);
    return with_team(std::move(program), Team::group);
  }
  Program of_team(Team team) const {
    Program program;
    objective::prepare(program, objective, plan.double_precision, is_gpu() ? plan.settings.genes : 0);
    if (is_gpu()) fix_settings(program);
    if (is_gpu() && team == Team::gene && plan.unpacks)
      program.defines.set("GENETIC_FIXED_ROW", shared::genetic_unpacked_row(plan.settings));
    return with_team(std::move(program), team);
  }
  Program of_stage(Stage stage) const { return of_team(team_of(granularity, stage)); }
  Program without_objective() const {
    Program program;
    if (is_gpu()) fix_settings(program);
    return program;
  }
  /// Builds an operation whose program has the objective.
  template <OperationArguments Arguments>
  Kernel<Arguments> build(const Program& program) const {
    return objective::build<Arguments>(device, program, objective);
  }

 private:
  static Program with_team(Program program, Team team) {
    program.defines.set("GENETIC_TEAM", static_cast<std::uint32_t>(team));
    return program;
  }
  // Defines the run's choices and sizes in a program.
  void fix_settings(Program& program) const {
    const auto& settings = plan.settings;
    program.defines.set("GENETIC_FIXED", 1U)
        .set("GENETIC_FIXED_KIND", settings.kind)
        .set("GENETIC_FIXED_MAXIMISE", settings.maximise)
        .set("GENETIC_FIXED_POPULATION", settings.population)
        .set("GENETIC_FIXED_PAIRS", settings.pairs)
        .set("GENETIC_FIXED_GENES", settings.genes)
        .set("GENETIC_FIXED_UNITS", settings.units)
        .set("GENETIC_FIXED_ROW", settings.row)
        .set("GENETIC_FIXED_SELECTION", settings.selection)
        .set("GENETIC_FIXED_TOURNAMENT", settings.tournament)
        .set("GENETIC_FIXED_CROSSOVER", settings.crossover_kind)
        .set("GENETIC_FIXED_MUTATION", settings.mutation_kind)
        .set("GENETIC_FIXED_WAY", settings.mutation_way)
        .set("GENETIC_FIXED_SEGMENT", settings.segment)
        .set("GENETIC_FIXED_WHOLE", settings.whole)
        .set("GENETIC_FIXED_ELITES", settings.elites)
        .set("GENETIC_FIXED_INDEX_BIAS", settings.index_bias)
        .set("GENETIC_FIXED_POINT_BIAS", settings.point_bias);
    fix_first(program);
  }
  // Ranks and slices share their programs, wherever their islands begin; a run of all islands has nothing to add.
  void fix_first(Program& program) const {
    if (plan.settings.islands == plan.whole_islands) program.defines.set("GENETIC_FIXED_FIRST", 1U);
  }
};

}  // namespace clopt::genetic
