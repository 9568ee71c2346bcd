#include "options.hpp"

#include <clopt/ecga_problems.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include <frame/files/checkpoint_problem.hpp>
#include <frame/options/field_options.hpp>
#include <frame/options/objective_options.hpp>

namespace clopt::apps::ecga {
namespace {

namespace solver = clopt::ecga;

constexpr const char* usual_objective = "trap5";

/// A problem, and the fields that a checkpoint keeps of it.
struct ChosenProblem {
  solver::Problem problem;
  Json parameters;
};

bool is_text(const std::string& name) {
  return !solver::is_file_name(name) && (name.ends_with(".cl") || name.find('/') != name.npos);
}

ChosenProblem read_problem(const Options& options, const std::string& name, std::uint64_t seed,
                           const std::shared_ptr<const Checkpoint>& resumed) {
  solver::Problem said{Objective::named("onemax")};
  read_fields(options, fields(said));
  const auto length = said.length == 0 ? std::nullopt : std::optional(said.length);
  const auto stored = resumed ? parameters_of(*resumed) : Json::object();
  if (stored.contains("objective_text") || is_text(name)) {
    if (!length) throw InvalidInput(fmt::format("'{}' needs a length: give --length N", printable(name)));
    auto chosen = read_objective(options, resumed, usual_objective);
    // A text that does not say what its genes are is of bits here.
    if (!chosen.objective.says_kind()) chosen.objective.set_kind(GeneKind::bits);
    warn_of_tables(chosen.objective, *length);
    return {{std::move(chosen.objective), *length}, std::move(chosen.parameters)};
  }
  refuse_text_options(options, name);
  auto problem = stored.contains("problem_data") && length
                     ? solver::Problem{kept_objective(*resumed, stored.at("problem_data")), *length}
                     : solver::find_problem(name, length, seed);
  Json parameters{{"objective", name}, {"problem_data", description_of_problem(problem.objective)}};
  return {std::move(problem), std::move(parameters)};
}

void read_goal(const Options& given, Search& search) {
  const auto optimum = search.problem.objective.optimum();
  const auto goal = apps::read_goal(given, {"optimum", "m-1"}, optimum, search.objective);
  if (goal == "m-1" && search.objective.find("trap") == std::string::npos)
    throw InvalidInput("--goal m-1 belongs to traps: all blocks but one right; give --goal optimum or --target V");
  if (goal == "m-1" && search.objective.starts_with("cyclic-trap"))
    throw InvalidInput(
        "--goal m-1 belongs to traps that share no loci: in a ring a wrong block changes its neighbours; give --goal "
        "optimum or "
        "--target V");
  // A trap at its deceptive optimum costs 1.
  if (goal) search.options.target = *goal == "optimum" ? *optimum : *optimum - 1;
}

void read_population(const Options& options, Search& search) {
  const auto text = options.text("population");
  if (text == "auto" || text == "bisection" || text == "double") {
    search.sizing = text == "double" ? Sizing::doubling : Sizing::bisection;
    if (!search.options.target)
      throw InvalidInput(fmt::format(
          "--population {} tries populations until runs succeed: give --goal optimum, --goal m-1 or --target V",
          *text));
  } else {
    // Without one the library chooses; a checkpoint, and several runs, have one population.
    const bool has_one = options.has("checkpoint") || options.has("resume") || search.has_several_runs;
    search.options.population = options.integer("population", 1, solver::most_individuals).value_or(0);
    if (has_one) search.options.population = solver::complete(search.problem, search.options).population;
  }
}

void check_several_runs(const RunRequest& request, const Search& search) {
  const auto& options = request.options;
  if (request.slice && search.sizing != Sizing::given)
    throw InvalidInput(
        "--shard cannot divide the search for a population, whose runs follow from each other; give --population N");
  if (search.sizing == Sizing::given) return;
  refuse_files_of_one_run(options, {"checkpoint", "resume", "statistics", "plot", "model"},
                          search.sizing == Sizing::doubling ? "--population double" : "--population auto");
  if (search.has_several_runs)
    throw InvalidInput("--runs and --population auto contradict each other: sizing has ten runs of its own");
}

void check_model_file(const std::string& file) {
  if (!file.ends_with(".json") && !file.ends_with(".txt") && !file.ends_with(".svg"))
    throw InvalidInput(
        fmt::format("--model {}: the name ends in .json, .txt or .svg, which says what to write", printable(file)));
}

}  // namespace

OptionParser make_parser() {
  OptionParser parser(
      "ecga", "[--objective NAME] --length N [--population N|auto] [OPTION...]",
      "The extended compact genetic algorithm: each generation it learns which bits depend on each other, and "
      "mixes them as blocks. It maximises, unless your own text says minimise. See docs/ecga.md.");
  solver::Problem problem{Objective::named("onemax")};
  solver::Options usual;
  parser.example("--objective trap5 --length 100")
      .example("--objective maxsat:formula.cnf --population 2000 --goal optimum")
      .group("Problem")
      .value(
          "objective", "NAME|FILE.cl",
          fmt::format("the objective: {} (default {}); {}", solver::problem_names(), usual_objective, trust_in_texts))
      .offers({solver::problem_names()})
      .values("constant", "NAME=VALUE", "a constant of the text; repeatable")
      .values("table", "NAME=FILE", "a table of the text: the numbers of a file; repeatable")
      .add(fields(problem))
      .add(fields(usual))
      .group("Limits")
      .value("goal", "NAME", "a target by name: optimum, or m-1 for all traps but one")
      .choices({"optimum", "m-1"})
      .group("Files")
      .values("model", "FILE", "write the model of every generation: .json, .txt, or a picture .svg; repeatable")
      .value("output", "FILE", "write the best individual's genes, a line of 0 and 1");
  add_runs_options(parser);
  add_shard_option(parser, "--runs");
  add_run_options(parser);
  return parser;
}

Search read_search(const RunRequest& request) {
  const auto& options = request.options;
  const auto seed = request.common.seed;
  auto name = options.text("objective").value_or(usual_objective);
  auto chosen = read_problem(options, name, seed, request.resumed);
  Search search{std::move(name),         std::move(chosen.problem), {},
                Sizing::given,           options.texts("model"),    std::move(chosen.parameters),
                request.runs.has_value()};
  auto& o = search.options;
  read_fields(options, fields(o), {"population"});
  read_goal(request.given, search);
  read_population(options, search);
  check_several_runs(request, search);
  if (search.sizing == Sizing::given && o.population != 0 && o.tournament > o.population)
    throw InvalidInput(
        fmt::format("--tournament {} is more than the {} individuals of the population; take a smaller one",
                    o.tournament, o.population));
  solver::check(search.problem, o);
  for (const auto& file : search.models) check_model_file(file);
  search.parameters["length"] = search.problem.length;
  add_parameters(fields_of(o), search.parameters);
  return search;
}

}  // namespace clopt::apps::ecga
