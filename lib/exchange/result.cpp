/// \file
/// Some of a run's searches, and results of such runs as that of all searches.
#include <clopt/error.hpp>
#include <run/record_fields.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include <exchange/run/state.hpp>
#include <exchange/schedule/schedule_arrays.hpp>
#include "options.hpp"
#include "search.hpp"

namespace clopt::exchange {

template <class Archive>
void fields(Archive& archive, Result& result) {
  archive("run", static_cast<RunResult&>(result))("steps", result.schedule.steps)("bound", result.bound.steps);
  archive("weights", result.bound.weights)("routing_load", result.bound.routing_load)("source", result.bound.source);
  archive("conflicts", result.conflicts)("generations", result.generations)("evaluations", result.evaluations);
  archive("evaluations_done", result.evaluations_done)("bound_seconds", result.bound_seconds);
  archive("search", result.search)("search_conflicts", result.search_conflicts);
  placement_fields(archive, result.schedule);
}

namespace {

void require_packed(bool holds) {
  if (!holds) throw InvalidInput("its result is not a schedule of its network; it was not written by clopt");
}

}  // namespace

void check_divisible(const Options& options, Optimizer optimizer) {
  if (optimizer == Optimizer::umda || optimizer == Optimizer::pack || optimizer == Optimizer::construct)
    throw InvalidInput(
        fmt::format("the `optimizer` {} makes one search, which cannot be divided; choose anneal or tabu "
                    "with several `searches`",
                    name_of(optimizer)));
  if (options.searches < 2) throw InvalidInput("a single search cannot be divided; give several `searches`");
  if (!options.steps && !options.steps_are_bound)
    throw InvalidInput(
        "a run that looks for as few steps as can be found cannot be divided, since every attempt follows from the one "
        "before; give the number of `steps`, or bound");
  if (!options.generations)
    throw InvalidInput(
        "a search does not learn that one of another slice has found a schedule, and would not end; give a limit of "
        "`generations`");
  if (options.range) check_range(*options.range, options.searches, "searches");
}

RunIdentity identity(const Problem& problem, const Options& options) {
  const auto parsed = parse_options(options);
  check_divisible(options, parsed.optimizer);
  auto whole = options;
  whole.range.reset();
  auto identity = identity_of(problem, whole, parsed.optimizer, options.steps);
  identity.add("steps are the bound", options.steps_are_bound).add("limit of generations", *options.generations);
  return identity;
}

Record pack(const Result& result) { return record_of(result); }

Result unpack(const Record& record, const Problem& problem) {
  Result result;
  read_record(record, result);
  require_packed(result.schedule.placements.size() == problem.transfers.size() &&
                 result.bound.weights.size() == problem.topology.links.size() && result.bound.steps != 0 &&
                 result.ending <= Ending::interrupted &&
                 (result.conflicts > 0 || result.schedule.steps >= result.bound.steps));
  if (result.conflicts == 0)
    if (const auto fault = check(problem, claim(problem, result.schedule)); !fault.empty())
      throw InvalidInput(fmt::format("its schedule is wrong: {}; it was not written by clopt", fault));
  return result;
}

Result merge(std::vector<Result> parts) {
  if (parts.empty()) throw InvalidInput("there are no `parts` of a result; give one at least");
  std::size_t chosen = 0;
  std::uint64_t generations = 0;
  std::uint64_t evaluations = 0;
  for (std::size_t n = 0; n < parts.size(); ++n) {
    if (is_taken_before(parts[n].search_conflicts, parts[n].generations, parts[chosen].search_conflicts,
                        parts[chosen].generations))
      chosen = n;
    generations = std::max(generations, parts[n].generations);
    evaluations += parts[n].evaluations;
  }
  auto whole = std::move(parts[chosen]);
  for (std::size_t n = 0; n < parts.size(); ++n) {
    if (n == chosen) continue;
    add_run_result(whole, parts[n]);
    whole.evaluations_done += parts[n].evaluations_done;
    whole.bound_seconds += parts[n].bound_seconds;
  }
  if (whole.search_conflicts == 0) return whole;
  whole.generations = generations;
  whole.evaluations = evaluations;
  return whole;
}

}  // namespace clopt::exchange
