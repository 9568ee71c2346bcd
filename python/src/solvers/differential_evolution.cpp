#include <clopt/differential_evolution_runs.hpp>

#include "arrays.hpp"
#include "bindings.hpp"
#include "control.hpp"
#include "fit_curve.hpp"
#include "job_member.hpp"
#include "runs.hpp"

namespace clopt::python {
namespace {

namespace solver = differential_evolution;

using Problem = WithRuns<solver::Problem>;
using DifferentialEvolutionRun = PythonRun<Problem, solver::Options, solver::Runs>;

std::vector<double> numbers_of(const solver::Statistics& row, bool is_constrained) {
  std::vector<double> numbers{
      static_cast<double>(row.generation), static_cast<double>(row.evaluations), row.best, row.mean, row.worst,
      static_cast<double>(row.running)};
  if (is_constrained) numbers.push_back(static_cast<double>(row.feasible));
  return numbers;
}

void add_fields(nb::dict& fields, const Problem& problem, const std::shared_ptr<const solver::Runs>& owner) {
  const auto& result = owner->trials[owner->best].result;
  add_runs(fields, solver::outcomes_of(*owner), owner->maximised);
  const auto problems = result.values.size();
  std::vector<std::uint8_t> stops(problems);
  for (std::size_t k = 0; k < problems; ++k) stops[k] = static_cast<std::uint8_t>(result.stops[k]);
  fields["fun"] = array_over(owner, result.values);
  fields["x"] = array_over(owner, result.parameters.data(), {problems, problem.dimensions});
  fields["generations"] = array_over(owner, result.generations);
  fields["stops"] = array_of(std::move(stops));
  fields["invalid"] = array_over(owner, result.invalid);
  fields["violation"] = array_over(owner, result.violations);
  fields["feasible"] = result.feasible;
  fields["best"] = result.best;
  fields["solved"] = result.solved;
  fields["nit"] = result.total_generations;
  fields["nfev"] = result.total_evaluations;
  fields["population"] = result.population;
  fields["polish"] = result.polish;
  fields["polished"] = result.polished;
  fields["polish_evaluations"] = result.polish_evaluations;
  fields["converged"] = array_over(owner, result.converged);
  fields["errors"] =
      array_over(owner, result.errors.data(), {result.errors.size() / problem.dimensions, problem.dimensions});
  fields["chi_squared"] = array_over(owner, result.chi_squared);
}

// Of a run that ranks share: rank 0 looks for messages far more often.
constexpr double interval_of_shared_runs = 0.1;

// Ranks share no run whose statistics are wanted, so that a callback goes without their rows.
bool is_shared(const solver::Problem& problem, const Control& control) {
  const auto member = JobMember::current();
  return member && member->ranks() > 1 && problem.problems > 1 && !problem.objective.is_function() &&
         !control.statistics;
}

nb::dict minimise(const solver::Problem& problem, const nb::dict& options, const Control& control, std::uint64_t runs) {
  const auto run = std::make_shared<DifferentialEvolutionRun>(Problem{problem, runs}, solver::Options());
  auto argument_names = names_of(run->options, problem);
  argument_names.emplace("integer", "integrality");
  return call_with_names(argument_names, [&] {
    set_fields(fields(run->options), options);
    set_checkpoints(run->options, control, "differential-evolution");
    const bool is_constrained = problem.objective.has_violation();
    std::vector<std::string> names{"nit", "nfev", "best", "mean", "worst", "running"};
    if (is_constrained) names.emplace_back("feasible");
    if (is_shared(problem, control))
      run->least_interval = interval_of_shared_runs;
    else
      set_statistics(*run, control, std::move(names),
                     [is_constrained](const solver::Statistics& row) { return numbers_of(row, is_constrained); });
    return solve_for_python(control, run, &add_fields);
  });
}

}  // namespace

void bind_differential_evolution(nb::module_& module) {
  nb::class_<solver::Problem>(module, "DifferentialEvolutionProblem")
      .def("__init__",
           [](solver::Problem* problem, const Objective& objective, std::size_t dimensions) {
             new (problem) solver::Problem{objective, dimensions};
           })
      .def_rw("problems", &solver::Problem::problems)
      .def("set_bounds",
           [](solver::Problem& problem, const Numbers<double>& lower, const Numbers<double>& upper) {
             problem.lower = vector_of(lower);
             problem.upper = vector_of(upper);
           })
      .def("set_data",
           [](solver::Problem& problem, const Numbers<double>& data, std::size_t columns) {
             problem.data = vector_of(data);
             problem.columns = columns;
           })
      .def("set_abscissa",
           [](solver::Problem& problem, const Numbers<double>& abscissa) { problem.abscissa = vector_of(abscissa); })
      .def("set_sigma",
           [](solver::Problem& problem, const Numbers<double>& sigma) { problem.sigma = vector_of(sigma); })
      .def_rw("integer", &solver::Problem::integer);
  module.def("differential_evolution", minimise);
  nb::class_<solver::FitCurve>(module, "FitCurve")
      .def_prop_ro("abscissa", [](const solver::FitCurve& fit) { return array_of(fit.abscissa); })
      .def_prop_ro("residuals", [](const solver::FitCurve& fit) { return array_of(fit.residuals); })
      .def_prop_ro("places", [](const solver::FitCurve& fit) { return array_of(fit.places); })
      .def_prop_ro("curve", [](const solver::FitCurve& fit) { return array_of(fit.curve); });
  module.def("differential_evolution_curve", &curve_of<solver::Problem>);
}

}  // namespace clopt::python
