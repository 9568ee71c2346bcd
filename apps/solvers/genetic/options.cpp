#include "options.hpp"

#include <clopt/error.hpp>
#include <clopt/files.hpp>
#include <clopt/genetic_problems.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include <frame/kept_problem.hpp>
#include <frame/number_file.hpp>

namespace clopt::apps::genetic {
namespace {

namespace solver = clopt::genetic;

// The paper's run.
constexpr const char* usual_objective = "onemax";
constexpr std::uint32_t usual_bits = 1024;
constexpr std::uint32_t usual_others = 32;

constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t most_seed = std::numeric_limits<std::uint64_t>::max();

std::string list(const std::vector<std::string>& names) { return fmt::format("{}", fmt::join(names, ", ")); }

/// An option that only one choice of another option has a use for.
struct Dependence {
  const char* option;
  const char* on;
  std::vector<std::string> choices;
};

void check_dependences(const Options& options, const solver::Options& chosen) {
  const std::array<Dependence, 6> dependences{{{"tournament", "selection", {"tournament"}},
                                               {"rank-pressure", "selection", {"rank"}},
                                               {"line-extension", "crossover-kind", {"line"}},
                                               {"distribution-index", "crossover-kind", {"simulated-binary"}},
                                               {"step", "mutation-kind", {"step", "gaussian"}},
                                               {"mutation-index", "mutation-kind", {"polynomial"}}}};
  for (const auto& [option, on, choices] : dependences) {
    const auto& choice = std::string_view(on) == "selection"        ? chosen.selection
                         : std::string_view(on) == "crossover-kind" ? chosen.crossover_kind
                                                                    : chosen.mutation_kind;
    if (options.has(option) && std::find(choices.begin(), choices.end(), choice) == choices.end())
      throw InvalidInput(fmt::format("--{} belongs to --{} {}, and this run has {}; leave it out", option, on,
                                     fmt::join(choices, " or "), choice));
  }
  for (const char* option : {"migrate-every", "migrants"})
    if (options.has(option) && chosen.islands == 1)
      throw InvalidInput(fmt::format("--{} needs several populations: give --islands N", option));
  if (options.has("migrants") && chosen.migrate_every == 0)
    throw InvalidInput("--migrants needs --migrate-every N; without it islands never meet");
}

// One number for all genes, or one for each, with commas between.
std::vector<double> read_bounds(const Options& options, const char* name) {
  const auto text = options.text(name);
  std::vector<double> bounds;
  if (!text) return bounds;
  for (std::size_t at = 0; at <= text->size();) {
    const auto end = std::min(text->find(',', at), text->size());
    double number = 0;
    const auto [stop, error] = std::from_chars(text->data() + at, text->data() + end, number);
    if (error != std::errc{} || stop != text->data() + end || !std::isfinite(number))
      throw InvalidInput(
          fmt::format("--{} {}: give a finite number, or one "
                      "for each gene with commas between",
                      name, printable(*text)));
    bounds.push_back(number);
    at = end + 1;
  }
  return bounds;
}

void check_bounds(const Options& options, const solver::Problem& problem) {
  const auto kind = problem.objective.kind();
  const bool has_bounds = kind == GeneKind::reals || kind == GeneKind::integers;
  for (const auto& [name, bounds] : {std::pair("lower", &problem.lower), std::pair("upper", &problem.upper)}) {
    if (options.has(name) && !has_bounds)
      throw InvalidInput(
          fmt::format("--{} belongs to reals and integers, and the genes of '{}' are of the kind '{}'; leave it out",
                      name, problem.objective.name(), name_of(kind)));
    if (bounds->size() > 1 && bounds->size() != problem.genes)
      throw InvalidInput(
          fmt::format("--{} has {} numbers, and an individual "
                      "has {} genes; give one number, or {}",
                      name, bounds->size(), problem.genes, problem.genes));
    if (has_bounds && bounds->empty() && !problem.objective.usual_bounds())
      throw InvalidInput(
          fmt::format("'{}' has no bounds of its own; give --lower and --upper", problem.objective.name()));
  }
}

/// A problem, and the fields that a checkpoint keeps of it.
struct ChosenProblem {
  solver::Problem problem;
  Json parameters;
};

ChosenProblem read_named_problem(const Options& options, const std::string& name, std::optional<std::uint32_t> genes,
                                 const Json& stored, const std::shared_ptr<const Checkpoint>& resumed) {
  for (const char* option : {"constant", "table"})
    if (options.has(option))
      throw InvalidInput(
          fmt::format("--{} belongs to a text of yours, and '{}' is built in; leave it out", option, printable(name)));
  auto problem = stored.contains("problem_data") && genes
                     ? solver::Problem{kept_objective(*resumed, stored.at("problem_data")), *genes, {}, {}}
                     : solver::find_problem(name, genes, options.integer("seed", 0, most_seed).value_or(1));
  Json parameters{{"objective", name}, {"problem_data", description_of_problem(problem.objective)}};
  return {std::move(problem), std::move(parameters)};
}

ChosenProblem read_problem(const Options& options, const std::shared_ptr<const Checkpoint>& resumed) {
  std::optional<std::uint32_t> genes;
  if (const auto given = options.integer("genes", 1, std::uint64_t{1} << 26))
    genes = static_cast<std::uint32_t>(*given);
  const auto name = options.text("objective").value_or(usual_objective);
  const auto stored = resumed ? parameters_of(*resumed) : Json::object();
  if (!stored.contains("objective_text") && solver::is_problem_name(name)) {
    auto chosen = read_named_problem(options, name, genes, stored, resumed);
    check_bounds(options, chosen.problem);
    return chosen;
  }
  auto chosen = read_objective(options, resumed, usual_objective, solver::problem_names());
  const bool has_bits = chosen.objective.kind() == GeneKind::bits;
  solver::Problem problem{std::move(chosen.objective), genes.value_or(has_bits ? usual_bits : usual_others),
                          read_bounds(options, "lower"), read_bounds(options, "upper")};
  check_bounds(options, problem);
  return {std::move(problem), std::move(chosen.parameters)};
}

void read_operators(const Options& options, solver::Options& chosen) {
  chosen.preset = options.choice("preset", solver::presets()).value_or(chosen.preset);
  chosen.selection = options.choice("selection", solver::selections()).value_or(chosen.selection);
  chosen.crossover_kind = options.choice("crossover-kind", solver::crossovers()).value_or("auto");
  chosen.mutation_kind = options.choice("mutation-kind", solver::mutations()).value_or("auto");
  chosen.crossover = options.probability("crossover");
  chosen.mutation = options.probability("mutation");
  if (const auto tournament = options.integer("tournament", 1, 65536))
    chosen.tournament = static_cast<std::uint32_t>(*tournament);
  chosen.rank_pressure = options.not_negative("rank-pressure").value_or(chosen.rank_pressure);
  chosen.line_extension = options.not_negative("line-extension").value_or(chosen.line_extension);
  chosen.distribution_index = options.not_negative("distribution-index");
  chosen.mutation_index = options.not_negative("mutation-index");
  chosen.step = options.not_negative("step");
  chosen.restart = options.integer("restart", 0, most - 1);
  chosen.improve = options.choice("improve", solver::improvements()).value_or(chosen.improve);
}

void read_population(const Options& options, const solver::Problem& problem, solver::Options& chosen) {
  chosen.population = options.integer("population", 2, std::uint64_t{1} << 26);
  const auto population = *solver::complete(problem, chosen).population;
  chosen.elites = options.integer("elites", 0, population - 1);
  chosen.islands = static_cast<std::uint32_t>(options.integer("islands", 1, 65536).value_or(chosen.islands));
  chosen.migrate_every = options.integer("migrate-every", 1, most).value_or(chosen.migrate_every);
  chosen.migrants =
      static_cast<std::uint32_t>(options.integer("migrants", 1, population / 2).value_or(chosen.migrants));
  chosen.precision = options.choice("precision", {"auto", "float", "double"}).value_or(chosen.precision);
  const auto initial = options.text("initial");
  if (!initial) return;
  const auto rows = read_rows(*initial, problem.objective.kind() == GeneKind::bits);
  if (rows.size() > population * chosen.islands)
    throw InvalidInput(
        fmt::format("'{}' has {} individuals, and the run has "
                    "{}; give a larger --population",
                    printable(*initial), rows.size(), population * chosen.islands));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].size() != problem.genes)
      throw InvalidInput(fmt::format("'{}': individual {} has {} genes, not {}", printable(*initial), i + 1,
                                     rows[i].size(), problem.genes));
    chosen.initial.insert(chosen.initial.end(), rows[i].begin(), rows[i].end());
  }
}

