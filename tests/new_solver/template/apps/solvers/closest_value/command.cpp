/// \file
/// `clopt closest-value`, and its result of slices.
#include <clopt/closest_value.hpp>
#include <clopt/detail/files.hpp>

#include <fmt/format.h>

#include <frame/run/solver_run.hpp>
#include <frame/status.hpp>
#include "solver.hpp"

namespace clopt::apps::closest_value {
namespace {

namespace solver = clopt::closest_value;

solver::Problem squares() {
  solver::Problem problem;
  for (std::uint64_t root = 0; root * root < 1000; ++root) problem.values.push_back(root * root);
  return problem;
}

class Report final : public RunReport {
 public:
  Report(solver::Result result, std::uint64_t seed) : RunReport("closest-value", seed), result_(std::move(result)) {}

  int status() const override { return result_.interrupted() ? Status::interrupted : Status::done; }
  std::string write(const std::string& file) const override { return write_file(file, fmt::format("{}\n", value())); }
  const solver::Result& result() const override { return result_; }

 private:
  std::uint64_t value() const { return result_.index * result_.index; }
  void add_fields(Json& object) const override { object["value"] = value(); }
  std::string answer_text() const override { return fmt::format("value     {}\n", value()); }

  solver::Result result_;
};

class Run final : public SolverRun {
 public:
  explicit Run(const Options& given)
      : SolverRun(
            read_run_request("closest-value", given,
                             {{"checkpoint", "it is of all values"}, {"resume", "a checkpoint is of all values"}})) {
    read_fields(request().options, fields(options_));
  }

 private:
  Json settings() const override { return settings_json(fields_of(options_)); }
  RunDescription description() const override { return {.method = "scan", .has_target = true}; }

  void begin_files(RunFiles& files) override {
    Json parameters;
    add_parameters(fields_of(options_), parameters);
    files.begin_checkpoint(parameters, fields_of(options_));
    options_.checkpoint = files.checkpoint();
    options_.resume = request().resumed;
  }

  std::unique_ptr<RunReport> solve(const Devices& devices, const RunControl& control) override {
    return std::make_unique<Report>(solver::solve(problem_, options_, devices, control), options_.seed);
  }

  SliceReport slice_report() const override {
    return {.items = "values",
            .identity = solver::identity(problem_, options_),
            .number_of_items = problem_.values.size(),
            .facts = {{"seed", options_.seed}}};
  }

  SliceOutcome solve_slice(const WorkRange& range, const Devices& devices, const RunControl& control) override {
    options_.range = range;
    const auto result = solver::solve(problem_, options_, devices, control);
    return {result, solver::pack(result)};
  }

  solver::Problem problem_ = squares();
  solver::Options options_;
};

}  // namespace

int run(const Arguments& arguments) {
  OptionParser parser("closest-value", "[OPTION...]", "Finds the square below 1000 that is closest to a number.");
  solver::Options usual;
  parser.add(fields(usual)).value("output", "FILE", "write the value");
  add_shard_option(parser, "values");
  add_run_options(parser, {"statistics", "plot"});
  const auto given = parser.parse(arguments);
  return given ? Run(*given).run() : Status::done;
}

std::unique_ptr<RunReport> merge(const MergeOrder& order) {
  const auto parts =
      results_of(order.slices, [](const Record& record, std::uint64_t) { return solver::unpack(record); });
  return std::make_unique<Report>(solver::merge(parts), order.facts.at("seed").get<std::uint64_t>());
}

}  // namespace clopt::apps::closest_value
