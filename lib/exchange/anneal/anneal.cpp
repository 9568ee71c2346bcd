// The search by annealing: several groups of symmetries compete, and the least conflicting ones get the time.
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include <exchange/packing/greedy.hpp>
#include <exchange/search.hpp>
#include "replicas.hpp"

namespace clopt::exchange {
namespace {

/// Plans that compete at first; each stage keeps the better part of them.
constexpr std::size_t most_entrants = 16;
/// Launches of each entrant in the first stage of the first cycle. A stage has as many launches as the one before, for
/// fewer entrants; a cycle twice as many as the one before, with new seeds.
constexpr std::uint64_t first_launches = 4;
/// Links on shortest paths, of all orbits of all plans.
constexpr std::uint64_t most_edges = std::uint64_t{1} << 24;

/// More than any run makes; of a replica.
constexpr std::uint64_t most_moves = std::uint64_t{1} << 62;

/// With several devices, an entrant's state is kept after so many launches; where its device is lost, another one makes
/// the launches since then again.
constexpr std::uint64_t launches_a_state = 32;

/// One plan in the competition.
struct Entrant {
  std::size_t group = 0;  ///< its number among the groups
  std::uint64_t seed = 0;
  std::uint64_t launches = 0;
  // At the end of the last launch:
  std::uint64_t moves = 0;   ///< of each replica
  std::uint32_t energy = 0;  ///< of the best replica, over the group's order
  std::size_t device = 0;    ///< where its replicas are
  std::unique_ptr<Replicas> replicas = nullptr;
  std::optional<ReplicaState> kept = std::nullopt;  ///< of an earlier launch or the last

  bool is_placed(const SearchPlan& plan) const { return moves >= plan.shape.orbits; }
  std::uint64_t conflicts(const SearchPlan& plan) const { return std::uint64_t{energy} * plan.shape.order; }
};

/// The groups in the order in which they compete: large ones first, of each order one before the second of any.
std::vector<SymmetryGroup> order_groups(std::vector<SymmetryGroup> groups) {
  std::map<std::uint32_t, std::size_t> rank;
  std::vector<std::pair<std::size_t, std::size_t>> places;
  for (std::size_t i = 0; i < groups.size(); ++i) places.emplace_back(rank[groups[i].order()]++, i);
  std::stable_sort(places.begin(), places.end(), [&](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : groups[a.second].order() > groups[b.second].order();
  });
  std::vector<SymmetryGroup> ordered;
  ordered.reserve(places.size());
  for (const auto& [unused, i] : places) ordered.push_back(std::move(groups[i]));
  return ordered;
}

std::string describe(const SearchPlan& plan, Optimizer optimizer) {
  const char* const search = optimizer == Optimizer::tabu ? "tabu search" : "annealing";
  if (plan.shape.order == 1) return fmt::format("{} without symmetry", search);
  return fmt::format("{} with a group of {} symmetries{}", search, plan.shape.order,
                     plan.group.reverses() ? ", some of which reverse paths" : "");
}

class Competition {
 public:
  explicit Competition(const SearchTask& task) : task_(task), is_lost_(task.devices.size()) {
    auto groups = order_groups(find_groups(task.network, task.problem.transfers, task.steps, task.seed));
    std::uint64_t edges = 0;
    for (auto& group : groups) {
      if (!plans_.empty() && (plans_.size() == most_entrants || task.watch.expired())) break;
      // Plans of few symmetries are large: all of them together stay within a bound.
      if (!plans_.empty() && edges + plans_[0].edges.size() * plans_[0].shape.order / group.order() > most_edges)
        continue;
      auto plan = make_search_plan(task.network, task.problem.transfers, std::move(group), task.steps);
      if (!plan) continue;
      edges += plan->edges.size();
      plans_.push_back(std::move(*plan));
    }
  }

  SearchResult run() {
    if (task_.resume) resume();
    for (;; ++cycle_) {
      if (entrants_.empty()) enter();
      while (!entrants_.empty()) {
        const std::uint64_t launches = launches_of_stage();
        const std::uint64_t allowed = allowed_launches(launches);
        if (run_stage(target_ + allowed) || expired() || allowed < launches) return finish();
        target_ += launches;
        drop_worse();
      }
    }
  }

