#include "run_state.hpp"

#include <fmt/format.h>

#include <exchange/schedule/schedule.hpp>

namespace clopt::exchange {
namespace {

std::string named_hash(const std::string& name, const std::vector<std::uint32_t>& words) {
  return fmt::format("{} ({:016x})", name, hash_of(words));
}

// Paths follow each other; each ends where its transfer does, which it passes nowhere else.
std::vector<std::uint32_t> flatten(const Schedule& schedule) {
  std::vector<std::uint32_t> nodes;
  for (const auto& placement : schedule.placements)
    nodes.insert(nodes.end(), placement.path.begin(), placement.path.end());
  return nodes;
}

// Each schedule has arrays of its own.
constexpr std::string_view of_best;
constexpr std::string_view of_early = "early/";

/// The arrays of a schedule. They outlive what is written of them.
struct CheckpointSchedule {
  explicit CheckpointSchedule(const Schedule& schedule) : steps(schedule.steps), paths(flatten(schedule)) {
    for (const auto& placement : schedule.placements) slots.push_back(placement.slot);
  }
  void add_to(CheckpointState& state, std::string_view prefix) const {
    state.add(fmt::format("{}steps", prefix), steps);
    state.add(fmt::format("{}slots", prefix), slots).add(fmt::format("{}paths", prefix), paths);
  }

  std::uint32_t steps;
  std::vector<std::uint32_t> slots;
  std::vector<std::uint32_t> paths;
};

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
  fields_of(searched).add_to(identity);
  // Version 0.1 has no entry for a single one.
  if (options.islands == 1) identity.leave_out("islands");
  if (options.range)
    identity.add("range", std::string_view(fmt::format("{} from {} on", options.range->count, options.range->first)));
  return identity;
}

void write_run_state(const RunIdentity& identity, const RunState& state, CheckpointWriter& writer) {
  const CheckpointSchedule best(state.best);
  const CheckpointSchedule early(state.early);
  CheckpointState arrays(identity);
  best.add_to(arrays, of_best);
  if (!early.slots.empty()) early.add_to(arrays, of_early);
  arrays.add("round", state.round).add("search_steps", state.search_steps);
  arrays.add("generations", state.generations).add("evaluations", state.evaluations);
  std::vector<std::uint8_t> names;
  for (const auto& [name, numbers] : state.search) {
    names.insert(names.end(), name.begin(), name.end());
    names.push_back('\n');
    arrays.add("search/" + name, numbers);
  }
  arrays.add("search", names);
  writer.write(arrays);
}

RunState read_run_state(const Problem& problem, const RunIdentity& identity, const Checkpoint& checkpoint) {
  checkpoint.require(identity);
  RunState state;
  state.best = read_schedule(problem, checkpoint, of_best);
  if (checkpoint.has(fmt::format("{}steps", of_early))) state.early = read_schedule(problem, checkpoint, of_early);
  state.round = checkpoint.number<std::uint32_t>("round");
  state.search_steps = checkpoint.number<std::uint32_t>("search_steps");
  state.generations = checkpoint.number<std::uint64_t>("generations");
  state.evaluations = checkpoint.number<std::uint64_t>("evaluations");
  std::string name;
  for (const auto letter : checkpoint.array<std::uint8_t>("search")) {
    if (letter != '\n') {
      name += static_cast<char>(letter);
      continue;
    }
    auto numbers = checkpoint.array<std::uint64_t>("search/" + name);
    state.search.emplace_back(std::move(name), std::move(numbers));
    name.clear();
  }
  return state;
}

}  // namespace clopt::exchange
