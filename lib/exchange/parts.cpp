/// \file
/// Some of a run's searches, and results of such runs as that of all searches.
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "choice.hpp"
#include "run_state.hpp"

namespace clopt::exchange {
namespace {

// Schedules as arrays: the slots, the number of nodes of each path, and the nodes.
struct FlatSchedule {
  std::vector<std::uint32_t> slots;
  std::vector<std::uint32_t> lengths;
  std::vector<std::uint32_t> nodes;
};

template <class Archive, class Any>
void visit_members(Archive& archive, Any& result) {
  visit_run_result(archive, result);
  archive("steps", result.schedule.steps);
  archive("bound", result.bound.steps);
  archive("weights", result.bound.weights);
  archive("routing_load", result.bound.routing_load);
  archive("source", result.bound.source);
  archive("conflicts", result.conflicts);
  archive("generations", result.generations);
  archive("evaluations", result.evaluations);
  archive("evaluations_done", result.evaluations_done);
  archive("bound_seconds", result.bound_seconds);
  archive("search", result.search);
  archive("search_conflicts", result.search_conflicts);
}

template <class Archive, class Any>
void visit_flat(Archive& archive, Any& flat) {
  archive("slots", flat.slots);
  archive("lengths", flat.lengths);
  archive("nodes", flat.nodes);
}

void require_packed(bool holds) {
  if (!holds) throw InvalidInput("its result is no schedule of its network; it was not written by clopt");
}

bool has_found(const Result& result) { return result.search_conflicts == 0; }

// Whether a part's schedule is that of the whole run, rather than that of a part before it.
bool is_before(const Result& part, const Result& earlier) {
  if (has_found(part) != has_found(earlier)) return has_found(part);
  return has_found(part) ? part.generations < earlier.generations : part.search_conflicts < earlier.search_conflicts;
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
  const auto choice = choose(options);
  check_divisible(options, choice.optimizer);
  auto whole = options;
  whole.range.reset();
  auto identity = identity_of(problem, whole, choice.optimizer, options.steps);
  identity.add("steps are the bound", options.steps_are_bound).add("limit of generations", *options.generations);
  return identity;
}

Record pack(const Result& result) {
  Record record;
  RecordWriter writer(record);
  visit_members(writer, result);
  FlatSchedule flat;
  for (const auto& placement : result.schedule.placements) {
    flat.slots.push_back(placement.slot);
    flat.lengths.push_back(static_cast<std::uint32_t>(placement.path.size()));
    flat.nodes.insert(flat.nodes.end(), placement.path.begin(), placement.path.end());
  }
  visit_flat(writer, flat);
  return record;
}

Result unpack(const Record& record, const Problem& problem) {
  Result result;
  FlatSchedule flat;
  RecordReader reader(record);
  visit_members(reader, result);
  visit_flat(reader, flat);
  require_packed(flat.slots.size() == problem.transfers.size() && flat.lengths.size() == flat.slots.size() &&
                 result.bound.weights.size() == problem.topology.links.size() && result.bound.steps != 0 &&
                 result.ending <= Ending::interrupted);
  std::size_t at = 0;
  for (std::size_t i = 0; i < flat.slots.size(); ++i) {
    require_packed(flat.slots[i] < result.schedule.steps && flat.lengths[i] >= 1 &&
                   flat.lengths[i] <= flat.nodes.size() - at);
    const auto begin = flat.nodes.begin() + static_cast<std::ptrdiff_t>(at);
    result.schedule.placements.push_back({flat.slots[i], {begin, begin + flat.lengths[i]}});
    at += flat.lengths[i];
  }
  require_packed(at == flat.nodes.size() && (result.conflicts > 0 || result.schedule.steps >= result.bound.steps));
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
    if (is_before(parts[n], parts[chosen])) chosen = n;
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
  if (has_found(whole)) return whole;
  whole.generations = generations;
  whole.evaluations = evaluations;
  return whole;
}

}  // namespace clopt::exchange
