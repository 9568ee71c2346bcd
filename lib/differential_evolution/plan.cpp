#include "plan.hpp"

#include <clopt/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace clopt::differential_evolution {
namespace {

constexpr std::size_t most_dimensions = std::size_t{1} << 24;
constexpr std::size_t most_population = std::size_t{1} << 24;
constexpr std::size_t most_problems = std::size_t{1} << 31;
constexpr std::size_t most_numbers = std::size_t{1} << 30;  // of one population
constexpr std::uint64_t most_generations = std::uint64_t{1} << 31;
constexpr std::size_t usual_least_population = 20;
constexpr std::size_t least_shrunk = 4;  // of L-SHADE, Tanabe and Fukunaga 2014, table I
constexpr std::uint64_t most_shrinking_evaluations = std::uint64_t{1} << 36;

struct Strategy {
  const char* name;
  std::uint32_t number;
  std::size_t least_population;  // the parent and the individuals drawn beside it
};
constexpr Strategy known_strategies[] = {{"rand1", EVOLUTION_RAND_1, 4},
                                         {"best1", EVOLUTION_BEST_1, 4},
                                         {"currenttobest1", EVOLUTION_CURRENT_TO_BEST_1, 4},
                                         {"rand2", EVOLUTION_RAND_2, 6},
                                         {"best2", EVOLUTION_BEST_2, 5},
                                         {"currenttopbest1", EVOLUTION_CURRENT_TO_PBEST_1, 4}};

const Strategy* find_strategy(const std::string& name) {
  for (const auto& strategy : known_strategies)
    if (name == std::string(strategy.name) + "bin" || name == std::string(strategy.name) + "exp") return &strategy;
  return nullptr;
}

std::uint32_t choice(std::string_view what, const std::string& given, const std::vector<std::string>& names) {
  const auto place = std::find(names.begin(), names.end(), given);
  if (place == names.end())
    throw InvalidInput(fmt::format("differential evolution: there is no {} '{}'; choose one of {}", what, given,
                                   fmt::join(names, ", ")));
  return static_cast<std::uint32_t>(place - names.begin());
}

void require(bool holds, const std::string& message) {
  if (!holds) throw InvalidInput("differential evolution: " + message);
}

void check_sizes(const Problem& problem, std::size_t population, const std::string& strategy) {
  require(problem.dimensions >= 1 && problem.dimensions <= most_dimensions,
          fmt::format("{} dimensions; give from 1 to {}", problem.dimensions, most_dimensions));
  require(problem.problems >= 1 && problem.problems <= most_problems,
          fmt::format("{} problems; give from 1 to {}", problem.problems, most_problems));
  require(population >= least_population(strategy),
          fmt::format("a population of {} is too small: the strategy {} needs at least {}", population, strategy,
                      least_population(strategy)));
  require(population <= most_population && population * problem.dimensions <= most_numbers,
          fmt::format("a population of {} vectors of {} parameters is too large: at most {} vectors, and {} numbers",
                      population, problem.dimensions, most_population, most_numbers));
}

void check_data(const Problem& problem, bool is_double) {
  require(problem.columns <= most_numbers, fmt::format("rows of {} numbers are too long", problem.columns));
  require(problem.columns != 0 || problem.data.empty(), "there are data, and no columns; say how long a row is");
  require(problem.data.size() / std::max<std::size_t>(problem.columns, 1) == problem.problems ||
              (problem.columns == 0 && problem.data.empty()),
          fmt::format("{} problems need {} rows of {} numbers, and there are {} numbers", problem.problems,
                      problem.problems, problem.columns, problem.data.size()));
  require(problem.columns == 0 || problem.data.size() % problem.columns == 0, "the last row of the data is cut short");
  const double greatest = is_double ? std::numeric_limits<double>::max() : std::numeric_limits<float>::max();
  const auto wrong = std::find_if(problem.data.begin(), problem.data.end(),
                                  [&](double number) { return !(std::abs(number) <= greatest); });
  if (wrong == problem.data.end()) return;
  const auto place = static_cast<std::size_t>(wrong - problem.data.begin());
  throw InvalidInput(fmt::format(
      "differential evolution: row {}, column {} of the data is {}, which is no finite "
      "number in this precision{}",
      place / problem.columns + 1, place % problem.columns + 1, *wrong, is_double ? "" : "; choose double"));
}

void check_rows(const Problem& problem) {
  require(
      problem.columns != 0 || !problem.objective.reads_rows(),
      fmt::format("the objective {} reads row() or columns(), and there are no data; give a row of numbers for each "
                  "problem (--data)",
                  problem.objective.name()));
  require(problem.columns == 0 || problem.objective.is_function() || problem.objective.reads_rows(),
          fmt::format("the objective {} reads neither row() nor columns(), so that nobody reads the data; leave them "
                      "out (--data), or take an objective that does",
                      problem.objective.name()));
}

std::vector<double> side_of(const std::vector<double>& given, std::size_t dimensions, std::optional<double> usual,
                            const char* name) {
  require(!given.empty() || usual.has_value(),
          fmt::format("the objective has no usual bounds; give the {} bounds", name));
  require(
      given.size() <= 1 || given.size() == dimensions,
      fmt::format("{} {} bounds for {} dimensions; give one for all, or one for each", given.size(), name, dimensions));
  if (given.size() == dimensions) return given;
  return std::vector<double>(dimensions, given.empty() ? *usual : given.front());
}

std::vector<double> bounds_of(const Problem& problem, bool is_double) {
  const auto usual = problem.objective.usual_bounds();
  auto bounds = side_of(problem.lower, problem.dimensions, usual ? std::optional(usual->lower) : std::nullopt, "lower");
  const auto upper =
      side_of(problem.upper, problem.dimensions, usual ? std::optional(usual->upper) : std::nullopt, "upper");
  // The width must be a number too.
  const double most = (is_double ? std::numeric_limits<double>::max() : double{std::numeric_limits<float>::max()}) / 4;
  for (std::size_t j = 0; j < problem.dimensions; ++j) {
    require(std::fabs(bounds[j]) <= most && std::fabs(upper[j]) <= most,
            fmt::format("the bounds {} and {} of parameter {} are not both numbers within {:g}", bounds[j], upper[j], j,
                        most));
    require(bounds[j] <= upper[j],
            fmt::format("the lower bound {} of parameter {} is above the upper one, {}", bounds[j], j, upper[j]));
  }
  bounds.insert(bounds.end(), upper.begin(), upper.end());
  // A negative zero would be told from a positive one only by some devices.
  for (double& bound : bounds) bound += 0.0;
  return bounds;
}

void check_numbers(const Options& options, const RunControl& control) {
  require(options.weight >= 0 && options.weight <= 2,
          fmt::format("the weight F is {}; give a number from 0 to 2", options.weight));
  require(options.crossover >= 0 && options.crossover <= 1,
          fmt::format("the crossover CR is {}; give a probability from 0 to 1", options.crossover));
  require(!options.target || !std::isnan(*options.target), "the target is not a number");
  require(!options.spread || *options.spread >= 0, "the spread is not a number from 0 on");
  require(options.generations < most_generations,
          fmt::format("{} generations; give less than {}", options.generations, most_generations));
  require(!control.time_limit || *control.time_limit >= 0, "the time limit is not a number of seconds from 0 on");
}

void check_objective(const Objective& objective) {
  require(objective.kind() == GeneKind::reals, fmt::format("the objective {} is of {}, and parameters are reals",
                                                           objective.name(), name_of(objective.kind())));
  require(objective.direction() != Direction::maximise,
          fmt::format("the objective {} is to be maximised; give its negative, which is minimised", objective.name()));
}

// A population shrinks over the evaluations, where these are limited, else over the generations.
void shrink(const Options& options, const std::string& strategy, Settings& settings) {
  require(options.evaluations.value_or(0) <= most_shrinking_evaluations,
          fmt::format("{} evaluations; L-SHADE takes at most {}", options.evaluations.value_or(0),
                      most_shrinking_evaluations));
  settings.least_population = static_cast<std::uint32_t>(std::max(least_shrunk, least_population(strategy)));
  settings.by_evaluations = options.evaluations ? 1 : 0;
  settings.shrinks_until = options.evaluations.value_or(options.generations);
}

// Generations that fit into some evaluations. Those of one population are counted together.
std::uint64_t generations_within(std::uint64_t evaluations, const Settings& settings) {
  const auto left_after = [&](std::uint64_t done) {
    return shared::evolution_shrunk(settings.population, settings.least_population, done, settings.shrinks_until);
  };
  std::uint64_t generations = 0;
  std::uint64_t done = settings.population;
  for (std::uint64_t alive = settings.population; evaluations - done >= alive; alive = left_after(done)) {
    // The first generation after which there are fewer, or the last one that fits.
    std::uint64_t least = 1;
    std::uint64_t most = (evaluations - done) / alive;
    while (least < most) {
      const auto middle = std::midpoint(least, most);
      if (left_after(done + middle * alive) < alive)
        most = middle;
      else
        least = middle + 1;
    }
    done += least * alive;
    generations += least;
  }
  return generations;
}

// Generations that the limits leave: the initial vectors are evaluated too.
std::uint32_t generations_of(const Options& options, const Settings& settings) {
  if (!options.evaluations) return static_cast<std::uint32_t>(options.generations);
  const std::uint64_t population = settings.population;
  require(*options.evaluations >= population,
          fmt::format("{} evaluations are less than the {} of the initial vectors", *options.evaluations, population));
  const auto fit = settings.by_evaluations != 0 ? generations_within(*options.evaluations, settings)
                                                : *options.evaluations / population - 1;
  return static_cast<std::uint32_t>(std::min(options.generations, fit));
}

}  // namespace

