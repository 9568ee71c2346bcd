/// \file
/// The result of a run whose problems were divided into slices.
#include <clopt/error.hpp>

#include <frame/options/field_options.hpp>
#include <frame/options/shard_options.hpp>
#include "report.hpp"
#include "solver.hpp"

namespace clopt::apps::differential_evolution {

std::unique_ptr<RunReport> merge(const MergeOrder& order) {
  order.require_one_output("the table of all problems is one file");
  Facts facts;
  read_values(fields(facts), order.facts);
  auto parts = results_of(order.slices, [&](const Record& record, std::uint64_t problems) {
    return clopt::differential_evolution::unpack(record, problems, facts.dimensions);
  });
  auto result = clopt::differential_evolution::merge(std::move(parts));
  if (result.values.size() != facts.problems)
    throw InvalidInput("the slices do not have the number of problems that they state");
  return std::make_unique<Report>(facts, std::move(result));
}

}  // namespace clopt::apps::differential_evolution
