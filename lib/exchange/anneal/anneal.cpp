// Searches by annealing with seeds of their own, in step: the first one, in sweeps, to find a schedule wins.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <vector>

#include "annealing_search.hpp"

namespace clopt::exchange {
namespace {

/// One of several searches. They begin on different devices, where there are several.
struct Search {
  Search(const SearchTask& whole, std::size_t number, const Record* from)
      : devices(whole.devices.begin(), whole.devices.end()), task(whole) {
    std::rotate(devices.begin(), devices.begin() + static_cast<std::ptrdiff_t>(number % devices.size()), devices.end());
    task.devices = devices;
    task.seed += 0xa076'1d64'78bd'642fU * number;
    task.resume = from;
    annealing = std::make_unique<AnnealingSearch>(task);
    task.resume = nullptr;
  }
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  std::vector<std::shared_ptr<Device>> devices;
  SearchTask task;
  std::unique_ptr<AnnealingSearch> annealing;
};

class Searches {
 public:
  explicit Searches(const SearchTask& task) : task_(task) {
    const auto range = task.options.range.value_or(WorkRange{0, task.options.searches});
    first_ = range.first;
    const std::size_t count = range.count;
    for (std::size_t i = 0; i < count; ++i) {
      // To find the groups of symmetries takes its time; a state that is continued needs all of them.
      if (i > 0 && !task.resume && task.watch.expired()) return;
      const auto own = task.resume && count > 1 ? task.resume->part(fmt::format("{}/", i)) : Record();
      searches_.push_back(std::make_unique<Search>(task, first_ + i,
                                                   !task.resume ? nullptr
                                                   : count == 1 ? task.resume
                                                                : &own));
    }
  }

  SearchResult run() {
    while (!task_.watch.expired()) {
      const auto running = needed();
      if (running.empty()) break;
      std::size_t started = 0;
      for (; started < running.size() && (started == 0 || !task_.watch.expired()); ++started)
        running[started]->start(running.size());
      for (std::size_t i = 0; i < started; ++i) running[i]->finish_launch();
      report();
      if (task_.compare) other_ = task_.compare(own_winner());
      if (task_.save) task_.save([this] { return state(); });
    }
    return finish();
  }

 private:
  // Those that may still find a schedule in fewer sweeps than all others, or in as many as one behind them.
  std::vector<AnnealingSearch*> needed() const {
    std::vector<AnnealingSearch*> needed;
    auto least = own_winner();
    if (other_ && (!least || *other_ < *least)) least = other_;
    for (std::size_t i = 0; i < searches_.size(); ++i) {
      auto& own = *searches_[i]->annealing;
      if (own.is_over()) continue;
      if (!least || Winner{own.generations(), number(i)} < *least) needed.push_back(&own);
    }
    return needed;
  }

  /// Among all searches of the run.
  std::uint32_t number(std::size_t i) const { return static_cast<std::uint32_t>(first_ + i); }

  std::optional<Winner> own_winner() const {
    const auto winner = this->winner();
    if (!winner) return std::nullopt;
    return Winner{searches_[*winner]->annealing->generations(), number(*winner)};
  }

  // Of those that have found a schedule, the first one in sweeps, then by its number.
  std::optional<std::size_t> winner() const {
    std::optional<std::size_t> winner;
    for (std::size_t i = 0; i < searches_.size(); ++i) {
      const auto& own = *searches_[i]->annealing;
      if (own.is_successful() && (!winner || own.generations() < searches_[*winner]->annealing->generations()))
        winner = i;
    }
    return winner;
  }

  // The one with the fewest conflicts; the first where none has a schedule.
  std::size_t best() const {
    std::size_t best = 0;
    std::optional<std::uint64_t> fewest;
    for (std::size_t i = 0; i < searches_.size(); ++i) {
      const auto own = searches_[i]->annealing->fewest_conflicts();
      if (!own || (fewest && *own >= *fewest)) continue;
      fewest = own;
      best = i;
    }
    return best;
  }

  void report() const {
    const auto fewest = searches_[best()]->annealing->fewest_conflicts();
    if (!task_.watch.interrupted() && task_.watch.report_due()) {
      const auto conflicts = fewest ? std::optional(static_cast<double>(*fewest)) : std::nullopt;
      std::uint64_t evaluations = 0;
      for (const auto& search : searches_) evaluations += search->annealing->evaluations();
      task_.watch.report("anneal", conflicts ? 1 / (1 + *conflicts) : 0, conflicts, {}, evaluations);
    }
    if (!task_.statistics) return;
    std::vector<double> conflicts;
    GenerationStatistics statistics{};
    for (const auto& search : searches_) {
      const auto& own = *search->annealing;
      conflicts.insert(conflicts.end(), own.conflicts().begin(), own.conflicts().end());
      statistics.generation = std::max(statistics.generation, own.generations());
      statistics.evaluations += own.evaluations();
    }
    if (conflicts.empty()) return;
    const auto [least, most] = std::minmax_element(conflicts.begin(), conflicts.end());
    statistics.best = *least;
    statistics.worst = *most;
    statistics.mean = std::accumulate(conflicts.begin(), conflicts.end(), 0.0) / static_cast<double>(conflicts.size());
    task_.statistics(statistics);
  }

  // The winner's result, or the best one and the work of all.
  SearchResult finish() {
    const auto won = winner();
    const bool is_final = needed().empty();
    const auto chosen = won.value_or(best());
    Record kept;
    if (task_.save) kept = state();
    auto result = searches_[chosen]->annealing->result(true);
    result.is_final = is_final;
    result.search = number(chosen);
    result.state = std::move(kept);
    for (std::size_t i = 0; i < searches_.size(); ++i) {
      if (i == chosen) continue;
      const auto other = searches_[i]->annealing->result(false);
      if (!won) {
        result.generations = std::max(result.generations, other.generations);
        result.evaluations += other.evaluations;
      }
      result.evaluations_done += other.evaluations_done;
      result.launches += other.launches;
      result.failures.insert(result.failures.end(), other.failures.begin(), other.failures.end());
    }
    if (const auto all = task_.options.searches; won && all > 1)
      result.how += fmt::format(", search {} of {}", first_ + *won + 1, all);
    return result;
  }

  Record state() {
    if (searches_.size() == 1) return searches_[0]->annealing->state();
    Record state;
    for (std::size_t i = 0; i < searches_.size(); ++i)
      state.add_part(fmt::format("{}/", i), searches_[i]->annealing->state());
    return state;
  }

  const SearchTask& task_;
  std::size_t first_ = 0;        ///< the number of the first of them among all
  std::optional<Winner> other_;  ///< the best of searches elsewhere that has found a schedule
  std::vector<std::unique_ptr<Search>> searches_;
};

}  // namespace

SearchResult anneal(const SearchTask& task) { return Searches(task).run(); }

}  // namespace clopt::exchange
