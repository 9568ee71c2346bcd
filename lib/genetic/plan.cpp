#include "plan.hpp"

#include <shared/objective/constraint.h>
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include <genetic/problems/permutation_objectives.hpp>
#include <genetic/problems/places.hpp>

namespace clopt::genetic {
namespace {

// Of all tours that are searched by segments: kernels count them in 32 bits.
constexpr std::uint64_t most_cities_of_tours = std::uint64_t{1} << 31;
constexpr std::uint64_t most_individuals = std::uint64_t{1} << 31;
// Of mutated genes in a sequence of gaps, about, before it restarts.
constexpr double mutations_in_segment = 0.5;
// From here on a decision for each gene takes fewer random numbers than a draw for each mutated one.
constexpr double dense_mutation = 1.0 / 16;

[[noreturn]] void refuse(const std::string& what) { throw InvalidInput(what); }

template <class Number>
void require_within(std::string_view field, Number value, Number least, Number most) {
  if (!(value >= least && value <= most))
    refuse(fmt::format("`{}` is {}; give an integer from {} to {}", field, value, least, most));
}

// Exact for 0, 1 and every multiple of 2^-32.
std::uint64_t in_units(double probability) {
  return static_cast<std::uint64_t>(std::rint(std::ldexp(probability, 32)));
}

void require_crossover(CrossoverKind chosen, GeneKind kind) {
  const bool of_reals = chosen == CrossoverKind::line || chosen == CrossoverKind::simulated_binary;
  const bool of_order = chosen == CrossoverKind::order;
  if ((of_reals && kind != GeneKind::reals) || of_order != (kind == GeneKind::permutation))
    refuse(fmt::format("`crossover_kind` is '{}', which is not for genes of the kind '{}'; give {}",
                       crossover_names.of(chosen), name_of(kind),
                       kind == GeneKind::permutation ? "order"
                       : kind == GeneKind::reals     ? "one-point, two-point, uniform, line or simulated-binary"
                                                     : "one-point, two-point or uniform"));
}

void require_mutation(MutationKind chosen, GeneKind kind) {
  const bool of_numbers =
      chosen == MutationKind::step || chosen == MutationKind::gaussian || chosen == MutationKind::polynomial;
  const bool fits = kind == GeneKind::bits          ? chosen == MutationKind::flip
                    : kind == GeneKind::permutation ? chosen == MutationKind::swap || chosen == MutationKind::inversion
                                                    : of_numbers;
  if (!fits)
    refuse(fmt::format("`mutation_kind` is '{}', which is not for genes of the kind '{}'; give {}",
                       mutation_names.of(chosen), name_of(kind),
                       kind == GeneKind::bits          ? "flip"
                       : kind == GeneKind::permutation ? "swap or inversion"
                                                       : "step, gaussian or polynomial"));
}

// How mutated genes are found, see GENETIC_GAPS.
void set_mutation(Settings& settings, double probability) {
  settings.mutation = in_units(probability);
  settings.mutation_way = probability == 0               ? GENETIC_NEVER
                          : probability < dense_mutation ? GENETIC_GAPS
                                                         : GENETIC_DENSE;
  // (1 - p)^(2^k) of 2^64. What does not fit stands for certainty.
  constexpr double certain = 18446744073709549568.0;  // the largest double below 2^64
  settings.keep[0] = static_cast<std::uint64_t>(std::min(std::ldexp(1 - probability, 64), certain));
  for (std::uint32_t k = 1; k < GENETIC_POWERS; ++k)
    settings.keep[k] = shared::mul_hi(settings.keep[k - 1], settings.keep[k - 1]);
  settings.segment = 0;
  while (settings.segment < GENETIC_LONGEST_SEGMENT &&
         std::ldexp(probability * GENETIC_UNIT, static_cast<int>(settings.segment) + 1) <= mutations_in_segment)
    ++settings.segment;
  const auto& half_segment = settings.keep[5 + settings.segment];
  settings.keep_segment = shared::mul_hi(~std::uint64_t{0}, shared::mul_hi(half_segment, half_segment));
}

void set_bounds(Plan& plan, const Problem& problem) {
  const auto kind = problem.objective.kind();
  auto& settings = plan.settings;
  auto lower = problem.lower;
  auto upper = problem.upper;
  if (kind == GeneKind::bits || kind == GeneKind::permutation) {
    if (!lower.empty() || !upper.empty())
      refuse(fmt::format("genes of the kind '{}' have no `{}`; leave it out", name_of(kind),
                         lower.empty() ? "upper" : "lower"));
    plan.numbers.insert(plan.numbers.end(), {0, 1});
    return;
  }
  if (const auto usual = problem.objective.usual_bounds()) {
    if (lower.empty()) lower = {usual->lower};
    if (upper.empty()) upper = {usual->upper};
  }
  if (lower.empty() || upper.empty())
    refuse(
        fmt::format("the objective {} has no bounds of its own; give `lower` and `upper`", problem.objective.name()));
  for (const auto& [field, bounds] : {std::pair("lower", &lower), std::pair("upper", &upper)})
    if (bounds->size() != 1 && bounds->size() != problem.genes)
      refuse(fmt::format("`{}` has {} numbers for {} genes; give one, or one for each", field, bounds->size(),
                         problem.genes));
  settings.bounds_each = lower.size() > 1 || upper.size() > 1 ? 1 : 0;
  const double widest = plan.double_precision ? 1e300 : 1e37;
  const double integers = plan.double_precision ? 0x1p30 : 0x1p24;
  for (std::uint32_t gene = 0; gene < (settings.bounds_each != 0 ? problem.genes : 1); ++gene) {
    const double least = lower[lower.size() > 1 ? gene : 0];
    const double most = upper[upper.size() > 1 ? gene : 0];
    if (!(least <= most))
      refuse(fmt::format("`lower` of gene {} is {}, above `upper`, {}; give bounds in order", gene, least, most));
    const double limit = kind == GeneKind::integers ? integers : widest;
    if (!(std::fabs(least) <= limit && std::fabs(most) <= limit))
      refuse(fmt::format("`lower` and `upper` of gene {} are {} and {}; give bounds within +-{}{}", gene, least, most,
                         limit, plan.double_precision ? "" : ", or choose the `precision` double"));
    if (kind == GeneKind::integers && (least != std::rint(least) || most != std::rint(most)))
      refuse(fmt::format("`lower` and `upper` of gene {} are {} and {}; give whole numbers for integers", gene, least,
                         most));
    plan.numbers.push_back(least);
    plan.numbers.push_back(most);
  }
}

void set_limits(Plan& plan, const Options& options, const RunControl& control) {
  auto& settings = plan.settings;
  auto generations = options.generations;
  const auto stagnation = options.stagnation.value_or(0);
  if (!generations && !options.evaluations && stagnation == 0 && !control.time_limit)
    generations = plan.iterates ? default_iterations : default_generations;
  plan.last_generation = generations.value_or(largest_generation);
  plan.evaluations = options.evaluations;
  if (options.evaluations && *options.evaluations < evaluations_at(settings, 0))
    refuse(fmt::format("`evaluations` is {}, and the start population takes {}; give as many or more",
                       *options.evaluations, evaluations_at(settings, 0)));
  if (stagnation != 0) {
    plan.host_watches_stagnation = settings.islands > 1 || plan.restart != 0;
    if (!plan.host_watches_stagnation) settings.stagnation = static_cast<std::uint32_t>(stagnation);
  }
  settings.has_target = options.target ? 1 : 0;
  if (control.time_limit && !(*control.time_limit >= 0))
    refuse(fmt::format("`time_limit` is {}; give seconds, 0 or more", *control.time_limit));
}

// The number that a cost must not pass, rounded so that no worse one is as good.
double target_cost(double target, const Plan& plan) {
  const bool double_precision = plan.double_precision;
  const double turned = plan.settings.maximise != 0 ? -target : target;
  // Only a feasible individual reaches it.
  const double most = double_precision ? CONSTRAINT_MOST_DOUBLE : double{CONSTRAINT_MOST_FLOAT};
  const double cost = plan.constrained ? std::min(turned, most) : turned;
  if (double_precision) return cost;
  auto rounded = static_cast<float>(std::clamp(cost, -3.4028234663852886e38, 3.4028234663852886e38));
  if (rounded > cost) rounded = std::nextafter(rounded, -std::numeric_limits<float>::infinity());
  return rounded;
}

// A tour reads its table by its genes, and the local search reads it as a tour's.
void require_tour(const Problem& problem, Improve improve) {
  const auto& objective = problem.objective;
  const bool is_tour = is_tour_objective(objective);
  if (improve != Improve::none && (!is_tour || objective.direction() == Direction::maximise))
    refuse(
        fmt::format("`improve` is '{}', which is for tours that are minimised, and the objective is '{}'; give a "
                    "tour, or leave `improve` out",
                    improve_names.of(improve), objective.name()));
  if (improve == Improve::two_opt && is_tour_of_places(problem))
    refuse(
        "`improve` is 'two-opt', which needs a table of all distances, and the tour has places in its stead; give "
        "'iterated', or leave `improve` out");
  if (improve == Improve::iterated && !is_tour_of_places(problem))
    refuse(
        fmt::format("`improve` is 'iterated', which is for round trips of more than {} cities at places, and the tour "
                    "has a table of distances; give 'two-opt', or leave `improve` out",
                    least_cities_by_places - 1));
  const auto genes = std::uint64_t{problem.genes};
  const auto values = objective.table_values().size();
  const bool is_assignment = is_assignment_objective(objective);
  const bool has_right_size = is_tour ? is_tour_table(values, genes) : values == 2 * genes * genes;
  if ((is_tour || is_assignment) && values != 0 && !has_right_size)
    refuse(fmt::format("`genes` is {}, which is not the number of the objective '{}'; take the problem's own",
                       problem.genes, objective.name()));
}

// Lengths of drawn tours, and of those that are given, may be beyond whole numbers of 32 bits.
void require_lengths(const Problem& problem, const Options& options, bool iterates) {
  const TourTable table(problem.objective, problem.genes);
  if (!iterates && largest_length(table) * problem.genes > largest_sum)
    refuse(
        fmt::format("ways between cities are up to {} long, and {} of them pass 2^31; give places in a larger unit, or "
                    "`improve` iterated",
                    largest_length(table), problem.genes));
  const std::size_t cities = problem.genes;
  for (std::size_t first = 0; first + cities <= options.initial.size(); first += cities) {
    double length = 0;
    for (std::size_t i = 0; i < cities; ++i) {
      const double one = options.initial[first + i];
      const double other = options.initial[first + (i + 1) % cities];
      // Whether they are cities is the genes' matter.
      if (one >= 0 && other >= 0 && one < problem.genes && other < problem.genes)
        length += table.from(static_cast<std::size_t>(one), static_cast<std::size_t>(other));
    }
    if (length > largest_sum)
      refuse(
          fmt::format("tour {} of `initial` is {} long, which passes 2^31; give shorter ones, or places in a larger "
                      "unit",
                      first / cities + 1, length));
  }
}

// Nothing is bred where each tour is improved by itself.
void require_no_breeding(const Problem& problem, const Options& options) {
  Options usual;
  usual.preset = options.preset;
  usual.improve = options.improve;
  usual = complete(problem, usual);
  const auto usual_fields = fields_of(usual);
  for (const auto& field : fields_of(options)) {
    const bool breeds = field.name == "migrate_every" || (field.group == "Operators" && field.name != "improve");
    if (breeds && field.value() != usual_fields.at(field.name).value())
      refuse(fmt::format("`{}` is {}, and `improve` is 'iterated', which breeds no tours of others; leave it out",
                         field.name, text_of(field.value())));
  }
}

void check_initial(const Problem& problem, const Options& options) {
  const auto& genes = options.initial;
  if (genes.size() % problem.genes != 0)
    refuse(fmt::format("`initial` has {} values, which are not whole individuals of {} genes", genes.size(),
                       problem.genes));
  const auto individuals = *options.population * options.islands;
  if (genes.size() / problem.genes > individuals)
    refuse(fmt::format("`initial` has {} individuals, and the run has {}; give a larger `population`",
                       genes.size() / problem.genes, individuals));
}

}  // namespace

std::uint64_t evaluations_at(const Settings& settings, std::uint64_t generation, std::uint64_t restarts) {
  return settings.islands * (settings.population + generation * std::uint64_t{settings.population - settings.elites} +
                             restarts * settings.elites);
}

std::uint64_t evaluations_of_all(const Plan& plan, std::uint64_t generation, std::uint64_t restarts) {
  auto whole = plan.settings;
  whole.islands = plan.whole_islands;
  return evaluations_at(whole, generation, restarts);
}

std::uint64_t last_generation(const Plan& plan, std::uint64_t restarts) {
  if (!plan.evaluations) return plan.last_generation;
  const auto first = evaluations_of_all(plan, 0, restarts);
  const auto each = evaluations_of_all(plan, 1, 0) - evaluations_of_all(plan, 0, 0);
  return std::min(plan.last_generation, (*plan.evaluations - std::min(first, *plan.evaluations)) / each);
}

std::uint64_t population_bytes(const Plan& plan) {
  const auto& settings = plan.settings;
  const bool wide = plan.double_precision && settings.kind == GENETIC_REALS;
  const auto row = plan.unpacks ? shared::genetic_unpacked_row(settings) : settings.row;
  return std::uint64_t{settings.population} * settings.islands * row * (wide ? 8U : 4U);
}

namespace {

// What the ranges of the fields do not say, since it depends on other fields.
void check_together(const Options& options) {
  const auto population = *options.population;
  if (population * options.islands > most_individuals)
    refuse(fmt::format("`islands` is {} and `population` {}; give at most {} individuals in all", options.islands,
                       population, most_individuals));
  if (population == 1 && options.improve != improve_names.of(Improve::iterated))
    refuse("`population` is 1, of which nothing can be bred; give 2 or more");
  require_within<std::uint64_t>("elites", *options.elites, 0, std::min<std::uint64_t>(population - 1, 4096));
  if (population > 1)
    require_within<std::uint64_t>("migrants", options.migrants, 1, std::min<std::uint64_t>(population / 2, 4096));
}

void check_divisible(const Options& options) {
  const auto refuse_meeting = [](const std::string& what, const char* instead) {
    refuse(
        fmt::format("{}, so that a slice cannot be evolved without the others; {}, or share the run out by MPI "
                    "(mpirun -n N clopt genetic ...)",
                    what, instead));
  };
  if (options.islands < 2) refuse("a single population cannot be divided; give several `islands`");
  if (options.migrate_every != 0)
    refuse_meeting(fmt::format("`migrate_every` is {}, and islands meet", options.migrate_every), "leave it out");
  if (options.target) refuse_meeting("the first island to reach the `target` ends all others", "leave it out");
  if (options.stagnation.value_or(0) != 0) refuse_meeting("`stagnation` is that of all islands", "leave it out");
  if (options.restart.value_or(0) != 0)
    refuse_meeting(fmt::format("`restart` is {}, and all islands are drawn again together", *options.restart),
                   "give 0 for never");
}

// They are indexes: those of a file that was altered would lead anywhere.
void require_near_cities(const Problem& problem) {
  const auto& table = problem.objective.table_values();
  const bool has_size_of_places = table.size() == places_table_size(problem.genes);
  const bool is_first_right =
      !table.empty() &&
      (has_size_of_places ? table[0] == GENETIC_ROUNDED || table[0] == GENETIC_ROUNDED_UP : table[0] == 0);
  if (!table.empty() && !is_first_right)
    refuse("the first number of the tour's table is not that of a table of its size; give the tour again");
  if (has_size_of_places && !are_places(table, problem.genes))
    refuse("the places of the tour's cities are out of range; give the tour again");
  if (has_tour_size(problem) && !has_near_cities(problem))
    refuse("the lists of near cities name cities that there are not; give the tour again");
}

}  // namespace

Plan make_plan(const Problem& problem, const Options& options, const RunControl& control) {
  Plan plan{};
  auto& settings = plan.settings;
  const auto kind = problem.objective.kind();
  if (problem.objective.reads_rows())
    refuse(
        fmt::format("the objective {} reads row() or columns(), of which only differential "
                    "evolution has data; give it a table in their place",
                    problem.objective.name()));
  if (is_tour_objective(problem.objective)) require_near_cities(problem);
  fields_of(options).check();
  if (options.improve == improve_names.of(Improve::iterated)) require_no_breeding(problem, options);
  check_together(options);
  plan.granularity = granularity_names.value(options.granularity, "granularity");
  plan.double_precision = precision_names.value(options.precision, "precision") == Precision::float64;

  settings.seed = options.seed;
  settings.crossover = in_units(*options.crossover);
  settings.rank_mixture = in_units(options.rank_pressure - 1);
  settings.kind = static_cast<std::uint32_t>(kind);
  settings.maximise = problem.objective.direction() == Direction::maximise ? 1 : 0;
  settings.population = static_cast<std::uint32_t>(*options.population);
  settings.islands = options.islands;
  plan.whole_islands = options.islands;
  settings.elites = static_cast<std::uint32_t>(*options.elites);
  settings.pairs = (settings.population - settings.elites + 1) / 2;
  settings.genes = problem.genes;
  settings.units = (settings.genes + GENETIC_UNIT - 1) / GENETIC_UNIT;
  settings.row = kind == GeneKind::bits ? 2 * settings.units : settings.genes;
  settings.selection = static_cast<std::uint32_t>(selection_names.value(options.selection, "selection"));
  settings.tournament = *options.tournament;
  plan.constrained = problem.objective.has_violation();
  // A batch function takes bits packed.
  plan.unpacks =
      plan.granularity == Granularity::gene && kind == GeneKind::bits && !problem.objective.is_batch_function();
  const bool goes_by_values = settings.selection == GENETIC_ROULETTE || settings.selection == GENETIC_ROULETTE_WALK ||
                              settings.selection == GENETIC_UNIVERSAL;
  if (plan.constrained && goes_by_values)
    refuse(
        fmt::format("the `selection` {} goes by values, and the objective {} has a violation, by which individuals are "
                    "only ranked; give tournament or rank",
                    options.selection, problem.objective.name()));
  const auto crossover = crossover_names.value(options.crossover_kind, "crossover_kind");
  const auto mutation = mutation_names.value(options.mutation_kind, "mutation_kind");
  require_crossover(crossover, kind);
  require_mutation(mutation, kind);
  settings.crossover_kind = static_cast<std::uint32_t>(crossover);
  settings.mutation_kind = static_cast<std::uint32_t>(mutation);
  settings.whole =
      (problem.objective.form() == ObjectiveForm::word || problem.objective.form() == ObjectiveForm::count) &&
              !problem.objective.has_finish()
          ? 1
          : 0;
  settings.index_bias = static_cast<std::uint32_t>((std::uint64_t{1} << 32) % settings.population);
  settings.point_bias = static_cast<std::uint32_t>((std::uint64_t{1} << 32) % settings.genes);
  set_mutation(settings, *options.mutation);
  settings.relative_step = options.step ? 0 : 1;
  plan.numbers = {options.line_extension, 1 / (*options.distribution_index + 1), options.step.value_or(0.01),
                  1 / (*options.mutation_index + 1), target_cost(options.target.value_or(0), plan)};
  plan.restart = *options.restart;
  const auto improve = improve_names.value(options.improve, "improve");
  plan.improves = improve == Improve::two_opt;
  plan.iterates = improve == Improve::iterated;
  require_tour(problem, improve);
  if (is_tour_of_places(problem)) {
    if (!plan.double_precision)
      refuse("`precision` is float, and lengths of ways between places are computed in doubles; leave it out");
    require_lengths(problem, options, plan.iterates);
  }
  if (plan.iterates && std::uint64_t{settings.population} * settings.islands * problem.genes > most_cities_of_tours)
    refuse(fmt::format("{} tours of {} cities are too many to be searched at once; give a smaller `population`",
                       std::uint64_t{settings.population} * settings.islands, problem.genes));
  set_bounds(plan, problem);
  set_limits(plan, options, control);
  check_initial(problem, options);
  if (!options.range) return plan;
  check_divisible(options);
  check_range(*options.range, options.islands, "islands");
  return part_of(std::move(plan), *options.range);
}

void check(const Problem& problem, const Options& options) { make_plan(problem, complete(problem, options), {}); }

Plan part_of(Plan whole, const WorkRange& range) {
  auto& settings = whole.settings;
  settings.islands = static_cast<std::uint32_t>(range.count);
  settings.first_island = static_cast<std::uint32_t>(range.first);
  settings.first_pair = settings.first_island * settings.pairs;
  settings.first_individual = settings.first_island * settings.population;
  return whole;
}

std::vector<double> initial_of(const Plan& plan, const Options& options) {
  const auto& settings = plan.settings;
  const auto& all = options.initial;
  const auto begin = std::min(all.size(), std::size_t{settings.first_individual} * settings.genes);
  const auto count = std::min(all.size() - begin, std::size_t{settings.islands} * settings.population * settings.genes);
  const auto first = all.begin() + static_cast<std::ptrdiff_t>(begin);
  return {first, first + static_cast<std::ptrdiff_t>(count)};
}

RunIdentity identity_of(const Problem& problem, const Options& options, const Plan& plan) {
  const auto& settings = plan.settings;
  RunIdentity identity("genetic");
  identity.add("objective", problem.objective).add("genes", settings.genes);
  if (settings.kind == GENETIC_REALS || settings.kind == GENETIC_INTEGERS)
    for (std::uint32_t upper = 0; upper < 2; ++upper) {
      std::vector<double> bounds;
      for (std::size_t i = GENETIC_BOUNDS + upper; i < plan.numbers.size(); i += 2) bounds.push_back(plan.numbers[i]);
      if (bounds.size() == 1)
        identity.add(upper == 0 ? "lower" : "upper", bounds[0]);
      else
        identity.add_data(upper == 0 ? "lower" : "upper", bounds);
    }
  add_fields(identity, options, complete(problem, {}));
  // Version 0.1 has this entry of a single island too.
  if (options.islands == 1) identity.add("migrate_every", options.migrate_every);
  if (options.range)
    identity.add("range", std::string_view(fmt::format("{} from {} on", options.range->count, options.range->first)));
  return identity;
}

RunIdentity identity(const Problem& problem, const Options& options) {
  auto whole = complete(problem, options);
  whole.range.reset();
  const auto plan = make_plan(problem, whole, {});
  check_divisible(whole);
  auto identity = identity_of(problem, whole, plan);
  if (!whole.initial.empty()) identity.add_data("initial", whole.initial);
  identity.add("limit of generations", plan.last_generation)
      .add("limit of evaluations",
           std::string_view(whole.evaluations ? fmt::format("{}", *whole.evaluations) : std::string("none")));
  return identity;
}

}  // namespace clopt::genetic
