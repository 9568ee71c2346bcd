#include "report.hpp"

#include <clopt/detail/files.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <frame/options/common_options.hpp>
#include <frame/options/mpi_job.hpp>

namespace clopt::apps::exchange {
namespace {

namespace solver = clopt::exchange;

Json certificate_of(const solver::Problem& problem, const solver::Bound& bound) {
  Json weights = Json::array();
  const auto& links = problem.topology.links;
  for (std::size_t link = 0; link < bound.weights.size(); ++link) {
    // Parallel channels weigh the same, and are listed as one link.
    const bool is_known = link > 0 && links[link] == links[link - 1];
    if (bound.weights[link] > 0 && !is_known)
      weights.push_back({links[link].from, links[link].to, bound.weights[link]});
  }
  return {{"weights", std::move(weights)}};
}

double relative_gap(const solver::Result& result) {
  return static_cast<double>(result.gap()) / static_cast<double>(result.bound.steps);
}

}  // namespace

void add_problem(Json& object, const solver::Problem& problem, const solver::Bound& bound) {
  object["topology"] = problem.topology.name;
  object["pattern"] = problem.pattern;
  object["nodes"] = problem.topology.nodes;
  object["links"] = problem.topology.links.size();
  object["transfers"] = problem.transfers.size();
  object["lower_bound"] = bound.steps;
  object["bound"] = {{"source", bound.source}, {"routing_load", bound.routing_load}, {"exact", bound.exact()}};
  object["certificate"] = certificate_of(problem, bound);
}

std::string bound_text(const solver::Bound& bound) {
  return bound.exact() ? fmt::format("{} steps at least ({})", bound.steps, bound.source)
                       : fmt::format("{} steps at least ({}); no certificate of this kind can prove more than {:.2f}",
                                     bound.steps, bound.source, bound.routing_load);
}

Json to_json(const Report& report) {
  const auto& result = report.result;
  auto object = result_head("exchange", report.devices, result.method, report.seed);
  add_problem(object, report.problem, result.bound);
  object["steps"] = result.schedule.steps;
  object["conflicts"] = result.conflicts;
  object["optimal"] = result.conflicts == 0 && result.schedule.steps == result.bound.steps;
  object["gap"] = result.conflicts == 0 ? Json{{"steps", result.gap()}, {"relative", relative_gap(result)}} : Json();
  object["reason"] = result.reason;
  object["generations"] = result.generations;
  object["evaluations"] = result.evaluations;
  object["evaluations_done"] = result.evaluations_done;
  object["interrupted"] = result.interrupted();
  object["seconds"] = {{"total", result.seconds.total}, {"compute", result.seconds.compute},
                       {"bound", result.bound_seconds}, {"read", report.read_seconds},
                       {"open", report.open_seconds},   {"build", result.seconds.build}};
  add_result_end(object, result);
  return object;
}

std::string to_text(const Report& report) {
  const auto& result = report.result;
  auto text = fmt::format("schedule  {} steps, {}\n", result.schedule.steps,
                          result.conflicts == 0 ? "no conflicts" : fmt::format("{} conflicts", result.conflicts));
  text += fmt::format("bound     {}\n", bound_text(result.bound));
  if (result.conflicts == 0 && result.gap() > 0)
    text += fmt::format("gap       {} steps at most above the fewest, {:.1f} %\n", result.gap(),
                        100 * relative_gap(result));
  text += fmt::format("network   {} nodes, {} one-way links, {} transfers\n", report.problem.topology.nodes,
                      report.problem.topology.links.size(), report.problem.transfers.size());
  text += fmt::format("method    {} ({})\n", result.method, result.reason);
  for (const auto& failure : result.failures) text += fmt::format("failure   {}\n", failure);
  for (const auto& device : report.devices) text += fmt::format("device    {} ({})\n", device.id, device.name);
  text += cluster_text(result);
  text += fmt::format("work      {} generations, {} evaluations{}{}\n", result.generations, result.evaluations,
                      rate_text(result.evaluations, result.seconds.compute), time_limit_text(result));
  text += fmt::format("time      {} ({} searching, {} for the bound); opening devices {}, building kernels {}\n",
                      readable_seconds(result.seconds.total), readable_seconds(result.seconds.compute),
                      readable_seconds(result.bound_seconds), readable_seconds(report.open_seconds),
                      readable_seconds(result.seconds.build));
  text += fmt::format("checksum  {}\n", hexadecimal(result.checksum));
  return text;
}

std::string write_output(const std::string& file, const solver::Problem& problem, const solver::Schedule& schedule,
                         const Faults& faults, std::uint64_t seed) {
  if (file.ends_with(".xml")) return write_file(file, solver::to_msccl(problem, schedule));
  if (file.ends_with(".anynet")) return write_file(file, solver::to_anynet(problem.topology));
  auto claimed = solver::claim(problem, schedule);
  claimed.seed = seed;
  claimed.without_links = faults.links;
  claimed.without_nodes = faults.nodes;
  return write_file(file, solver::to_json(claimed));
}

int status_of(const solver::Result& result) {
  if (result.interrupted()) return Status::interrupted;
  return result.conflicts > 0 ? Status::not_reached : Status::done;
}

void check_outputs(const std::vector<std::string>& files) {
  for (const auto& file : files) {
    if (!file.ends_with(".json") && !file.ends_with(".xml") && !file.ends_with(".anynet"))
      throw InvalidInput(
          fmt::format("--output {}: the name decides the format; end it with .json, .xml (MSCCL) or .anynet "
                      "(BookSim's topology)",
                      printable(file)));
    check_writable(file);
  }
}

Json facts_of(const solver::Problem& problem, const Faults& faults, std::uint64_t seed) {
  auto links = Json::array();
  for (const auto& link : faults.links) links.push_back(Json::array({link.from, link.to}));
  return {{"topology", problem.topology.name}, {"text", solver::write_topology(problem.topology)},
          {"pattern", problem.pattern},        {"seed", seed},
          {"without_links", std::move(links)}, {"without_nodes", faults.nodes}};
}

}  // namespace clopt::apps::exchange
