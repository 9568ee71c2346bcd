/// \file
/// What `clopt validate` runs of differential evolution: every method, strategy and treatment of bounds.
#include <clopt/device.hpp>
#include <clopt/differential_evolution.hpp>

#include <fmt/format.h>

#include <limits>

#include <commands/solver.hpp>

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
  // What adapts itself has cases of its own.
  result.options.adapt = "none";
  return result;
}

// Ways of one shape share their kernels' sources, so that most of them differ in what they test only.
constexpr std::size_t shape[] = {10, 49, 3};  // dimensions, population, problems

Way usual(const std::string& name, const std::string& objective, std::uint64_t generations) {
  return way(name, objective, shape[0], shape[1], shape[2], generations);
}

/// Fits of decays to rows with places of their own and data that are missing, and the local search from each.
Way fit() {
  const auto residual = Objective::from_text(
      "real residual(individual x, uint j) {\n"
      "  return gene(x, 0) * exp(-gene(x, 1) * abscissa(x, j)) * cos(gene(x, 2)) - row(x, j);\n}\n",
      "decay.cl");
  constexpr std::size_t columns = 13;
  Way result{"fit", {residual}, {}};
  auto& problem = result.problem;
  problem.dimensions = 3;
  problem.problems = 3;
  problem.lower = {0.5, 0, -1};
  problem.upper = {4, 2, 1};
  problem.columns = columns;
  // Numbers that need no functions, and lie near a curve.
  for (std::size_t k = 0; k < problem.problems; ++k)
    for (std::size_t j = 0; j < columns; ++j) {
      const double place = static_cast<double>(j) / 4 + static_cast<double>(k) / 16;
      problem.abscissa.push_back(place);
      problem.data.push_back((j + k) % 7 == 3 ? std::numeric_limits<double>::quiet_NaN()
                                              : 2 / (1 + place) + static_cast<double>(j % 3) / 16);
    }
  result.options.generations = 10;
  result.options.adapt = "none";
  return result;
}

/// What every method runs, whatever the device.
std::vector<Way> short_ways() {
  std::vector<Way> ways;
  ways.push_back(usual("rastrigin", "rastrigin", 40));
  ways.push_back(usual("sphere-target", "sphere", 400));
  ways.back().options.target = 1e-6;
  ways.back().least_solved = shape[2];
  ways.push_back(usual("currenttobest1exp-jde-reflect", "rosenbrock", 40));
  ways.back().options.strategy = "currenttobest1exp";
  ways.back().options.adapt = "jde";
  ways.back().options.bounds = "reflect";
  ways.push_back(usual("lshade-resample-spread", "ackley", 60));
  ways.back().options.adapt = "lshade";
  ways.back().options.bounds = "resample";
  ways.back().options.spread = 0.5;
  ways.push_back(usual("polish", "rosenbrock", 20));
  ways.back().options.polish = true;
  ways.push_back(fit());
  return ways;
}

/// Every objective, strategy and treatment of bounds apart: many kernels to build.
std::vector<Way> long_ways() {
  std::vector<Way> ways;
  for (const char* objective : {"griewank", "schwefel", "ackley", "rosenbrock"})
    ways.push_back(usual(objective, objective, 40));
  ways.push_back(way("large", "rastrigin", 49, 257, 3, 10));
  ways.push_back(way("larger-than-a-group", "sphere", 5, 2500, 2, 5));
  for (const auto& strategy : choices_of<solver::Options>("strategy")) {
    ways.push_back(usual(strategy, "rastrigin", 20));
    ways.back().options.strategy = strategy;
  }
  for (const char* bounds : {"reflect", "resample", "none"}) {
    ways.push_back(usual(bounds, "schwefel", 20));
    ways.back().options.bounds = bounds;
    ways.back().options.weight = 0.9;
  }
  ways.push_back(usual("jde", "griewank", 40));
  ways.back().options.adapt = "jde";
  ways.push_back(usual("shade", "ackley", 60));
  ways.back().options.adapt = "shade";
  ways.push_back(usual("shade-rand1bin", "rosenbrock", 40));
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

std::vector<ValidationCase> validation_cases(bool with_long_ones) {
  std::vector<ValidationCase> cases;
  const auto add = [&](const Way& way, const std::string& method, const std::string& precision) {
    auto each = way;
    each.options.method = method;
    each.options.precision = precision;
    cases.push_back({fmt::format("differential-evolution/{}/{}/{}", method, way.name, precision), true,
                     [each](Device& device, const RunControl& control) { return solve(each, device, control); }});
  };
  for (const char* method : {"staged", "merged", "fused", "auto"}) {
    for (const auto& way : short_ways()) add(way, method, "float");
    add(short_ways().front(), method, "double");
    if (!with_long_ones) continue;
    for (const auto& way : long_ways())
      for (const char* precision : {"float", "double"}) add(way, method, precision);
  }
  return cases;
}

}  // namespace clopt::apps::differential_evolution
