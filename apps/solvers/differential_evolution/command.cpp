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
#include <frame/watchdog.hpp>
#include "fit_options.hpp"
#include "fit_plot.hpp"

namespace clopt::apps::differential_evolution {
namespace {

namespace solver = clopt::differential_evolution;

constexpr std::string_view name = "differential-evolution";
constexpr std::size_t usual_dimensions = 10;
constexpr std::size_t parameters_shown = 12;
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
  std::optional<std::string> output;
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

std::vector<double> vector_of(const solver::Result& result, std::size_t problem, std::size_t dimensions) {
  const auto begin = result.parameters.begin() + static_cast<std::ptrdiff_t>(problem * dimensions);
  return {begin, begin + static_cast<std::ptrdiff_t>(dimensions)};
}

/// The table of --output.
class OutputTable {
 public:
  OutputTable(const std::string& file, std::size_t dimensions, bool is_fit, bool is_constrained)
      : dimensions_(dimensions) {
    std::vector<std::string> columns{"problem", "value", "generations", "stop", "invalid"};
    if (is_constrained) columns.emplace_back("violation");
    for (std::size_t j = 0; j < dimensions; ++j) columns.push_back(fmt::format("x{}", j));
    for (std::size_t j = 0; j < dimensions && is_fit; ++j) columns.push_back(fmt::format("error_{}", j));
    if (is_fit) columns.insert(columns.end(), {"chi_squared", "converged"});
    writer_.emplace(file, std::move(columns));
  }
  void write(const solver::Result& result) {
    for (std::size_t k = 0; k < result.values.size(); ++k) {
      std::vector<CsvWriter::Field> row{std::uint64_t{k}, result.values[k], result.generations[k],
                                        std::string(solver::name_of(result.stops[k])), result.invalid[k]};
      if (!result.violations.empty()) row.emplace_back(result.violations[k]);
      for (const double parameter : vector_of(result, k, dimensions_)) row.emplace_back(parameter);
      add_fit(result, k, row);
      writer_->add(row);
    }
  }
  const std::string& failure() const { return writer_->failure(); }

 private:
  void add_fit(const solver::Result& result, std::size_t k, std::vector<CsvWriter::Field>& row) const {
    if (result.chi_squared.empty()) return;
    for (std::size_t j = 0; j < dimensions_; ++j) row.emplace_back(result.errors[k * dimensions_ + j]);
    row.emplace_back(result.chi_squared[k]);
    row.emplace_back(std::uint64_t{!result.converged.empty() && result.converged[k] != 0});
  }

