#include <clopt/genetic_problems.hpp>
#include <clopt/genetic_runs.hpp>
#include <run/independent_runs.hpp>

#include <limits>
#include <utility>

#include "plan.hpp"
#include "result_fields.hpp"

namespace clopt::genetic {
namespace {

/// What IndependentRuns asks for.
struct OfRuns {
  using Problem = genetic::Problem;
  using Options = genetic::Options;
  using Trial = genetic::Trial;

  static bool maximises(const Problem& problem) { return problem.objective.direction() == Direction::maximise; }
  static double value(const Result& result) {
    return result.feasible ? result.fitness : std::numeric_limits<double>::quiet_NaN();
  }
  static std::uint64_t generations(const Result& result) { return result.generations; }
  static std::uint64_t evaluations(const Result& result) { return result.evaluations; }
  static bool is_success(const Problem& problem, const Options& options, const Result& result) {
    auto wanted = options.target;
    // Reals come near their best value, and seldom have it.
    if (!wanted && problem.objective.kind() != GeneKind::reals) wanted = optimum_of(problem);
    if (!wanted || !result.feasible) return false;
    return maximises(problem) ? result.fitness >= *wanted : result.fitness <= *wanted;
  }
  static bool is_better(bool maximised, const Result& one, const Result& other) {
    if (one.feasible != other.feasible) return one.feasible;
    if (!one.feasible) return one.violation < other.violation;
    return maximised ? one.fitness > other.fitness : one.fitness < other.fitness;
  }
  static Trial trial(const Options& options, Result result) { return {options.seed, false, std::move(result)}; }
  static bool is_sound(const Result& result, std::size_t genes) { return result.genes.size() == genes; }
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
  const auto all = complete(problem, options);
  auto one = identity_of(problem, all, make_plan(problem, all, {}));
  if (!all.initial.empty()) one.add_data("initial", all.initial);
  return Several::identity(std::move(one), all, runs);
}

Record pack(const Runs& runs) { return Several::pack(runs); }

Runs unpack_runs(const Record& record, std::size_t runs, std::uint32_t genes) {
  return Several::unpack(record, runs, genes);
}

Runs merge(std::vector<Runs> parts) { return Several::merge(std::move(parts)); }

}  // namespace clopt::genetic
