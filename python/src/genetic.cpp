#include <clopt/genetic.hpp>
#include <clopt/genetic_problems.hpp>

#include "arrays.hpp"
#include "bindings.hpp"
#include "control.hpp"
#include "job_member.hpp"

namespace clopt::python {
namespace {

namespace solver = genetic;
using GeneticJob = Job<solver::Problem, solver::Options, solver::Result>;

std::vector<double> numbers_of_island(const solver::Statistics& row, bool is_constrained) {
  std::vector<double> numbers{static_cast<double>(row.generation),
                              static_cast<double>(row.evaluations),
                              row.best,
                              row.mean,
                              row.worst,
                              static_cast<double>(row.island),
                              row.best_so_far,
                              static_cast<double>(row.distinct)};
  if (is_constrained) numbers.push_back(static_cast<double>(row.feasible));
  return numbers;
}

void add_genetic_fields(nb::dict& fields, const solver::Problem& problem,
                        const std::shared_ptr<const solver::Result>& owner) {
  const auto& result = *owner;
  const std::size_t genes = problem.genes;
  fields["fitness"] = result.fitness;
  fields["feasible"] = result.feasible;
  fields["violation"] = result.violation;
  fields["genes"] = array_over(owner, result.genes);
  fields["generations"] = result.generations;
  fields["restarts"] = result.restarts;
  fields["evaluations"] = result.evaluations;
  fields["individuals_per_group"] = result.individuals_per_group;
  fields["island_fitness"] = array_over(owner, result.island_fitness);
  fields["population"] = array_over(owner, result.population.data(), {result.population.size() / genes, genes});
  fields["population_values"] = array_over(owner, result.values);
  nb::dict stages;
  for (const auto& [stage, seconds] : result.stages) stages[stage.c_str()] = seconds;
  fields["stages"] = stages;
}

nb::dict settings_of(const solver::Problem& problem, const solver::Options& options) {
  const auto all = solver::complete(problem, options);
  nb::dict settings;
  settings["preset"] = all.preset;
  settings["population"] = *all.population;
  settings["islands"] = all.islands;
  settings["selection"] = all.selection;
  settings["crossover_kind"] = all.crossover_kind;
  settings["crossover"] = *all.crossover;
  settings["mutation_kind"] = all.mutation_kind;
  settings["mutation"] = *all.mutation;
  settings["elites"] = *all.elites;
  settings["restart"] = *all.restart;
  settings["improve"] = all.improve;
  settings["precision"] = all.precision == "auto" ? "float" : all.precision;
  if (all.selection == "tournament") settings["tournament"] = *all.tournament;
  if (all.selection == "rank") settings["rank_pressure"] = all.rank_pressure;
  if (all.crossover_kind == "line") settings["line_extension"] = all.line_extension;
  if (all.crossover_kind == "simulated-binary") settings["distribution_index"] = *all.distribution_index;
  if (all.step) settings["step"] = *all.step;
  if (all.mutation_kind == "polynomial") settings["mutation_index"] = *all.mutation_index;
  if (all.migrate_every != 0) {
    settings["migrate_every"] = all.migrate_every;
    settings["migrants"] = all.migrants;
  }
  return settings;
}

// Of islands that ranks share: rank 0 looks for messages far more often.
constexpr double interval_of_shared_islands = 0.1;

// Ranks share no run whose statistics are wanted, so that a callback goes without their rows.
bool are_shared(const solver::Problem& problem, const solver::Options& options, const Control& control) {
  const auto member = JobMember::current();
  return member && member->ranks() > 1 && options.islands > 1 && !problem.objective.is_function() &&
         !options.measure_stages && !control.statistics;
}

nb::dict evolve(const solver::Problem& problem, const solver::Options& options, const Control& control) {
  const auto job = std::make_shared<GeneticJob>(problem, options);
  set_checkpoints(job->options, control, "genetic");
  const bool is_constrained = problem.objective.has_violation();
  std::vector<std::string> names{"nit", "nfev", "best", "mean", "worst", "island", "best_so_far", "distinct"};
  if (is_constrained) names.emplace_back("feasible");
  if (are_shared(problem, options, control))
    job->least_interval = interval_of_shared_islands;
  else
    set_statistics(*job, control, std::move(names),
                   [is_constrained](const solver::Statistics& row) { return numbers_of_island(row, is_constrained); });
  return solve_for_python<solver::Problem, solver::Options, solver::Result>(control, job, &solver::solve,
                                                                            &add_genetic_fields);
}

}  // namespace

void bind_genetic(nb::module_& module) {
  nb::class_<solver::Problem>(module, "GeneticProblem")
      .def("__init__",
           [](solver::Problem* problem, const Objective& objective, std::uint32_t genes) {
             new (problem) solver::Problem{objective, genes, {}, {}};
           })
      .def_static("find", &solver::find_problem, nb::arg("name"), nb::arg("genes").none(), nb::arg("seed"))
      .def_prop_ro("genes", [](const solver::Problem& problem) { return problem.genes; })
      .def_prop_ro("maximises",
                   [](const solver::Problem& problem) { return problem.objective.direction() == Direction::maximise; })
      .def_prop_ro("kind",
                   [](const solver::Problem& problem) { return std::string(name_of(problem.objective.kind())); })
      .def("set_bounds", [](solver::Problem& problem, const Numbers<double>& lower, const Numbers<double>& upper) {
        problem.lower = vector_of(lower);
        problem.upper = vector_of(upper);
      });
  nb::class_<solver::Options>(module, "GeneticOptions")
      .def(nb::init<>())
      .def_rw("preset", &solver::Options::preset)
      .def_rw("restart", &solver::Options::restart)
      .def_rw("improve", &solver::Options::improve)
      .def_rw("seed", &solver::Options::seed)
      .def_rw("population", &solver::Options::population)
      .def_rw("selection", &solver::Options::selection)
      .def_rw("tournament", &solver::Options::tournament)
      .def_rw("rank_pressure", &solver::Options::rank_pressure)
      .def_rw("crossover_kind", &solver::Options::crossover_kind)
      .def_rw("crossover", &solver::Options::crossover)
      .def_rw("line_extension", &solver::Options::line_extension)
      .def_rw("distribution_index", &solver::Options::distribution_index)
      .def_rw("mutation_kind", &solver::Options::mutation_kind)
      .def_rw("mutation", &solver::Options::mutation)
      .def_rw("step", &solver::Options::step)
      .def_rw("mutation_index", &solver::Options::mutation_index)
      .def_rw("elites", &solver::Options::elites)
      .def_rw("islands", &solver::Options::islands)
      .def_rw("migrate_every", &solver::Options::migrate_every)
      .def_rw("migrants", &solver::Options::migrants)
      .def_rw("precision", &solver::Options::precision)
      .def("set_initial",
           [](solver::Options& options, const Numbers<double>& genes) { options.initial = vector_of(genes); })
      .def_rw("generations", &solver::Options::generations)
      .def_rw("evaluations", &solver::Options::evaluations)
      .def_rw("stagnation", &solver::Options::stagnation)
      .def_rw("target", &solver::Options::target)
      .def_rw("granularity", &solver::Options::granularity)
      .def_rw("individuals_per_group", &solver::Options::individuals_per_group)
      .def_rw("group_size", &solver::Options::group_size)
      .def_rw("keep_population", &solver::Options::keep_population)
      .def_rw("measure_stages", &solver::Options::measure_stages);
  module.def("genetic_settings", settings_of);
  module.def("genetic_has_problem", &solver::is_problem_name);
  module.def("genetic", evolve);
}

}  // namespace clopt::python
