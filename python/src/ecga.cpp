#include <clopt/ecga.hpp>
#include <clopt/ecga_problems.hpp>

#include "arrays.hpp"
#include "bindings.hpp"
#include "control.hpp"

namespace clopt::python {
namespace {

namespace solver = ecga;
using EcgaJob = Job<solver::Problem, solver::Options, solver::Result>;

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

void add_ecga_fields(nb::dict& fields, const solver::Problem&, const std::shared_ptr<const solver::Result>& owner) {
  const auto& result = *owner;
  fields["fitness"] = result.best_fitness;
  fields["genes"] = array_over(owner, result.best_genes);
  fields["model"] = nb::cast(result.model);
  fields["population"] = result.population;
  fields["generations"] = result.generations;
  fields["evaluations"] = result.evaluations;
  fields["converged"] = result.converged;
  fields["counting"] = result.counting;
  fields["passes"] = result.passes;
  fields["merges"] = result.merges;
  fields["device_bytes"] = result.device_bytes;
  fields["model_seconds"] = result.model_seconds;
}

nb::dict learn(const solver::Problem& problem, const solver::Options& options, const Control& control) {
  const auto job = std::make_shared<EcgaJob>(problem, options);
  set_checkpoints(job->options, control, "ecga");
  set_statistics(*job, control,
                 {"nit", "nfev", "best", "mean", "worst", "best_so_far", "groups", "merges", "combined_complexity",
                  "converged_loci", "passes", "model_seconds"},
                 numbers_of_model);
  return solve_for_python<solver::Problem, solver::Options, solver::Result>(control, job, &solver::solve,
                                                                            &add_ecga_fields);
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
  nb::class_<solver::Options>(module, "EcgaOptions")
      .def(nb::init<>())
      .def_rw("population", &solver::Options::population)
      .def_rw("search", &solver::Options::search)
      .def_rw("counting", &solver::Options::counting)
      .def_rw("tournament", &solver::Options::tournament)
      .def_rw("crossover", &solver::Options::crossover)
      .def_rw("largest_group", &solver::Options::largest_group)
      .def_rw("seed", &solver::Options::seed)
      .def_rw("generations", &solver::Options::generations)
      .def_rw("evaluations", &solver::Options::evaluations)
      .def_rw("stagnation", &solver::Options::stagnation)
      .def_rw("target", &solver::Options::target);
  module.def("ecga", learn);
}

}  // namespace clopt::python
