/// \file
/// `clopt differential-evolution`.
#include <clopt/detail/numbers.hpp>
#include <clopt/differential_evolution_runs.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include <frame/options/objective_options.hpp>
#include <frame/run/sweep.hpp>
#include <pictures/svg.hpp>
#include "fit_options.hpp"
#include "fit_plot.hpp"
#include "report.hpp"
#include "solver.hpp"

namespace clopt::apps::differential_evolution {
namespace {

namespace solver = clopt::differential_evolution;

constexpr std::size_t usual_dimensions = 10;
constexpr std::uint64_t most_generations = (std::uint64_t{1} << 31) - 1;

OptionParser make_parser() {
  OptionParser parser("differential-evolution", "[OPTION...]",
                      "Minimises an objective over real parameters by differential evolution (Storn and Price), one "
                      "problem or thousands at once: problems have their own random numbers, and with --data their "
                      "own row of numbers.");
  add_objective_options(parser, "rastrigin", {}, GeneKind::reals);
  solver::Problem problem{Objective::named("sphere")};
  problem.dimensions = usual_dimensions;
  solver::Options usual;
  parser.example("--objective rastrigin --dimensions 10 --crossover 0.1 --target 1e-8")
      .example(
          "--objective oscillation.cl --dimensions 5 --lower 0,0,0,-4,-2 --upper 6,1,6,4,2 --data oscillations.csv "
          "--abscissa times.csv --output fits.csv")
      .example("--objective sphere --problems 300 --shard 1/2 --output one.slice")
      .example("--objective sphere --problems 300 --shard 2/2 --output two.slice")
      .add(fields(problem))
      .add(fields(usual))
      .value("data", "FILE.csv", "a row of numbers for each problem, which the objective reads by row(x, j)")
      .value("integer", "I[,I...]", "parameters that are whole numbers, counted from 0");
  add_runs_options(parser);
  parser.group("Files").value("output", "FILE.csv", "write a row a problem");
  add_shard_option(parser, "problems, or of the --runs");
  add_fit_options(parser);
  add_fit_plot_options(parser);
  add_run_options(parser);
  return parser;
}

/// What the options say of the search.
struct Search {
  solver::Problem problem;
  solver::Options options;
  std::vector<std::size_t> plot_rows;  // as read_plot_rows() has them
  Json parameters;                     // what a checkpoint keeps
};

std::vector<std::size_t> places_of(const Options& options) {
  const auto text = options.text("integer");
  if (!text) return {};
  if (auto places = numbers_in<std::size_t>(*text)) return *std::move(places);
  throw InvalidInput(fmt::format(
      "--integer {}: give the places of parameters, counted from 0, with commas between them", printable(*text)));
}

// Rows of data are fits as a rule, each with its own guess.
void read_initial(const RunRequest& request, const solver::Problem& problem, solver::Options& options) {
  const auto rows = read_start_vectors(request.options, request.resumed);
  if (rows.empty()) return;
  if (rows.front().size() != problem.dimensions)
    throw InvalidInput(
        fmt::format("--initial: a row has {} numbers, and there are {} --dimensions; give a number for "
                    "each parameter",
                    rows.front().size(), problem.dimensions));
  for (const auto& row : rows) options.initial.insert(options.initial.end(), row.begin(), row.end());
  options.initial_of_problem = problem.columns != 0 && rows.size() == problem.problems ? 1 : 0;
}

void read_problem(const Options& options, const std::shared_ptr<const Checkpoint>& resumed, solver::Problem& problem) {
  problem.dimensions = usual_dimensions;
  read_fields(options, fields(problem));
  problem.integer = places_of(options);
  const auto rows = read_data(options, resumed, problem.objective.is_fit());
  if (!options.has("problems")) problem.problems = std::max<std::size_t>(1, rows.size());
  if (rows.empty()) return read_fit(options, resumed, problem);
  if (problem.problems != rows.size())
    throw InvalidInput(
        fmt::format("--problems {} and the {} rows of --data contradict each other; leave --problems out",
                    problem.problems, rows.size()));
  problem.columns = rows.front().size();
  for (const auto& row : rows) problem.data.insert(problem.data.end(), row.begin(), row.end());
  read_fit(options, resumed, problem);
}

// The options that a resumed run takes from its checkpoint.
void add_parameters_of(const solver::Problem& problem, const solver::Options& options, Json& parameters) {
  add_parameters(fields_of(problem), parameters);
  parameters["spread"] = options.spread ? Json(*options.spread) : Json(nullptr);
  add_parameters(fields_of(options), parameters);
  parameters["integer"] =
      problem.integer.empty() ? Json(nullptr) : Json(fmt::format("{}", fmt::join(problem.integer, ",")));
  if (options.adapt == "lshade") {
    // The population shrinks over these.
    const auto usual = options.evaluations ? most_generations : solver::usual_generations_of(problem, options);
    parameters["generations"] = options.generations.value_or(usual);
    parameters["evaluations"] = options.evaluations ? Json(*options.evaluations) : Json(nullptr);
  }
}

// Checks all that can be checked before any work.
Search read_search(const RunRequest& request) {
  const auto& options = request.options;
  auto objective = read_objective(options, request.resumed, "rastrigin", {}, GeneKind::reals);
  Search search{{std::move(objective.objective)}, {}, {}, std::move(objective.parameters)};
  read_fields(options, fields(search.options), {"initial"});
  read_problem(options, request.resumed, search.problem);
  warn_of_tables(search.problem.objective, search.problem.dimensions);
  search.options = solver::complete(search.problem, search.options);
  search.plot_rows = read_plot_rows(options, search.problem);
  read_initial(request, search.problem, search.options);
  solver::check(search.problem, search.options);
  search.parameters["shard"] = request.slice ? Json(request.slice->text()) : Json(nullptr);
  add_parameters_of(search.problem, search.options, search.parameters);
  return search;
}

const std::vector<std::pair<std::string, std::string>> refused_with_slices{
    {"statistics", "its rows are of all problems at once, and a slice has some"}, {"plot", "a slice has no picture"}};

class Run final : public SolverRun {
 public:
  explicit Run(const Options& given)
      : SolverRun(read_run_request("differential-evolution", given, refused_with_slices)),
        search_(read_search(request())) {}

