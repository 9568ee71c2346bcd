#include "options.hpp"

#include <clopt/error.hpp>
#include <clopt/genetic_problems.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include <frame/files/checkpoint_problem.hpp>
#include <frame/files/number_file.hpp>
#include <frame/options/field_options.hpp>
#include <frame/options/objective_options.hpp>

namespace clopt::apps::genetic {
namespace {

namespace solver = clopt::genetic;

// The paper's run.
constexpr const char* usual_objective = "onemax";
constexpr std::uint32_t usual_bits = 1024;
constexpr std::uint32_t usual_others = 32;

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
  solver::Problem problem{Objective::named(usual_objective), 0, {}, {}};
  Json parameters{};
  solver::TourOptions trip{};
  std::shared_ptr<const solver::Tour> tour{};
};

void refuse_trip(const Options& options, const std::string& name) {
  solver::TourOptions trip;
  for (const auto& field : fields(trip))
    if (options.has(option_name(field)))
      throw InvalidInput(
          fmt::format("--{} belongs to tours, and the objective is '{}'; leave it out, or give --objective "
                      "tour:FILE",
                      option_name(field), printable(name)));
}

Json json_of(const solver::TourEnds& ends) {
  return {{"cities", ends.cities},
          {"start", ends.start ? Json(*ends.start) : Json(nullptr)},
          {"end", ends.end ? Json(*ends.end) : Json(nullptr)}};
}

// Names and places are the file's, if it still has these cities.
solver::Tour resumed_tour(const std::string& file, const solver::TourOptions& trip, const Checkpoint& checkpoint,
                          const Json& data, std::uint32_t genes) {
  solver::Tour tour{{kept_objective(checkpoint, data), genes, {}, {}}, {genes, {}, {}, trip.open, trip.decimals}, {}};
  // A round trip of version 0.1 has none.
  if (data.contains("ends")) {
    const auto& ends = data.at("ends");
    const auto city = [&](const char* name) {
      return ends.at(name).is_null() ? std::nullopt : std::optional(ends.at(name).get<std::uint32_t>());
    };
    tour.ends = {ends.at("cities").get<std::size_t>(), city("start"), city("end"), trip.open, trip.decimals};
  }
  try {
    auto now = solver::make_tour(solver::read_cities(file, trip.decimals), trip);
    if (now.problem.objective.table_values() == tour.problem.objective.table_values())
      tour.cities = std::move(now.cities);
  } catch (const InvalidInput&) {
    // Without the file they have numbers alone.
  }
  return tour;
}

ChosenProblem read_tour(const Options& options, const std::string& name, const std::string& file,
                        std::optional<std::uint32_t> genes, const Json& stored,
                        const std::shared_ptr<const Checkpoint>& resumed) {
  ChosenProblem chosen;
  auto table = fields(chosen.trip);
  table.check_needs(read_fields(options, table));
  if (stored.contains("problem_data") && genes) {
    chosen.tour =
        std::make_shared<solver::Tour>(resumed_tour(file, chosen.trip, *resumed, stored.at("problem_data"), *genes));
  } else {
    auto cities = solver::read_cities(file, chosen.trip.decimals);
    const auto warning = cities.rounding_warning();
    chosen.tour = std::make_shared<solver::Tour>(solver::make_tour(std::move(cities), chosen.trip));
    if (!warning.empty())
      print_error(fmt::format("clopt: warning: {}: {}\n", printable(file), with_option_names(warning)));
  }
  chosen.problem = chosen.tour->problem;
  if (genes && *genes != chosen.problem.genes)
    throw InvalidInput(fmt::format("--genes is {}, and '{}' has {} genes; leave it out", *genes, printable(name),
                                   chosen.problem.genes));
  auto data = description_of_problem(chosen.problem.objective);
  data["ends"] = json_of(chosen.tour->ends);
  chosen.parameters = {{"objective", name}, {"problem_data", data}};
  add_parameters(table, chosen.parameters);
  return chosen;
}

ChosenProblem read_named_problem(const Options& options, const std::string& name, std::optional<std::uint32_t> genes,
                                 const Json& stored, const std::shared_ptr<const Checkpoint>& resumed) {
  refuse_text_options(options, name);
  constexpr std::string_view tours = "tour:";
  if (name.starts_with(tours)) return read_tour(options, name, name.substr(tours.size()), genes, stored, resumed);
  refuse_trip(options, name);
  auto problem = stored.contains("problem_data") && genes
                     ? solver::Problem{kept_objective(*resumed, stored.at("problem_data")), *genes, {}, {}}
                     : solver::find_problem(name, genes, read_common_options(options).seed);
  Json parameters{{"objective", name}, {"problem_data", description_of_problem(problem.objective)}};
  return {std::move(problem), std::move(parameters)};
}

ChosenProblem read_problem(const Options& options, const std::shared_ptr<const Checkpoint>& resumed) {
  const auto name = options.text("objective").value_or(usual_objective);
  const auto stored = resumed ? parameters_of(*resumed) : Json::object();
  solver::Problem said{Objective::named(usual_objective), 0, {}, {}};
  read_fields(options, fields(said));
  const auto genes = said.genes == 0 ? std::nullopt : std::optional(said.genes);
  if (!stored.contains("objective_text") && solver::is_problem_name(name)) {
    auto chosen = read_named_problem(options, name, genes, stored, resumed);
    check_bounds(options, chosen.problem);
    return chosen;
  }
  refuse_trip(options, name);
  auto chosen = read_objective(options, resumed, usual_objective, solver::problem_names());
  const bool has_bits = chosen.objective.kind() == GeneKind::bits;
  solver::Problem problem{std::move(chosen.objective), genes.value_or(has_bits ? usual_bits : usual_others),
                          std::move(said.lower), std::move(said.upper)};
  check_bounds(options, problem);
  warn_of_tables(problem.objective, problem.genes);
  return {std::move(problem), std::move(chosen.parameters)};
}

void read_initial(const Options& options, const Search& search, solver::Options& chosen) {
  const auto initial = options.text("initial");
  if (!initial) return;
  const auto& problem = search.problem;
  if (const auto trip = search.tour ? solver::read_trip(*initial, search.tour->ends) : std::nullopt) {
    chosen.initial = *trip;
    return;
  }
  const auto rows = read_individuals(*initial, "gene", problem.objective.kind() == GeneKind::bits);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].size() != problem.genes)
      throw InvalidInput(fmt::format("'{}': individual {} has {} genes, not {}", printable(*initial), i + 1,
                                     rows[i].size(), problem.genes));
    chosen.initial.insert(chosen.initial.end(), rows[i].begin(), rows[i].end());
  }
}

