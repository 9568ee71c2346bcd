/// \file
/// The answer of meet in the middle that was divided into slices.
#include <clopt/error.hpp>

#include <frame/options/shard_options.hpp>
#include "report.hpp"
#include "solver.hpp"

namespace clopt::apps::subset_sum {

std::unique_ptr<RunReport> merge(const MergeOrder& order) {
  order.require_one_output("the chosen numbers go to one file");
  const auto& facts = order.facts;
  const clopt::subset_sum::Amounts amounts{facts.at("numbers").get<std::vector<std::int64_t>>(),
                                           facts.at("capacity").get<std::int64_t>(),
                                           facts.at("decimals").get<unsigned>()};
  if (amounts.decimals > 18) throw InvalidInput("the slices have numbers of too many decimals; clopt writes no such");
  auto parts = results_of(
      order.slices, [&](const Record& record, std::uint64_t) { return clopt::subset_sum::unpack(record, amounts); });
  return std::make_unique<Report>(Question(amounts), clopt::subset_sum::merge(std::move(parts)),
                                  facts.at("exactly").get<bool>(), facts.at("seed").get<std::uint64_t>());
}

}  // namespace clopt::apps::subset_sum
