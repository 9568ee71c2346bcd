/// \file
/// `clopt differential-evolution`.
#include <clopt/csv.hpp>
#include <clopt/devices.hpp>
#include <clopt/differential_evolution.hpp>
#include <clopt/error.hpp>
#include <clopt/files.hpp>
#include <clopt/version.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include <commands/subcommand.hpp>
#include <frame/job.hpp>
#include <frame/objective_options.hpp>
#include <frame/progress_bar.hpp>
#include <frame/run_files.hpp>
#include <frame/shard_options.hpp>
#include <frame/watchdog.hpp>
#include "fit_options.hpp"
#include "fit_plot.hpp"
#include "report.hpp"
#include "solver.hpp"

namespace clopt::apps::differential_evolution {
namespace {

namespace solver = clopt::differential_evolution;

constexpr std::string_view name = "differential-evolution";
constexpr std::size_t usual_dimensions = 10;
constexpr std::uint64_t most_counted = std::uint64_t{1} << 31;

std::vector<std::string> choices_of_adapt() {
  auto names = solver::adaptations();
  names.insert(names.begin(), "auto");
  return names;
}

OptionParser make_parser() {
  OptionParser parser(std::string(name), "[OPTION...]",
                      "Minimises an objective over real parameters by differential evolution (Storn and Price), one\n"
                      "problem or thousands at once: problems have their own random numbers, and with --data their\n"
                      "own row of numbers.");
  add_objective_options(parser, "rastrigin", {}, GeneKind::reals);
  parser.value("dimensions", "N", fmt::format("parameters of a vector (default {})", usual_dimensions))
      .value("population", "N",
             "vectors of a problem (default 5 times the dimensions, at least 20, or 50 with a violation; with shade at "
             "most 100; of a polished fit 10 times)")
      .value("problems", "N", "how many minimisations (default 1, or the rows of --data)")
      .value("method", "NAME", fmt::format("one of {} (default auto)", fmt::join(solver::methods(), ", ")))
      .choices(solver::methods())
      .value("precision", "NAME",
             "float, double, or auto (default): double where the objective has a violation, else float")
      .choices(solver::precisions())
      .value("strategy", "NAME",
             fmt::format("one of {} (default rand1bin; with shade and lshade currenttopbest1bin)",
                         fmt::join(solver::strategies(), ", ")))
      .choices(solver::strategies())
      .value("adapt", "NAME",
             "how F and CR adapt themselves: none, jde, shade, lshade, or auto (default): none where --weight, "
             "--crossover or --strategy is given, else shade")
      .choices(choices_of_adapt())
      .value("weight", "F", "the weight of a difference, from 0 to 2 (default 0.5)")
      .value("crossover", "CR", "the probability that a parameter comes from the mutant (default 0.9)")
      .value("lower", "V[,V...]", "the least value of the parameters, or of each (default the objective's usual one)")
      .value("upper", "V[,V...]", "the greatest value of the parameters, or of each")
      .value("bounds", "NAME", "what becomes of a parameter outside: clip (default), reflect, resample, or none")
      .choices(solver::bound_treatments())
      .value("spread", "V", "end a problem once its values differ by no more than this")
      .value("data", "FILE.csv", "a row of numbers for each problem, which the objective reads by row(x, j)")
      .value(
          "initial", "FILE.csv",
          "start vectors, one a row: every problem begins with all of them, or, where they are as many as the rows of "
          "--data, each with its own")
      .value("integer", "I[,I...]", "parameters that are whole numbers, counted from 0")
      .value("output", "FILE.csv", "write a row a problem");
  add_shard_option(parser, "problems");
  add_fit_options(parser);
  add_fit_plot_options(parser);
  add_run_options(parser);
  return parser;
}

std::vector<double> list_of(const Options& options, const std::string& option) {
  std::vector<double> numbers;
  const auto text = options.text(option);
  for (std::size_t begin = 0; text && begin <= text->size();) {
    const auto end = std::min(text->find(',', begin), text->size());
    double number = 0;
    const auto [stop, error] = std::from_chars(text->data() + begin, text->data() + end, number);
    if (error != std::errc{} || stop != text->data() + end || !std::isfinite(number))
      throw InvalidInput(
          fmt::format("--{} {}: give a finite number, or one for each dimension with commas between them", option,
                      printable(*text)));
    numbers.push_back(number);
    begin = end + 1;
  }
  return numbers;
}

/// Everything that the options say of a run.
struct Request {
  CommonOptions common;
  RunOptions run;
  ChosenObjective objective;
  solver::Problem problem;
  solver::Options options;
  std::optional<SliceOrder> slice;                                 ///< of the problems, the only one that is done
  std::optional<std::string> output;                               ///< of all of them
  std::vector<std::size_t> plot_rows = {};                         ///< as read_plot_rows() has them
  std::optional<std::uint64_t> resumed_generation = std::nullopt;  ///< of the checkpoint that it goes on from
};

// Who sets the classical parameters means the classical algorithm; else success-history adaptation solves more.
std::string adaptation_of(const Options& options) {
  auto asked = options.choice("adapt", choices_of_adapt()).value_or("auto");
  if (asked != "auto") return asked;
  const bool is_classical = options.has("weight") || options.has("crossover") || options.has("strategy");
  return is_classical ? "none" : "shade";
}

void read_solver_options(const Options& options, Request& request) {
  auto& solver_options = request.options;
  solver_options.method = options.choice("method", solver::methods()).value_or("auto");
  solver_options.precision = options.choice("precision", solver::precisions()).value_or("auto");
  solver_options.precision = solver::precision_of(request.problem, solver_options);
  solver_options.strategy = options.choice("strategy", solver::strategies()).value_or("");
  solver_options.adapt = adaptation_of(options);
  solver_options.bounds = options.choice("bounds", solver::bound_treatments()).value_or("clip");
  solver_options.population = options.integer("population", 1, most_counted).value_or(0);
  solver_options.weight = options.not_negative("weight").value_or(solver_options.weight);
  solver_options.crossover = options.probability("crossover").value_or(solver_options.crossover);
  solver_options.spread = options.not_negative("spread");
  solver_options.strategy = solver::strategy_of(solver_options);
  solver_options.seed = request.common.seed;
  solver_options.generations = request.run.generations;
  solver_options.evaluations = request.run.evaluations;
  solver_options.target = request.run.target;
  solver_options.stagnation = request.run.stagnation;
}

std::vector<std::size_t> places_of(const Options& options) {
  std::vector<std::size_t> places;
  const auto text = options.text("integer");
  for (std::size_t begin = 0; text && begin <= text->size();) {
    const auto end = std::min(text->find(',', begin), text->size());
    std::size_t place = 0;
    const auto [stop, error] = std::from_chars(text->data() + begin, text->data() + end, place);
    if (error != std::errc{} || stop != text->data() + end)
      throw InvalidInput(fmt::format(
          "--integer {}: give the places of parameters, counted from 0, with commas between them", printable(*text)));
    places.push_back(place);
    begin = end + 1;
  }
  return places;
}

// Rows of data are fits as a rule, each with its own guess.
void read_initial(const Options& options, const std::shared_ptr<const Checkpoint>& resumed, Request& request) {
  const auto rows = read_start_vectors(options, resumed);
  if (rows.empty()) return;
  const auto& problem = request.problem;
  if (rows.front().size() != problem.dimensions)
    throw InvalidInput(
        fmt::format("--initial: a row has {} numbers, and there are {} --dimensions; give a number for "
                    "each parameter",
                    rows.front().size(), problem.dimensions));
  for (const auto& row : rows) request.options.initial.insert(request.options.initial.end(), row.begin(), row.end());
  request.options.initial_of_problem = problem.columns != 0 && rows.size() == problem.problems ? 1 : 0;
}

void read_problem(const Options& options, const std::shared_ptr<const Checkpoint>& resumed, Request& request) {
  auto& problem = request.problem;
  problem.dimensions = options.integer("dimensions", 1, most_counted).value_or(usual_dimensions);
  problem.lower = list_of(options, "lower");
  problem.upper = list_of(options, "upper");
  problem.integer = places_of(options);
  const auto rows = read_data(options, resumed, problem.objective.is_fit());
  const auto given = options.integer("problems", 1, most_counted);
  problem.problems = given.value_or(std::max<std::size_t>(1, rows.size()));
  if (rows.empty()) return read_fit(options, resumed, problem);
  if (problem.problems != rows.size())
    throw InvalidInput(
        fmt::format("--problems {} and the {} rows of --data contradict each other; leave --problems out",
                    problem.problems, rows.size()));
  problem.columns = rows.front().size();
  for (const auto& row : rows) problem.data.insert(problem.data.end(), row.begin(), row.end());
  read_fit(options, resumed, problem);
}

Json numbers_json(const std::vector<double>& numbers) {
  return numbers.empty() ? Json(nullptr) : Json(fmt::format("{}", fmt::join(numbers, ",")));
}

Json rows_json(const std::vector<double>& numbers, std::size_t columns) {
  auto rows = Json::array();
  for (auto begin = numbers.begin(); begin != numbers.end(); begin += static_cast<std::ptrdiff_t>(columns))
    rows.push_back(std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(columns)));
  return rows;
}

// The options that a run that goes on takes from its checkpoint.
Json stored_parameters(const Request& request) {
  const auto& options = request.options;
  const auto& problem = request.problem;
  Json parameters = request.objective.parameters;
  parameters["dimensions"] = problem.dimensions;
  parameters["problems"] = problem.problems;
  parameters["population"] = solver::population_of(problem, options);
  parameters["precision"] = options.precision;
  parameters["strategy"] = options.strategy;
  parameters["adapt"] = options.adapt;
  parameters["weight"] = options.weight;
  parameters["crossover"] = options.crossover;
  parameters["lower"] = numbers_json(problem.lower);
  parameters["upper"] = numbers_json(problem.upper);
  parameters["bounds"] = options.bounds;
  parameters["spread"] = options.spread ? Json(*options.spread) : Json(nullptr);
  parameters["seed"] = options.seed;
  parameters["shard"] = request.slice ? Json(request.slice->text()) : Json(nullptr);
  parameters["integer"] =
      problem.integer.empty() ? Json(nullptr) : Json(fmt::format("{}", fmt::join(problem.integer, ",")));
  if (!options.initial.empty()) parameters["initial_rows"] = rows_json(options.initial, problem.dimensions);
  if (options.adapt == "lshade") {
    // The population shrinks over these.
    const auto usual = options.evaluations ? most_counted - 1 : solver::usual_generations_of(problem, options);
    parameters["generations"] = options.generations.value_or(usual);
    parameters["evaluations"] = options.evaluations ? Json(*options.evaluations) : Json(nullptr);
  }
  store_fit(problem, options, parameters);
  return parameters;
}

// What went wrong, or an empty text.
std::string write_fit(const Request& request, const solver::Result& result, Device& device) {
  const auto picture = draw_fit(request.problem, result, request.options.precision, request.plot_rows, device);
  return write_file(*request.run.plot, picture.str());
}

/// What a search found, and by which devices.
struct Found {
  solver::Result result;
  std::vector<std::shared_ptr<Device>> devices;
  double open_seconds = 0;

