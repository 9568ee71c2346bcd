#include "run_state.hpp"

#include <exchange/schedule/schedule.hpp>

namespace clopt::exchange {
namespace {

// What a checkpoint must agree with: a schedule of another problem could have the same sizes.
std::uint64_t fingerprint(const Problem& problem) {
  std::vector<std::uint32_t> words{problem.topology.nodes};
  for (const auto& link : problem.topology.links) words.insert(words.end(), {link.from, link.to});
  for (const auto& transfer : problem.transfers) words.insert(words.end(), {transfer.from, transfer.to});
  return hash_of(words);
}

// Paths follow each other; each ends where its transfer does, which it passes nowhere else.
std::vector<std::uint32_t> flatten(const Schedule& schedule) {
  std::vector<std::uint32_t> nodes;
  for (const auto& placement : schedule.placements)
    nodes.insert(nodes.end(), placement.path.begin(), placement.path.end());
  return nodes;
}

Schedule read_schedule(const Problem& problem, const Checkpoint& checkpoint) {
  Schedule schedule{checkpoint.number<std::uint32_t>("steps"), {}};
  const auto slots = checkpoint.array<std::uint32_t>("slots");
  const auto nodes = checkpoint.array<std::uint32_t>("paths");
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

void write_run_state(const Problem& problem, const RunState& state, CheckpointWriter& writer) {
  std::vector<std::uint32_t> slots;
  for (const auto& placement : state.best.placements) slots.push_back(placement.slot);
  const auto paths = flatten(state.best);
  CheckpointState arrays;
  arrays.add("problem", fingerprint(problem)).add("steps", state.best.steps).add("round", state.round);
  arrays.add("generations", state.generations).add("evaluations", state.evaluations);
  arrays.add("slots", slots).add("paths", paths);
  std::vector<std::uint8_t> names;
  for (const auto& [name, numbers] : state.search) {
    names.insert(names.end(), name.begin(), name.end());
    names.push_back('\n');
    arrays.add("search/" + name, numbers);
  }
  arrays.add("search", names);
  writer.write(arrays);
}

RunState read_run_state(const Problem& problem, const Checkpoint& checkpoint) {
  if (checkpoint.number<std::uint64_t>("problem") != fingerprint(problem))
    checkpoint.refuse("it is of another topology or pattern");
  RunState state;
  state.best = read_schedule(problem, checkpoint);
  state.round = checkpoint.number<std::uint32_t>("round");
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
