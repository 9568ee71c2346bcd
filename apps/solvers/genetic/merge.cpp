/// \file
/// The result of islands that were divided into slices.
#include <clopt/detail/files.hpp>
#include <clopt/error.hpp>

#include <frame/options/run_options.hpp>
#include <frame/options/shard_options.hpp>
#include "report.hpp"
#include "solver.hpp"

namespace clopt::apps::genetic {

int merge(const MergeOrder& order) {
  const auto common = merged_report(order.slices);
  const auto facts = facts_of(common.facts);
  if (order.outputs.size() > 1) throw InvalidInput("the last population goes to one file; give one --output");
  std::vector<clopt::genetic::Result> parts;
  for (const auto& slice : order.slices)
    if (const auto count = slice.range().count; count != 0)
      parts.push_back(clopt::genetic::unpack(slice.result, count, facts.genes));
  const auto result = clopt::genetic::merge(std::move(parts), !order.outputs.empty());
  std::vector<std::string> failures;
  for (const auto& file : order.outputs) failures.push_back(write_file(file, table_of_population(facts, result)));
  const Report report{facts, result, common.devices, common.open_seconds};
  if (order.json)
    print_json(to_json(report));
  else
    print(to_text(report));
  return status_with_files(status_of(report), failures, "merge");
}

}  // namespace clopt::apps::genetic
