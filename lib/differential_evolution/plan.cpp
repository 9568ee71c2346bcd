#include "plan.hpp"
#include <differential_evolution/problems/fit_data.hpp>

#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace clopt::differential_evolution {
namespace {

constexpr std::size_t most_numbers = std::size_t{1} << 30;  // of one population
constexpr std::size_t least_shrunk = 4;                     // of L-SHADE, Tanabe and Fukunaga 2014, table I
constexpr std::uint64_t most_shrinking_evaluations = std::uint64_t{1} << 36;

void require(bool holds, const std::string& message) {
  if (!holds) throw InvalidInput(message);
}

void check_sizes(const Problem& problem, std::size_t population, const Strategy& strategy) {
  fields_of(problem).check();
  require(population >= strategy.least_population(),
          fmt::format("`population` is {}; the `strategy` {} needs at least {}", population,
                      strategy_names.of(strategy), strategy.least_population()));
  require(population <= most_population && population * problem.dimensions <= most_numbers,
          fmt::format("a `population` of {} vectors of {} parameters is too large; give at most {} vectors, and {} "
                      "numbers in all",
                      population, problem.dimensions, most_population, most_numbers));
}

void check_data(const Problem& problem, bool is_double) {
  require(problem.columns <= most_numbers,
          fmt::format("`columns` is {}; a row has at most {} numbers", problem.columns, most_numbers));
  require(problem.columns != 0 || problem.data.empty(),
          fmt::format("`data` has {} numbers, and `columns` is 0; give the length of a row", problem.data.size()));
  require(
      problem.data.size() / std::max<std::size_t>(problem.columns, 1) == problem.problems ||
          (problem.columns == 0 && problem.data.empty()),
      fmt::format("{} `problems` need {} rows of {} numbers, and `data` has {} numbers; give a row for each problem",
                  problem.problems, problem.problems, problem.columns, problem.data.size()));
  require(problem.columns == 0 || problem.data.size() % problem.columns == 0,
          fmt::format("`data` has {} numbers, which are not whole rows of {}; complete the last row",
                      problem.data.size(), problem.columns));
  const double greatest = is_double ? std::numeric_limits<double>::max() : std::numeric_limits<float>::max();
  const bool has_gaps = problem.objective.is_fit();
  const auto wrong = std::find_if(problem.data.begin(), problem.data.end(), [&](double number) {
    return !(std::abs(number) <= greatest) && !(has_gaps && std::isnan(number));
  });
  if (wrong == problem.data.end()) return;
  const auto place = static_cast<std::size_t>(wrong - problem.data.begin());
  throw InvalidInput(
      fmt::format("row {}, column {} of `data` is {}, which is not a finite number in this `precision`{}",
                  place / problem.columns + 1, place % problem.columns + 1, *wrong,
                  is_double || !std::isfinite(*wrong) ? "; give finite numbers" : "; choose double"));
}

void check_rows(const Problem& problem) {
  require(problem.columns != 0 || !problem.objective.reads_rows(),
          fmt::format("the objective {} reads row() or columns(), and there are no `data`; give a row of numbers for "
                      "each problem",
                      problem.objective.name()));
  require(problem.columns == 0 || problem.objective.is_function() || problem.objective.reads_rows(),
          fmt::format("the objective {} reads neither row() nor columns(), so `data` would not be read; leave `data` "
                      "out, or take an objective that reads it",
                      problem.objective.name()));
}

std::vector<double> side_of(const std::vector<double>& given, std::size_t dimensions, std::optional<double> usual,
                            const char* name) {
  require(!given.empty() || usual.has_value(),
          fmt::format("the objective has no usual bounds, and `{0}` is empty; give the {0} bounds", name));
  require(given.size() <= 1 || given.size() == dimensions,
          fmt::format("`{0}` has {1} {0} bounds for {2} `dimensions`; give one for all, or one for each", name,
                      given.size(), dimensions));
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
            fmt::format(
                "the bounds `lower` {} and `upper` {} of parameter {} are not both numbers within {:g}; give such{}",
                bounds[j], upper[j], j, most, is_double ? "" : ", or choose the `precision` double"));
    require(bounds[j] <= upper[j],
            fmt::format("the `lower` bound {} of parameter {} is above the `upper` one, {}; exchange them", bounds[j],
                        j, upper[j]));
  }
  bounds.insert(bounds.end(), upper.begin(), upper.end());
  // Only some devices distinguish a negative zero from a positive one.
  for (double& bound : bounds) bound += 0.0;
  return bounds;
}