 private:
  std::uint64_t launches_of_stage() const {
    return (first_launches << std::min<std::uint64_t>(cycle_, 40)) * (most_entrants / entrants_.size());
  }

  // Sweeps of one replica of each entrant in so many launches.
  double sweeps_until(std::uint64_t launches) const {
    double sweeps = 0;
    for (const auto& entrant : entrants_) {
      const auto& plan = plans_[entrant.group];
      sweeps += static_cast<double>(launches) * Replicas::moves_of(plan) / plan.shape.orbits;
    }
    return sweeps;
  }

  // Fewer launches where the search's limit of sweeps ends it within this stage. Reckoned from the stage's beginning,
  // it is the same on all devices, and in a run that goes on within the stage.
  std::uint64_t allowed_launches(std::uint64_t launches) const {
    const double before = sweeps_until(target_);
    const double sweeps = sweeps_until(target_ + launches) - before;
    const double left = static_cast<double>(task_.generations) - static_cast<double>(best_.generations) - before;
    if (left >= sweeps) return launches;
    return static_cast<std::uint64_t>(static_cast<double>(launches) * std::max(left, 0.0) / sweeps);
  }

  void enter() {
    target_ = 0;
    for (std::size_t group = 0; group < plans_.size(); ++group) {
      const auto seed = task_.seed + 0x9e37'79b9'7f4a'7c15U * (cycle_ * most_entrants + group);
      entrants_.push_back({.group = group, .seed = seed, .device = group % task_.devices.size()});
    }
  }

  // Its replicas, on a device that is not lost, where they were at the end of its last launch.
  Replicas& open(Entrant& entrant) {
    if (!entrant.replicas) {
      while (is_lost_[entrant.device]) entrant.device = (entrant.device + 1) % is_lost_.size();
      const auto rule = task_.choice.optimizer == Optimizer::tabu ? Rule::tabu : Rule::heat_bath;
      entrant.replicas = std::make_unique<Replicas>(*task_.devices[entrant.device], plans_[entrant.group],
                                                    task_.options.replicas, entrant.seed, rule);
      build_seconds_ += entrant.replicas->build_seconds();
      if (entrant.kept) entrant.replicas->restore(*entrant.kept);
      while (entrant.replicas->moves() < entrant.moves) entrant.replicas->advance();
    }
    return *entrant.replicas;
  }

  void close(Entrant& entrant) {
    if (entrant.replicas) best_.launches += entrant.replicas->launches();
    entrant.replicas.reset();
  }

  // Does something with an entrant's replicas, on another device where theirs is lost. \throws DeviceError of the last
  // device where all are lost.
  template <class Action>
  void survive(Entrant& entrant, const Action& action) {
    for (;;) {
      try {
        return action(open(entrant));
      } catch (const DeviceError& error) {
        is_lost_[entrant.device] = true;
        if (std::find(is_lost_.begin(), is_lost_.end(), false) == is_lost_.end()) throw;
        best_.failures.push_back(describe_failure(*task_.devices[entrant.device], error));
        for (auto& each : entrants_)
          if (is_lost_[each.device]) close(each);
      }
    }
  }

  bool expired() const { return task_.watch.expired(); }

  bool is_placed(const Entrant& entrant) const { return entrant.is_placed(plans_[entrant.group]); }

  // Launch by launch of all entrants up to a number of launches of each, and until one of them is placed. \returns
  // whether one is without conflicts: the first in their order.
  bool run_stage(std::uint64_t target) {
    const auto is_behind = [&](const Entrant& entrant) { return entrant.launches < target; };
    const auto placed = [&](const Entrant& entrant) { return is_placed(entrant); };
    while (!expired() && (std::any_of(entrants_.begin(), entrants_.end(), is_behind) ||
                          std::none_of(entrants_.begin(), entrants_.end(), placed))) {
      launch_all();
      for (auto& entrant : entrants_) keep_best(entrant);
      report();
      if (task_.save) task_.save([this] { return state(); });
      if (has_schedule() && best_.conflicts == 0) return true;
    }
    return false;
  }

