/// \file
/// `clopt differential-evolution`.
#include <clopt/devices.hpp>
#include <clopt/differential_evolution.hpp>
#include <clopt/error.hpp>
#include <clopt/files.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <memory>
#include <new>
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
#include "output_table.hpp"
#include "report.hpp"
#include "request.hpp"
#include "solver.hpp"

namespace clopt::apps::differential_evolution {
namespace {

namespace solver = clopt::differential_evolution;

constexpr std::size_t usual_dimensions = 10;
constexpr std::uint64_t most_counted = std::uint64_t{1} << 31;

OptionParser make_parser() {
  OptionParser parser(std::string(name), "[OPTION...]",
                      "Minimises an objective over real parameters by differential evolution (Storn and Price), one\n"
                      "problem or thousands at once: problems have their own random numbers, and with --data their\n"
                      "own row of numbers.");
  add_objective_options(parser, "rastrigin", {}, GeneKind::reals);
  parser.value("dimensions", "N", fmt::format("parameters of a vector (default {})", usual_dimensions))
      .value("population", "N",
             "vectors of a problem (default 5 times the dimensions, at least 20, with shade at most 100; of a polished "
             "fit 10 times; with a violation 50, above 10 dimensions 10 times, at most 150)")
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
      .choices(solver::adaptations())
      .value("weight", "F", "the weight of a difference, from 0 to 2 (default 0.5)")
      .value("crossover", "CR", "the probability that a parameter comes from the mutant (default 0.9)")
      .value("lower", "V[,V...]", "the least value of the parameters, or of each (default the objective's usual one)")
      .value("upper", "V[,V...]", "the greatest value of the parameters, or of each")
      .value("bounds", "NAME",
             "what becomes of a parameter outside: clip, reflect, resample, none, or auto (default): reflect where the "
             "objective has a violation, else clip")
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

void read_solver_options(const Options& options, Request& request) {
  auto& solver_options = request.options;
  solver_options.method = options.choice("method", solver::methods()).value_or("auto");
  solver_options.precision = options.choice("precision", solver::precisions()).value_or("auto");
  solver_options.precision = solver::precision_of(request.problem, solver_options);
  solver_options.strategy = options.choice("strategy", solver::strategies()).value_or("");
  solver_options.adapt = options.choice("adapt", solver::adaptations()).value_or(solver_options.adapt);
  solver_options.bounds = options.choice("bounds", solver::bound_treatments()).value_or("auto");
  solver_options.bounds = solver::bound_treatment_of(request.problem, solver_options);
  solver_options.population = options.integer("population", 1, most_counted).value_or(0);
  solver_options.weight = options.not_negative("weight");
  solver_options.crossover = options.probability("crossover");
  solver_options.spread = options.not_negative("spread");
  // Both before either is spelt out.
  solver_options.adapt = solver::adaptation_of(solver_options);
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
  parameters["weight"] = options.weight.value_or(solver::usual_weight);
  parameters["crossover"] = options.crossover.value_or(solver::usual_crossover);
  parameters["lower"] = numbers_json(problem.lower);
  parameters["upper"] = numbers_json(problem.upper);
  parameters["bounds"] = options.bounds;
  parameters["spread"] = options.spread ? Json(*options.spread) : Json(nullptr);
  parameters["seed"] = options.seed;
  parameters["shard"] = request.slice ? Json(request.slice->text()) : Json(nullptr);
  parameters["integer"] =
      problem.integer.empty() ? Json(nullptr) : Json(fmt::format("{}", fmt::join(problem.integer, ",")));
  if (options.adapt == "lshade") {
    // The population shrinks over these.
    const auto usual = options.evaluations ? most_counted - 1 : solver::usual_generations_of(problem, options);
    parameters["generations"] = options.generations.value_or(usual);
    parameters["evaluations"] = options.evaluations ? Json(*options.evaluations) : Json(nullptr);
  }
  store_polish(problem, options, parameters);
  return parameters;
}

// Checks all that can be checked before any work.
Request read_request(const Options& options, const std::shared_ptr<const Checkpoint>& resumed) {
  auto objective = read_objective(options, resumed, "rastrigin", {}, GeneKind::reals);
  solver::Problem empty{objective.objective};
  Request request{
      read_common_options(options), read_run_options(options), std::move(objective), std::move(empty), {}, {}, {}};
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
  request.resumed_generation = resumed_generation(resumed);
  solver::check(request.problem, request.options);
  return request;
}

// Statistics and the picture of a run; a fit has a picture of its own.
void begin_files(const Request& request, RunFiles& files) {
  std::vector<std::string> columns{"generation", "running", "best", "mean", "worst"};
  if (request.problem.objective.has_violation()) columns.emplace_back("feasible");
  files.begin_statistics(columns, request.resumed_generation);
  if (!request.problem.objective.is_fit())
    files.begin_plot(fmt::format("{} on {}", name, request.problem.objective.name()), "value",
                     {"best", "mean", "worst"});
}

std::function<void(const solver::Statistics&)> observer(const Request& request, RunFiles& files) {
  if (!files.wants_generations()) return {};
  return [&files, is_constrained = request.problem.objective.has_violation()](const solver::Statistics& row) {
    std::vector<CsvWriter::Field> fields{row.generation, row.running, row.best, row.mean, row.worst};
    if (is_constrained) fields.emplace_back(row.feasible);
    files.add_row(fields);
    files.add_points(row.generation, {row.best, row.mean, row.worst});
  };
}

// The best so far, where the run does not end.
Json unfinished_best(const BestSoFar& best) { return {{"value", number_json(best.value)}, {"parameters", best.point}}; }

// The picture of a fit, by the first device that is not lost. \returns what went wrong, or an empty text.
std::string write_fit(const Request& request, const solver::Result& result,
                      const std::vector<std::shared_ptr<Device>>& devices) {
  std::string failure;
  for (const auto& device : devices) try {
      const auto picture = draw_fit(request.problem, result, request.options.precision, request.plot_rows, *device);
      return write_file(*request.run.plot, picture.str());
    } catch (const Error& error) {
      failure = with_option_names(error.what());
    } catch (const std::bad_alloc&) {
      failure = "memory ran out";
    }
  return fmt::format("the picture {} was not drawn: {}", printable(*request.run.plot), failure);
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

Found search(Request& request, RunFiles& files, Watchdog& watchdog, const std::shared_ptr<const Checkpoint>& resumed) {
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
  request.options.statistics = observer(request, files);
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
  auto request = read_request(options, resumed);
  const bool is_fit = request.problem.objective.is_fit();
  RunFiles files(request.run, stored_parameters(request), resumed);
  files.keep([&request](Record& state) { keep_numbers(state, request.problem, request.options); });
  begin_files(request, files);
  std::optional<OutputTable> output;
  if (request.output)
    output.emplace(*request.output, request.problem.dimensions, is_fit, request.problem.objective.has_violation());

  Watchdog watchdog(request.common, {std::string(name), request.options.method, request.options.target.has_value(),
                                     unfinished_best, [&files] { return files.flush(); }});
  if (request.slice) {
    const int status = do_slice(*request.slice, slice_report(request), [&, resumed = resumed](const WorkRange& range) {
      request.options.range = range;
      const auto found = search(request, files, watchdog, resumed);
      return SliceOutcome{found.result, solver::pack(found.result), found.infos(), found.open_seconds};
    });
    return status_with_files(status, files.finish(), name);
  }

  const auto found = search(request, files, watchdog, resumed);
  const auto facts = facts_of(request.problem, request.options);
  require_values(facts, found.result);
  if (output) output->write(found.result);
  auto failures = files.finish();
  if (output) failures.push_back(output->failure());
  const auto used = found.infos();
  const Report report{facts, found.result, used, found.open_seconds, request.resumed_generation};
  if (request.common.json)
    print_json(to_json(report));
  else
    print(to_text(report));
  if (request.run.plot && is_fit) {
    watchdog.go_on(fmt::format("the picture {} is not drawn", printable(*request.run.plot)));
    failures.push_back(write_fit(request, found.result, found.devices));
    watchdog.end();
  }
  return status_with_files(status_of(report), failures, name);
}

}  // namespace clopt::apps::differential_evolution