// Flags of the parameters that are whole numbers. Their bounds become whole numbers, too.
std::vector<double> whole_of(const Problem& problem, std::vector<double>& bounds, bool is_double) {
  if (problem.integer.empty()) return {};
  std::vector<double> whole(problem.dimensions);
  // Up to here every whole number is one of the precision.
  const double most = is_double ? 0x1p53 : 0x1p24;
  for (const auto j : problem.integer) {
    require(j < problem.dimensions,
            fmt::format("`integer` names parameter {}, and there are {} `dimensions`; parameters count from 0", j,
                        problem.dimensions));
    require(whole[j] == 0, fmt::format("`integer` names parameter {} twice; name it once", j));
    whole[j] = 1;
    auto& lower = bounds[j];
    auto& upper = bounds[problem.dimensions + j];
    require(std::ceil(lower) <= std::floor(upper),
            fmt::format("there is no whole number between the `lower` bound {} and the `upper` one, {}, of parameter "
                        "{}; widen them, or leave it out of `integer`",
                        lower, upper, j));
    require(std::fabs(lower) <= most && std::fabs(upper) <= most,
            fmt::format("the bounds {} and {} of parameter {} have whole numbers between them that this `precision` "
                        "has not; {}",
                        lower, upper, j, is_double ? "narrow them" : "choose double"));
    lower = std::ceil(lower) + 0.0;
    upper = std::floor(upper) + 0.0;
  }
  return whole;
}

// Start vectors: how many a problem has, and where those of the next one are.
void set_initial(Plan& plan) {
  const auto& options = plan.options;
  const auto dimensions = plan.problem.dimensions;
  if (options.initial.empty()) {
    require(options.initial_of_problem == 0, "`initial_of_problem` is given, and `initial` is empty; give vectors");
    return;
  }
  const auto vectors = options.initial.size() / dimensions;
  require(options.initial.size() % dimensions == 0,
          fmt::format("`initial` has {} numbers, which are not whole vectors of {} `dimensions`; give one number for "
                      "each parameter",
                      options.initial.size(), dimensions));
  const auto each = options.initial_of_problem != 0 ? options.initial_of_problem : vectors;
  require(
      options.initial_of_problem == 0 || (vectors / each == plan.problem.problems && vectors % each == 0),
      fmt::format("`initial` has {} vectors for {} `problems`, and `initial_of_problem` is {}; give that many for each",
                  vectors, plan.problem.problems, each));
  require(each <= plan.settings.population,
          fmt::format("`initial` has {} vectors for a `population` of {}; give fewer, or a larger population", each,
                      plan.settings.population));
  for (std::size_t n = 0; n < options.initial.size(); ++n) {
    const auto j = n % dimensions;
    const double number = options.initial[n];
    require(number >= plan.bounds[j] && number <= plan.bounds[dimensions + j],
            fmt::format("row {} of `initial` has {} as parameter {}, which is not within its bounds {} and {}; give "
                        "vectors within them",
                        n / dimensions + 1, number, j, plan.bounds[j], plan.bounds[dimensions + j]));
    require(plan.whole.empty() || plan.whole[j] == 0 || number == std::floor(number),
            fmt::format("row {} of `initial` has {} as parameter {}, which `integer` names; give a whole number",
                        n / dimensions + 1, number, j));
  }
  plan.settings.initial = static_cast<std::uint32_t>(each);
  plan.settings.initial_step = options.initial_of_problem != 0 ? plan.settings.initial : 0;
}

void check_numbers(const Options& options, const RunControl& control) {
  fields_of(options).check();
  require(!control.time_limit || *control.time_limit >= 0,
          fmt::format("`time_limit` is {}; give a number of seconds from 0 on", control.time_limit.value_or(0)));
}

void check_objective(const Objective& objective) {
  require(objective.kind() == GeneKind::reals,
          fmt::format("the `objective` {} is of {}, and parameters are reals; give an objective of reals",
                      objective.name(), name_of(objective.kind())));
}

// A simplex, or the products of slopes, are this number squared.
constexpr std::size_t most_polished_dimensions = 4096;

