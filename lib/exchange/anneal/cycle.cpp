#include "cycle.hpp"

#include <clopt/error.hpp>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace clopt::exchange {
namespace {

/// With several devices, an entrant's state is kept after this many launches; where its device is lost, another one
/// repeats the launches since then.
constexpr std::uint64_t launches_a_state = 32;
/// Seeds of a cycle: of a group in a stage, of which there are up to four.
constexpr std::uint64_t seeds_a_cycle = 256;
static_assert(seeds_a_cycle >= 4 * 2 * most_groups);

}  // namespace

Cycle::Cycle(SuccessiveHalving& halving, std::uint64_t number, std::optional<double> limit)
    : halving_(halving),
      task_(halving.task),
      number_(number),
      limit_(limit.value_or(std::numeric_limits<double>::infinity())),
      is_ahead_(!limit),
      stages_(halving.stages(number)) {
  std::vector<std::size_t> groups(halving.group_tables.size());
  std::iota(groups.begin(), groups.end(), std::size_t{0});
  enter(groups);
  end_stage_if_due();
}

Cycle::~Cycle() {
  for (auto& entrant : entrants_) close(entrant);
}

bool Cycle::limit_to(double limit) {
  if (limit < least_limit_) return false;
  limit_ = limit;
  is_ahead_ = false;
  if (stage_ == stages_.size()) return true;
  allowed_ = allowed_within(limit);
  if (launches() > allowed_) return false;
  if (!is_successful()) end_stage_if_due();
  return true;
}

void Cycle::enter(const std::vector<std::size_t>& groups) {
  const auto& stage = stages_[stage_];
  for (const auto group : groups) {
    const auto seed =
        task_.seed + 0x9e37'79b9'7f4a'7c15U * (number_ * seeds_a_cycle + stage_ * 2 * most_groups + group);
    entrants_.push_back({.group = group,
                         .trials = stage.trials,
                         .seed = seed,
                         .device = (number_ + entrants_.size()) % task_.devices.size()});
  }
  allowed_ = allowed_within(limit_);
}

// Reckoned from the stage's beginning, the launches that are allowed are the same on all devices, and in a run that
// continues within the stage.
std::uint64_t Cycle::allowed_within(double limit) const {
  const auto launches = stages_[stage_].launches;
  const double end = static_cast<double>(sweeps_) + sweeps_of_launches(launches);
  if (limit >= end) return launches;
  const double left = std::max(limit - static_cast<double>(sweeps_), 0.0);
  return static_cast<std::uint64_t>(static_cast<double>(launches) * left / sweeps_of_launches(launches));
}

// The first stage of all continues until some entrant is placed.
std::uint64_t Cycle::most_launches() const {
  auto most = stages_[stage_].launches;
  if (number_ > 0 || stage_ > 0) return most;
  for (const auto& tables : halving_.group_tables)
    most = std::max<std::uint64_t>(most, tables.shape.orbits / Replicas::moves_of(tables) + 1);
  return most;
}

double Cycle::sweeps_of_launches(std::uint64_t launches) const {
  double sweeps = 0;
  for (const auto& entrant : entrants_)
    sweeps += static_cast<double>(launches) * entrant.trials * Replicas::moves_of(tables_of(entrant)) /
              tables_of(entrant).shape.orbits;
  return sweeps;
}

void Cycle::start() {
  if (has_ended()) return;
  for (auto& entrant : entrants_) survive(entrant, [](Replicas& replicas) { replicas.start(); });
  is_running_ = true;
}

void Cycle::finish() {
  if (!std::exchange(is_running_, false)) return;
  for (auto& entrant : entrants_) {
    survive(entrant, [&](Replicas& replicas) {
      // A device that was lost in the meantime took the launch with it.
      if (!replicas.finish()) replicas.advance();
      if (halving_.is_lost.size() > 1 && entrant.launches % launches_a_state == launches_a_state - 1)
        entrant.kept = replicas.state();
      entrant.moves = replicas.moves();
      entrant.energy = replicas.energy();
      entrant.mean_energy = mean_energy_of(replicas.energies());
    });
    ++entrant.launches;
  }
  for (auto& entrant : entrants_)
    if (!is_successful()) keep_best(entrant);
  conflicts_.clear();
  for (const auto& entrant : entrants_)
    if (entrant.is_placed(tables_of(entrant)))
      conflicts_.push_back(static_cast<double>(entrant.conflicts(tables_of(entrant))));
  if (!is_successful()) end_stage_if_due();
}

