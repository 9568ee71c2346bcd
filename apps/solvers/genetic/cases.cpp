/// \file
/// What `clopt validate` runs of genetic: every granularity on every kind of genes, and every operator.
#include <clopt/device.hpp>
#include <clopt/error.hpp>
#include <clopt/genetic.hpp>
#include <clopt/genetic_problems.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include <commands/solver.hpp>

namespace clopt::apps::genetic {
namespace {

namespace solver = clopt::genetic;

/// Work with one result at every granularity.
struct Work {
  std::string name;
  Objective objective;
  std::uint32_t genes;
  solver::Options options;
  bool always = true;          ///< at every granularity; else at one of them, but for --long
  bool takes_doubles = false;  ///< whatever its precision
  bool takes_long_loops = false;
};

// Whole numbers that are all different from their places' ones, so that no gene is as good as another.
constexpr const char* integers_text =
    "// clopt: integers, minimise, lower -20, upper 20, optimum 0\n"
    "int objective_count(individual x, uint i) {\n"
    "  const int distance = gene(x, i) - (int)(i % 7);\n"
    "  return distance * distance;\n"
    "}\n";

// The length of a tour through cities on a circle, each step counted by the places between its ends.
constexpr const char* permutation_text =
    "// clopt: permutation, minimise\n"
    "int objective_count(individual x, uint i) {\n"
    "  const uint here = gene(x, i);\n"
    "  const uint next = gene(x, i + 1 == genes(x) ? 0 : i + 1);\n"
    "  const uint between = here < next ? next - here : here - next;\n"
    "  return (int)(between * 2 < genes(x) ? between : genes(x) - between);\n"
    "}\n";

// A real number from bits, by one work-item.
constexpr const char* general_text =
    "// clopt: bits, maximise\n"
    "real objective(individual x) {\n"
    "  real value = 0;\n"
    "  for (uint i = 0; i < genes(x); ++i) value = value / 2 + (gene(x, i) ? "
    "(real)1 : (real)0);\n"
    "  return value;\n"
    "}\n";

// The same round trip as a table, for the local search; a directed one goes
// up alone, and past the last place to the first.
Objective table_of_tour(std::uint32_t cities, bool is_directed) {
  std::vector<double> distances;
  for (std::uint32_t a = 0; a < cities; ++a)
    for (std::uint32_t b = 0; b < cities; ++b) {
      const auto up = (b + cities - a) % cities;
      distances.push_back(is_directed ? up : std::min(up, cities - up));
    }
  return solver::tour(distances).objective;
}

// Cities on a spiral, some of them at one place.
Objective places_of_tour(std::uint32_t cities) {
  std::vector<double> places;
  for (std::uint32_t city = 0; city < cities; ++city) {
    const std::uint32_t turn = city * 37 % cities / 3;
    places.push_back(turn * (city * 53 % 101));
    places.push_back(turn * (city * 71 % 103));
  }
  return solver::tour_at(places).objective;
}

// Of two segments.
constexpr std::uint32_t iterated_cities = 1203;

solver::Options iterated() {
  solver::Options options;
  options.population = 2;
  options.generations = 2;
  return options;
}

solver::Options usual() {
  solver::Options options;
  options.preset = "paper";
  options.population = 49;
  options.generations = 25;
  options.individuals_per_group = 3;
  return options;
}

template <class Change>
Work work(std::string name, Objective objective, std::uint32_t genes, bool always, const Change& change) {
  Work result{std::move(name), std::move(objective), genes, usual(), always};
  change(result.options);
  return result;
}

// A kernel is built for an objective, a number of genes and a granularity; operators are its parameters. So they
// alternate on the same numbers of genes.
constexpr std::uint32_t bits = 200;
constexpr std::uint32_t reals = 17;
constexpr std::uint32_t places = 31;

std::vector<Work> all_work() {
  using Options = solver::Options;
  const auto nothing = [](Options&) {};
  std::vector<Work> all;
  const auto named = [](const char* name) { return Objective::named(name); };
  const auto tour = Objective::from_text(permutation_text, "tour");
  all.push_back(work("onemax/roulette", named("onemax"), bits, true, [](Options& o) { o.mutation = 0.002; }));
  all.push_back(work("rastrigin/line", named("rastrigin"), reals, true, nothing));
  all.push_back(work("integers/two-point", Objective::from_text(integers_text, "integers"), 33, true, nothing));
  all.push_back(work("permutation/order", tour, places, true, nothing));
  for (const char* selection : {"roulette-walk", "tournament", "rank", "sus"})
    all.push_back(work(fmt::format("onemax/{}", selection), named("onemax"), bits, false, [=](Options& o) {
      o.selection = selection;
      o.mutation = 0.01;
      o.elites = 2;
    }));
  for (const char* kind : {"one-point", "uniform"})
    all.push_back(work(fmt::format("onemax/{}", kind), named("onemax"), bits, false, [=](Options& o) {
      o.crossover_kind = kind;
      o.crossover = 0.6;
    }));
  all.push_back(work("onemax/islands", named("onemax"), bits, false, [](Options& o) {
    o.islands = 3;
    o.migrate_every = 4;
    o.population = 20;
    o.mutation = 0.01;
  }));
  all.push_back(work("rastrigin/simulated-binary-polynomial", named("rastrigin"), reals, false, [](Options& o) {
    o.crossover_kind = "simulated-binary";
    o.mutation_kind = "polynomial";
    o.selection = "tournament";
  }));
  all.push_back(work("rastrigin/gaussian", named("rastrigin"), reals, false, [](Options& o) {
    o.mutation_kind = "gaussian";
    o.step = 0.5;
  }));
  all.push_back(work("permutation/inversion", tour, places, false, [](Options& o) { o.mutation_kind = "inversion"; }));
  all.push_back(work("rosenbrock/double", named("rosenbrock"), 9, false, [](Options& o) { o.precision = "double"; }));
  for (const bool is_directed : {false, true}) {
    all.push_back(work(is_directed ? "tour/directed-two-opt-restarts" : "tour/two-opt-restarts",
                       table_of_tour(places, is_directed), places, false, [](Options& o) {
                         o.improve = "two-opt";
                         o.elites = 2;
                         o.restart = 3;
                       }));
    all.back().takes_long_loops = is_directed;
  }
  all.push_back({"tour/iterated", places_of_tour(iterated_cities), iterated_cities, iterated(), false});
  all.back().takes_doubles = true;
  all.push_back(work("general", Objective::from_text(general_text, "general"), 40, false, nothing));
  return all;
}

// What is wrong with a result by itself.
std::string fault_of(const Work& each, const solver::Result& result) {
  if (result.genes.size() != each.genes) return fmt::format("it has {} genes", result.genes.size());
  if (result.generations != *each.options.generations) return fmt::format("it has {} generations", result.generations);
  double value = 0;
  if (each.objective.name() == "onemax") {
    for (const double gene : result.genes) value += gene;
    if (value != result.fitness) return fmt::format("the best has {} ones, and its value is {}", value, result.fitness);
  }
  if (each.objective.name() == "rastrigin") {
    for (const double gene : result.genes) value += gene * gene - 10 * std::cos(2 * M_PI * gene) + 10;
    if (std::abs(value - result.fitness) > 1e-3 * value)
      return fmt::format("the best is worth {}, and its value is {}", value, result.fitness);
  }
  return {};
}

/// The checksums of work that ran, by its name: the same for every granularity.
using Known = std::map<std::string, std::uint64_t>;

/// What a device lacks for the work; empty: nothing.
std::string lack_of(const Work& each, const Device& device) {
  const bool takes_doubles = each.takes_doubles || each.options.precision == "double";
  if (takes_doubles && !device.info().has_double) return "no double precision";
  if (each.takes_long_loops && !device.has_long_loops()) return "it ends long loops early";
  return {};
}

ValidationOutcome solve(const Work& each, const std::string& granularity, Known& known, Device& device,
                        const RunControl& control) {
  if (auto lack = lack_of(each, device); !lack.empty()) return {0, {}, std::move(lack)};
  auto options = each.options;
  options.granularity = granularity;
  solver::Result result;
  try {
    result = solver::solve({each.objective, each.genes, {}, {}}, options, device, control);
  } catch (const Error& error) {
    // OpenMP takes a text only where there is a compiler that works.
    if (each.objective.is_builtin() || device.info().backend != "openmp") throw;
    return {0, {}, fmt::format("it compiles no text: {}", printable(error.what(), 100))};
  }
  ValidationOutcome outcome{result.checksum, fault_of(each, result), {}};
  if (control.stop.stop_requested()) return outcome;
  const auto first = known.try_emplace(each.name, result.checksum).first->second;
  if (outcome.wrong.empty() && first != result.checksum)
    outcome.wrong = fmt::format("the checksum is {}, and another granularity's is {}", hexadecimal(result.checksum),
                                hexadecimal(first));
  return outcome;
}

}  // namespace

std::vector<ValidationCase> validation_cases(bool with_long_ones) {
  std::vector<ValidationCase> cases;
  const auto known = std::make_shared<Known>();
  const auto granularities = choices_of<solver::Options>("granularity");
  std::size_t turn = 0;
  for (const auto& each : all_work()) {
    // Kernels are built for each case: operators take turns.
    const auto& own = granularities[1 + turn++ % (granularities.size() - 1)];
    for (const auto& granularity : granularities) {
      if (!each.always && !with_long_ones && granularity != own) continue;
      cases.push_back({fmt::format("genetic/{}/{}", granularity, each.name), true,
                       [each, granularity, known](Device& device, const RunControl& control) {
                         return solve(each, granularity, *known, device, control);
                       }});
    }
  }
  return cases;
}

}  // namespace clopt::apps::genetic
