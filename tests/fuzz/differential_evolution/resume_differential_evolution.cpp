/// \file
/// Minimisations that resume from hostile checkpoints.
#include <clopt/differential_evolution.hpp>

#include <string>
#include <utility>

#include "resume.hpp"
#include "target.hpp"

namespace {

using namespace clopt;

fuzz::ResumeCase evolution_case(const std::string& objective, const differential_evolution::Options& options) {
  differential_evolution::Problem problem{Objective::named(objective)};
  problem.dimensions = 3;
  problem.problems = 2;
  return {[=](std::shared_ptr<CheckpointWriter> checkpoint) {
            auto begun = options;
            begun.generations = 2;
            if (begun.adapt == "lshade") begun.generations = 4;
            begun.checkpoint = std::move(checkpoint);
            RunControl control;
            // L-SHADE's generations cannot be others later: this run is ended within them.
            control.progress_interval = 0;
            control.progress = [](const Progress&) { return true; };
            differential_evolution::solve(problem, begun, fuzz::one_thread(), control);
          },
          [=](std::shared_ptr<const Checkpoint> checkpoint) {
            auto resumed = options;
            resumed.generations = 4;
            resumed.resume = std::move(checkpoint);
            RunControl control;
            control.progress = [](const Progress&) { return true; };
            const auto result = differential_evolution::solve(problem, resumed, fuzz::one_thread(), control);
            fuzz::require(result.values.size() == 2 && result.best < 2, "every problem has a value");
          }};
}

std::vector<fuzz::ResumeCase> evolution_cases() {
  differential_evolution::Options fused;
  fused.method = "fused";
  fused.population = 6;
  fused.adapt = "none";
  auto merged = fused;
  merged.method = "merged";
  merged.adapt = "jde";
  merged.strategy = "best1bin";
  auto staged = fused;
  staged.method = "staged";
  staged.precision = "double";
  staged.bounds = "reflect";
  staged.target = 0.5;
  staged.spread = 0.5;
  auto shade = fused;
  shade.adapt = "shade";
  shade.statistics = [](const differential_evolution::Statistics&) {};
  auto shade_merged = shade;
  shade_merged.method = "merged";
  auto shrinking = fused;
  shrinking.adapt = "lshade";
  auto shrinking_staged = shrinking;
  shrinking_staged.method = "staged";
  return {evolution_case("sphere", fused),
          evolution_case("sphere", merged),
          evolution_case("rastrigin", staged),
          evolution_case("sphere", shade),
          evolution_case("rosenbrock", shade_merged),
          evolution_case("sphere", shrinking),
          evolution_case("ackley", shrinking_staged)};
}

const fuzz::Target resume_evolution_target{"resume_differential_evolution", fuzz::resume<evolution_cases>};

}  // namespace
