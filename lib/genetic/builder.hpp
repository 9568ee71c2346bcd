/// \file
/// How the kernels of a run are built.
#pragma once

#include <clopt/device.hpp>
#include <objective/program.hpp>

#include <cstdint>
#include <string>

#include "engine.hpp"
#include "settings.hpp"

namespace clopt::genetic {

// The value of GENETIC_TEAM for `hybrid` in one launch.
inline constexpr std::uint32_t mixed_team = 3;

enum Stage : std::size_t { selection, crossing, mutation, evaluation, replacement };

inline Team team_of(const std::string& granularity, Stage stage) {
  if (granularity == "thread") return Team::thread;
  if (granularity == "subgroup") return Team::subgroup;
  if (granularity == "hybrid" && stage != mutation) return Team::subgroup;
  return Team::group;
}

// Lets a program know the run's choices and sizes.
inline void fix_settings(Program& program, const Settings& run) {
  program.defines.set("GENETIC_FIXED", 1U)
      .set("GENETIC_FIXED_KIND", run.kind)
      .set("GENETIC_FIXED_MAXIMISE", run.maximise)
      .set("GENETIC_FIXED_POPULATION", run.population)
      .set("GENETIC_FIXED_PAIRS", run.pairs)
      .set("GENETIC_FIXED_GENES", run.genes)
      .set("GENETIC_FIXED_UNITS", run.units)
      .set("GENETIC_FIXED_ROW", run.row)
      .set("GENETIC_FIXED_SELECTION", run.selection)
      .set("GENETIC_FIXED_CROSSOVER", run.crossover_kind)
      .set("GENETIC_FIXED_MUTATION", run.mutation_kind)
      .set("GENETIC_FIXED_WAY", run.mutation_way)
      .set("GENETIC_FIXED_SEGMENT", run.segment)
      .set("GENETIC_FIXED_WHOLE", run.whole)
      .set("GENETIC_FIXED_ELITES", run.elites)
      .set("GENETIC_FIXED_INDEX_BIAS", run.index_bias)
      .set("GENETIC_FIXED_POINT_BIAS", run.point_bias);
}

/// Builds a run's kernels. On a graphics processor most programs are made for the run; any other takes longer to
/// compile for each number of genes than it gains.
struct Builder {
  Device& device;
  const Objective& objective;
  const Plan& plan;
  const Settings& run;
  const std::string& granularity;

  bool is_gpu() const { return device.info().kind == DeviceKind::gpu; }

  /// What is launched once need not be compiled for each run.
  Program of_any_run() const {
    Program program;
    objective::prepare(program, objective, plan.double_precision, 0);
    program.defines.set("GENETIC_TEAM", static_cast<std::uint32_t>(Team::group));
    return program;
  }
  Program of_stage(Stage stage) const {
    Program program;
    objective::prepare(program, objective, plan.double_precision, is_gpu() ? run.genes : 0);
    if (is_gpu()) fix_settings(program, run);
    program.defines.set("GENETIC_TEAM", static_cast<std::uint32_t>(team_of(granularity, stage)));
    return program;
  }
  Program without_objective() const {
    Program program;
    if (is_gpu()) fix_settings(program, run);
    return program;
  }
  template <class... Parameters>
  Kernel<Parameters...> build(const Operation<Parameters...>& operation, const Program& program) const {
    return objective::build(device, operation, program, objective);
  }
};

}  // namespace clopt::genetic
