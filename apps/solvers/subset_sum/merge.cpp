/// \file
/// The answer of meet in the middle that was divided into slices.
#include <clopt/error.hpp>

#include <frame/options/shard_options.hpp>
#include "report.hpp"
#include "solver.hpp"

namespace clopt::apps::subset_sum {

int merge(const MergeOrder& order) {
  const auto common = merged_report(order.slices);
  const auto& facts = common.facts;
  if (order.outputs.size() > 1) throw InvalidInput("the chosen numbers go to one file; give one --output");
  const clopt::subset_sum::Amounts amounts{facts.at("numbers").get<std::vector<std::int64_t>>(),
                                           facts.at("capacity").get<std::int64_t>(),
                                           facts.at("decimals").get<unsigned>()};
  if (amounts.decimals > 18) throw InvalidInput("the slices have numbers of too many decimals; clopt writes no such");
  std::vector<clopt::subset_sum::AmountsResult> parts;
  for (const auto& slice : order.slices)
    if (slice.range().count != 0) parts.push_back(clopt::subset_sum::unpack(slice.result, amounts));
  const auto answer = clopt::subset_sum::merge(std::move(parts));
  const Question question(amounts);
  const Report report{question,
                      answer,
                      common.devices,
                      facts.at("exactly").get<bool>(),
                      facts.at("seed").get<std::uint64_t>(),
                      0,
                      common.open_seconds};
  return tell(report, order.json, order.outputs.empty() ? std::nullopt : std::optional(order.outputs.front()), "merge");
}

}  // namespace clopt::apps::subset_sum
