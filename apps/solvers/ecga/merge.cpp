/// \file
/// The result of runs that were divided into slices.
#include <clopt/detail/files.hpp>
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <frame/options/run_options.hpp>
#include <frame/options/shard_options.hpp>
#include "report.hpp"
#include "solver.hpp"

namespace clopt::apps::ecga {

int merge(const MergeOrder& order) {
  const auto common = merged_report(order.slices);
  const auto facts = facts_of(common.facts);
  if (order.outputs.size() > 1) throw InvalidInput("the best individual goes to one file; give one --output");
  std::vector<clopt::ecga::Runs> parts;
  for (const auto& slice : order.slices)
    if (const auto count = slice.range().count; count != 0)
      parts.push_back(clopt::ecga::unpack(slice.result, count, facts.length));
  Report report{facts, {}, facts.seed, 0, {}, {}, common.devices, common.open_seconds, 0, false};
  take(report, clopt::ecga::merge(std::move(parts)));
  std::vector<std::string> failures;
  for (const auto& file : order.outputs)
    failures.push_back(write_file(file, all_genes(report.result.best_genes) + "\n"));
  if (order.json)
    print_json(to_json(report));
  else
    print(to_text(report));
  return status_with_files(status_of(report), failures, "merge");
}

}  // namespace clopt::apps::ecga
