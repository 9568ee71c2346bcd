/// \file
/// The result of runs that were divided into slices.
#include <frame/options/field_options.hpp>
#include <frame/options/shard_options.hpp>
#include "report.hpp"
#include "solver.hpp"

namespace clopt::apps::ecga {

std::unique_ptr<RunReport> merge(const MergeOrder& order) {
  order.require_one_output("the best individual goes to one file");
  Facts facts;
  read_values(fields(facts), order.facts);
  facts.is_one_run = false;
  auto parts = results_of(order.slices, [&](const Record& record, std::uint64_t runs) {
    return clopt::ecga::unpack(record, runs, facts.length);
  });
  auto report = std::make_unique<Report>(facts);
  report->take(clopt::ecga::merge(std::move(parts)));
  return report;
}

}  // namespace clopt::apps::ecga