 private:
  const Objective& objective() const { return search_.problem.objective; }

  Json settings() const override { return settings_json(fields_of(search_.options)); }

  RunDescription description() const override {
    return {.method = search_.options.method,
            .has_target = search_.options.target.has_value(),
            .best =
                [](const BestSoFar& best) {
                  return Json{{"value", number_json(best.value)}, {"parameters", best.point}};
                },
            .has_points = true};
  }

  void begin_files(RunFiles& files) override {
    auto& options = search_.options;
    files.begin_checkpoint(search_.parameters, fields_of(options));
    files.keep([this](Record& state) { keep_numbers(state, search_.problem, search_.options); });
    std::vector<std::string> columns{"generation", "running", "best", "mean", "worst"};
    if (objective().has_violation()) columns.emplace_back("feasible");
    files.begin_statistics(columns);
    // A fit has a picture of its own.
    const auto title = fmt::format("{} on {}", request().solver, last_part(objective().name()));
    if (request().runs)
      files.begin_plot_of_runs(title, "value", options.seed, *request().runs);
    else if (!objective().is_fit())
      files.begin_plot(title, "value", curves());
    options.checkpoint = files.checkpoint();
    options.resume = request().resumed;
    if (files.wants_generations()) options.statistics = [this](const solver::Statistics& row) { add(row); };
  }

  // Of one problem all are the same.
  std::vector<std::string> curves() const {
    return search_.problem.problems == 1 ? std::vector<std::string>{"best"}
                                         : std::vector<std::string>{"best", "mean", "worst"};
  }

  void add(const solver::Statistics& row) {
    if (request().runs) return files().add_point_of_run(row.generation, row.best);
    std::vector<CsvWriter::Field> fields{row.generation, row.running, row.best, row.mean, row.worst};
    if (objective().has_violation()) fields.emplace_back(row.feasible);
    files().add_row(fields);
    std::vector<double> values{row.best, row.mean, row.worst};
    values.resize(curves().size());
    files().add_points(row.generation, values);
  }

  std::unique_ptr<RunReport> solve(const Devices& devices, const RunControl& control) override {
    const auto& options = search_.options;
    if (const auto runs = request().runs)
      return std::make_unique<Report>(
          facts_of(search_.problem, options),
          solver::solve_runs(search_.problem, options, {*runs, {}, [this](const auto&) { files().next_run(); }},
                             devices, control));
    return std::make_unique<Report>(facts_of(search_.problem, options),
                                    solver::solve(search_.problem, options, devices, control),
                                    resumed_generation(request().resumed));
  }

  std::vector<std::string> after_report(const RunReport& report, const Devices& devices, Watchdog& watchdog) override {
    if (request().files.plot.empty() || !objective().is_fit() || request().runs) return {};
    const auto& result = static_cast<const Report&>(report).result();
    return draw_plot(devices, watchdog, [&](Device& device) {
      return draw_fit(search_.problem, result, search_.options.precision, search_.plot_rows, device);
    });
  }

  SliceReport slice_report() const override {
    if (const auto runs = request().runs)
      return {.items = "runs",
              .identity = solver::identity(search_.problem, search_.options, solver::RunsOptions{*runs, {}, {}}),
              .number_of_items = *runs,
              .facts = values_json(fields_of(facts_of(search_.problem, search_.options)))};
    return {.items = "problems",
            .identity = solver::identity(search_.problem, search_.options),
            .number_of_items = search_.problem.problems,
            .facts = values_json(fields_of(facts_of(search_.problem, search_.options)))};
  }

  SliceOutcome solve_slice(const WorkRange& range, const Devices& devices, const RunControl& control) override {
    if (const auto runs = request().runs) {
      const auto results = solver::solve_runs(search_.problem, search_.options, {*runs, range, {}}, devices, control);
      return {results, solver::pack(results)};
    }
    search_.options.range = range;
    const auto result = solver::solve(search_.problem, search_.options, devices, control);
    return {result, solver::pack(result)};
  }

  Search search_;
};

}  // namespace

int run(const Arguments& arguments) {
  const auto given = make_parser().parse(arguments);
  return given ? run_settings<Run>(*given, "differential-evolution") : static_cast<int>(Status::done);
}

}  // namespace clopt::apps::differential_evolution
