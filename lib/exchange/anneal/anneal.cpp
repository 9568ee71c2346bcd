// The search by annealing: cycles in their order, as many at once as there are devices.
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>

#include <exchange/packing/greedy.hpp>
#include <exchange/search.hpp>
#include "cycle.hpp"

namespace clopt::exchange {
namespace {

std::string describe(const SearchPlan& plan, Optimizer optimizer) {
  const char* const search = optimizer == Optimizer::tabu ? "tabu search" : "annealing";
  if (plan.shape.order == 1) return fmt::format("{} without symmetry", search);
  return fmt::format("{} with a group of {} symmetries{}", search, plan.shape.order,
                     plan.group.reverses() ? ", some of which reverse paths" : "");
}

class Annealing {
 public:
  explicit Annealing(const SearchTask& task) : task_(task), competition_(task) {}

  SearchResult run() {
    if (task_.resume) resume();
    for (;;) {
      add_cycles();
      if (competition_.expired() || is_over()) return finish();
      // Devices and their queues work on all of them at once.
      for (auto& cycle : cycles_) cycle->start();
      for (auto& cycle : cycles_) cycle->finish();
      report();
      if (task_.save) task_.save([this] { return state(); });
      while (!is_over() && !cycles_.empty() && cycles_.front()->has_ended()) end_first();
    }
  }

 private:
  // Whether the first cycle has found a schedule, or may not go on.
  bool is_over() const {
    if (best_.has_schedule() && best_.conflicts == 0) return true;
    return !cycles_.empty() && (cycles_.front()->is_successful() || cycles_.front()->is_limited());
  }

  // The first cycle in the order, and those after it: their answers count only where all cycles before them have
  // failed. On one device more than one cycle would slow the first one down: its launches fill the device, or wait for
  // each other where a driver has few queues of its own.
  void add_cycles() {
    if (cycles_.empty()) add(left());
    while (cycles_.size() < task_.devices.size() && !cycles_.back()->is_successful())
      add(std::numeric_limits<double>::infinity());
  }

  /// Sweeps until the limit, after those of the cycles that have failed.
  double left() const { return static_cast<double>(task_.generations) - static_cast<double>(generations_); }

  void add(double limit) { cycles_.push_back(std::make_unique<Cycle>(competition_, first_ + cycles_.size(), limit)); }

  // Takes the first cycle out, which has failed.
  void end_first() {
    const auto& cycle = *cycles_.front();
    best_.take(cycle.best());
    generations_ += cycle.sweeps();
    evaluations_ += cycle.evaluations();
    cycles_.pop_front();
    ++first_;
    if (cycles_.empty() || cycles_.front()->would_be_within(left())) return;
    for (const auto& ahead : cycles_) evaluations_in_vain_ += ahead->evaluations();
    cycles_.clear();
  }

  // The best of the cycles before the first, and of that one.
  BestPlacing best() const {
    auto best = best_;
    if (!cycles_.empty()) best.take(cycles_.front()->best());
    return best;
  }

  void report() const {
    const auto so_far = best();
    if (!task_.watch.interrupted() && task_.watch.report_due()) {
      const auto conflicts =
          so_far.has_schedule() ? std::optional(static_cast<double>(so_far.conflicts)) : std::nullopt;
      task_.watch.report("anneal", conflicts ? 1 / (1 + *conflicts) : 0, conflicts);
    }
    if (!task_.statistics) return;
    const auto conflicts = cycles_.front()->conflicts();
    if (conflicts.empty()) return;
    GenerationStatistics statistics{.generation = generations_ + cycles_.front()->sweeps(),
                                    .evaluations = evaluations_ + cycles_.front()->evaluations()};
    const auto [least, most] = std::minmax_element(conflicts.begin(), conflicts.end());
    statistics.best = *least;
    statistics.worst = *most;
    statistics.mean = std::accumulate(conflicts.begin(), conflicts.end(), 0.0) / static_cast<double>(conflicts.size());
    task_.statistics(statistics);
  }

  SearchResult finish() {
    SearchResult result;
    auto best = this->best();
    result.generations = generations_;
    result.evaluations = evaluations_;
    result.evaluations_done = evaluations_ + evaluations_in_vain_;
    if (!cycles_.empty()) {
      result.generations += cycles_.front()->sweeps();
      result.evaluations += cycles_.front()->evaluations();
    }
    for (const auto& cycle : cycles_) {
      result.evaluations_done += cycle->evaluations();
      // A run that a limit of time ends may have a better one ahead.
      if (competition_.expired()) best.take(cycle->best());
    }
    if (task_.save) result.state = state();
    cycles_.clear();
    if (best.has_schedule())
      take(best, result);
    else
      take_first_fit(result);
    result.build_seconds = competition_.build_seconds;
    result.launches = competition_.launches;
    result.failures = std::move(competition_.failures);
    return result;
  }

  void take(const BestPlacing& best, SearchResult& result) const {
    const auto& plan = competition_.plans[best.group];
    const auto& [slots, paths] = best.placing;
    result.schedule = expand(plan, task_.network, task_.problem.transfers, slots, paths);
    result.conflicts = best.conflicts;
    result.how = describe(plan, task_.choice.optimizer);
  }

  // The run ended before any transfer was placed.
  void take_first_fit(SearchResult& result) const {
    auto begun = greedy(task_.problem, task_.network, &task_.watch);
    result.how = std::move(begun.how);
    if (begun.schedule.steps > task_.steps)
      result.how += fmt::format(", its {} slots wrapped round to {}", begun.schedule.steps, task_.steps);
    result.schedule = std::move(begun.schedule);
    for (auto& placement : result.schedule.placements) placement.slot %= task_.steps;
    result.schedule.steps = task_.steps;
    result.conflicts = count_conflicts(task_.problem, result.schedule);
  }

  // What is ahead of the first cycle is made again.
  SearchState state() {
    SearchState state;
    state.emplace_back("place",
                       std::vector<std::uint64_t>{first_, evaluations_, generations_, cycles_.empty() ? 0U : 1U});
    best().save(state);
    if (!cycles_.empty()) cycles_.front()->save(state);
    return state;
  }

  void resume() {
    const auto& place = array_of(*task_.resume, "place", 4);
    first_ = place[0];
    evaluations_ = place[1];
    generations_ = place[2];
    best_.resume(*task_.resume, competition_);
    if (place[3] == 0) return;
    add(left());
    cycles_.front()->resume(*task_.resume);
  }

  const SearchTask& task_;
  Competition competition_;
  std::deque<std::unique_ptr<Cycle>> cycles_;
  std::uint64_t first_ = 0;  ///< the number of the first of them
  // Of the cycles before it:
  BestPlacing best_;
  std::uint64_t generations_ = 0;
  std::uint64_t evaluations_ = 0;
  std::uint64_t evaluations_in_vain_ = 0;  ///< of cycles that were begun ahead and made again within the limit
};

}  // namespace

SearchResult anneal(const SearchTask& task) { return Annealing(task).run(); }

}  // namespace clopt::exchange