// --goal in the objective's own terms. \param given the options without those of a checkpoint, whose target is its own.
void read_goal(const Options& given, Run& run) {
  const auto goal = given.choice("goal", {"optimum"});
  if (!goal) return;
  if (given.has("target")) throw InvalidInput("--goal and --target contradict each other; give one");
  const auto& objective = run.problem.objective;
  if (!objective.optimum())
    throw InvalidInput(
        fmt::format("--goal {} needs an objective whose best value is known, and that of '{}' is not; give --target V",
                    *goal, printable(given.text("objective").value_or(objective.name()))));
  run.files_and_limits.target = objective.optimum();
}

void read_limits(Run& run) {
  auto& limits = run.files_and_limits;
  // A target alone may never be reached.
  if (!limits.generations && !limits.evaluations && limits.stagnation.value_or(0) == 0 && !run.common.time_limit) {
    if (run.resumed)
      throw InvalidInput(
          "the run of the checkpoint ended by its time limit "
          "alone; give --generations or --time-limit");
    limits.generations = solver::default_generations;
  }
  run.options.generations = limits.generations;
  run.options.evaluations = limits.evaluations;
  run.options.stagnation = limits.stagnation;
  run.options.target = limits.target;
}

Json bounds_text(const std::vector<double>& given, const std::optional<GeneBounds>& usual, bool lower) {
  if (given.empty() && !usual) return nullptr;
  if (given.empty()) return lower ? usual->lower : usual->upper;
  if (given.size() == 1) return given[0];
  return fmt::format("{}", fmt::join(given, ","));
}