  std::vector<DeviceInfo> infos() const {
    std::vector<DeviceInfo> used;
    used.reserve(devices.size());
    for (const auto& device : devices) used.push_back(device->info());
    return used;
  }
};

Found search(Request& request, RunFiles& files, const std::shared_ptr<const Checkpoint>& resumed) {
  Watchdog watchdog(request.common, {std::string(name), request.options.method, request.options.target.has_value(),
                                     [](const BestSoFar& best) {
                                       return Json{{"value", number_json(best.value)}, {"parameters", best.point}};
                                     },
                                     [&files] { files.flush(); }});
  const auto infos = find_devices_of_rank(request.common);
  watchdog.set_devices(infos);
  const Stopwatch opening;
  Found found;
  found.devices.reserve(infos.size());
  for (const auto& info : infos) found.devices.push_back(open_listed_device(info, request.common.device));
  found.open_seconds = opening.seconds();

  ProgressBar bar(request.common.shows_progress());
  request.options.checkpoint = files.checkpoint();
  request.options.resume = resumed;
  const bool is_constrained = request.problem.objective.has_violation();
  if (files.wants_generations())
    request.options.statistics = [&files, is_constrained](const solver::Statistics& row) {
      std::vector<CsvWriter::Field> fields{row.generation, row.running, row.best, row.mean, row.worst};
      if (is_constrained) fields.emplace_back(row.feasible);
      files.add_row(fields);
      files.add_points(row.generation, {row.best, row.mean, row.worst});
    };
  found.result = solver::solve(request.problem, request.options, found.devices, watchdog.control(bar));
  watchdog.end();
  bar.wipe();
  return found;
}

SliceReport slice_report(const Request& request) {
  return {name,
          "problems",
          solver::identity(request.problem, request.options),
          request.problem.problems,
          to_json(facts_of(request.problem, request.options)),
          request.options.seed,
          request.common.json};
}

}  // namespace

