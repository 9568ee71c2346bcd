/// \file
/// `clopt fit`.
#include <clopt/fit.hpp>

#include <frame/options/field_options.hpp>
#include <frame/run/solver_run.hpp>
#include <frame/status.hpp>
#include "plot.hpp"
#include "read_problem.hpp"
#include "report.hpp"
#include "solver.hpp"

namespace clopt::apps::fit {
namespace {

namespace solver = clopt::fit;

/// What a checkpoint keeps of the options: names of files, not what these have, whose hash it has anyway.
Json parameters_of(const RunRequest& request, const solver::Options& options) {
  auto parameters = Json::object();
  for (const auto* const name :
       {"model", "data", "guess", "abscissa", "sigma", "lower", "upper", "fixed", "width", "covariance"}) {
    const auto text = request.options.text(name);
    parameters[name] = text ? Json(*text) : Json(nullptr);
  }
  parameters["seed"] = options.seed;
  parameters["shard"] = request.slice ? Json(request.slice->text()) : Json(nullptr);
  add_parameters(fields_of(options), parameters);
  return parameters;
}

class Run final : public SolverRun {
 public:
  explicit Run(const Options& given)
      : SolverRun(read_run_request(
            "fit", given, {{"covariance", "slices have no file of their own"}, {"plot", "a slice has no picture"}})),
        problem_(read_problem(request().options)),
        covariance_(request().options.text("covariance")),
        confidence_(read_confidence(request().options)),
        plot_rows_(read_plot_rows(request().options, problem_)) {
    fields_of(options_).check_needs(read_fields(request().options, fields(options_)));
    options_.covariance = covariance_.has_value();
    options_.seed = request().common.seed;
    solver::check(problem_, options_);
  }

 private:
  Json settings() const override { return settings_json(fields_of(options_)); }
  RunDescription description() const override {
    return {.method = problem_.guess.empty() ? "differential-evolution, levenberg-marquardt" : "levenberg-marquardt"};
  }

  void begin_files(RunFiles& files) override {
    files.begin_checkpoint(parameters_of(request(), options_), fields_of(options_));
    options_.checkpoint = files.checkpoint();
    options_.resume = request().resumed;
  }

  std::unique_ptr<RunReport> solve(const Devices& devices, const RunControl& control) override {
    return std::make_unique<Report>(facts_of(problem_, confidence_),
                                    solver::solve(problem_, options_, devices, control));
  }

  std::vector<std::string> finish_files(const RunReport& report) override {
    auto failures = SolverRun::finish_files(report);
    if (covariance_) failures.push_back(static_cast<const Report&>(report).write_covariance(*covariance_));
    return failures;
  }

  std::vector<std::string> after_report(const RunReport& report, const Devices& devices, Watchdog& watchdog) override {
    const auto& result = static_cast<const Report&>(report).result();
    return draw_plot(devices, watchdog,
                     [&](Device& device) { return draw_fits(problem_, result, plot_rows_, device); });
  }

  SliceReport slice_report() const override {
    return {.items = "rows",
            .identity = solver::identity(problem_, options_),
            .number_of_items = problem_.rows(),
            .facts = values_json(fields_of(facts_of(problem_, confidence_)))};
  }

  SliceOutcome solve_slice(const WorkRange& range, const Devices& devices, const RunControl& control) override {
    options_.range = range;
    const auto result = solver::solve(problem_, options_, devices, control);
    return {result, solver::pack(result)};
  }

  solver::Problem problem_;
  std::optional<std::string> covariance_;
  std::optional<double> confidence_;
  std::vector<std::size_t> plot_rows_;
  solver::Options options_;
};

}  // namespace

int run(const Arguments& arguments) {
  OptionParser parser("fit", "--model NAME --data FILE.csv --guess V,... [OPTION...]",
                      "Fits a model to each row of data from a guess, by Levenberg and Marquardt's method, and gives "
                      "parameters, their standard errors and how each row ended. Without a guess, differential "
                      "evolution searches between --lower and --upper first.");
  add_problem_options(parser);
  solver::Options usual;
  parser.example("--model gauss_2d --width 5 --data spots.csv --guess 500,2,2,1,10 --output fits.csv")
      .example(
          "--model damped_oscillation --data oscillations.csv --abscissa times.csv --lower 0,0,0,-4,-2 --upper "
          "6,1,6,4,2")
      .add(fields(usual))
      .group("Search")
      .value("confidence", "P", "give the interval of each parameter that has its true value with this probability")
      .group("Files")
      .value("output", "FILE.csv", "write a row a fit: how it ended, parameters, errors, chi squared")
      .value("covariance", "FILE.csv", "write the covariance of the parameters, a row a fit");
  add_shard_option(parser, "rows");
  add_plot_options(parser);
  add_run_options(parser, {"statistics"});
  const auto given = parser.parse(arguments);
  return given ? Run(*given).run() : Status::done;
}

}  // namespace clopt::apps::fit