// The groups continue whose replicas are nearest to none: by conflicts in the mean, and by orbits in conflict, of which
// there are the fewer to be resolved the more transfers one move takes; by the geometric mean of both.
void Cycle::end_stage_if_due() {
  const bool is_first = number_ == 0 && stage_ == 0;
  const bool has_schedule =
      !is_first || std::any_of(entrants_.begin(), entrants_.end(),
                               [this](const Entrant& entrant) { return entrant.is_placed(tables_of(entrant)); });
  if (launches() < allowed_ || !has_schedule) return;
  if (allowed_ < stages_[stage_].launches) {
    is_limited_ = true;
    return;
  }
  const auto conflicts = [this](const Entrant& entrant) {
    const auto& tables = tables_of(entrant);
    const auto energy = static_cast<double>(entrant.mean_energy);
    return std::pair(!entrant.is_placed(tables), energy * energy * tables.shape.order);
  };
  std::stable_sort(entrants_.begin(), entrants_.end(),
                   [&](const Entrant& a, const Entrant& b) { return conflicts(a) < conflicts(b); });
  // As allowed_within() reckons.
  least_limit_ = std::max(least_limit_, static_cast<double>(sweeps_) + sweeps_of_launches(stages_[stage_].launches));
  sweeps_ = sweeps();
  evaluations_ = evaluations();
  std::vector<std::size_t> groups;
  for (auto& entrant : entrants_) {
    close(entrant);
    groups.push_back(entrant.group);
  }
  entrants_.clear();
  if (++stage_ == stages_.size()) return;
  groups.resize(stages_[stage_].groups);
  enter(groups);
  end_stage_if_due();
}

std::uint64_t Cycle::sweeps() const {
  std::uint64_t sweeps = sweeps_;
  for (const auto& entrant : entrants_) sweeps += entrant.sweeps(tables_of(entrant));
  return sweeps;
}

std::uint64_t Cycle::evaluations() const {
  std::uint64_t moves = evaluations_;
  for (const auto& entrant : entrants_) moves += entrant.moves * entrant.trials * task_.options.replicas;
  return moves;
}

// Its replicas, on a device that is not lost, where they were at the end of its last launch.
Replicas& Cycle::open(Entrant& entrant) {
  auto& is_lost = halving_.is_lost;
  if (is_lost[entrant.device]) close(entrant);
  if (!entrant.replicas) {
    while (is_lost[entrant.device]) entrant.device = (entrant.device + 1) % is_lost.size();
    const auto rule = task_.parsed.optimizer == Optimizer::tabu ? Rule::tabu : Rule::heat_bath;
    entrant.replicas = std::make_unique<Replicas>(*task_.devices[entrant.device], tables_of(entrant),
                                                  entrant.trials * task_.options.replicas, entrant.seed, rule);
    if (entrant.kept) entrant.replicas->restore(*entrant.kept);
    while (entrant.replicas->moves() < entrant.moves) entrant.replicas->advance();
  }
  return *entrant.replicas;
}

void Cycle::close(Entrant& entrant) {
  if (entrant.replicas) halving_.launches += entrant.replicas->launches();
  entrant.replicas.reset();
}

// Does something with an entrant's replicas, on another device where theirs is lost. \throws DeviceError of the last
// device where all are lost.
void Cycle::survive(Entrant& entrant, const std::function<void(Replicas&)>& action) {
  auto& is_lost = halving_.is_lost;
  for (;;) {
    try {
      return action(open(entrant));
    } catch (const DeviceError& error) {
      // Without those ahead, the cycles before them may find room.
      if (is_ahead_ && dynamic_cast<const OutOfMemory*>(&error) != nullptr) throw;
      is_lost[entrant.device] = true;
      if (std::find(is_lost.begin(), is_lost.end(), false) == is_lost.end()) throw;
      halving_.failures.push_back(describe_failure(*task_.devices[entrant.device], error));
    }
  }
}

void Cycle::keep_best(Entrant& entrant) {
  const auto& tables = tables_of(entrant);
  if (!entrant.is_placed(tables)) return;
  const auto is_worse = [&] { return best_.has_schedule() && entrant.conflicts(tables) >= best_.conflicts; };
  if (is_worse()) return;
  Placing better;
  survive(entrant, [&](Replicas& replicas) {
    // Another device in the place of a lost one may find other conflicts.
    entrant.energy = replicas.energy();
    better = {};
    if (is_worse()) return;
    better = replicas.best_placing();
    require_sound(*task_.devices[entrant.device], tables, task_.problem, task_.network, better, entrant.energy);
  });
  if (!better.slots.empty()) best_ = {std::move(better), entrant.conflicts(tables), entrant.group};
}

}  // namespace clopt::exchange