std::string_view summary() { return "minima of an objective over real parameters, thousands of problems at once"; }

int run(const Arguments& arguments) {
  const auto given = make_parser().parse(arguments);
  if (!given) return Status::done;
  const auto [resumed, options] = resume(*given, std::string(name));
  auto objective = read_objective(options, resumed, "rastrigin");
  const solver::Problem empty{objective.objective};
  Request request{read_common_options(options), read_run_options(options), std::move(objective), empty, {}, {}, {}};
  request.slice =
      read_slice_order(options, {{"statistics", "its rows are of all problems at once, and a slice has some"},
                                 {"plot", "a slice has no picture"}});
  read_solver_options(options, request);
  read_problem(options, resumed, request);
  request.options.polish = read_polish(options, resumed);
  request.plot_rows = read_plot_rows(options, request.problem);
  read_initial(options, resumed, request);
  if (!request.slice) request.output = options.text("output");
  if (request.output) check_writable(*request.output);
  solver::check(request.problem, request.options);

  const bool is_constrained = request.problem.objective.has_violation();
  RunFiles files(request.run, stored_parameters(request), resumed);
  request.resumed_generation = apps::resumed_generation(resumed);
  std::vector<std::string> columns{"generation", "running", "best", "mean", "worst"};
  if (is_constrained) columns.emplace_back("feasible");
  files.begin_statistics(columns, request.resumed_generation);
  const bool is_fit = request.problem.objective.is_fit();
  if (!is_fit)
    files.begin_plot(fmt::format("{} on {}", name, request.problem.objective.name()), "value",
                     {"best", "mean", "worst"});
  std::optional<OutputTable> output;
  if (request.output) output.emplace(*request.output, request.problem.dimensions, is_fit, is_constrained);

  if (request.slice) {
    const auto report = slice_report(request);
    const int status = do_slice(*request.slice, report, [&](const WorkRange& range) {
      request.options.range = range;
      const auto found = search(request, files, resumed);
      return SliceOutcome{found.result, solver::pack(found.result), found.infos(), found.open_seconds};
    });
    return status_with_files(status, files.finish(), name);
  }

  const auto found = search(request, files, resumed);
  const auto facts = facts_of(request.problem, request.options);
  require_values(facts, found.result);
  if (output) output->write(found.result);
  auto failures = files.finish();
  if (request.run.plot && is_fit) failures.push_back(write_fit(request, found.result, *found.devices.front()));
  if (output) failures.push_back(output->failure());
  const auto used = found.infos();
  const Report report{facts, found.result, used, found.open_seconds, request.resumed_generation};
  if (request.common.json)
    print_json(to_json(report));
  else
    print(to_text(report));
  return status_with_files(status_of(report), failures, name);
}

}  // namespace clopt::apps::differential_evolution
