/// \file
/// The result of islands that were divided into slices.
#include <frame/options/shard_options.hpp>
#include "report.hpp"
#include "solver.hpp"

namespace clopt::apps::genetic {

std::unique_ptr<RunReport> merge(const MergeOrder& order) {
  order.require_one_output("the last population goes to one file");
  const auto facts = facts_of(order.facts);
  auto parts = results_of(order.slices, [&](const Record& record, std::uint64_t islands) {
    return clopt::genetic::unpack(record, islands, facts.genes);
  });
  return std::make_unique<Report>(facts, clopt::genetic::merge(std::move(parts), !order.outputs.empty()));
}

}  // namespace clopt::apps::genetic
