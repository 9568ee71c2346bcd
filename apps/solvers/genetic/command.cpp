/// \file
/// `clopt genetic`.
#include <clopt/genetic_runs.hpp>

#include <fmt/format.h>

#include <frame/files/checkpoint_problem.hpp>
#include <frame/options/mpi_job.hpp>
#include <frame/run/sweep.hpp>
#include <pictures/svg.hpp>
#include "options.hpp"
#include "report.hpp"
#include "solver.hpp"
#include "tour_picture.hpp"

namespace clopt::apps::genetic {
namespace {

namespace solver = clopt::genetic;

const std::vector<std::pair<std::string, std::string>> refused_with_slices{
    {"statistics", "its rows are of all islands"},
    {"plot", "a picture is of all islands"},
    {"output-population", "it is of all islands, and `clopt merge` has the option"}};

class Run final : public SolverRun {
 public:
  explicit Run(const Options& given)
      : SolverRun(read_run_request("genetic", given, refused_with_slices)), search_(read_search(request())) {}

 private:
  const solver::Problem& problem() const { return search_.problem; }
  bool is_constrained() const { return problem().objective.has_violation(); }

  Json settings() const override {
    auto settings = settings_json(fields_of(search_.options));
    if (search_.tour) settings.update(settings_json(fields_of(search_.trip)));
    return settings;
  }

  RunDescription description() const override {
    return {.method = search_.options.granularity,
            .has_target = search_.options.target.has_value(),
            .best =
                [units = search_.units()](const BestSoFar& best) {
                  return Json{{"fitness", best.value / units}, {"genes", best.point}};
                },
            .has_points = true};
  }

  void begin_files(RunFiles& files) override {
    auto& options = search_.options;
    files.begin_checkpoint(search_.parameters, fields_of(options));
    std::vector<std::string> columns{"generation", "island", "evaluations", "best",
                                     "mean",       "worst",  "best_so_far", "distinct"};
    if (is_constrained()) columns.emplace_back("feasible");
    files.begin_statistics(columns);
    const auto title = fmt::format("{}, {} genes, {} individuals", last_part(problem().objective.name()),
                                   problem().genes, *options.population);
    if (request().runs)
      files.begin_plot_of_runs(title, "value", options.seed, *request().runs);
    else
      files.begin_plot(fmt::format("{}, seed {}", title, options.seed), "value",
                       {"best so far", "best", "mean", "worst"}, options.islands, "island");
    if (search_.parameters.contains("problem_data"))
      files.keep([this](Record& state) { keep_table(state, problem().objective); });
    options.checkpoint = files.checkpoint();
    options.resume = request().resumed;
    // None where no statistics are needed, so that the run need not stop for them.
    if (files.wants_generations()) options.statistics = [this](const solver::Statistics& row) { add(row); };
  }

  void add(solver::Statistics row) {
    for (auto* const value : {&row.best, &row.mean, &row.worst, &row.best_so_far}) *value /= search_.units();
    if (request().runs) return files().add_point_of_run(row.generation, row.best_so_far);
    std::vector<CsvWriter::Field> fields{row.generation, std::uint64_t{row.island}, row.evaluations, row.best, row.mean,
                                         row.worst,      row.best_so_far,           row.distinct};
    if (is_constrained()) fields.emplace_back(row.feasible);
    files().add_row(fields);
    files().add_points(row.generation, {row.best_so_far, row.best, row.mean, row.worst}, row.island);
  }

  std::unique_ptr<RunReport> solve(const Devices& devices, const RunControl& control) override {
    const auto& options = search_.options;
    if (options.islands == 1)
      report_unshared("one population is not");
    else if (options.statistics)
      report_unshared("a run with --statistics or --plot is not");
    else if (options.measure_stages)
      report_unshared("a run with --measure-stages is not");
    if (const auto count = request().runs) {
      const auto runs = solver::solve_runs(problem(), options,
                                           {*count, {}, [this](const auto&) { files().next_run(); }}, devices, control);
      return std::make_unique<Report>(facts_of(search_, request()), runs, trip_of_best(best_of(runs)));
    }
    auto result = solver::solve(problem(), options, devices, control);
    show_tour(result);
    auto trip = trip_of_best(result);
    return std::make_unique<Report>(facts_of(search_, request()), std::move(result), std::move(trip));
  }

  std::optional<Trip> trip_of_best(const solver::Result& result) const {
    return search_.tour ? std::optional(trip_of(*search_.tour, result.genes)) : std::nullopt;
  }
  Json answer_of_slice(const solver::Result& result) const {
    const auto trip = trip_of_best(result);
    return trip ? to_json(*trip) : Json();
  }

  // The trip on the map, where the file of a tour has places.
  void show_tour(const solver::Result& result) {
    const auto& tour = search_.tour;
    if (request().files.plot.empty() || !tour || tour->cities.places.empty()) return;
    files().draw_beside([tour, route = solver::route_of(tour->problem, tour->ends, result.genes)](
                            Svg& picture, double x) { draw_tour(picture, x, 0, LinePlot::draw_height, *tour, route); });
  }

  std::vector<std::string> finish_files(const RunReport& report) override {
    auto failures = SolverRun::finish_files(report);
    if (const auto file = request().options.text("output-population"))
      failures.push_back(report.write_population(*file));
    return failures;
  }

  // The ends and the names of a tour's cities are in what is merged, and not in its problem.
  RunIdentity with_tour(RunIdentity identity) const {
    if (!search_.tour) return identity;
    const auto& [unused, ends, cities] = *search_.tour;
    const auto city = [](const auto& end) { return end ? std::to_string(*end + 1) : std::string("any"); };
    std::string names;
    for (const auto& name : cities.names) names += name + '\0';
    std::vector<double> places;
    for (const auto& place : cities.places) places.insert(places.end(), place.begin(), place.end());
    return identity.add("start", std::string_view(city(ends.start)))
        .add("end", std::string_view(city(ends.end)))
        .add("open", std::string_view(ends.open ? "yes" : "no"))
        .add("decimals", ends.decimals)
        .add_data("names", std::vector<char>(names.begin(), names.end()))
        .add_data(cities.are_geographical ? "latitudes and longitudes" : "places", places);
  }

  SliceReport slice_report() const override {
    if (const auto runs = request().runs)
      return {.items = "runs",
              .identity = with_tour(solver::identity(problem(), search_.options, solver::RunsOptions{*runs, {}, {}})),
              .number_of_items = *runs,
              .facts = to_json(facts_of(search_, request()))};
    return {.items = "islands",
            .identity = with_tour(solver::identity(problem(), search_.options)),
            .number_of_items = search_.options.islands,
            .facts = to_json(facts_of(search_, request()))};
  }

  SliceOutcome solve_slice(const WorkRange& range, const Devices& devices, const RunControl& control) override {
    if (const auto runs = request().runs) {
      const auto results = solver::solve_runs(problem(), search_.options, {*runs, range, {}}, devices, control);
      return {results, solver::pack(results), answer_of_slice(best_of(results))};
    }
    search_.options.range = range;
    const auto result = solver::solve(problem(), search_.options, devices, control);
    return {result, solver::pack(result), answer_of_slice(result)};
  }

  Search search_;
};

}  // namespace

int run(const Arguments& arguments) {
  const auto given = make_parser().parse(arguments);
  return given ? run_settings<Run>(*given, "genetic") : static_cast<int>(Status::done);
}

}  // namespace clopt::apps::genetic
