#include "settings.hpp"

#include <clopt/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

namespace clopt::genetic {
namespace {

constexpr std::uint64_t most_individuals = std::uint64_t{1} << 31;
constexpr std::uint64_t no_generation = std::numeric_limits<std::uint32_t>::max();
// Of mutated genes in a sequence of gaps, about, before it begins anew.
constexpr double mutations_in_segment = 0.5;
// From here on a decision for each gene takes fewer random numbers than a draw for each mutated one.
constexpr double dense_mutation = 1.0 / 16;

[[noreturn]] void refuse(const std::string& what) { throw InvalidInput("genetic: " + what); }

std::uint32_t index_in(const std::vector<std::string>& names, const std::string& name, std::string_view what) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    refuse(fmt::format("there is no {} '{}'; choose one of {}", what, name, fmt::join(names, ", ")));
  return static_cast<std::uint32_t>(found - names.begin());
}

template <class Number>
void require_within(std::string_view what, Number value, Number least, Number most) {
  if (!(value >= least && value <= most))
    refuse(fmt::format("{} is {}; it must be {} to {}", what, value, least, most));
}

// Exact for 0, 1 and every multiple of 2^-32.
std::uint64_t in_units(double probability) {
  return static_cast<std::uint64_t>(std::rint(std::ldexp(probability, 32)));
}

std::uint32_t crossover_kind(const Options& options, GeneKind kind) {
  if (options.crossover_kind == "auto")
    return kind == GeneKind::reals         ? GENETIC_LINE
           : kind == GeneKind::permutation ? GENETIC_ORDER_CROSSOVER
                                           : GENETIC_TWO_POINT;
  const auto index = index_in(crossovers(), options.crossover_kind, "crossover") - 1;
  const bool of_reals = index == GENETIC_LINE || index == GENETIC_SIMULATED_BINARY;
  const bool of_order = index == GENETIC_ORDER_CROSSOVER;
  if ((of_reals && kind != GeneKind::reals) || of_order != (kind == GeneKind::permutation))
    refuse(fmt::format("the crossover '{}' is not for genes of the kind '{}'; {}", options.crossover_kind,
                       name_of(kind),
                       kind == GeneKind::permutation ? "take order"
                       : kind == GeneKind::reals     ? "take one-point, two-point, uniform, line or simulated-binary"
                                                     : "take one-point, two-point or uniform"));
  return index;
}

std::uint32_t mutation_kind(const Options& options, GeneKind kind) {
  if (options.mutation_kind == "auto")
    return kind == GeneKind::bits ? GENETIC_FLIP : kind == GeneKind::permutation ? GENETIC_SWAP : GENETIC_STEP;
  const auto index = index_in(mutations(), options.mutation_kind, "mutation") - 1;
  const bool fits = kind == GeneKind::bits          ? index == GENETIC_FLIP
                    : kind == GeneKind::permutation ? index == GENETIC_SWAP || index == GENETIC_INVERSION
                                                    : index >= GENETIC_STEP && index <= GENETIC_POLYNOMIAL;
  if (!fits)
    refuse(fmt::format("the mutation '{}' is not for genes of the kind '{}'; take {}", options.mutation_kind,
                       name_of(kind),
                       kind == GeneKind::bits          ? "flip"
                       : kind == GeneKind::permutation ? "swap or inversion"
                                                       : "step, gaussian or polynomial"));
  return index;
}

// How mutated genes are found, see GENETIC_GAPS.
void set_mutation(Settings& run, double probability) {
  run.mutation = in_units(probability);
  run.mutation_way = probability == 0 ? GENETIC_NEVER : probability < dense_mutation ? GENETIC_GAPS : GENETIC_DENSE;
  // (1 - p)^(2^k) of 2^64. What does not fit stands for certainty.
  constexpr double certain = 18446744073709549568.0;  // the largest double below 2^64
  run.keep[0] = static_cast<std::uint64_t>(std::min(std::ldexp(1 - probability, 64), certain));
  for (std::uint32_t k = 1; k < GENETIC_POWERS; ++k) run.keep[k] = shared::mul_hi(run.keep[k - 1], run.keep[k - 1]);
  run.segment = 0;
  while (run.segment < GENETIC_LONGEST_SEGMENT &&
         std::ldexp(probability * GENETIC_UNIT, static_cast<int>(run.segment) + 1) <= mutations_in_segment)
    ++run.segment;
  const auto& half_segment = run.keep[5 + run.segment];
  run.keep_segment = shared::mul_hi(~std::uint64_t{0}, shared::mul_hi(half_segment, half_segment));
}

void set_bounds(Plan& plan, const Problem& problem) {
  const auto kind = problem.objective.kind();
  auto& run = plan.settings;
  auto lower = problem.lower;
  auto upper = problem.upper;
  if (kind == GeneKind::bits || kind == GeneKind::permutation) {
    if (!lower.empty() || !upper.empty()) refuse(fmt::format("{} have no bounds; leave them out", name_of(kind)));
    plan.numbers.insert(plan.numbers.end(), {0, 1});
    return;
  }
  if (const auto usual = problem.objective.usual_bounds()) {
    if (lower.empty()) lower = {usual->lower};
    if (upper.empty()) upper = {usual->upper};
  }
  if (lower.empty() || upper.empty())
    refuse(
        fmt::format("the objective {} has no usual bounds; give a lower and an upper bound", problem.objective.name()));
  for (const auto* bounds : {&lower, &upper})
    if (bounds->size() != 1 && bounds->size() != problem.genes)
      refuse(fmt::format("{} bounds for {} genes; give one, or one a gene", bounds->size(), problem.genes));
  run.bounds_each = lower.size() > 1 || upper.size() > 1 ? 1 : 0;
  const double widest = plan.double_precision ? 1e300 : 1e37;
  const double integers = plan.double_precision ? 0x1p30 : 0x1p24;
  for (std::uint32_t gene = 0; gene < (run.bounds_each != 0 ? problem.genes : 1); ++gene) {
    const double least = lower[lower.size() > 1 ? gene : 0];
    const double most = upper[upper.size() > 1 ? gene : 0];
    if (!(least <= most))
      refuse(fmt::format("the lower bound {} of gene {} is above the upper one {}", least, gene, most));
    const double limit = kind == GeneKind::integers ? integers : widest;
    if (!(std::fabs(least) <= limit && std::fabs(most) <= limit))
      refuse(fmt::format("the bounds {} and {} of gene {} are beyond {}", least, most, gene, limit));
    if (kind == GeneKind::integers && (least != std::rint(least) || most != std::rint(most)))
      refuse(fmt::format("the bounds {} and {} of gene {} are no whole numbers", least, most, gene));
    plan.numbers.push_back(least);
    plan.numbers.push_back(most);
  }
}

void set_limits(Plan& plan, const Options& options, const RunControl& control) {
  auto& run = plan.settings;
  plan.last_generation = no_generation - 1;
  if (options.generations) {
    if (*options.generations >= no_generation)
      refuse(fmt::format("{} generations; at most {} are supported", *options.generations, no_generation - 1));
    plan.last_generation = *options.generations;
  }
  if (options.evaluations) {
    const auto first = evaluations_at(run, 0);
    if (*options.evaluations < first)
      refuse(fmt::format("a limit of evaluations of {} is not enough for the start population of {}",
                         *options.evaluations, first));
    const auto each = evaluations_at(run, 1) - first;
    const auto most = (*options.evaluations - first) / each;
    if (most < plan.last_generation) {
      plan.last_generation = most;
      plan.evaluations_end_it = true;
    }
  }
  if (options.stagnation) {
    require_within<std::uint64_t>("stagnation", *options.stagnation, 1, no_generation - 1);
    plan.host_watches_stagnation = run.islands > 1;
    if (!plan.host_watches_stagnation) run.stagnation = static_cast<std::uint32_t>(*options.stagnation);
  }
  if (options.target && !std::isfinite(*options.target))
    refuse(fmt::format("the target {} is no number", *options.target));
  run.has_target = options.target ? 1 : 0;
  if (control.time_limit && !(*control.time_limit >= 0))
    refuse(fmt::format("the time limit {} is not a number of seconds from 0 on", *control.time_limit));
  if (!options.generations && !options.evaluations && !options.stagnation && !control.time_limit && !options.target &&
      !control.stop.stop_possible())
    refuse("the run would never end; give a number of generations or evaluations, a target or a time limit");
}

// The number that a cost must not pass, rounded so that no worse one is as good.
double target_cost(double target, bool maximise, bool double_precision) {
  const double cost = maximise ? -target : target;
  if (double_precision) return cost;
  auto rounded = static_cast<float>(std::clamp(cost, -3.4028234663852886e38, 3.4028234663852886e38));
  if (rounded > cost) rounded = std::nextafter(rounded, -std::numeric_limits<float>::infinity());
  return rounded;
}

void check_initial(const Problem& problem, const Options& options) {
  const auto& genes = options.initial;
  if (genes.size() % problem.genes != 0)
    refuse(fmt::format("the start population has {} values, which are no whole individuals of {} genes", genes.size(),
                       problem.genes));
  if (genes.size() / problem.genes > options.population * options.islands)
    refuse(fmt::format("the start population has {} individuals; there are {} in all", genes.size() / problem.genes,
                       options.population * options.islands));
}

}  // namespace

