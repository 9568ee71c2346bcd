/// \file
/// The result of searches that were divided into slices.
#include <clopt/error.hpp>

#include <sstream>

#include <frame/options/run_options.hpp>
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

int merge(const MergeOrder& order) {
  check_outputs(order.outputs);
  const auto common = merged_report(order.slices);
  const auto& facts = common.facts;
  std::istringstream text(facts.at("text").get<std::string>());
  const auto problem =
      clopt::exchange::make_problem(clopt::exchange::read_topology(text, facts.at("topology").get<std::string>()),
                                    facts.at("pattern").get<std::string>());
  const auto seed = facts.at("seed").get<std::uint64_t>();
  std::vector<clopt::exchange::Result> parts;
  for (const auto& slice : order.slices)
    if (slice.range().count != 0) parts.push_back(clopt::exchange::unpack(slice.result, problem));
  const auto result = clopt::exchange::merge(std::move(parts));
  std::vector<std::string> failures;
  for (const auto& file : order.outputs)
    failures.push_back(write_output(file, problem, result.schedule, faults_in(facts), seed));
  const Report report{problem, result, common.devices, seed, 0, common.open_seconds};
  if (order.json)
    print_json(to_json(report));
  else
    print(to_text(report));
  return status_with_files(status_of(result), failures, "merge");
}

}  // namespace clopt::apps::exchange
