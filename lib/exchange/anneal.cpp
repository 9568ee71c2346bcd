// The search by annealing: several groups of symmetries compete, and the least conflicting ones get the time.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <clopt/error.hpp>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include "replicas.hpp"
#include "search.hpp"

namespace clopt::exchange {
namespace {

/// Plans that compete at first; each stage keeps the better part of them.
constexpr std::size_t most_entrants = 16;
/// Launches of each entrant in the first stage of the first cycle. A stage has as many launches as the one before, for
/// fewer entrants; a cycle twice as many as the one before, with new seeds.
constexpr std::uint64_t first_launches = 4;
/// Bytes that all entrants' tables and replicas may take, as a part of the device's memory.
constexpr double memory_part = 0.5;

/// One plan in the competition.
struct Entrant {
  std::size_t group = 0;  ///< its number among the groups
  std::uint64_t seed = 0;
  std::uint64_t launches = 0;
  std::unique_ptr<Replicas> replicas;
  /// Conflicts of all its transfers at the end of its last launch.
  std::uint64_t conflicts(const SearchPlan& plan) const { return std::uint64_t{replicas->energy()} * plan.shape.order; }
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
  for (const auto& [unused, i] : places) ordered.push_back(std::move(groups[i]));
  return ordered;
}

std::string describe(const SearchPlan& plan) {
  if (plan.shape.order == 1) return "annealing without symmetry";
  return fmt::format("annealing with a group of {} symmetries{}", plan.shape.order,
                     plan.group.reverses() ? ", some of which reverse paths" : "");
}

class Competition {
 public:
  explicit Competition(const SearchTask& task) : task_(task) {
    auto groups = order_groups(find_groups(task.network, task.problem.transfers, task.steps, task.options.seed));
    std::uint64_t bytes = 0;
    const auto replicas = usual_replicas(*task.devices.front());
    const auto room = static_cast<double>(task.devices.front()->info().global_memory_bytes) * memory_part;
    for (auto& group : groups) {
      auto plan = make_search_plan(task.network, task.problem.transfers, std::move(group), task.steps);
      if (!plan) continue;
      const auto one = plan->bytes() + replicas * (plan->uses_bytes() + plan->distances_bytes());
      if (!plans_.empty() && static_cast<double>(bytes + one) > room) continue;
      bytes += one;
      plans_.push_back(std::move(*plan));
      if (plans_.size() == most_entrants) break;
    }
  }

