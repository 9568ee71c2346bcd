#include "options.hpp"

#include <clopt/ecga_problems.hpp>
#include <clopt/error.hpp>
#include <clopt/files.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include <frame/kept_problem.hpp>
#include <frame/objective_options.hpp>

namespace clopt::apps::ecga {
namespace {

namespace solver = clopt::ecga;

constexpr const char* usual_objective = "trap5";

std::string list(const std::vector<std::string>& names) { return fmt::format("{}", fmt::join(names, ", ")); }

/// A problem, and the fields that a checkpoint keeps of it.
struct ChosenProblem {
  solver::Problem problem;
  Json parameters;
};

bool is_text(const std::string& name) {
  for (const char* reader : {"nk:", "maxsat:", "ising:"})
    if (name.starts_with(reader)) return false;
  return name.ends_with(".cl") || name.find('/') != name.npos;
}

ChosenProblem read_problem(const Options& options, const std::string& name, std::uint64_t seed,
                           const std::shared_ptr<const Checkpoint>& resumed) {
  std::optional<std::uint32_t> length;
  if (const auto given = options.integer("length", 1, std::uint64_t{1} << 20))
    length = static_cast<std::uint32_t>(*given);
  const auto stored = resumed ? parameters_of(*resumed) : Json::object();
  if (stored.contains("objective_text") || is_text(name)) {
    if (!length) throw InvalidInput(fmt::format("'{}' needs a length: give --length N", printable(name)));
    auto chosen = read_objective(options, resumed, usual_objective);
    // A text that does not say what its genes are is of bits here.
    if (!chosen.objective.says_kind()) chosen.objective.set_kind(GeneKind::bits);
    return {{std::move(chosen.objective), *length}, std::move(chosen.parameters)};
  }
  for (const char* option : {"constant", "table"})
    if (options.has(option))
      throw InvalidInput(
          fmt::format("--{} belongs to a text of yours, and '{}' is built in; leave it out", option, printable(name)));
  auto problem = stored.contains("problem_data") && length
                     ? solver::Problem{kept_objective(*resumed, stored.at("problem_data")), *length}
                     : solver::find_problem(name, length, seed);
  Json parameters{{"objective", name}, {"problem_data", description_of_problem(problem.objective)}};
  return {std::move(problem), std::move(parameters)};
}

// --goal in the objective's own terms. \param given the options without those of a checkpoint, whose target is its own.
void read_goal(const Options& given, Run& run) {
  const auto goal = given.choice("goal", {"optimum", "m-1"});
  if (goal && given.has("target")) throw InvalidInput("--goal and --target contradict each other; give one");
  const auto optimum = run.problem.objective.optimum();
  if (goal && !optimum)
    throw InvalidInput(
        fmt::format("--goal {} needs an objective whose best value is known, and that of '{}' is not; give "
                    "--target V",
                    *goal, printable(run.objective)));
  if (goal == "m-1" && run.objective.find("trap") == std::string::npos)
    throw InvalidInput("--goal m-1 belongs to traps: all blocks but one right; give --goal optimum or --target V");
  if (goal == "m-1" && run.objective.starts_with("cyclic-trap"))
    throw InvalidInput(
        "--goal m-1 belongs to traps that share no loci: in a ring a wrong block changes its neighbours; give --goal "
        "optimum or "
        "--target V");
  // A trap at its deceptive optimum costs 1.
  if (goal) run.files_and_limits.target = *goal == "optimum" ? *optimum : *optimum - 1;
}

void read_population(const Options& options, Run& run) {
  const auto text = options.text("population");
  if (text == "auto" || text == "bisection" || text == "double") {
    run.sizing = text == "double" ? Sizing::doubling : Sizing::bisection;
    if (!run.files_and_limits.target)
      throw InvalidInput(fmt::format(
          "--population {} tries populations until runs succeed: give --goal optimum, --goal m-1 or --target V",
          *text));
  } else {
    run.options.population = options.integer("population", 1, solver::most_individuals)
                                 .value_or(solver::usual_population(run.problem.length));
  }
}

void check_several_runs(const Options& options, const Run& run) {
  if (run.slice && run.sizing != Sizing::given)
    throw InvalidInput(
        "--shard cannot divide the search for a population, whose runs follow from each other; give --population N");
  if (run.runs == 1 && run.sizing == Sizing::given) return;
  const char* why = run.runs != 1                    ? "--runs"
                    : run.sizing == Sizing::doubling ? "--population double"
                                                     : "--population auto";
  for (const char* file : {"checkpoint", "resume", "statistics", "plot", "model"})
    if (options.has(file)) throw InvalidInput(fmt::format("--{} belongs to one run, and {} makes several", file, why));
  if (run.runs != 1 && run.sizing != Sizing::given)
    throw InvalidInput("--runs and --population auto contradict each other: sizing has ten runs of its own");
}

void check_model_file(const std::string& file) {
  if (!file.ends_with(".json") && !file.ends_with(".txt") && !file.ends_with(".svg"))
    throw InvalidInput(
        fmt::format("--model {}: the name ends in .json, .txt or .svg, which says what to write", printable(file)));
  check_writable(file);
}

RunOptions read_limits(const Options& options) {
  auto limits = read_run_options(options);
  if (!limits.stagnation) limits.stagnation = solver::Options().stagnation;
  return limits;
}

const std::vector<std::pair<std::string, std::string>> refused_with_slices{
    {"statistics", "its rows are of one run"},
    {"plot", "a picture is of one run"},
    {"model", "models are of one run"},
    {"checkpoint", "it belongs to one run; give more slices, of one run each"},
    {"resume", "a checkpoint belongs to one run"}};

// What a checkpoint keeps of the options.
void keep_parameters(Run& run) {
  const auto& o = run.options;
  run.parameters["length"] = run.problem.length;
  run.parameters["seed"] = run.common.seed;
  run.parameters["population"] = o.population;
  run.parameters["search"] = o.search;
  run.parameters["tournament"] = o.tournament;
  run.parameters["crossover"] = o.crossover;
  run.parameters["largest-group"] = o.largest_group;
}

}  // namespace

OptionParser make_parser() {
  OptionParser parser(
      "ecga", "[--objective NAME] --length N [--population N|auto] [OPTION...]",
      "The extended compact genetic algorithm: each generation it learns which bits depend on each other, and\n"
      "mixes them as blocks. It maximises, unless a text of yours says minimise. See docs/ecga.md.");
  const solver::Options usual;
  parser
      .value(
          "objective", "NAME|FILE.cl",
          fmt::format("the objective: {} (default {}); {}", solver::problem_names(), usual_objective, trust_in_texts))
      .values("constant", "NAME=VALUE", "a constant of the text; repeatable")
      .values("table", "NAME=FILE", "a table of the text: the numbers of a file; repeatable")
      .value("length", "N", "loci of an individual; files contain it")
      .value("population", "N|auto|double",
             "individuals; auto: found by bisection, so that ten runs of ten succeed; double: doubled until a run "
             "succeeds (default: one and a half times the paper's for this length)")
      .value("goal", "NAME", "a target by name: optimum, or m-1 for all traps but one")
      .choices({"optimum", "m-1"})
      .value("runs", "N", "several runs with seeds one after the other, and how many succeed (default 1)")
      .value("search", "NAME", fmt::format("{} (default {})", list(solver::searches()), usual.search))
      .choices(solver::searches())
      .value("counting", "NAME", fmt::format("{} (default {})", list(solver::countings()), usual.counting))
      .choices(solver::countings())
      .value("tournament", "N", fmt::format("individuals that meet in a tournament (default {})", usual.tournament))
      .value("crossover", "P", "the part of the population that the model replaces (default 1)")
      .value("largest-group", "N", fmt::format("the most loci of a group, 1 to 10 (default {})", usual.largest_group))
      .values("model", "FILE", "write the model of every generation: .json, .txt, or a picture .svg; repeatable")
      .value("output", "FILE", "write the best individual's genes, a line of 0 and 1");
  add_shard_option(parser, "--runs");
  add_run_options(parser, {"stagnation"});
  parser.value(
      "stagnation", "N",
      "end after this many generations in which neither the best nor the mean got better; 0: never (default 50)");
  return parser;
}

Run read_run(const Options& given) {
  auto resumption = resume(given, "ecga");
  const auto& options = resumption.options;
  auto common = read_common_options(options);
  auto name = options.text("objective").value_or(usual_objective);
  auto chosen = read_problem(options, name, common.seed, resumption.checkpoint);
  Run run{std::move(common),
          read_limits(options),
          std::move(name),
          std::move(chosen.problem),
          {},
          Sizing::given,
          static_cast<std::uint32_t>(options.integer("runs", 1, 1'000'000).value_or(1)),
          read_slice_order(options, refused_with_slices),
          options.texts("model"),
          options.has("shard") ? std::nullopt : options.text("output"),
          std::move(chosen.parameters),
          std::move(resumption.checkpoint)};
  read_goal(given, run);
  read_population(options, run);
  check_several_runs(options, run);
  auto& o = run.options;
  o.seed = run.common.seed;
  o.search = options.choice("search", solver::searches()).value_or(o.search);
  o.counting = options.choice("counting", solver::countings()).value_or(o.counting);
  o.tournament = static_cast<std::uint32_t>(options.integer("tournament", 1, 1024).value_or(o.tournament));
  o.crossover = options.probability("crossover").value_or(o.crossover);
  o.largest_group = static_cast<std::uint32_t>(options.integer("largest-group", 1, 10).value_or(o.largest_group));
  o.generations = run.files_and_limits.generations;
  o.evaluations = run.files_and_limits.evaluations;
  o.stagnation = run.files_and_limits.stagnation;
  o.target = run.files_and_limits.target;
  if (run.sizing == Sizing::given && o.tournament > o.population)
    throw InvalidInput(
        fmt::format("--tournament {} is more than the {} individuals of the population; take a smaller one",
                    o.tournament, o.population));
  for (const auto& file : run.models) check_model_file(file);
  if (run.output) check_writable(*run.output);
  keep_parameters(run);
  return run;
}

}  // namespace clopt::apps::ecga
