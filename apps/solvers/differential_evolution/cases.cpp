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
struct KnownRun {
  std::string name;
  solver::Problem problem;
  solver::Options options;
  std::size_t least_solved = 0;  ///< problems that reach the target
};

KnownRun known_run(const std::string& name, const std::string& objective, std::size_t dimensions,
                   std::size_t population, std::size_t problems, std::uint64_t generations) {
  KnownRun result{name, {Objective::named(objective)}, {}};
  result.problem.dimensions = dimensions;
  result.problem.problems = problems;
  result.options.population = population;
  result.options.generations = generations;
  // What adapts itself has cases of its own.
  result.options.adapt = "none";
  return result;
}

// Runs of one shape share their kernels' sources, so that most of them differ in what they test only.
constexpr std::size_t shape[] = {10, 49, 3};  // dimensions, population, problems

KnownRun usual(const std::string& name, const std::string& objective, std::uint64_t generations) {
  return known_run(name, objective, shape[0], shape[1], shape[2], generations);
}

/// Fits of decays to rows with places of their own and data that are missing, and the local search from each.
KnownRun fit() {
  const auto residual = Objective::from_text(
      "real residual(individual x, uint j) {\n"
      "  return gene(x, 0) * exp(-gene(x, 1) * abscissa(x, j)) * cos(gene(x, 2)) - row(x, j);\n}\n",
      "decay.cl");
  constexpr std::size_t columns = 13;
  KnownRun result{"fit", {residual}, {}};
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
std::vector<KnownRun> short_runs() {
  std::vector<KnownRun> runs;
  runs.push_back(usual("rastrigin", "rastrigin", 40));
  runs.push_back(usual("sphere-target", "sphere", 400));
  runs.back().options.target = 1e-6;
  runs.back().least_solved = shape[2];
  runs.push_back(usual("currenttobest1exp-jde-reflect", "rosenbrock", 40));
  runs.back().options.strategy = "currenttobest1exp";
  runs.back().options.adapt = "jde";
  runs.back().options.bounds = "reflect";
  runs.push_back(usual("lshade-resample-spread", "ackley", 60));
  runs.back().options.adapt = "lshade";
  runs.back().options.bounds = "resample";
  runs.back().options.spread = 0.5;
  // A population that is small enough to collapse, and to restart, in a few hundred generations.
  runs.push_back(known_run("shade6-restarts", "rastrigin", 3, 7, shape[2], 300));
  runs.back().options.adapt = "shade6";
  runs.back().options.restarts = true;
  // Compilers may put 16 vertices into vectors.
  runs.push_back(known_run("polish", "rosenbrock", 17, shape[1], shape[2], 20));
  runs.back().options.polish = true;
  runs.push_back(fit());
  return runs;
}

/// Every objective, strategy and treatment of bounds apart: many kernels to build.
std::vector<KnownRun> long_runs() {
  std::vector<KnownRun> runs;
  for (const char* objective : {"griewank", "schwefel", "ackley", "rosenbrock"})
    runs.push_back(usual(objective, objective, 40));
  runs.push_back(known_run("large", "rastrigin", 49, 257, 3, 10));
  runs.push_back(known_run("larger-than-a-group", "sphere", 5, 2500, 2, 5));
  for (const auto& strategy : choices_of<solver::Options>("strategy")) {
    runs.push_back(usual(strategy, "rastrigin", 20));
    runs.back().options.strategy = strategy;
  }
  for (const char* bounds : {"reflect", "resample", "none"}) {
    runs.push_back(usual(bounds, "schwefel", 20));
    runs.back().options.bounds = bounds;
    runs.back().options.weight = 0.9;
  }
  runs.push_back(usual("jde", "griewank", 40));
  runs.back().options.adapt = "jde";
  runs.push_back(usual("shade", "ackley", 60));
  runs.back().options.adapt = "shade";
  runs.push_back(usual("shade-rand1bin", "rosenbrock", 40));
  runs.back().options.adapt = "shade";
  runs.back().options.strategy = "rand1bin";
  return runs;
}

ValidationOutcome solve(const KnownRun& known_run, Device& device, const RunControl& control) {
  ValidationOutcome outcome;
  if (known_run.options.precision == "double" && !device.info().has_double) {
    outcome.skipped = "no double precision";
    return outcome;
  }
  const auto result = solver::solve(known_run.problem, known_run.options, device, control);
  outcome.checksum = result.checksum;
  if (result.solved < known_run.least_solved)
    outcome.wrong = fmt::format("{} problems of {} reached the target", result.solved, known_run.least_solved);
  return outcome;
}

}  // namespace

std::vector<ValidationCase> validation_cases(bool with_long_ones) {
  std::vector<ValidationCase> cases;
  const auto add = [&](const KnownRun& known_run, const std::string& method, const std::string& precision) {
    auto each = known_run;
    each.options.method = method;
    each.options.precision = precision;
    cases.push_back({fmt::format("differential-evolution/{}/{}/{}", method, known_run.name, precision), true,
                     [each](Device& device, const RunControl& control) { return solve(each, device, control); }});
  };
  for (const char* method : {"staged", "merged", "fused", "auto"}) {
    for (const auto& known_run : short_runs()) add(known_run, method, "float");
    add(short_runs().front(), method, "double");
    if (!with_long_ones) continue;
    for (const auto& known_run : long_runs())
      for (const char* precision : {"float", "double"}) add(known_run, method, precision);
  }
  // These launch the stages of `staged` elsewhere.
  for (const char* method : {"offloaded", "ahead"}) add(short_runs().front(), method, "float");
  return cases;
}

}  // namespace clopt::apps::differential_evolution
