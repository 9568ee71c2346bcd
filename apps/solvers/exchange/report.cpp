#include "report.hpp"

#include <clopt/detail/files.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <sstream>

#include <frame/options/shard_options.hpp>
#include <frame/status.hpp>
#include "solver.hpp"

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

Faults faults_in(const Json& facts) {
  Faults faults;
  for (const auto& link : facts.at("without_links"))
    faults.links.push_back({link.at(0).get<std::uint32_t>(), link.at(1).get<std::uint32_t>()});
  facts.at("without_nodes").get_to(faults.nodes);
  return faults;
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

void Report::add_fields(Json& object) const {
  add_problem(object, problem_, result_.bound);
  object["steps"] = result_.schedule.steps;
  object["conflicts"] = result_.conflicts;
  object["optimal"] = result_.conflicts == 0 && result_.schedule.steps == result_.bound.steps;
  object["gap"] = result_.conflicts == 0 ? Json{{"steps", result_.gap()}, {"relative", relative_gap(result_)}} : Json();
  object["reason"] = result_.reason;
  object["generations"] = result_.generations;
  object["evaluations"] = result_.evaluations;
  object["evaluations_done"] = result_.evaluations_done;
  object["interrupted"] = result_.interrupted();
}

NamedSeconds Report::named_seconds() const {
  return {.parts = {{"bound", result_.bound_seconds}}, .read = read_seconds_};
}

std::string Report::answer_text() const {
  auto text = fmt::format("schedule  {} steps, {}\n", result_.schedule.steps,
                          result_.conflicts == 0 ? "no conflicts" : fmt::format("{} conflicts", result_.conflicts));
  text += fmt::format("bound     {}\n", bound_text(result_.bound));
  if (result_.conflicts == 0 && result_.gap() > 0)
    text += fmt::format("gap       {} steps at most above the fewest, {:.1f} %\n", result_.gap(),
                        100 * relative_gap(result_));
  text += fmt::format("network   {} nodes, {} one-way links, {} transfers\n", problem_.topology.nodes,
                      problem_.topology.links.size(), problem_.transfers.size());
  text += fmt::format("method    {} ({})\n", result_.method, result_.reason);
  return text;
}

std::string Report::work_text() const {
  return fmt::format("work      {} generations, {} evaluations{}{}\n", result_.generations, result_.evaluations,
                     rate_text(result_.evaluations, result_.seconds.compute), time_limit_text(result_));
}

std::string Report::computing() const {
  return fmt::format("searching, {} for the bound", readable_seconds(result_.bound_seconds));
}

std::string Report::write(const std::string& file) const {
  report_limits(file, problem_, result_.schedule);
  return write_output(file, problem_, result_.schedule, faults_, seed_);
}

int Report::status() const {
  if (result_.interrupted()) return Status::interrupted;
  return result_.conflicts > 0 ? Status::not_reached : Status::done;
}

std::string write_output(const std::string& file, const solver::Problem& problem, const solver::Schedule& schedule,
                         const Faults& faults, std::uint64_t seed, JsonForm form) {
  if (file.ends_with(".xml")) return write_file(file, solver::to_msccl(problem, schedule));
  if (file.ends_with(".anynet")) return write_file(file, solver::to_anynet(problem.topology));
  if (form == JsonForm::mscclpp) return write_file(file, solver::to_mscclpp(problem, schedule));
  auto claimed = solver::claim(problem, schedule);
  claimed.seed = seed;
  claimed.without_links = faults.links;
  claimed.without_nodes = faults.nodes;
  return write_file(file, solver::to_json(claimed));
}

void report_limits(const std::string& file, const solver::Problem& problem, const solver::Schedule& schedule,
                   JsonForm form) {
  std::string limits;
  if (file.ends_with(".xml")) limits = solver::msccl_limits(problem, schedule);
  if (file.ends_with(".json") && form == JsonForm::mscclpp) limits = solver::mscclpp_limits(problem, schedule);
  if (!limits.empty()) print_error(fmt::format("clopt exchange: {} has {}\n", printable(file), limits));
}

void check_outputs(const std::vector<std::string>& files) {
  for (const auto& file : files)
    if (!file.ends_with(".json") && !file.ends_with(".xml") && !file.ends_with(".anynet"))
      throw InvalidInput(
          fmt::format("--output {}: the name decides the format; end it with .json, .xml (MSCCL) or .anynet "
                      "(BookSim's topology)",
                      printable(file)));
}

Json facts_of(const solver::Problem& problem, const Faults& faults, std::uint64_t seed) {
  auto links = Json::array();
  for (const auto& link : faults.links) links.push_back(Json::array({link.from, link.to}));
  Json facts{{"topology", problem.topology.name}, {"text", solver::write_topology(problem.topology)},
             {"pattern", problem.pattern},        {"seed", seed},
             {"without_links", std::move(links)}, {"without_nodes", faults.nodes}};
  if (solver::has_demands(problem.pattern)) facts["demands"] = solver::write_demands(solver::demands_of(problem));
  return facts;
}

std::unique_ptr<RunReport> merge(const MergeOrder& order) {
  check_outputs(order.outputs);
  const auto& facts = order.facts;
  std::istringstream text(facts.at("text").get<std::string>());
  const auto problem = problem_of(solver::read_topology(text, facts.at("topology").get<std::string>()),
                                  facts.at("pattern").get<std::string>(), facts.value("demands", std::string()));
  auto parts =
      results_of(order.slices, [&](const Record& record, std::uint64_t) { return solver::unpack(record, problem); });
  return std::make_unique<Report>(problem, solver::merge(std::move(parts)), faults_in(facts),
                                  facts.at("seed").get<std::uint64_t>());
}

}  // namespace clopt::apps::exchange