  void report() const {
    if (!task_.watch.interrupted() && task_.watch.report_due()) {
      const auto best = has_schedule() ? std::optional(static_cast<double>(best_.conflicts)) : std::nullopt;
      task_.watch.report("anneal", best ? 1 / (1 + *best) : 0, best);
    }
    if (!task_.statistics) return;
    GenerationStatistics statistics{.generation = best_.generations + sweeps_of(entrants_),
                                    .evaluations = best_.evaluations + moves_of(entrants_)};
    std::vector<double> conflicts;
    for (const auto& entrant : entrants_)
      if (is_placed(entrant)) conflicts.push_back(static_cast<double>(entrant.conflicts(plans_[entrant.group])));
    if (conflicts.empty()) return;
    const auto [least, most] = std::minmax_element(conflicts.begin(), conflicts.end());
    statistics.best = *least;
    statistics.worst = *most;
    statistics.mean = std::accumulate(conflicts.begin(), conflicts.end(), 0.0) / static_cast<double>(conflicts.size());
    task_.statistics(statistics);
  }

  // One launch of each entrant that has made the fewest. Devices and their queues work on several at once.
  void launch_all() {
    std::uint64_t least = ~std::uint64_t{0};
    for (const auto& entrant : entrants_) least = std::min(least, entrant.launches);
    std::vector<Entrant*> running;
    for (auto& entrant : entrants_) {
      if (entrant.launches != least || expired()) continue;
      survive(entrant, [](Replicas& replicas) { replicas.start(); });
      running.push_back(&entrant);
    }
    for (auto* const entrant : running) {
      survive(*entrant, [&](Replicas& replicas) {
        // A device that was lost in the meantime took the launch with it.
        if (!replicas.finish()) replicas.advance();
        if (is_lost_.size() > 1 && entrant->launches % launches_a_state == launches_a_state - 1)
          entrant->kept = replicas.state();
        entrant->moves = replicas.moves();
        entrant->energy = replicas.energy();
      });
      ++entrant->launches;
    }
  }

  bool has_schedule() const { return !best_placing_.slots.empty(); }

  void keep_best(Entrant& entrant) {
    if (!is_placed(entrant)) return;
    const auto& plan = plans_[entrant.group];
    if (has_schedule() && entrant.conflicts(plan) >= best_.conflicts) return;
    Placing better;
    survive(entrant, [&](Replicas& replicas) {
      // Another device in the place of a lost one may find other conflicts.
      entrant.energy = replicas.energy();
      better = {};
      if (has_schedule() && entrant.conflicts(plan) >= best_.conflicts) return;
      better = replicas.best_placing();
      require_sound(*task_.devices[entrant.device], plan, task_.problem, task_.network, better, entrant.energy);
    });
    if (better.slots.empty()) return;
    best_placing_ = std::move(better);
    best_.conflicts = entrant.conflicts(plan);
    best_group_ = entrant.group;
  }

  // Keeps the better half; the last one ends the cycle.
  void drop_worse() {
    std::stable_sort(entrants_.begin(), entrants_.end(), [this](const Entrant& a, const Entrant& b) {
      if (is_placed(a) != is_placed(b)) return is_placed(a);
      return is_placed(a) && a.conflicts(plans_[a.group]) < b.conflicts(plans_[b.group]);
    });
    const auto leaving = std::span<const Entrant>(entrants_).subspan(entrants_.size() / 2);
    best_.generations += sweeps_of(leaving);
    best_.evaluations += moves_of(leaving);
    for (std::size_t i = entrants_.size() / 2; i < entrants_.size(); ++i) close(entrants_[i]);
    entrants_.erase(entrants_.begin() + static_cast<std::ptrdiff_t>(entrants_.size() / 2), entrants_.end());
  }

  // Sweeps of one replica, and moves of all, that some entrants made.
  std::uint64_t sweeps_of(std::span<const Entrant> entrants) const {
    std::uint64_t sweeps = 0;
    for (const auto& entrant : entrants) sweeps += entrant.moves / plans_[entrant.group].shape.orbits;
    return sweeps;
  }
  std::uint64_t moves_of(std::span<const Entrant> entrants) const {
    std::uint64_t moves = 0;
    for (const auto& entrant : entrants) moves += entrant.moves * task_.options.replicas;
    return moves;
  }

