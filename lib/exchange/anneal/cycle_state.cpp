// A cycle in a checkpoint, and how one is looked at before it is continued.
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>

#include "cycle.hpp"

namespace clopt::exchange {
namespace {

/// More than any run makes; of a replica.
constexpr std::uint64_t most_moves = std::uint64_t{1} << 62;

/// Values of an array of a state, none above a limit, but for what stands for an orbit that is nowhere.
template <class Values>
void fill_from(const Record& state, const std::string& name, Values& values, std::uint64_t most,
               std::uint64_t nowhere = 0) {
  const auto from = array_of(state, name, values.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (from[k] > most && from[k] != nowhere)
      throw InvalidInput(fmt::format("exchange: the checkpoint's array '{}' holds {}", name, from[k]));
    values[k] = static_cast<typename Values::value_type>(from[k]);
  }
}

void require_placement(const std::string& name, const SearchTask& task, const OrbitTables& tables, std::size_t orbit,
                       std::uint32_t slot, std::span<const std::uint16_t> path) {
  if (!is_placement(tables, task.network, orbit, slot, path))
    throw InvalidInput(
        fmt::format("exchange: the checkpoint's array '{}' holds no path of transfer {}, or a slot "
                    "that it may not have",
                    name, orbit));
}

}  // namespace

void Cycle::save(Record& state) {
  std::vector<std::uint64_t> place{stage_, sweeps_, evaluations_};
  for (const auto& entrant : entrants_) place.insert(place.end(), {entrant.group, entrant.launches});
  state.add("stage", std::move(place));
  for (std::size_t i = 0; i < entrants_.size(); ++i) {
    if (entrants_[i].launches == 0) continue;
    ReplicaState own;
    survive(entrants_[i], [&](Replicas& replicas) { own = replicas.state(); });
    const auto add = [&](const char* name, const auto& values) {
      state.add(fmt::format("{}-{}", name, i), std::vector<std::uint64_t>(values.begin(), values.end()));
    };
    add("moves", std::vector<std::uint64_t>{own.moves});
    add("slots", own.slots);
    add("paths", own.paths);
    add("stamps", own.stamps);
    add("conflicts", own.energies);
    add("temperatures", own.temperatures);
  }
}

void Cycle::resume(const Record& state) {
  const auto place = array_of(state, "stage", std::nullopt);
  if (place.size() < 3 || place[0] >= stages_.size() || place.size() != 3 + 2 * stages_[place[0]].groups)
    throw InvalidInput("exchange: the checkpoint is of another search: its array 'stage' has another size");
  for (std::size_t i = 3; i < place.size(); i += 2) {
    if (place[i] >= halving_.group_tables.size())
      throw InvalidInput("exchange: the checkpoint is of another search: no such group");
    for (std::size_t k = 3; k < i; k += 2)
      if (place[k] == place[i])
        throw InvalidInput(fmt::format("exchange: the checkpoint has the group {} twice", place[i]));
    if (place[i + 1] != place[4])
      throw InvalidInput(
          fmt::format("exchange: the checkpoint's entrant {} has {} launches", (i - 3) / 2, place[i + 1]));
  }
  stage_ = static_cast<std::size_t>(place[0]);
  sweeps_ = place[1];
  evaluations_ = place[2];
  std::vector<std::size_t> groups;
  for (std::size_t i = 3; i < place.size(); i += 2) groups.push_back(static_cast<std::size_t>(place[i]));
  entrants_.clear();
  enter(groups);
  if (place[4] > most_launches())
    throw InvalidInput(
        fmt::format("exchange: the checkpoint's entrants have {} launches of {}", place[4], most_launches()));
  for (std::size_t i = 0; i < entrants_.size(); ++i) {
    entrants_[i].launches = place[4];
    if (place[4] != 0) restore(state, entrants_[i], i);
  }
  is_limited_ = false;
  end_stage_if_due();
}

void Cycle::restore(const Record& state, Entrant& entrant, std::size_t i) {
  const auto& shape = tables_of(entrant).shape;
  ReplicaState own;
  survive(entrant, [&](Replicas& replicas) { own = replicas.state(); });
  const auto read = [&](const char* name, auto& values, std::uint64_t most, std::uint64_t nowhere = 0) {
    fill_from(state, fmt::format("{}-{}", name, i), values, most, nowhere);
  };
  own.moves = array_of(state, fmt::format("moves-{}", i), 1)[0];
  read("slots", own.slots, task_.steps - 1, EXCHANGE_NOWHERE);
  read("paths", own.paths, shape.links - 1);
  read("stamps", own.stamps, ~0U);
  read("conflicts", own.energies, ~0U);
  read("temperatures", own.temperatures, Replicas::rungs - 1);
  require_placing(entrant, i, own);
  entrant.moves = own.moves;
  entrant.energy = *std::min_element(own.energies.begin(), own.energies.end());
  entrant.mean_energy = mean_energy_of(own.energies);
  entrant.kept = std::move(own);
  survive(entrant, [&](Replicas& replicas) { replicas.restore(*entrant.kept); });
}

// The first moves place the orbits, in an order of the seed's, which each replica begins elsewhere (draw_orbit() of
// the kernels): these are placed, and no other.
void Cycle::require_placing(const Entrant& entrant, std::size_t i, const ReplicaState& own) const {
  const auto& tables = tables_of(entrant);
  const auto order = Replicas::placing_order(tables, entrant.seed);
  const std::size_t orbits = order.size();
  const std::size_t hops = tables.shape.most_hops;
  if (own.moves > most_moves)
    throw InvalidInput(fmt::format("exchange: the checkpoint's entrant {} has made {} moves", i, own.moves));
  const auto name = fmt::format("paths-{}", i);
  for (std::size_t first = 0; first < own.slots.size(); first += orbits) {
    for (std::size_t move = 0; move < orbits; ++move) {
      const std::size_t orbit = order[(move + first / orbits * 7919) % orbits];
      const auto place = first + orbit;
      if (move < own.moves)
        require_placement(name, task_, tables, orbit, own.slots[place],
                          std::span(own.paths).subspan(place * hops, hops));
      else if (own.slots[place] != EXCHANGE_NOWHERE)
        throw InvalidInput(
            fmt::format("exchange: the checkpoint's array 'slots-{}' is of {} moves, and has others", i, own.moves));
    }
    // No conflicts end the search, and the host counts them.
    if (own.moves < orbits || own.energies[first / orbits] != 0) continue;
    const auto schedule =
        expand(tables, task_.network, task_.problem.transfers, std::span(own.slots).subspan(first, orbits),
               std::span(own.paths).subspan(first * hops, orbits * hops));
    if (const auto conflicts = count_conflicts(task_.problem, schedule); conflicts != 0)
      throw InvalidInput(
          fmt::format("exchange: the checkpoint's array 'conflicts-{}' has a schedule with none, and its "
                      "'slots-{}' have {}",
                      i, i, conflicts));
  }
}

void BestPlacing::save(Record& state) const {
  state.add("best", std::vector<std::uint64_t>{group, conflicts});
  state.add("best-slots", std::vector<std::uint64_t>(placing.slots.begin(), placing.slots.end()));
  state.add("best-paths", std::vector<std::uint64_t>(placing.paths.begin(), placing.paths.end()));
}

void BestPlacing::resume(const Record& state, const SuccessiveHalving& halving) {
  const auto best = array_of(state, "best", 2);
  if (best[0] >= halving.group_tables.size())
    throw InvalidInput("exchange: the checkpoint is of another search: no such group");
  if (array_of(state, "best-slots", std::nullopt).empty()) return;
  group = static_cast<std::size_t>(best[0]);
  conflicts = best[1];
  const auto& tables = halving.group_tables[group];
  const auto& shape = tables.shape;
  placing.slots.resize(shape.orbits);
  placing.paths.resize(std::size_t{shape.orbits} * shape.most_hops);
  fill_from(state, "best-slots", placing.slots, halving.task.steps - 1, 0);
  fill_from(state, "best-paths", placing.paths, shape.links - 1, 0);
  for (std::size_t orbit = 0; orbit < shape.orbits; ++orbit)
    require_placement("best-paths", halving.task, tables, orbit, placing.slots[orbit],
                      std::span(placing.paths).subspan(orbit * shape.most_hops, shape.most_hops));
}

}  // namespace clopt::exchange