  SearchResult run() {
    std::uint64_t cycle = 0;
    if (task_.resume) {
      cycle = resume();
    }
    for (;; ++cycle) {
      if (entrants_.empty()) enter(cycle);
      while (!entrants_.empty()) {
        cycle_ = cycle;
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

  // Sweeps of one replica of each entrant until it has made so many launches; the first placement is one.
  double sweeps_until(std::uint64_t launches) const {
    double sweeps = 0;
    for (const auto& entrant : entrants_) {
      const auto& plan = plans_[entrant.group];
      sweeps += 1 + static_cast<double>(launches) * Replicas::moves_of(plan) / plan.shape.orbits;
    }
    return sweeps;
  }

  // Fewer launches where the search's limit of sweeps ends it within this stage. Reckoned from the stage's beginning,
  // it is the same on all devices, and in a run that goes on within the stage.
  std::uint64_t allowed_launches(std::uint64_t launches) const {
    const double before = target_ == 0 ? 0 : sweeps_until(target_);
    const double sweeps = sweeps_until(target_ + launches) - before;
    const double left = static_cast<double>(task_.generations) - static_cast<double>(best_.generations) - before;
    if (left >= sweeps) return launches;
    return static_cast<std::uint64_t>(static_cast<double>(launches) * std::max(left, 0.0) / sweeps);
  }

  void enter(std::uint64_t cycle) {
    target_ = 0;
    for (std::size_t group = 0; group < plans_.size(); ++group) {
      const auto seed = task_.options.seed + 0x9e37'79b9'7f4a'7c15U * (cycle * most_entrants + group);
      entrants_.push_back({group, seed, 0, nullptr});
    }
  }

  Device& device(std::size_t place) const { return *task_.devices[place % task_.devices.size()]; }

  void open(Entrant& entrant, std::size_t place) {
    if (entrant.replicas) return;
    auto& on = device(place);
    entrant.replicas =
        std::make_unique<Replicas>(on, plans_[entrant.group], usual_replicas(*task_.devices.front()), entrant.seed,
                                   task_.options.optimizer == "tabu" ? Rule::tabu : Rule::heat_bath);
    const std::lock_guard lock(mutex_);
    build_seconds_ += entrant.replicas->build_seconds();
  }

  bool expired() const { return task_.watch.expired(); }

  // Runs entrants up to a number of launches, each device some of them. \returns whether one is without conflicts: the
  // first in their order, since those before it run on to the end.
  bool run_stage(std::uint64_t target) {
    solved_ = entrants_.size();
    const std::size_t devices = std::min(task_.devices.size(), entrants_.size());
    std::vector<std::exception_ptr> errors(devices);
    const auto work = [&](std::size_t first) {
      try {
        for (std::size_t i = first; i < entrants_.size() && i < solved_ && (i == 0 || !expired()); i += devices)
          run_entrant(i, target, devices == 1);
      } catch (...) {
        errors[first] = std::current_exception();
        solved_ = 0;
      }
    };
    std::vector<std::thread> threads;
    for (std::size_t d = 1; d < devices; ++d) threads.emplace_back(work, d);
    work(0);
    for (auto& thread : threads) thread.join();
    for (const auto& error : errors)
      if (error) std::rethrow_exception(error);
    for (std::size_t i = 0; i < entrants_.size(); ++i) keep_best(i);
    return solved_ < entrants_.size();
  }

  void run_entrant(std::size_t i, std::uint64_t target, bool alone) {
    Entrant& entrant = entrants_[i];
    open(entrant, i);
    const auto& plan = plans_[entrant.group];
    // The placement at first counts as no launch, so that a limit leaves a schedule.
    while (!entrant.replicas->is_placed()) {
      entrant.replicas->advance();
      if (i > 0 && expired()) return;
    }
    while (entrant.conflicts(plan) != 0 && entrant.launches < target && !expired() && i < solved_) {
      entrant.replicas->advance();
      ++entrant.launches;
      if (alone) {
        task_.watch.report("anneal", 1 / (1 + static_cast<double>(entrant.conflicts(plan))));
        if (task_.save) task_.save([this] { return state(); });
      }
    }
    if (entrant.conflicts(plan) != 0) return;
    std::size_t known = solved_;
    while (i < known && !solved_.compare_exchange_weak(known, i)) {
    }
  }

  void keep_best(std::size_t i) {
    const Entrant& entrant = entrants_[i];
    if (!entrant.replicas || !entrant.replicas->is_placed()) return;
    const auto& plan = plans_[entrant.group];
    if (!best_.schedule.placements.empty() && entrant.conflicts(plan) >= best_.conflicts) return;
    best_.conflicts = entrant.conflicts(plan);
    best_.schedule = entrant.replicas->schedule(task_.network, task_.problem.transfers);
    best_.how = describe(plan);
  }

  // Keeps the better half; the last one ends the cycle.
  void drop_worse() {
    std::stable_sort(entrants_.begin(), entrants_.end(), [this](const Entrant& a, const Entrant& b) {
      return a.conflicts(plans_[a.group]) < b.conflicts(plans_[b.group]);
    });
    const auto leaving = std::span<const Entrant>(entrants_).subspan(entrants_.size() / 2);
    best_.generations += sweeps_of(leaving);
    best_.evaluations += moves_of(leaving);
    entrants_.erase(entrants_.begin() + static_cast<std::ptrdiff_t>(entrants_.size() / 2), entrants_.end());
  }

  // Sweeps of one replica, and moves of all, that some entrants made.
  std::uint64_t sweeps_of(std::span<const Entrant> entrants) const {
    std::uint64_t sweeps = 0;
    for (const auto& entrant : entrants)
      if (entrant.replicas) sweeps += entrant.replicas->moves() / plans_[entrant.group].shape.orbits;
    return sweeps;
  }
  std::uint64_t moves_of(std::span<const Entrant> entrants) const {
    std::uint64_t moves = 0;
    for (const auto& entrant : entrants)
      if (entrant.replicas) moves += entrant.replicas->moves() * usual_replicas(*task_.devices.front());
    return moves;
  }

  SearchResult finish() {
    if (task_.save) best_.state = state();
    best_.generations += sweeps_of(entrants_);
    best_.evaluations += moves_of(entrants_);
    best_.build_seconds = build_seconds_;
    return std::move(best_);
  }

  SearchState state() const {
    SearchState state;
    std::vector<std::uint64_t> place{cycle_, target_, best_.evaluations, best_.generations, entrants_.size()};
    for (const auto& entrant : entrants_) {
      place.insert(place.end(), {entrant.group, entrant.seed, entrant.launches, entrant.replicas != nullptr});
    }
    state.emplace_back("place", std::move(place));
    for (std::size_t i = 0; i < entrants_.size(); ++i) {
      if (!entrants_[i].replicas) continue;
      const auto own = entrants_[i].replicas->state();
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

  // Finds an array of the state that is resumed. \throws InvalidInput where it is not there or of another size.
  const std::vector<std::uint64_t>& array(const std::string& name, std::optional<std::size_t> size) const {
    for (const auto& [own, values] : *task_.resume)
      if (own == name && (!size || values.size() == *size)) return values;
    throw InvalidInput(
        fmt::format("exchange: the checkpoint is of another search: no array '{}' of the right size", name));
  }

  std::uint64_t resume() {
    const auto& place = array("place", std::nullopt);
    if (place.size() < 5 || place[4] > most_entrants || place.size() != 5 + 4 * place[4])
      throw InvalidInput("exchange: the checkpoint is of another search: its array 'place' has another size");
    target_ = place[1];
    best_.evaluations = place[2];
    best_.generations = place[3];
    for (std::size_t i = 0; i < place[4]; ++i) {
      const auto* own = &place[5 + 4 * i];
      if (own[0] >= plans_.size()) throw InvalidInput("exchange: the checkpoint is of another search: no such group");
      entrants_.push_back({static_cast<std::size_t>(own[0]), own[1], own[2], nullptr});
      if (own[3] != 0) restore(entrants_.back(), i);
    }
    return place[0];
  }

  void restore(Entrant& entrant, std::size_t i) {
    open(entrant, i);
    const auto& shape = plans_[entrant.group].shape;
    ReplicaState own = entrant.replicas->state();
    const auto fill = [&](const char* name, auto& values, std::uint64_t most) {
      const auto& from = array(fmt::format("{}-{}", name, i), values.size());
      for (std::size_t k = 0; k < values.size(); ++k) {
        if (from[k] > most && !(std::string_view(name) == "slots" && from[k] == EXCHANGE_NOWHERE))
          throw InvalidInput(fmt::format("exchange: the checkpoint's array '{}-{}' holds {}", name, i, from[k]));
        values[k] = static_cast<std::remove_reference_t<decltype(values[0])>>(from[k]);
      }
    };
    own.moves = array(fmt::format("moves-{}", i), 1)[0];
    fill("slots", own.slots, task_.steps - 1);
    fill("paths", own.paths, shape.links - 1);
    fill("stamps", own.stamps, ~0U);
    fill("conflicts", own.energies, ~0U);
    fill("temperatures", own.temperatures, 3);
    entrant.replicas->restore(own);
  }

  const SearchTask& task_;
  std::vector<SearchPlan> plans_;
  std::vector<Entrant> entrants_;
  std::uint64_t target_ = 0;
  std::uint64_t cycle_ = 0;
  std::atomic<std::size_t> solved_{0};
  SearchResult best_;
  std::mutex mutex_;
  double build_seconds_ = 0;
};

}  // namespace

SearchResult anneal(const SearchTask& task) { return Competition(task).run(); }

}  // namespace clopt::exchange