// What must agree, with defaults spelt out.
Json parameters_of_run(Json parameters, const Run& run) {
  const auto& options = run.options;
  const auto kind = run.problem.objective.kind();
  parameters["genes"] = run.problem.genes;
  parameters["seed"] = run.common.seed;
  parameters["preset"] = options.preset;
  parameters["population"] = *options.population;
  parameters["selection"] = options.selection;
  parameters["crossover-kind"] = options.crossover_kind;
  parameters["crossover"] = *options.crossover;
  parameters["mutation-kind"] = options.mutation_kind;
  parameters["mutation"] = *options.mutation;
  parameters["elites"] = *options.elites;
  parameters["restart"] = *options.restart;
  parameters["improve"] = options.improve;
  parameters["islands"] = options.islands;
  parameters["shard"] = run.slice ? Json(run.slice->text()) : Json(nullptr);
  parameters["precision"] = options.precision;
  if (options.selection == "tournament") parameters["tournament"] = *options.tournament;
  if (options.selection == "rank") parameters["rank-pressure"] = options.rank_pressure;
  if (options.crossover_kind == "line") parameters["line-extension"] = options.line_extension;
  if (options.crossover_kind == "simulated-binary") parameters["distribution-index"] = *options.distribution_index;
  if (options.mutation_kind == "polynomial") parameters["mutation-index"] = *options.mutation_index;
  parameters["step"] = options.step ? Json(*options.step) : Json(nullptr);
  parameters["migrate-every"] = options.migrate_every ? Json(options.migrate_every) : Json(nullptr);
  if (options.migrate_every) parameters["migrants"] = options.migrants;
  if (kind == GeneKind::reals || kind == GeneKind::integers) {
    parameters["lower"] = bounds_text(run.problem.lower, run.problem.objective.usual_bounds(), true);
    parameters["upper"] = bounds_text(run.problem.upper, run.problem.objective.usual_bounds(), false);
  }
  return parameters;
}

const std::vector<std::pair<std::string, std::string>> refused_with_slices{
    {"statistics", "its rows are of all islands"}, {"plot", "a picture is of all islands"}};

}  // namespace