const std::vector<std::string>& methods() {
  static const std::vector<std::string> names{"auto", "staged", "merged", "fused"};
  return names;
}

const std::vector<std::string>& strategies() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const auto& strategy : known_strategies)
      for (const char* crossover : {"bin", "exp"}) all.push_back(std::string(strategy.name) + crossover);
    return all;
  }();
  return names;
}

std::size_t least_population(const std::string& strategy) {
  const auto* const found = find_strategy(strategy);
  return found ? found->least_population : 0;
}

std::string strategy_of(const Options& options) {
  if (!options.strategy.empty()) return options.strategy;
  return options.adapt.ends_with("shade") ? "currenttopbest1bin" : "rand1bin";
}

std::size_t usual_population(std::size_t dimensions) { return std::max(usual_least_population, 5 * dimensions); }

void check(const Problem& problem, const Options& options) { make_plan(problem, options, {}); }

Plan make_plan(const Problem& problem, const Options& options, const RunControl& control) {
  choice("method", options.method, methods());
  choice("precision", options.precision, {"float", "double"});
  const auto strategy = strategy_of(options);
  choice("strategy", strategy, strategies());
  check_objective(problem.objective);
  check_numbers(options, control);
  const auto population = options.population != 0 ? options.population : usual_population(problem.dimensions);
  check_sizes(problem, population, strategy);
  check_data(problem, options.precision == "double");
  check_rows(problem);

  Plan plan{problem, options, {}, bounds_of(problem, options.precision == "double")};
  const auto different = [&](std::size_t first) {
    const auto begin = plan.bounds.begin() + static_cast<std::ptrdiff_t>(first);
    return std::any_of(begin, begin + static_cast<std::ptrdiff_t>(problem.dimensions),
                       [&](double bound) { return bound != *begin; });
  };
  plan.uniform_bounds = !different(0) && !different(problem.dimensions);
  auto& settings = plan.settings;
  settings.seed = options.seed;
  settings.crossover = static_cast<std::uint64_t>(options.crossover * 0x1p32);
  settings.population = static_cast<std::uint32_t>(population);
  settings.dimensions = static_cast<std::uint32_t>(problem.dimensions);
  settings.columns = static_cast<std::uint32_t>(problem.columns);
  settings.stop = (options.target ? EVOLUTION_STOP_TARGET : 0) | (options.spread ? EVOLUTION_STOP_SPREAD : 0);
  settings.strategy = find_strategy(strategy)->number;
  settings.exponential = strategy.ends_with("exp") ? EVOLUTION_EXPONENTIAL : EVOLUTION_BINOMIAL;
  settings.adapt = choice("adaptation", options.adapt, {"none", "jde", "shade", "lshade"});
  settings.archive = shared::evolution_archive(settings.strategy, settings.adapt, settings.population);
  settings.bounds = choice("treatment of bounds", options.bounds, {"clip", "reflect", "resample", "none"});
  if (settings.adapt == EVOLUTION_LSHADE) shrink(options, strategy, settings);
  plan.generations = generations_of(options, settings);
  return plan;
}

}  // namespace clopt::differential_evolution
