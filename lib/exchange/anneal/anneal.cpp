// Searches by annealing with seeds of their own, in step: the first one, in sweeps, to find a schedule wins.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <span>

#include "annealing.hpp"

namespace clopt::exchange {
namespace {

/// One of several searches. They begin on different devices, where there are several.
struct Search {
  Search(const SearchTask& whole, std::size_t number, const SearchState* from)
      : devices(whole.devices.begin(), whole.devices.end()), task(whole) {
    std::rotate(devices.begin(), devices.begin() + static_cast<std::ptrdiff_t>(number % devices.size()), devices.end());
    task.devices = devices;
    task.seed += 0xa076'1d64'78bd'642fU * number;
    task.resume = from;
    annealing = std::make_unique<Annealing>(task);
  }
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  std::vector<std::shared_ptr<Device>> devices;
  SearchTask task;
  std::unique_ptr<Annealing> annealing;
};

class Searches {
 public:
  explicit Searches(const SearchTask& task) : task_(task) {
    const std::size_t count = task.options.searches;
    for (std::size_t i = 0; i < count; ++i) {
      const auto own = task.resume && count > 1 ? part_of(*task.resume, i) : SearchState();
      searches_.push_back(std::make_unique<Search>(task, i, !task.resume ? nullptr : count == 1 ? task.resume : &own));
    }
  }

  SearchResult run() {
    while (!task_.watch.expired()) {
      std::vector<Annealing*> running;
      for (std::size_t i = 0; i < searches_.size(); ++i)
        if (is_needed(i)) running.push_back(searches_[i]->annealing.get());
      if (running.empty()) break;
      for (auto* const search : running) search->start();
      for (auto* const search : running) search->finish_launch();
      report();
      if (task_.save) task_.save([this] { return state(); });
    }
    return finish();
  }

 private:
  // Whether a search may still find a schedule in fewer sweeps than all others, or in as many as one behind it.
  bool is_needed(std::size_t i) const {
    const auto& own = *searches_[i]->annealing;
    if (own.is_over()) return false;
    const auto winner = this->winner();
    if (!winner) return true;
    const auto least = searches_[*winner]->annealing->generations();
    return own.generations() < least || (own.generations() == least && i < *winner);
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

  void report() const {
    std::optional<double> best;
    std::vector<double> conflicts;
    GenerationStatistics statistics{};
    for (const auto& search : searches_) {
      const auto& own = *search->annealing;
      if (const auto found = own.best();
          found.has_schedule() && (!best || static_cast<double>(found.conflicts) < *best))
        best = static_cast<double>(found.conflicts);
      const auto more = own.conflicts();
      conflicts.insert(conflicts.end(), more.begin(), more.end());
      statistics.generation = std::max(statistics.generation, own.generations());
      statistics.evaluations += own.evaluations();
    }
    if (!task_.watch.interrupted() && task_.watch.report_due())
      task_.watch.report("anneal", best ? 1 / (1 + *best) : 0, best);
    if (!task_.statistics || conflicts.empty()) return;
    const auto [least, most] = std::minmax_element(conflicts.begin(), conflicts.end());
    statistics.best = *least;
    statistics.worst = *most;
    statistics.mean = std::accumulate(conflicts.begin(), conflicts.end(), 0.0) / static_cast<double>(conflicts.size());
    task_.statistics(statistics);
  }

  // The winner's result, or that with the fewest conflicts; the work of all.
  SearchResult finish() {
    const auto won = winner();
    SearchState kept;
    if (task_.save) kept = state();
    std::vector<SearchResult> results;
    for (auto& search : searches_) results.push_back(search->annealing->result());
    const auto fewest = std::min_element(results.begin(), results.end(),
                                         [](const auto& a, const auto& b) { return a.conflicts < b.conflicts; });
    const auto chosen = won ? *won : static_cast<std::size_t>(fewest - results.begin());
    auto result = std::move(results[chosen]);
    result.state = std::move(kept);
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (i == chosen) continue;
      if (!won) result.generations = std::max(result.generations, results[i].generations);
      result.evaluations += results[i].evaluations;
      result.evaluations_done += results[i].evaluations_done;
      result.build_seconds += results[i].build_seconds;
      result.launches += results[i].launches;
      result.failures.insert(result.failures.end(), results[i].failures.begin(), results[i].failures.end());
    }
    if (won && searches_.size() > 1) result.how += fmt::format(", search {} of {}", *won + 1, searches_.size());
    return result;
  }

  SearchState state() {
    if (searches_.size() == 1) return searches_[0]->annealing->state();
    SearchState state;
    for (std::size_t i = 0; i < searches_.size(); ++i)
      for (auto& [name, values] : searches_[i]->annealing->state())
        state.emplace_back(fmt::format("{}/{}", i, name), std::move(values));
    return state;
  }

  static SearchState part_of(const SearchState& state, std::size_t number) {
    const auto prefix = fmt::format("{}/", number);
    SearchState part;
    for (const auto& [name, values] : state)
      if (name.starts_with(prefix)) part.emplace_back(name.substr(prefix.size()), values);
    return part;
  }

  const SearchTask& task_;
  std::vector<std::unique_ptr<Search>> searches_;
};

}  // namespace

SearchResult anneal(const SearchTask& task) { return Searches(task).run(); }

}  // namespace clopt::exchange