void reserve_polish(Plan& plan) {
  const auto& options = plan.options;
  plan.polishes = is_polished(plan.problem, options);
  require(
      !plan.polishes || plan.problem.dimensions <= most_polished_dimensions,
      fmt::format("`polish` is for at most {} `dimensions`, and there are {}; {}", most_polished_dimensions,
                  plan.problem.dimensions, plan.problem.objective.is_fit() ? "give `polish = false`" : "leave it out"));
  require(!plan.polishes || plan.whole.empty(),
          "`polish` moves parameters by less than one, and `integer` names some; leave one of both out");
  require(!plan.polishes || !plan.constrained(),
          fmt::format("`polish` knows no constraints, and the objective {} has a violation; leave `polish` out",
                      plan.problem.objective.name()));
  plan.polish_evaluations =
      options.evaluations ? *options.evaluations / polish_share : std::numeric_limits<std::uint64_t>::max();
}

// Evaluations of each problem but those of a local search.
std::optional<std::uint64_t> search_evaluations(const Plan& plan) {
  const auto given = plan.options.evaluations;
  if (!given || !plan.polishes) return given;
  return *given - plan.polish_evaluations;
}

void set_restarts(Plan& plan) {
  plan.restarts = restarts(plan.problem, plan.options);
  if (!plan.restarts) return;
  const auto adapt = plan.settings.adapt;
  require(adapt == EVOLUTION_SHADE || adapt == EVOLUTION_SHADE_6,
          fmt::format("`restarts` is for `adapt` shade and shade6, and it is {}; give one of both, or leave `restarts` "
                      "out",
                      adaptation_of(plan.problem, plan.options)));
  require(plan.options.stagnation.value_or(0) == 0,
          plan.options.resume
              ? "`stagnation` ends a problem where the checkpoint's run begins it again; leave it out, or "
                "begin a new run without `resume`"
              : "`stagnation` ends a problem where `restarts` begins it again; leave one of both out");
  require(!plan.polishes, "`polish` begins at the last vectors, and `restarts` draws new ones; leave one of both out");
}

std::uint64_t limit_of_generations(const Plan& plan) {
  const auto& options = plan.options;
  return options.generations.value_or(options.evaluations ? most_generations
                                                          : usual_generations_of(plan.problem, options));
}

// A population shrinks over the evaluations, where these are limited, else over the generations.
void shrink(Plan& plan) {
  const auto& options = plan.options;
  auto& settings = plan.settings;
  require(options.evaluations.value_or(0) <= most_shrinking_evaluations,
          fmt::format("`evaluations` is {}; with `adapt` lshade give at most {}", options.evaluations.value_or(0),
                      most_shrinking_evaluations));
  settings.least_population = static_cast<std::uint32_t>(std::max(least_shrunk, plan.strategy.least_population()));
  settings.by_evaluations = options.evaluations ? 1 : 0;
  settings.shrinks_until = search_evaluations(plan).value_or(limit_of_generations(plan));
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

// Sets how many generations the limits leave, and which limit it is: the initial vectors are evaluated too.
void limit(Plan& plan) {
  const auto& options = plan.options;
  const auto generations = limit_of_generations(plan);
  plan.generations = static_cast<std::uint32_t>(generations);
  const auto evaluations = search_evaluations(plan);
  if (!evaluations) return;
  const std::uint64_t population = plan.settings.population;
  require(*evaluations >= population,
          fmt::format("{} `evaluations`{} are less than the {} of the initial vectors; give at least {}{}",
                      *options.evaluations, plan.polishes ? ", of which `polish` has a tenth," : "", population,
                      population + (plan.polishes ? population / 9 + 1 : 0),
                      plan.polishes && *options.evaluations >= population ? ", or `polish = false`" : ""));
  const auto fit = plan.settings.by_evaluations != 0 ? generations_within(*evaluations, plan.settings)
                                                     : *evaluations / population - 1;
  plan.generations = static_cast<std::uint32_t>(std::min(generations, fit));
  if (fit <= generations) plan.limit = Ending::evaluations;
}

bool has_uniform_bounds(const std::vector<double>& bounds) {
  const auto middle = bounds.begin() + static_cast<std::ptrdiff_t>(bounds.size() / 2);
  const auto same = [](auto begin, auto end) {
    return std::all_of(begin, end, [&](double bound) { return bound == *begin; });
  };
  return same(bounds.begin(), middle) && same(middle, bounds.end());
}

void set_names(Plan& plan) {
  const auto& options = plan.options;
  plan.method = method_names.value(options.method, "method");
  plan.precision = precision_names.value(precision_of(plan.problem, options), "precision");
  plan.strategy = strategy_names.value(strategy_of(plan.problem, options), "strategy");
  plan.settings.strategy = plan.strategy.mutation;
  plan.settings.exponential = plan.strategy.crossover;
  plan.settings.unforced = options.unforced ? 1 : 0;
  require(!options.unforced || plan.strategy.crossover == EVOLUTION_BINOMIAL,
          fmt::format("`unforced` is for binomial crossover, and the `strategy` {} takes at least one parameter; leave "
                      "`unforced` out, or choose a strategy that ends with bin",
                      strategy_names.of(plan.strategy)));
  plan.settings.adapt =
      static_cast<std::uint32_t>(adaptation_names.value(adaptation_of(plan.problem, options), "adapt"));
  plan.settings.bounds =
      static_cast<std::uint32_t>(bound_names.value(bound_treatment_of(plan.problem, options), "bounds"));
  plan.settings.constrained = plan.problem.objective.has_violation() ? 1 : 0;
  plan.settings.maximise = plan.problem.objective.direction() == Direction::maximise ? 1 : 0;
}

void set_sizes(Plan& plan, std::size_t population) {
  auto& settings = plan.settings;
  settings.population = static_cast<std::uint32_t>(population);
  settings.dimensions = static_cast<std::uint32_t>(plan.problem.dimensions);
  settings.columns = static_cast<std::uint32_t>(plan.problem.columns *
                                                (plan.objective.is_fit() ? plan.objective.row_parts().count() : 1));
  settings.archive = shared::evolution_archive(settings.strategy, settings.adapt, settings.population);
}

}  // namespace