  SearchResult finish() {
    if (has_schedule())
      take_best();
    else
      take_first_fit();
    if (task_.save) best_.state = state();
    best_.generations += sweeps_of(entrants_);
    best_.evaluations += moves_of(entrants_);
    best_.build_seconds = build_seconds_;
    for (auto& entrant : entrants_) close(entrant);
    return std::move(best_);
  }

  void take_best() {
    const auto& plan = plans_[best_group_];
    best_.schedule = expand(plan, task_.network, task_.problem.transfers, best_placing_.slots, best_placing_.paths);
    best_.how = describe(plan, task_.choice.optimizer);
  }

  // The run ended before any entrant was placed.
  void take_first_fit() {
    auto begun = greedy(task_.problem, task_.network, &task_.watch);
    best_.how = std::move(begun.how);
    if (begun.schedule.steps > task_.steps)
      best_.how += fmt::format(", its {} slots wrapped round to {}", begun.schedule.steps, task_.steps);
    best_.schedule = std::move(begun.schedule);
    for (auto& placement : best_.schedule.placements) placement.slot %= task_.steps;
    best_.schedule.steps = task_.steps;
    best_.conflicts = count_conflicts(task_.problem, best_.schedule);
  }

  SearchState state() {
    SearchState state;
    std::vector<std::uint64_t> place{cycle_, target_, best_.evaluations, best_.generations, entrants_.size()};
    for (const auto& entrant : entrants_) {
      place.insert(place.end(), {entrant.group, entrant.seed, entrant.launches, entrant.launches > 0});
    }
    state.emplace_back("place", std::move(place));
    const auto& [slots, paths] = best_placing_;
    state.emplace_back("best", std::vector<std::uint64_t>{best_group_, best_.conflicts});
    state.emplace_back("best-slots", std::vector<std::uint64_t>(slots.begin(), slots.end()));
    state.emplace_back("best-paths", std::vector<std::uint64_t>(paths.begin(), paths.end()));
    for (std::size_t i = 0; i < entrants_.size(); ++i) {
      if (entrants_[i].launches == 0) continue;
      ReplicaState own;
      survive(entrants_[i], [&](Replicas& replicas) { own = replicas.state(); });
      const auto add = [&](const char* name, const auto& values) {
        state.emplace_back(fmt::format("{}-{}", name, i), std::vector<std::uint64_t>(values.begin(), values.end()));
      };
      add("moves", std::vector<std::uint64_t>{own.moves});
      add("slots", own.slots);
      add("paths", own.paths);
      add("stamps", own.stamps);
      add("conflicts", own.energies);
      add("temperatures", own.temperatures);
    }
    return state;
  }

  void resume() {
    const auto& place = array_of(*task_.resume, "place", std::nullopt);
    if (place.size() < 5 || place[4] > most_entrants || place.size() != 5 + 4 * place[4])
      throw InvalidInput("exchange: the checkpoint is of another search: its array 'place' has another size");
    target_ = place[1];
    best_.evaluations = place[2];
    best_.generations = place[3];
    for (std::size_t i = 0; i < place[4]; ++i) {
      const auto* own = &place[5 + 4 * i];
      if (own[0] >= plans_.size()) throw InvalidInput("exchange: the checkpoint is of another search: no such group");
      // Every entrant has come to where its stage began.
      if (own[2] < target_)
        throw InvalidInput(
            fmt::format("exchange: the checkpoint's entrant {} has {} launches of {}", i, own[2], target_));
      const auto group = static_cast<std::size_t>(own[0]);
      entrants_.push_back({.group = group, .seed = own[1], .launches = own[2], .device = group % task_.devices.size()});
      if (own[3] != 0) restore(entrants_.back(), i);
    }
    cycle_ = place[0];
    restore_best();
  }

  // Values of an array of the state, none above a limit, but for what stands for an orbit that is nowhere.
  template <class Values>
  void fill(const std::string& name, Values& values, std::uint64_t most, std::uint64_t nowhere) const {
    const auto& from = array_of(*task_.resume, name, values.size());
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (from[k] > most && from[k] != nowhere)
        throw InvalidInput(fmt::format("exchange: the checkpoint's array '{}' holds {}", name, from[k]));
      values[k] = static_cast<typename Values::value_type>(from[k]);
    }
  }

