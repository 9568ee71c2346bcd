/// \file
/// The result of searches that were divided into slices.
#include <sstream>

#include <frame/options/shard_options.hpp>
#include "report.hpp"
#include "solver.hpp"

namespace clopt::apps::exchange {
namespace {

Faults faults_in(const Json& facts) {
  Faults faults;
  for (const auto& link : facts.at("without_links"))
    faults.links.push_back({link.at(0).get<std::uint32_t>(), link.at(1).get<std::uint32_t>()});
  facts.at("without_nodes").get_to(faults.nodes);
  return faults;
}

}  // namespace

std::unique_ptr<RunReport> merge(const MergeOrder& order) {
  check_outputs(order.outputs);
  const auto& facts = order.facts;
  std::istringstream text(facts.at("text").get<std::string>());
  const auto problem =
      clopt::exchange::make_problem(clopt::exchange::read_topology(text, facts.at("topology").get<std::string>()),
                                    facts.at("pattern").get<std::string>());
  auto parts = results_of(
      order.slices, [&](const Record& record, std::uint64_t) { return clopt::exchange::unpack(record, problem); });
  return std::make_unique<Report>(problem, clopt::exchange::merge(std::move(parts)), faults_in(facts),
                                  facts.at("seed").get<std::uint64_t>());
}

}  // namespace clopt::apps::exchange