void check(const Problem& problem, const Options& options) { make_plan(problem, options, {}); }

Plan make_plan(const Problem& problem, const Options& options, const RunControl& control) {
  Plan plan{problem, options, problem.objective};
  plan.whole_problems = problem.problems;
  set_names(plan);
  check_objective(problem.objective);
  check_numbers(options, control);
  const auto population = population_of(problem, options);
  check_sizes(problem, population, plan.strategy);
  check_data(problem, plan.is_double());
  check_rows(problem);
  check_fit(problem, plan.is_double());
  if (problem.objective.is_fit()) {
    plan.objective = fit_of(problem);
    plan.packed_rows = packed_rows(problem, plan.objective);
  }

  set_sizes(plan, population);
  plan.bounds = bounds_of(problem, plan.is_double());
  plan.whole = whole_of(problem, plan.bounds, plan.is_double());
  plan.uniform_bounds = has_uniform_bounds(plan.bounds);
  auto& settings = plan.settings;
  settings.whole = plan.whole.empty() ? 0 : 1;
  set_initial(plan);
  settings.seed = options.seed;
  settings.crossover = static_cast<std::uint64_t>(plan.crossover() * 0x1p32);
  settings.stop = (options.target ? EVOLUTION_STOP_TARGET : 0) | (options.spread ? EVOLUTION_STOP_SPREAD : 0) |
                  (options.stagnation.value_or(0) != 0 ? EVOLUTION_STOP_STAGNATION : 0);
  settings.stagnation = static_cast<std::uint32_t>(options.stagnation.value_or(0));
  reserve_polish(plan);
  set_restarts(plan);
  if (settings.adapt == EVOLUTION_LSHADE) shrink(plan);
  limit(plan);
  return plan;
}

bool needs_whole_generations(const Objective& objective) { return objective.is_batch_function(); }

// As renew() in renew.cl.
void Plan::count_evaluations(State& state, std::uint32_t generation) const {
  if (!remembers() || state.stopped_at < generation) return;
  state.evaluations += state.alive;
  if (settings.adapt != EVOLUTION_LSHADE) return;
  const auto past = settings.by_evaluations != 0 ? state.evaluations : std::uint64_t{generation};
  state.alive = std::min(state.alive, shared::evolution_shrunk(settings.population, settings.least_population, past,
                                                               settings.shrinks_until));
}

}  // namespace clopt::differential_evolution