  void restore_best() {
    const auto& best = array_of(*task_.resume, "best", 2);
    if (best[0] >= plans_.size()) throw InvalidInput("exchange: the checkpoint is of another search: no such group");
    if (array_of(*task_.resume, "best-slots", std::nullopt).empty()) return;
    best_group_ = static_cast<std::size_t>(best[0]);
    best_.conflicts = best[1];
    const auto& shape = plans_[best_group_].shape;
    best_placing_.slots.resize(shape.orbits);
    best_placing_.paths.resize(std::size_t{shape.orbits} * shape.most_hops);
    fill("best-slots", best_placing_.slots, task_.steps - 1, 0);
    fill("best-paths", best_placing_.paths, shape.links - 1, 0);
    for (std::size_t orbit = 0; orbit < shape.orbits; ++orbit)
      require_placement("best-paths", plans_[best_group_], orbit, best_placing_.slots[orbit],
                        std::span(best_placing_.paths).subspan(orbit * shape.most_hops, shape.most_hops));
  }

  void restore(Entrant& entrant, std::size_t i) {
    const auto& shape = plans_[entrant.group].shape;
    ReplicaState own;
    survive(entrant, [&](Replicas& replicas) { own = replicas.state(); });
    const auto read = [&](const char* name, auto& values, std::uint64_t most, std::uint64_t nowhere = 0) {
      fill(fmt::format("{}-{}", name, i), values, most, nowhere);
    };
    own.moves = array_of(*task_.resume, fmt::format("moves-{}", i), 1)[0];
    read("slots", own.slots, task_.steps - 1, EXCHANGE_NOWHERE);
    read("paths", own.paths, shape.links - 1);
    read("stamps", own.stamps, ~0U);
    read("conflicts", own.energies, ~0U);
    read("temperatures", own.temperatures, Replicas::rungs - 1);
    require_placing(entrant, i, own);
    entrant.moves = own.moves;
    entrant.energy = *std::min_element(own.energies.begin(), own.energies.end());
    entrant.kept = std::move(own);
    survive(entrant, [&](Replicas& replicas) { replicas.restore(*entrant.kept); });
  }

  void require_placement(const std::string& name, const SearchPlan& plan, std::size_t orbit, std::uint32_t slot,
                         std::span<const std::uint16_t> path) const {
    if (!is_placement(plan, task_.network, orbit, slot, path))
      throw InvalidInput(
          fmt::format("exchange: the checkpoint's array '{}' holds no path of transfer {}, or a slot "
                      "that it may not have",
                      name, orbit));
  }

  // The first moves place the orbits, in an order of the seed's, which each replica begins elsewhere (draw_orbit() of
  // the kernels): so many are somewhere, and no other.
  void require_placing(const Entrant& entrant, std::size_t i, const ReplicaState& own) const {
    const auto& plan = plans_[entrant.group];
    const auto order = Replicas::placing_order(plan, entrant.seed);
    const std::size_t orbits = order.size();
    const std::size_t hops = plan.shape.most_hops;
    if (own.moves > most_moves)
      throw InvalidInput(fmt::format("exchange: the checkpoint's entrant {} has made {} moves", i, own.moves));
    const auto name = fmt::format("paths-{}", i);
    for (std::size_t first = 0; first < own.slots.size(); first += orbits)
      for (std::size_t move = 0; move < orbits; ++move) {
        const std::size_t orbit = order[(move + first / orbits * 7919) % orbits];
        const auto place = first + orbit;
        if (move < own.moves)
          require_placement(name, plan, orbit, own.slots[place], std::span(own.paths).subspan(place * hops, hops));
        else if (own.slots[place] != EXCHANGE_NOWHERE)
          throw InvalidInput(
              fmt::format("exchange: the checkpoint's array 'slots-{}' is of {} moves, and has others", i, own.moves));
      }
  }

  const SearchTask& task_;
  std::vector<SearchPlan> plans_;
  std::vector<Entrant> entrants_;
  std::vector<bool> is_lost_;  ///< of each device
  std::uint64_t target_ = 0;
  std::uint64_t cycle_ = 0;
  SearchResult best_;
  Placing best_placing_;  ///< empty: none yet
  std::size_t best_group_ = 0;
  double build_seconds_ = 0;
};

}  // namespace

SearchResult anneal(const SearchTask& task) { return Competition(task).run(); }

}  // namespace clopt::exchange
