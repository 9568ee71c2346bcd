/// \file
/// What `clopt validate` runs of differential evolution: every method, strategy and treatment of bounds.
#include <clopt/device.hpp>
#include <clopt/differential_evolution.hpp>

#include <fmt/format.h>

#include "subcommand.hpp"

namespace clopt::apps::differential_evolution {
namespace {

namespace solver = clopt::differential_evolution;

/// A run whose checksum must be the same everywhere.
struct Way {
  std::string name;
  solver::Problem problem;
  solver::Options options;
  std::size_t least_solved = 0;  ///< problems that reach the target
};

Way way(const std::string& name, const std::string& objective, std::size_t dimensions, std::size_t population,
        std::size_t problems, std::uint64_t generations) {
  Way result{name, {Objective::named(objective)}, {}};
  result.problem.dimensions = dimensions;
  result.problem.problems = problems;
  result.options.population = population;
  result.options.generations = generations;
  return result;
}

std::vector<Way> ways_of_objectives() {
  std::vector<Way> ways;
  for (const char* objective : {"sphere", "rosenbrock", "rastrigin", "ackley", "griewank", "schwefel"})
    ways.push_back(way(objective, objective, 10, 49, 7, 40));
  ways.push_back(way("large", "rastrigin", 49, 257, 3, 10));
  auto target = way("target", "sphere", 7, 35, 9, 400);
  target.options.target = 1e-6;
  target.least_solved = 9;
  ways.push_back(target);
  auto spread = way("spread", "ackley", 5, 31, 9, 200);
  spread.options.spread = 0.1;
  ways.push_back(spread);
  return ways;
}

std::vector<Way> ways_of_options() {
  std::vector<Way> ways;
  for (const auto& strategy : solver::strategies()) {
    ways.push_back(way(strategy, "rastrigin", 13, 31, 3, 20));
    ways.back().options.strategy = strategy;
  }
  for (const char* bounds : {"reflect", "resample", "none"}) {
    ways.push_back(way(bounds, "schwefel", 7, 31, 3, 20));
    ways.back().options.bounds = bounds;
    ways.back().options.weight = 0.9;
  }
  ways.push_back(way("jde", "griewank", 7, 31, 3, 40));
  ways.back().options.adapt = "jde";
  ways.push_back(way("shade", "rosenbrock", 7, 31, 3, 40));
  ways.back().options.adapt = "shade";
  ways.push_back(way("shade-rand1", "ackley", 7, 31, 3, 40));
  ways.back().options.adapt = "shade";
  ways.back().options.strategy = "rand1bin";
  return ways;
}

ValidationOutcome solve(const Way& way, Device& device, const RunControl& control) {
  ValidationOutcome outcome;
  if (way.options.precision == "double" && !device.info().has_double) {
    outcome.skipped = "no double precision";
    return outcome;
  }
  const auto result = solver::solve(way.problem, way.options, device, control);
  outcome.checksum = result.checksum;
  if (result.solved < way.least_solved)
    outcome.wrong = fmt::format("{} problems of {} reached the target", result.solved, way.least_solved);
  return outcome;
}

}  // namespace

std::vector<ValidationCase> validation_cases(bool) {
  auto ways = ways_of_objectives();
  for (auto& each : ways_of_options()) ways.push_back(std::move(each));
  std::vector<ValidationCase> cases;
  for (const auto& method : {"staged", "merged", "fused"})
    for (const char* precision : {"float", "double"})
      for (auto each : ways) {
        each.options.method = method;
        each.options.precision = precision;
        cases.push_back({fmt::format("differential-evolution/{}/{}/{}", method, each.name, precision), true,
                         [each](Device& device, const RunControl& control) { return solve(each, device, control); }});
      }
  return cases;
}

}  // namespace clopt::apps::differential_evolution
