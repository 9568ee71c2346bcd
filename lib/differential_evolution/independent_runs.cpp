#include <clopt/differential_evolution_runs.hpp>
#include <run/independent_runs.hpp>

#include <fmt/format.h>

#include <limits>
#include <string_view>
#include <utility>

#include "plan.hpp"
#include "result_fields.hpp"

namespace clopt::differential_evolution {
namespace {

/// What IndependentRuns asks for.
struct OfRuns {
  using Problem = differential_evolution::Problem;
  using Options = differential_evolution::Options;
  using Trial = differential_evolution::Trial;

  static bool maximises(const Problem& problem) { return problem.objective.direction() == Direction::maximise; }
  static double value(const Result& result) {
    const bool is_feasible = result.violations.empty() || result.violations[result.best] == 0;
    return is_feasible ? result.values[result.best] : std::numeric_limits<double>::quiet_NaN();
  }
  static std::uint64_t generations(const Result& result) { return result.total_generations; }
  static std::uint64_t evaluations(const Result& result) { return result.total_evaluations; }
  static bool is_success(const Problem& problem, const Options& options, const Result& result) {
    return options.target && result.solved == problem.problems;
  }
  // By what the search compares: the cost, or the violation.
  static bool is_better(bool, const Result& one, const Result& other) { return one.best_cost < other.best_cost; }
  static Trial trial(const Options& options, Result result) { return {options.seed, false, std::move(result)}; }
  static bool is_sound(const Result& result, std::size_t dimensions) {
    return !result.values.empty() && result.best < result.values.size() &&
           result.parameters.size() / dimensions == result.values.size();
  }
};

using Several = IndependentRuns<OfRuns>;

}  // namespace

Runs solve_runs(const Problem& problem, const Options& options, const RunsOptions& runs,
                std::span<const std::shared_ptr<Device>> devices, const RunControl& control) {
  return Several::solve_each(problem, options, runs, devices, control);
}

Runs solve_runs(const Problem& problem, const Options& options, const RunsOptions& runs, const Devices& devices,
                const RunControl& control) {
  return Several::solve_each(problem, options, runs, devices, control);
}

std::vector<RunOutcome> outcomes_of(const Runs& runs) { return Several::outcomes(runs); }

RunIdentity identity(const Problem& problem, const Options& options, const RunsOptions& runs) {
  auto whole = options;
  whole.range.reset();
  auto one = identity_of(make_plan(problem, whole, {}));
  one.add("spread", std::string_view(whole.spread ? fmt::format("{}", *whole.spread) : "none"));
  return Several::identity(std::move(one), whole, runs);
}

Record pack(const Runs& runs) { return Several::pack(runs); }

Runs unpack_runs(const Record& record, std::size_t runs, std::size_t dimensions) {
  return Several::unpack(record, runs, dimensions);
}

Runs merge(std::vector<Runs> parts) { return Several::merge(std::move(parts)); }

}  // namespace clopt::differential_evolution
