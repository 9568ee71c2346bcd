#include "state.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <exchange/schedule/schedule.hpp>
#include <exchange/schedule/schedule_arrays.hpp>
#include <run/record_fields.hpp>

namespace clopt::exchange {
namespace {

std::string named_hash(const std::string& name, const std::vector<std::uint32_t>& words) {
  return fmt::format("{} ({:016x})", name, hash_of(words));
}

// Each schedule has arrays of its own.
constexpr std::string_view of_best;
constexpr std::string_view of_early = "early/";
constexpr std::string_view of_search = "search/";

// Paths follow each other; each ends where its transfer does, which it passes nowhere else.
void add_schedule(Record& record, const Schedule& schedule, std::string_view prefix) {
  auto flat = flat_of(schedule);
  record.add(fmt::format("{}steps", prefix), schedule.steps);
  record.add(fmt::format("{}slots", prefix), std::move(flat.slots));
  record.add(fmt::format("{}paths", prefix), std::move(flat.nodes));
}

Schedule read_schedule(const Problem& problem, const Checkpoint& checkpoint, std::string_view prefix) {
  Schedule schedule{checkpoint.number<std::uint32_t>(fmt::format("{}steps", prefix)), {}};
  const auto slots = checkpoint.array<std::uint32_t>(fmt::format("{}slots", prefix));
  const auto nodes = checkpoint.array<std::uint32_t>(fmt::format("{}paths", prefix));
  if (slots.empty() && nodes.empty()) return schedule;
  if (slots.size() != problem.transfers.size()) checkpoint.refuse("it has slots of another number of transfers");
  std::size_t at = 0;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    Placement placement{slots[i], {}};
    while (at < nodes.size() && (placement.path.empty() || placement.path.back() != problem.transfers[i].to))
      placement.path.push_back(nodes[at++]);
    schedule.placements.push_back(std::move(placement));
  }
  auto claimed = claim(problem, schedule);
  // Conflicts are allowed, so each transfer is checked in a slot of its own.
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (slots[i] >= schedule.steps) checkpoint.refuse("it has a slot beyond its steps");
    claimed.transfers[i].slot = static_cast<std::int64_t>(i);
  }
  claimed.steps = static_cast<std::int64_t>(slots.size());
  if (const auto fault = check(problem, claimed); !fault.empty()) checkpoint.refuse(fault);
  return schedule;
}

void leave_out_breeding(RunIdentity& identity) {
  for (const char* name : {"tournament", "mutations", "tries", "symmetries"}) identity.leave_out(name);
}

}  // namespace

RunIdentity identity_of(const Problem& problem, const Options& options, Optimizer optimizer,
                        std::optional<std::uint32_t> steps) {
  std::vector<std::uint32_t> links{problem.topology.nodes};
  for (const auto& link : problem.topology.links) links.insert(links.end(), {link.from, link.to});
  std::vector<std::uint32_t> transfers;
  for (const auto& transfer : problem.transfers) transfers.insert(transfers.end(), {transfer.from, transfer.to});
  RunIdentity identity("exchange");
  identity.add("topology", named_hash(problem.topology.name, links));
  identity.add("pattern", named_hash(problem.pattern, transfers));
  auto searched = options;
  searched.optimizer = name_of(optimizer);
  searched.steps = steps;
  add_fields(identity, searched);
  // Version 0.1 has no entry for a single one.
  if (options.islands == 1) identity.leave_out("islands");
  // Nor has an earlier one for genes of their own.
  if (options.symmetries == 1) identity.leave_out("symmetries");
  if (optimizer != Optimizer::umda) leave_out_breeding(identity);
  if (options.range)
    identity.add("range", std::string_view(fmt::format("{} from {} on", options.range->count, options.range->first)));
  return identity;
}

template <class Archive>
void fields(Archive& archive, State& state) {
  archive("round", state.round)("search_steps", state.search_steps);
  archive("generations", state.generations)("evaluations", state.evaluations);
}

void write_state(const RunIdentity& identity, const State& state, CheckpointWriter& writer) {
  Record record(identity);
  add_schedule(record, state.best, of_best);
  if (!state.early.placements.empty()) add_schedule(record, state.early, of_early);
  RecordWriter{record}("state", state);
  std::string names;
  for (const auto& [name, values] : state.search.fields()) names += name + '\n';
  record.add_part(of_search, state.search);
  record.add("search", std::vector<std::uint8_t>(names.begin(), names.end()));
  writer.write(record);
}

State read_state(const Problem& problem, const RunIdentity& identity, const Checkpoint& checkpoint) {
  const auto& entries = checkpoint.record().identity().entries();
  auto asked = identity;
  // Before they were options, only the version of umda's sampling said how it breeds, which its state has.
  if (std::none_of(entries.begin(), entries.end(), [](const auto& entry) { return entry.name == "tournament"; }))
    leave_out_breeding(asked);
  checkpoint.require(asked);
  State state;
  state.best = read_schedule(problem, checkpoint, of_best);
  if (checkpoint.has(fmt::format("{}steps", of_early))) state.early = read_schedule(problem, checkpoint, of_early);
  read_checkpoint(checkpoint, state);
  state.search = checkpoint.record().part(of_search);
  return state;
}

}  // namespace clopt::exchange
