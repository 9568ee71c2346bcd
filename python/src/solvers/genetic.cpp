#include <clopt/error.hpp>
#include <clopt/genetic_problems.hpp>
#include <clopt/genetic_runs.hpp>
#include <clopt/genetic_tours.hpp>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>

#include "arrays.hpp"
#include "bindings.hpp"
#include "control.hpp"
#include "job_member.hpp"
#include "runs.hpp"

namespace clopt::python {
namespace {

namespace solver = genetic;

using Problem = WithRuns<solver::Problem>;
using GeneticRun = PythonRun<Problem, solver::Options, solver::Runs>;

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

void add_genetic_fields(nb::dict& fields, const Problem& problem, const std::shared_ptr<const solver::Runs>& owner) {
  const auto& result = owner->trials[owner->best].result;
  add_runs(fields, solver::outcomes_of(*owner), owner->maximised);
  const std::size_t genes = problem.genes;
  fields["fun"] = result.fitness;
  fields["feasible"] = result.feasible;
  fields["violation"] = result.violation;
  fields["x"] = array_over(owner, result.genes);
  fields["nit"] = result.generations;
  fields["restarts"] = result.restarts;
  fields["nfev"] = result.evaluations;
  fields["individuals_per_group"] = result.individuals_per_group;
  fields["island_fun"] = array_over(owner, result.island_fitness);
  fields["population"] = array_over(owner, result.population.data(), {result.population.size() / genes, genes});
  fields["population_fun"] = array_over(owner, result.values);
  nb::dict stages;
  for (const auto& [stage, seconds] : result.stages) stages[stage.c_str()] = seconds;
  fields["stages"] = stages;
}

// Of islands that ranks share: rank 0 looks for messages far more often.
constexpr double interval_of_shared_islands = 0.1;

// Ranks share no run whose statistics are wanted, so that a callback goes without their rows.
bool are_shared(const solver::Problem& problem, const solver::Options& options, const Control& control) {
  const auto member = JobMember::current();
  return member && member->ranks() > 1 && options.islands > 1 && !problem.objective.is_function() &&
         !options.measure_stages && !control.statistics;
}

/// A tour, and what to know of its lengths.
struct Tour : solver::Tour {
  std::string warning;
};

// A city as the library takes it, "#3": of its number, which Python counts from 0, or of its name, whatever that is.
std::string city_of(const nb::object& city, const char* argument, const solver::Cities& cities) {
  if (city.is_none()) return {};
  const auto& names = cities.names;
  const bool is_name = nb::isinstance<nb::str>(city);
  const auto text = nb::cast<std::string>(nb::str(city));
  const auto count = is_name ? std::count(names.begin(), names.end(), text) : 0;
  if (count == 1) return "#" + std::to_string(std::find(names.begin(), names.end(), text) - names.begin() + 1);
  if (!is_name)
    if (const auto number = nb::cast<std::uint64_t>(city); number < cities.count)
      return "#" + std::to_string(number + 1);
  const std::string found = count == 0 ? "there is no such city" : "several cities have that name";
  const std::string advice = count == 0 && !names.empty() ? "a city's name, or its number" : "its number";
  throw InvalidInput(std::string("`") + argument + "` is '" + printable(text) + "', and " + found + "; give " + advice +
                     " from 0 to " + std::to_string(cities.count - 1));
}

// Of a call's arguments; the options are those of the table of fields.
Tour tour_of(const nb::object& cities, bool is_matrix, bool are_geographical, std::vector<std::string> names,
             const nb::object& start, const nb::object& end, const nb::dict& options) {
  solver::TourOptions trip;
  return call_with_names(names_of(trip), [&] {
    set_fields(fields(trip), options);
    solver::Cities found;
    if (nb::isinstance<nb::str>(cities)) {
      found = solver::read_cities(nb::cast<std::string>(cities), trip.decimals);
    } else {
      const auto numbers = vector_of(nb::cast<Numbers<double>>(cities));
      found = is_matrix ? solver::cities_of(numbers, trip.decimals)
                        : solver::cities_at(numbers, are_geographical, trip.decimals);
    }
    if (!names.empty()) found.names = std::move(names);
    trip.start = city_of(start, "start", found);
    trip.end = city_of(end, "end", found);
    auto warning = found.rounding_warning();
    return Tour{solver::make_tour(std::move(found), trip), std::move(warning)};
  });
}

nb::tuple route_of(const Tour& tour, const Numbers<double>& genes) {
  auto route = solver::route_of(tour.problem, tour.ends, vector_of(genes));
  return nb::make_tuple(array_of(std::vector<std::int64_t>(route.cities.begin(), route.cities.end())),
                        array_of(std::move(route.legs)), route.length);
}

nb::object places_of(const Tour& tour) {
  if (tour.cities.places.empty()) return nb::none();
  std::vector<double> numbers;
  for (const auto& place : tour.cities.places) numbers.insert(numbers.end(), place.begin(), place.end());
  return array_of(std::move(numbers), 2);
}

nb::dict evolve(const solver::Problem& problem, const nb::dict& options, const Control& control, std::uint64_t runs) {
  const auto run = std::make_shared<GeneticRun>(Problem{problem, runs}, solver::Options());
  return call_with_names(names_of(run->options, problem), [&] {
    const auto given = set_fields(fields(run->options), options);
    const auto complete = solver::complete(problem, run->options);
    fields_of(complete).check_needs(given);
    set_checkpoints(run->options, control, "genetic");
    const bool is_constrained = problem.objective.has_violation();
    std::vector<std::string> names{"nit", "nfev", "best", "mean", "worst", "island", "best_so_far", "distinct"};
    if (is_constrained) names.emplace_back("feasible");
    if (are_shared(problem, run->options, control))
      run->least_interval = interval_of_shared_islands;
    else
      set_statistics(*run, control, std::move(names), [is_constrained](const solver::Statistics& row) {
        return numbers_of_island(row, is_constrained);
      });
    auto result = solve_for_python(control, run, &add_genetic_fields);
    result["settings"] = settings_of(fields_of(complete));
    return result;
  });
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
      .def_prop_ro("optimum", [](const solver::Problem& problem) { return solver::optimum_of(problem); })
      .def("set_bounds", [](solver::Problem& problem, const Numbers<double>& lower, const Numbers<double>& upper) {
        problem.lower = vector_of(lower);
        problem.upper = vector_of(upper);
      });
  nb::class_<Tour>(module, "Tour")
      .def(
          "__init__",
          [](Tour* tour, const nb::object& cities, bool is_matrix, bool are_geographical,
             std::vector<std::string> names, const nb::object& start, const nb::object& end, const nb::dict& options) {
            new (tour) Tour(tour_of(cities, is_matrix, are_geographical, std::move(names), start, end, options));
          },
          nb::arg(), nb::arg(), nb::arg(), nb::arg(), nb::arg().none(), nb::arg().none(), nb::arg())
      .def_prop_ro("problem", [](const Tour& tour) { return tour.problem; })
      .def_prop_ro("cities", [](const Tour& tour) { return tour.ends.cities; })
      .def_prop_ro("names", [](const Tour& tour) { return tour.cities.names; })
      .def_prop_ro("places", places_of)
      .def_prop_ro("geographical", [](const Tour& tour) { return tour.cities.are_geographical; })
      .def_prop_ro("warning", [](const Tour& tour) { return tour.warning; })
      .def("route", route_of)
      .def("genes", [](const Tour& tour, const Numbers<std::int64_t>& route) {
        const auto cities = vector_of(route);
        return array_of(solver::genes_of(tour.ends, std::vector<std::uint32_t>(cities.begin(), cities.end())));
      });
  module.def("genetic_has_problem", &solver::is_problem_name);
  module.def("genetic", evolve);
}

}  // namespace clopt::python