  std::size_t dimensions_;
  std::optional<CsvWriter> writer_;
};

/// What belongs to a run besides the solver's result.
struct Report {
  const Request& request;
  const solver::Result& result;
  const std::vector<DeviceInfo>& devices;
  double open_seconds;
};

std::uint64_t invalid_of(const solver::Result& result) {
  return std::accumulate(result.invalid.begin(), result.invalid.end(), std::uint64_t{0});
}

// A search among no values at all has no answer.
void require_values(const solver::Problem& problem, const solver::Result& result) {
  if (result.interrupted() || result.total_evaluations == 0 || invalid_of(result) < result.total_evaluations) return;
  throw InvalidInput(
      fmt::format("none of the {} values of the objective {} is a number, so there is no answer{}",
                  result.total_evaluations, problem.objective.name(),
                  problem.columns == 0
                      ? "; look at its bounds (--lower, --upper), and for logarithms and roots of negative numbers"
                      : fmt::format("; a row of the data has {0} {1}, and row(x, j) with j from {0} on is no number",
                                    problem.columns, problem.columns == 1 ? "column" : "columns")));
}

// JSON has no infinity.
Json number_json(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

std::uint64_t converged_of(const solver::Result& result) {
  return std::accumulate(result.converged.begin(), result.converged.end(), std::uint64_t{0});
}

Json polish_json(const solver::Result& result) {
  if (result.polish == "none") return nullptr;
  return {{"method", result.polish},
          {"improved", result.polished},
          {"converged", converged_of(result)},
          {"evaluations", result.polish_evaluations}};
}

Json errors_json(const solver::Result& result, std::size_t dimensions) {
  auto errors = Json::array();
  for (std::size_t j = 0; j < dimensions; ++j)
    errors.push_back(number_json(result.errors[result.best * dimensions + j]));
  return errors;
}

Json to_json(const Report& report) {
  const auto& result = report.result;
  const auto& problem = report.request.problem;
  const auto& options = report.request.options;
  auto object = result_head(name, report.devices, result.method, options.seed);
  object["objective"] = problem.objective.name();
  object["dimensions"] = problem.dimensions;
  object["population"] = result.population;
  object["problems"] = problem.problems;
  object["precision"] = options.precision;
  object["strategy"] = options.strategy;
  object["adapt"] = options.adapt;
  object["reason"] = result.reason;
  object["best"] = {{"problem", result.best},
                    {"value", number_json(result.values[result.best])},
                    {"parameters", vector_of(result, result.best, problem.dimensions)}};
  if (!result.errors.empty()) object["best"]["errors"] = errors_json(result, problem.dimensions);
  auto& values = object["values"] = Json::array();
  for (const double value : result.values) values.push_back(number_json(value));
  if (!result.violations.empty()) {
    const double violation = result.violations[result.best];
    object["feasible"] = violation == 0;
    object["violation"] = number_json(violation);
    object["feasible_problems"] = result.feasible;
    auto& violations = object["violations"] = Json::array();
    for (const double each : result.violations) violations.push_back(number_json(each));
  }
  object["solved"] = result.solved;
  object["generations"] = result.total_generations;
  if (report.request.resumed_generation) object["resumed_generation"] = *report.request.resumed_generation;
  object["evaluations"] = result.total_evaluations;
  object["invalid"] = invalid_of(result);
  object["polish"] = polish_json(result);
  object["interrupted"] = result.interrupted();
  if (!result.failures.empty()) object["failures"] = result.failures;
  if (result.cluster) object["cluster"] = cluster_json(*result.cluster);
  object["launches"] = result.launches;
  object["seconds"] = {{"total", result.seconds.total},
                       {"compute", result.seconds.compute},
                       {"open", report.open_seconds},
                       {"build", result.seconds.build}};
  object["checked_on_host"] = result.unchecked.empty();
  if (!result.unchecked.empty()) object["unchecked"] = result.unchecked;
  object["checksum"] = hexadecimal(result.checksum);
  object["version"] = version();
  return object;
}

std::string to_text(const Report& report) {
  const auto& result = report.result;
  const auto& problem = report.request.problem;
  const auto& options = report.request.options;
  const auto parameters = vector_of(result, result.best, problem.dimensions);
  const auto shown = std::min(parameters.size(), parameters_shown);
  std::string text = fmt::format("best      {:.9g}{}\n", result.values[result.best],
                                 problem.problems > 1 ? fmt::format(" (problem {})", result.best) : "");
  text +=
      fmt::format("at        {:.6g}{}\n",
                  fmt::join(parameters.begin(), parameters.begin() + static_cast<std::ptrdiff_t>(shown), " "),
                  shown < parameters.size() ? fmt::format(" ... ({} more: --json)", parameters.size() - shown) : "");
  if (!result.errors.empty()) {
    const auto errors = result.errors.begin() + static_cast<std::ptrdiff_t>(result.best * problem.dimensions);
    text += fmt::format("errors    {:.3g}\n", fmt::join(errors, errors + static_cast<std::ptrdiff_t>(shown), " "));
  }
  const bool is_constrained = !result.violations.empty();
  if (is_constrained && result.violations[result.best] != 0)
    text += fmt::format("violation {:.6g}: no vector was found that keeps all constraints\n",
                        result.violations[result.best]);
  if (is_constrained && problem.problems > 1)
    text += fmt::format("feasible  {} of {} problems\n", result.feasible, problem.problems);
  if (problem.problems > 1) {
    std::vector<double> sorted;
    for (std::size_t k = 0; k < result.values.size(); ++k)
      if (!is_constrained || result.violations[k] == 0) sorted.push_back(result.values[k]);
    if (sorted.empty()) sorted.push_back(std::numeric_limits<double>::infinity());
    std::sort(sorted.begin(), sorted.end());
    const auto median = std::midpoint(sorted[(sorted.size() - 1) / 2], sorted[sorted.size() / 2]);
    text += fmt::format("problems  {}: median {:.6g}, worst {:.6g}\n", sorted.size(), median, sorted.back());
  }
  if (result.polish != "none")
    text += fmt::format("polished  {} by {}: {} better, {} converged\n", result.values.size(), result.polish,
                        result.polished, converged_of(result));
  if (options.target) text += fmt::format("solved    {} of {}\n", result.solved, problem.problems);
  if (const auto invalid = invalid_of(result); invalid != 0)
    text += fmt::format("invalid   {} values were no numbers, and counted as the worst\n", invalid);
  if (!result.unchecked.empty()) text += fmt::format("unchecked {}\n", result.unchecked);
  for (const auto& failure : result.failures) text += fmt::format("failed    {}; others did its work\n", failure);
  text += fmt::format("work      {} generations, {} evaluations\n", result.total_generations, result.total_evaluations);
  text += fmt::format("method    {} ({})\n", result.method, result.reason);
  for (const auto& device : report.devices) text += fmt::format("device    {} ({})\n", device.id, device.name);
  text += cluster_text(result);
  text += fmt::format("time      {} ({} computing); opening devices {}, building kernels {}\n",
                      readable_seconds(result.seconds.total), readable_seconds(result.seconds.compute),
                      readable_seconds(report.open_seconds), readable_seconds(result.seconds.build));
  text += fmt::format("checksum  {}\n", hexadecimal(result.checksum));
  return text;
}

// What went wrong, or an empty text.
std::string write_fit(const Request& request, const solver::Result& result, Device& device) {
  const auto picture = draw_fit(request.problem, result, request.options.precision, request.plot_rows, device);
  return write_file(*request.run.plot, picture.str());
}

int status_of(const solver::Result& result, const Request& request) {
  if (result.interrupted()) return Status::interrupted;
  if (request.options.target && result.solved < request.problem.problems) return Status::not_reached;
  if (result.feasible < request.problem.problems) return Status::not_reached;
  return Status::done;
}

}  // namespace

std::string_view summary() { return "minima of an objective over real parameters, thousands of problems at once"; }

int run(const Arguments& arguments) {
  const auto given = make_parser().parse(arguments);
  if (!given) return Status::done;
  const auto [resumed, options] = resume(*given, std::string(name));
  auto objective = read_objective(options, resumed, "rastrigin");
  const solver::Problem empty{objective.objective};
  Request request{read_common_options(options), read_run_options(options), std::move(objective), empty, {}, {}};
  read_solver_options(options, request);
  read_problem(options, resumed, request);
  request.options.polish = read_polish(options, resumed);
  request.plot_rows = read_plot_rows(options, request.problem);
  read_initial(options, resumed, request);
  request.output = options.text("output");
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

  Watchdog watchdog(request.common, {std::string(name), request.options.method, request.options.target.has_value(),
                                     [](const BestSoFar& best) {
                                       return Json{{"value", number_json(best.value)}, {"parameters", best.point}};
                                     },
                                     [&files] { files.flush(); }});
  const auto infos = find_devices_of_rank(request.common);
  watchdog.set_devices(infos);
  const Stopwatch opening;
  std::vector<std::shared_ptr<Device>> devices;
  devices.reserve(infos.size());
  for (const auto& info : infos) devices.push_back(open_listed_device(info, request.common.device));
  const double open_seconds = opening.seconds();

  ProgressBar bar(request.common.shows_progress());
  request.options.checkpoint = files.checkpoint();
  request.options.resume = resumed;
  if (files.wants_generations())
    request.options.statistics = [&](const solver::Statistics& row) {
      std::vector<CsvWriter::Field> fields{row.generation, row.running, row.best, row.mean, row.worst};
      if (is_constrained) fields.emplace_back(row.feasible);
      files.add_row(fields);
      files.add_points(row.generation, {row.best, row.mean, row.worst});
    };
  const auto result = solver::solve(request.problem, request.options, devices, watchdog.control(bar));
  watchdog.end();
  bar.wipe();
  require_values(request.problem, result);

  if (output) output->write(result);
  auto failures = files.finish();
  if (request.run.plot && is_fit) failures.push_back(write_fit(request, result, *devices.front()));
  if (output) failures.push_back(output->failure());
  std::vector<DeviceInfo> used;
  used.reserve(devices.size());
  for (const auto& device : devices) used.push_back(device->info());
  const Report report{request, result, used, open_seconds};
  if (request.common.json)
    print_json(to_json(report));
  else
    print(to_text(report));
  return status_with_files(status_of(result, request), failures, name);
}

}  // namespace clopt::apps::differential_evolution
