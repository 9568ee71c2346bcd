/// \file
/// The result of a run whose problems were divided into slices.
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <frame/options/run_options.hpp>
#include <frame/options/shard_options.hpp>
#include "output_table.hpp"
#include "report.hpp"
#include "solver.hpp"

namespace clopt::apps::differential_evolution {

int merge(const MergeOrder& order) {
  const auto common = merged_report(order.slices);
  const auto facts = facts_of(common.facts);
  if (order.outputs.size() > 1) throw InvalidInput("the table of all problems is one file; give one --output");
  std::vector<clopt::differential_evolution::Result> parts;
  for (const auto& slice : order.slices)
    if (const auto count = slice.range().count; count != 0)
      parts.push_back(clopt::differential_evolution::unpack(slice.result, count, facts.dimensions));
  const auto result = clopt::differential_evolution::merge(std::move(parts));
  if (result.values.size() != facts.problems)
    throw InvalidInput("the slices do not have the number of problems that they state");
  require_values(facts, result);
  std::vector<std::string> failures;
  if (!order.outputs.empty()) {
    OutputTable table(order.outputs.front(), facts.dimensions, !result.errors.empty(), !result.violations.empty());
    table.write(result);
    failures.push_back(table.failure());
  }
  const Report report{facts, result, common.devices, common.open_seconds};
  if (order.json)
    print_json(to_json(report));
  else
    print(to_text(report));
  return status_with_files(status_of(report), failures, "merge");
}

}  // namespace clopt::apps::differential_evolution
