#include <clopt/detail/run_times.hpp>
#include <clopt/ecga.hpp>
#include <clopt/ecga_problems.hpp>
#include <clopt/ecga_runs.hpp>
#include <clopt/ecga_sizing.hpp>
#include <clopt/error.hpp>

#include "arrays.hpp"
#include "bindings.hpp"
#include "control.hpp"
#include "runs.hpp"

namespace clopt::python {
namespace {

namespace solver = ecga;

/// A problem, and which runs are made: several with seeds one after the other, or those by which a population is found.
struct Problem : solver::Problem {
  std::uint64_t runs = 1;
  std::string sizing;  ///< "auto" or "double"; empty: the population is given
};
using EcgaRun = PythonRun<Problem, solver::Options, solver::Runs>;

std::vector<double> numbers_of_model(const solver::Statistics& row) {
  return {static_cast<double>(row.generation),
          static_cast<double>(row.evaluations),
          row.best,
          row.mean,
          row.worst,
          row.best_so_far,
          static_cast<double>(row.model.size()),
          static_cast<double>(row.merges),
          row.combined_complexity,
          static_cast<double>(row.converged_loci),
          static_cast<double>(row.passes),
          row.model_seconds};
}

// All runs that were made. The result is that of the best one, or of the population that was found.
solver::Runs find_population(const Problem& problem, const solver::Options& options, const Devices& devices,
                             const RunControl& control) {
  solver::Runs runs;
  solver::SizingOptions sizing;
  sizing.trial = [&](const solver::Trial& trial) { runs.trials.push_back(trial); };
  const RunTimes times;
  const auto found = problem.sizing == "double" ? solver::double_population(problem, options, sizing, devices, control)
                                                : solver::find_population(problem, options, sizing, devices, control);
  if (runs.trials.empty()) throw Cancelled("the run was ended before there was a result");
  runs.best = runs.trials.size() - 1;
  for (std::size_t i = 0; i < runs.trials.size(); ++i)
    if (runs.trials[i].population == found.population && runs.trials[i].seed == found.last.seed) runs.best = i;
  static_cast<RunResult&>(runs) = runs.trials[runs.best].result;
  runs.seconds = times.seconds();
  return runs;
}

solver::Runs solve(const Problem& problem, const solver::Options& options, const Devices& devices,
                   const RunControl& control) {
  if (!problem.sizing.empty()) return find_population(problem, options, devices, control);
  if (problem.runs != 1) return solver::solve_runs(problem, options, {problem.runs, {}, {}}, devices, control);
  solver::Runs runs;
  auto result = solver::solve(problem, options, devices, control);
  static_cast<RunResult&>(runs) = result;
  const auto population = result.population;
  for (const auto& each : result.runs) {
    if (each.population == population) runs.best = runs.trials.size();
    solver::Trial trial{each.population, each.seed, each.success, {}};
    trial.result.best_fitness = each.value;
    trial.result.generations = each.generations;
    trial.result.evaluations = each.evaluations;
    trial.result.seconds.total = each.seconds;
    trial.result.checksum = each.checksum;
    runs.trials.push_back(std::move(trial));
  }
  if (runs.trials.empty())
    runs.trials.push_back({population, options.seed, solver::succeeded(problem, options, result), {}});
  const auto evaluations = result.runs.empty() ? result.evaluations : result.runs[runs.best].evaluations;
  runs.trials[runs.best].result = std::move(result);
  runs.trials[runs.best].result.evaluations = evaluations;
  return runs;
}

void add_ecga_fields(nb::dict& fields, const Problem&, const std::shared_ptr<const solver::Runs>& owner) {
  const auto& result = owner->trials[owner->best].result;
  fields["fun"] = result.best_fitness;
  fields["x"] = array_over(owner, result.best_genes);
  fields["model"] = nb::cast(result.model);
  fields["model_generation"] = result.model_generation;
  nb::dict models;
  for (const auto& [generation, model] : result.models) models[nb::cast(generation)] = nb::cast(model);
  fields["models"] = models;
  fields["population"] = result.population;
  fields["nit"] = result.generations;
  auto evaluations = result.runs.empty() ? result.evaluations : 0;
  for (const auto& each : result.runs) evaluations += each.evaluations;
  fields["nfev"] = evaluations;
  fields["converged"] = result.converged;
  fields["optimal"] = result.optimal;
  fields["counting"] = result.counting;
  fields["passes"] = result.passes;
  fields["merges"] = result.merges;
  fields["device_bytes"] = result.device_bytes;
  fields["model_seconds"] = result.model_seconds;
  nb::list trials;
  for (const auto& [population, seed, success, each] : owner->trials)
    trials.append(nb::make_tuple(population, seed, success, each.best_fitness, each.generations, each.evaluations));
  add_runs(fields, solver::outcomes_of(*owner), owner->maximised);
  fields["trials"] = trials;
}

nb::dict learn(const solver::Problem& problem, const nb::dict& options, const Control& control, std::uint64_t runs,
               const std::string& sizing) {
  const auto run = std::make_shared<EcgaRun>(Problem{problem, runs, sizing}, solver::Options());
  return call_with_names(names_of(run->options, problem), [&] {
    set_fields(fields(run->options), options);
    set_checkpoints(run->options, control, "ecga");
    set_statistics(*run, control,
                   {"nit", "nfev", "best", "mean", "worst", "best_so_far", "groups", "merges", "combined_complexity",
                    "converged_loci", "passes", "model_seconds"},
                   numbers_of_model);
    return solve_for_python(control, run, &add_ecga_fields);
  });
}

}  // namespace

void bind_ecga(nb::module_& module) {
  nb::class_<solver::Problem>(module, "EcgaProblem")
      .def("__init__",
           [](solver::Problem* problem, const Objective& objective, std::uint32_t length) {
             new (problem) solver::Problem{objective, length};
           })
      .def_static("find", &solver::find_problem, nb::arg("name"), nb::arg("length").none(), nb::arg("seed"))
      .def_prop_ro("length", [](const solver::Problem& problem) { return problem.length; })
      .def_prop_ro("optimum", [](const solver::Problem& problem) { return problem.objective.optimum(); })
      .def_prop_ro("maximises", [](const solver::Problem& problem) { return solver::maximises(problem); });
  module.def("ecga", learn);
}

}  // namespace clopt::python
