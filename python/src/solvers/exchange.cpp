#include <clopt/exchange.hpp>
#include <clopt/exchange_fitness.hpp>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>

#include <optional>
#include <sstream>
#include <utility>

#include "arrays.hpp"
#include "bindings.hpp"
#include "control.hpp"

namespace clopt::python {
namespace {

namespace solver = exchange;
using ExchangeRun = PythonRun<solver::Problem, solver::Options, solver::Result>;

void add_schedule(nb::dict& fields, const solver::Result& result) {
  std::vector<std::uint32_t> slots;
  std::vector<std::uint32_t> nodes;
  std::vector<std::uint64_t> begins{0};
  for (const auto& placement : result.schedule.placements) {
    slots.push_back(placement.slot);
    nodes.insert(nodes.end(), placement.path.begin(), placement.path.end());
    begins.push_back(nodes.size());
  }
  fields["slots"] = array_of(std::move(slots));
  fields["path_nodes"] = array_of(std::move(nodes));
  fields["path_begins"] = array_of(std::move(begins));
}

template <class Pair>
nb::object pairs_of(const std::vector<Pair>& pairs) {
  std::vector<std::uint32_t> numbers;
  for (const auto& [from, to] : pairs) {
    numbers.push_back(from);
    numbers.push_back(to);
  }
  return array_of(std::move(numbers), 2);
}

void add_exchange_fields(nb::dict& fields, const solver::Problem& problem,
                         const std::shared_ptr<const solver::Result>& owner) {
  const auto& result = *owner;
  fields["topology"] = problem.topology.name;
  fields["topology_text"] = solver::write_topology(problem.topology);
  fields["pattern"] = problem.pattern;
  fields["nodes"] = problem.topology.nodes;
  fields["links"] = pairs_of(problem.topology.links);
  fields["transfers"] = pairs_of(problem.transfers);
  fields["steps"] = result.schedule.steps;
  add_schedule(fields, result);
  fields["bound"] = result.bound.steps;
  fields["certificate"] = array_over(owner, result.bound.weights);
  fields["bound_source"] = result.bound.source;
  fields["bound_exact"] = result.bound.exact();
  fields["conflicts"] = result.conflicts;
  fields["nit"] = result.generations;
  fields["nfev"] = result.evaluations;
  fields["nfev_done"] = result.evaluations_done;
}

/// What is broken in a topology, as Python has it: pairs of nodes, and nodes.
struct Faults {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> links;
  std::vector<std::uint32_t> nodes;
};

/// A pattern's name, and the text of its demands where it has some, with what messages call that.
struct Pattern {
  std::string name;
  std::optional<std::string> demands;
  std::string called;
};

solver::Problem problem_of(solver::Topology topology, const Pattern& pattern, const Faults& without) {
  for (const auto& [a, b] : without.links) solver::remove_link(topology, a, b);
  for (const auto node : without.nodes) solver::remove_node(topology, node);
  if (!pattern.demands) return solver::make_problem(std::move(topology), pattern.name);
  std::istringstream stream(*pattern.demands);
  auto demands = solver::read_demands(stream, pattern.called, topology);
  return solver::make_problem(std::move(topology), pattern.name, std::move(demands));
}

solver::Problem read_problem(const std::string& text, const std::string& name, const Pattern& pattern,
                             const Faults& without) {
  std::istringstream stream(text);
  return problem_of(solver::read_topology(stream, name), pattern, without);
}

nb::dict schedule(const solver::Problem& problem, const nb::dict& options, const Control& control) {
  const auto run = std::make_shared<ExchangeRun>(problem, solver::Options());
  return call_with_names(names_of(run->options), [&] {
    fields_of(run->options).check_needs(set_fields(fields(run->options), options));
    set_checkpoints(run->options, control, "exchange");
    set_statistics(
        *run, control, {"nit", "nfev", "best", "mean", "worst", "steps"},
        [](const solver::Statistics& row) -> std::vector<double> {
          return {
              static_cast<double>(row.generation), static_cast<double>(row.evaluations), row.best, row.mean, row.worst,
              static_cast<double>(row.steps)};
        });
    return solve_for_python(control, run, &add_exchange_fields);
  });
}

/// A schedule as Python has it, for what is written of one.
solver::Schedule schedule_of(std::uint32_t steps, const Numbers<std::uint32_t>& slots,
                             const Numbers<std::uint32_t>& nodes, const Numbers<std::uint64_t>& begins) {
  solver::Schedule result{steps, {}};
  for (std::size_t k = 0; k < slots.size(); ++k)
    result.placements.push_back(
        {slots.data()[k], {nodes.data() + begins.data()[k], nodes.data() + begins.data()[k + 1]}});
  return result;
}

std::string write(const std::string& format, const solver::Problem& problem, const Faults& without, std::uint64_t seed,
                  std::uint32_t steps, const Numbers<std::uint32_t>& slots, const Numbers<std::uint32_t>& nodes,
                  const Numbers<std::uint64_t>& begins, const std::string& network) {
  const auto schedule = schedule_of(steps, slots, nodes, begins);
  if (format == "msccl") return solver::to_msccl(problem, schedule);
  if (format == "mscclpp") return solver::to_mscclpp(problem, schedule);
  auto claimed = solver::claim(problem, schedule);
  claimed.seed = seed;
  claimed.network = network;
  for (const auto& [a, b] : without.links) claimed.without_links.push_back({a, b});
  claimed.without_nodes = without.nodes;
  return format == "check" ? solver::check(problem, claimed) : solver::to_json(claimed);
}

void make_fitness(solver::Fitness* fitness, const solver::Problem& problem, std::uint32_t slots,
                  const std::vector<OpenDevice>& opened, const std::string& method) {
  std::vector<std::shared_ptr<Device>> devices;
  for (const auto& each : opened) devices.push_back(each.device);
  const nb::gil_scoped_release others_may_run;
  new (fitness) solver::Fitness(problem, slots, devices, method);
}

nb::object count_conflicts(solver::Fitness& fitness, const Numbers<std::uint32_t>& slots,
                           const Numbers<std::uint32_t>& numbers) {
  std::vector<std::uint64_t> conflicts(slots.size() / fitness.paths().size());
  {
    const nb::gil_scoped_release others_may_run;
    fitness.count({slots.data(), slots.size()}, {numbers.data(), numbers.size()}, conflicts);
  }
  return array_of(std::move(conflicts));
}

}  // namespace

void bind_exchange(nb::module_& module) {
  nb::class_<Faults>(module, "ExchangeFaults")
      .def("__init__", [](Faults* faults, std::vector<std::pair<std::uint32_t, std::uint32_t>> links,
                          std::vector<std::uint32_t> nodes) {
        new (faults) Faults{std::move(links), std::move(nodes)};
      });
  nb::class_<Pattern>(module, "ExchangePattern")
      .def(
          "__init__",
          [](Pattern* pattern, std::string name, std::optional<std::string> demands, std::string called) {
            new (pattern) Pattern{std::move(name), std::move(demands), std::move(called)};
          },
          nb::arg("name"), nb::arg("demands").none(), nb::arg("called"))
      .def_rw("name", &Pattern::name);
  nb::class_<solver::Problem>(module, "ExchangeProblem")
      .def_static(
          "of_class",
          [](const std::string& description, std::uint64_t seed, const Pattern& pattern, const Faults& without) {
            return problem_of(solver::make_topology(description, seed), pattern, without);
          })
      .def_static("of_text", &read_problem);
  nb::class_<solver::Fitness>(module, "ExchangeFitness")
      .def("__init__", &make_fitness)
      .def("transfers", [](const solver::Fitness& fitness) { return pairs_of(fitness.problem().transfers); })
      .def("paths",
           [](const solver::Fitness& fitness) {
             return array_of(std::vector<std::uint32_t>(fitness.paths().begin(), fitness.paths().end()));
           })
      .def("path", [](const solver::Fitness& fitness, std::size_t transfer,
                      std::uint32_t number) { return array_of(fitness.path(transfer, number)); })
      .def("topology",
           [](const solver::Fitness& fitness) { return solver::write_topology(fitness.problem().topology); })
      .def("failures", &solver::Fitness::failures)
      .def("count", &count_conflicts);
  module.def("exchange", schedule);
  module.def("exchange_write", write);
}

}  // namespace clopt::python