// A target alone may never be reached.
void limit_generations(const RunRequest& request, solver::Options& options) {
  if (options.generations || options.evaluations || options.stagnation.value_or(0) != 0 || request.common.time_limit)
    return;
  if (request.resumed)
    throw InvalidInput("the run of the checkpoint ended by its time limit alone; give --generations or --time-limit");
  options.generations = options.improve == "iterated" ? solver::default_iterations : solver::default_generations;
}

Json bounds_text(const std::vector<double>& given, const std::optional<GeneBounds>& usual, bool lower) {
  if (given.empty() && !usual) return nullptr;
  if (given.empty()) return lower ? usual->lower : usual->upper;
  if (given.size() == 1) return given[0];
  return fmt::format("{}", fmt::join(given, ","));
}

// What must agree, with defaults spelt out.
void add_parameters_of(const solver::Problem& problem, const solver::Options& options, Json& parameters) {
  const auto kind = problem.objective.kind();
  parameters["genes"] = problem.genes;
  add_parameters(fields_of(options), parameters);
  if (kind == GeneKind::reals || kind == GeneKind::integers) {
    parameters["lower"] = bounds_text(problem.lower, problem.objective.usual_bounds(), true);
    parameters["upper"] = bounds_text(problem.upper, problem.objective.usual_bounds(), false);
  }
}

}  // namespace

double Search::units() const { return std::pow(10.0, static_cast<double>(trip.decimals)); }

OptionParser make_parser() {
  OptionParser parser("genetic", "[--objective NAME|FILE.cl] [OPTION...]",
                      "A genetic algorithm whose every stage runs on the "
                      "device. By default the paper's run: few ones "
                      "in 1024 bits, 128 individuals, 2000 generations. Other objectives have "
                      "a setting that does well.");
  add_objective_options(parser, usual_objective, solver::problem_names());
  solver::Problem problem{Objective::named(usual_objective), 0, {}, {}};
  solver::TourOptions trip;
  solver::Options usual;
  parser.example("--objective rastrigin --genes 16 --plot run.svg")
      .example("--objective tour:kroA100.tsp --target 21282 --output tour.csv")
      .example("--objective ackley --genes 16 --generations 500 --runs 5")
      .add(fields(problem))
      .add(fields(trip))
      .add(fields(usual));
  add_runs_options(parser);
  parser.group("Limits")
      .value("goal", "NAME", "a target by name: optimum, where the objective or its file states it")
      .choices({"optimum"})
      .group("Files")
      .value("output", "FILE.csv", "write the best individual, after its value; of a tour the trip, city by city")
      .value("output-population", "FILE.csv", "write the last population, an individual a row after its value");
  add_shard_option(parser, "islands, or of the --runs");
  add_run_options(parser);
  return parser;
}

Search read_search(const RunRequest& request) {
  const auto& options = request.options;
  auto chosen = read_problem(options, request.resumed);
  Search search{
      std::move(chosen.problem), {}, std::move(chosen.parameters), std::move(chosen.trip), std::move(chosen.tour)};
  auto table = fields(search.options);
  const auto given = read_fields(options, table, {"initial"});
  search.options = solver::complete(search.problem, search.options);
  table.check_needs(given);
  read_initial(options, search, search.options);
  const auto& objective = search.problem.objective;
  const auto optimum = solver::optimum_of(search.problem);
  if (read_goal(request.given, {"optimum"}, optimum, request.given.text("objective").value_or(objective.name())))
    search.options.target = optimum;
  else if (search.options.target && search.trip.decimals > 0)
    // Of whole units, with what the division by ten has rounded.
    search.options.target = std::floor(*search.options.target * search.units() + 1e-6);
  limit_generations(request, search.options);
  if (request.runs && !request.files.plot.empty() && search.options.islands > 1)
    throw InvalidInput(
        "--plot of several runs has a curve for each of them, and --islands one for each; leave one out");
  if (request.slice && search.options.measure_stages)
    throw InvalidInput(
        "--measure-stages does not go with --shard: times of stages are those of one run; leave one of them out");
  search.options.keep_population = options.has("output-population");
  solver::check(search.problem, search.options);
  search.parameters["shard"] = request.slice ? Json(request.slice->text()) : Json(nullptr);
  add_parameters_of(search.problem, search.options, search.parameters);
  return search;
}

}  // namespace clopt::apps::genetic