OptionParser make_parser() {
  OptionParser parser("genetic", "[--objective NAME|FILE.cl] [OPTION...]",
                      "A genetic algorithm whose every stage runs on the "
                      "device. By default the paper's run: few ones\n"
                      "in 1024 bits, 128 individuals, 2000 generations. Other objectives have "
                      "a setting that does well.");
  add_objective_options(parser, usual_objective, solver::problem_names());
  const solver::Options usual;
  parser
      .value("preset", "NAME",
             "what is chosen where options are left out: auto (default), or paper: roulette, crossover 0.8, mutation "
             "0.0001 for bits and else 1/genes, no elites, no restarts")
      .choices(solver::presets())
      .value("genes", "N", fmt::format("genes of an individual (default {} bits, {} others)", usual_bits, usual_others))
      .value("lower", "V",
             "least value of a gene; one for all, or one for each with commas "
             "between")
      .value("upper", "V", "largest value of a gene")
      .value("precision", "NAME",
             "of values and real genes: float, double, or auto (default): double for a violation, else float")
      .choices({"auto", "float", "double"})
      .value("population", "N", "individuals (default: by the preset)")
      .value("initial", "FILE", "start population, an individual a row; what is missing is drawn")
      .value("selection", "NAME", fmt::format("{} (default: by the preset)", list(solver::selections())))
      .choices(solver::selections())
      .value("tournament", "N", "individuals that meet in a tournament (default: by the preset)")
      .value("rank-pressure", "V", "how often rank selection expects the best one, 1 to 2 (default 2)")
      .value("crossover", "P", "probability for each gene between the points (default: by the preset)")
      .value("crossover-kind", "NAME", fmt::format("{} (default: by the genes)", list(solver::crossovers())))
      .choices(solver::crossovers())
      .value("line-extension", "V",
             fmt::format("of line: how far beyond the parents, in their "
                         "distance (default {})",
                         usual.line_extension))
      .value("distribution-index", "V", "of simulated-binary (default: by the preset)")
      .value("mutation", "P", "probability for each gene (default: by the preset)")
      .value("mutation-kind", "NAME", fmt::format("{} (default: by the genes)", list(solver::mutations())))
      .choices(solver::mutations())
      .value("step", "V",
             "of step, or the standard deviation of gaussian (default: 1 % of "
             "the range, 1 for integers)")
      .value("mutation-index", "V", "of polynomial (default: by the preset)")
      .value("elites", "N", "the best individuals, which go on as they are (default: by the preset)")
      .value("restart", "N",
             "draw a new population after this many generations without a better best; 0: never (default: by the "
             "preset)")
      .value("improve", "NAME", "two-opt: make every tour a local optimum; none; auto (default): two-opt for tours")
      .choices(solver::improvements())
      .value("islands", "N", "populations that evolve side by side (default 1)")
      .value("migrate-every", "N",
             "generations between migrations along the ring of islands "
             "(default: none)")
      .value("migrants", "N", "individuals that migrate (default 1)")
      .value("goal", "NAME", "a target by name: optimum, where the objective or its file states it")
      .choices({"optimum"})
      .value("granularity", "NAME",
             fmt::format("who works on an individual: {} (default auto)", list(solver::granularities())))
      .choices(solver::granularities())
      .value("individuals-per-group", "N",
             fmt::format("individuals that share a work-group, 1 to 32 (default {})", usual.individuals_per_group))
      .value("group-size", "N", "work-items of a work-group (default: chosen)")
      .switch_("stages", "measure the time of each stage")
      .value("output", "FILE.csv", "write the last population, an individual a row after its value");
  add_shard_option(parser, "islands");
  add_run_options(parser);
  return parser;
}

Run read_run(const Options& given) {
  auto resumption = resume(given, "genetic");
  const auto& options = resumption.options;
  auto chosen = read_problem(options, resumption.checkpoint);
  Run run{read_common_options(options),
          read_run_options(options),
          std::move(chosen.problem),
          {},
          {},
          read_slice_order(options, refused_with_slices),
          options.has("shard") ? std::nullopt : options.text("output"),
          std::move(resumption.checkpoint)};
  run.options.seed = run.common.seed;
  read_operators(options, run.options);
  read_population(options, run.problem, run.options);
  run.options = solver::complete(run.problem, run.options);
  check_dependences(options, run.options);
  read_goal(given, run);
  read_limits(run);
  run.options.granularity = options.choice("granularity", solver::granularities()).value_or("auto");
  run.options.individuals_per_group = static_cast<std::uint32_t>(
      options.integer("individuals-per-group", 1, 32).value_or(run.options.individuals_per_group));
  run.options.group_size = static_cast<std::uint32_t>(options.integer("group-size", 1, 65536).value_or(0));
  run.options.measure_stages = options.is_set("stages");
  if (run.slice && run.options.measure_stages)
    throw InvalidInput(
        "--stages does not go with --shard: times of stages are those of one run; leave one of them out");
  run.options.keep_population = run.output.has_value();
  if (run.output) check_writable(*run.output);
  run.parameters = parameters_of_run(std::move(chosen.parameters), run);
  return run;
}

}  // namespace clopt::apps::genetic