const std::vector<std::string>& granularities() {
  static const std::vector<std::string> names{"auto", "thread", "group", "subgroup", "hybrid", "fused"};
  return names;
}
const std::vector<std::string>& selections() {
  static const std::vector<std::string> names{"roulette", "tournament", "rank", "sus"};
  return names;
}
const std::vector<std::string>& crossovers() {
  static const std::vector<std::string> names{"auto", "one-point",        "two-point", "uniform",
                                              "line", "simulated-binary", "order"};
  return names;
}
const std::vector<std::string>& mutations() {
  static const std::vector<std::string> names{"auto", "flip", "step", "gaussian", "polynomial", "swap", "inversion"};
  return names;
}

std::uint64_t evaluations_at(const Settings& settings, std::uint64_t generation) {
  return settings.islands * (settings.population + generation * std::uint64_t{settings.population - settings.elites});
}

std::uint64_t population_bytes(const Plan& plan) {
  const bool wide = plan.double_precision && plan.settings.kind == GENETIC_REALS;
  return std::uint64_t{plan.settings.population} * plan.settings.islands * plan.settings.row * (wide ? 8U : 4U);
}

Plan make_plan(const Problem& problem, const Options& options, const RunControl& control) {
  Plan plan{};
  auto& run = plan.settings;
  const auto kind = problem.objective.kind();
  require_within<std::uint64_t>("the number of genes", problem.genes, 1, std::uint64_t{1} << 26);
  if (problem.objective.reads_rows())
    refuse(fmt::format("the objective {} reads row() or columns(), and there are no data here; give it a table",
                       problem.objective.name()));
  if (options.population < 2)
    refuse(fmt::format("a population of {}; it takes 2 individuals to breed", options.population));
  require_within<std::uint64_t>("the population", options.population, 2, std::uint64_t{1} << 26);
  require_within<std::uint64_t>("the number of islands", options.islands, 1, std::uint64_t{1} << 16);
  if (options.population * options.islands > most_individuals)
    refuse(fmt::format("{} islands of {} individuals; at most {} in all are supported", options.islands,
                       options.population, most_individuals));
  require_within("the crossover probability", options.crossover, 0.0, 1.0);
  const double mutation = options.mutation.value_or(kind == GeneKind::bits ? 0.0001 : 1.0 / problem.genes);
  require_within("the mutation probability", mutation, 0.0, 1.0);
  require_within<std::uint64_t>("the tournament", options.tournament, 1, std::uint64_t{1} << 16);
  require_within("the rank pressure", options.rank_pressure, 1.0, 2.0);
  require_within("the line extension", options.line_extension, 0.0, 1e3);
  require_within("the distribution index", options.distribution_index, 0.0, 1e3);
  require_within("the mutation index", options.mutation_index, 0.0, 1e3);
  if (options.step) require_within("the step", *options.step, 0.0, 1e30);
  require_within<std::uint64_t>("the individuals a group", options.individuals_per_group, 1, 32);
  require_within<std::uint64_t>("the work-group size", options.group_size, 0, 1024);
  if (options.elites >= options.population || options.elites > 4096)
    refuse(fmt::format("{} elites in a population of {}; there must be fewer than the population, and at most 4096",
                       options.elites, options.population));
  require_within<std::uint64_t>("the number of migrants", options.migrants, 1,
                                std::min<std::uint64_t>(options.population / 2, 4096));
  if (options.precision != "auto" && options.precision != "float" && options.precision != "double")
    refuse(fmt::format("there is no precision '{}'; choose auto, float or double", options.precision));
  index_in(granularities(), options.granularity, "granularity");
  plan.double_precision = options.precision == "double";

  run.seed = options.seed;
  run.crossover = in_units(options.crossover);
  run.rank_mixture = in_units(options.rank_pressure - 1);
  run.kind = static_cast<std::uint32_t>(kind);
  run.maximise = problem.objective.direction() == Direction::maximise ? 1 : 0;
  run.population = static_cast<std::uint32_t>(options.population);
  run.islands = options.islands;
  run.elites = static_cast<std::uint32_t>(options.elites);
  run.pairs = (run.population - run.elites + 1) / 2;
  run.genes = problem.genes;
  run.units = (run.genes + GENETIC_UNIT - 1) / GENETIC_UNIT;
  run.row = kind == GeneKind::bits ? 2 * run.units : run.genes;
  run.selection = index_in(selections(), options.selection, "selection");
  run.tournament = options.tournament;
  run.crossover_kind = crossover_kind(options, kind);
  run.mutation_kind = mutation_kind(options, kind);
  run.whole = (problem.objective.form() == ObjectiveForm::word || problem.objective.form() == ObjectiveForm::count) &&
                      !problem.objective.has_finish()
                  ? 1
                  : 0;
  run.index_bias = static_cast<std::uint32_t>((std::uint64_t{1} << 32) % run.population);
  run.point_bias = static_cast<std::uint32_t>((std::uint64_t{1} << 32) % run.genes);
  set_mutation(run, mutation);
  run.relative_step = options.step || kind == GeneKind::integers ? 0 : 1;
  plan.numbers = {options.line_extension, 1 / (options.distribution_index + 1),
                  options.step.value_or(kind == GeneKind::integers ? 1 : 0.01), 1 / (options.mutation_index + 1),
                  target_cost(options.target.value_or(0), run.maximise != 0, plan.double_precision)};
  set_bounds(plan, problem);
  set_limits(plan, options, control);
  check_initial(problem, options);
  return plan;
}

}  // namespace clopt::genetic
