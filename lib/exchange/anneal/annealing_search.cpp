#include "annealing_search.hpp"

#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include <exchange/packing/greedy.hpp>

namespace clopt::exchange {
namespace {

std::string describe(const OrbitTables& tables, Optimizer optimizer) {
  const char* const search = optimizer == Optimizer::tabu ? "tabu search" : "annealing";
  if (tables.shape.order == 1) return fmt::format("{} without symmetry", search);
  return fmt::format("{} with a group of {} symmetries{}", search, tables.shape.order,
                     tables.group.reverses() ? ", some of which reverse paths" : "");
}

}  // namespace

AnnealingSearch::AnnealingSearch(const SearchTask& task) : task_(task), halving_(task) {
  if (task.resume) resume(*task.resume);
}

bool AnnealingSearch::is_successful() const {
  return (best_.has_schedule() && best_.conflicts == 0) || (!cycles_.empty() && cycles_.front()->is_successful());
}

bool AnnealingSearch::is_over() const { return is_successful() || (!cycles_.empty() && cycles_.front()->is_limited()); }

double AnnealingSearch::left() const {
  return static_cast<double>(task_.generations) - static_cast<double>(generations_);
}

// The first cycle in the order, and those after it: their answers count only where all cycles before them have failed.
// On one device more than one cycle would slow the first one down: its launches fill the device, or wait for each other
// where a driver has few queues of its own.
void AnnealingSearch::add_cycles(std::size_t searches) {
  if (cycles_.empty()) cycles_.push_back(std::make_unique<Cycle>(halving_, first_, left()));
  const auto& lost = halving_.is_lost;
  const auto devices = static_cast<std::size_t>(std::count(lost.begin(), lost.end(), false));
  while (has_room_ahead_ && cycles_.size() < devices / searches && !cycles_.back()->is_successful())
    cycles_.push_back(std::make_unique<Cycle>(halving_, first_ + cycles_.size(), std::nullopt));
}

void AnnealingSearch::drop_those_ahead() {
  for (; cycles_.size() > 1; cycles_.pop_back()) evaluations_in_vain_ += cycles_.back()->evaluations();
}

void AnnealingSearch::start(std::size_t searches) {
  if (is_over()) return;
  add_cycles(searches);
  if (is_over()) return;
  cycles_.front()->start();
  try {
    for (std::size_t i = 1; i < cycles_.size() && !halving_.expired(); ++i) cycles_[i]->start();
  } catch (const OutOfMemory&) {
    has_room_ahead_ = false;
    drop_those_ahead();
  }
}

void AnnealingSearch::finish_launch() {
  if (cycles_.empty()) return;
  cycles_.front()->finish();
  try {
    for (std::size_t i = 1; i < cycles_.size(); ++i) cycles_[i]->finish();
  } catch (const OutOfMemory&) {
    has_room_ahead_ = false;
    drop_those_ahead();
  }
  conflicts_ = cycles_.front()->conflicts();
  while (!is_over() && !cycles_.empty() && cycles_.front()->has_ended()) end_first();
}

// Takes the first cycle out, which has failed.
void AnnealingSearch::end_first() {
  const auto& cycle = *cycles_.front();
  best_.take(cycle.best());
  generations_ += cycle.sweeps();
  evaluations_ += cycle.evaluations();
  cycles_.pop_front();
  ++first_;
  if (cycles_.empty() || cycles_.front()->limit_to(left())) return;
  drop_those_ahead();
  evaluations_in_vain_ += cycles_.front()->evaluations();
  cycles_.clear();
}

BestPlacing AnnealingSearch::best() const {
  auto best = best_;
  if (!cycles_.empty()) best.take(cycles_.front()->best());
  return best;
}

std::uint64_t AnnealingSearch::generations() const {
  return generations_ + (cycles_.empty() ? 0 : cycles_.front()->sweeps());
}

std::uint64_t AnnealingSearch::evaluations() const {
  return evaluations_ + (cycles_.empty() ? 0 : cycles_.front()->evaluations());
}

std::optional<std::uint64_t> AnnealingSearch::fewest_conflicts() const {
  std::optional<std::uint64_t> fewest;
  if (best_.has_schedule()) fewest = best_.conflicts;
  if (cycles_.empty() || !cycles_.front()->best().has_schedule()) return fewest;
  const auto own = cycles_.front()->best().conflicts;
  return fewest ? std::min(*fewest, own) : own;
}

SearchResult AnnealingSearch::result(bool wants_schedule) {
  SearchResult result;
  auto best = wants_schedule ? this->best() : BestPlacing();
  result.is_final = is_over();
  result.generations = generations();
  result.evaluations = evaluations();
  result.evaluations_done = evaluations_ + evaluations_in_vain_;
  for (const auto& cycle : cycles_) {
    result.evaluations_done += cycle->evaluations();
    // A run that a limit of time ends may have a better one ahead.
    if (!result.is_final && wants_schedule) best.take(cycle->best());
  }
  cycles_.clear();
  if (wants_schedule && best.has_schedule())
    take(best, result);
  else if (wants_schedule)
    take_first_fit(result);
  result.launches = halving_.launches;
  result.failures = std::move(halving_.failures);
  return result;
}

void AnnealingSearch::take(const BestPlacing& best, SearchResult& result) const {
  const auto& tables = halving_.group_tables[best.group];
  const auto& [slots, paths] = best.placing;
  result.schedule = expand(tables, task_.network, task_.problem.transfers, slots, paths);
  result.conflicts = best.conflicts;
  result.how = describe(tables, task_.parsed.optimizer);
}

// The run ended before any transfer was placed.
void AnnealingSearch::take_first_fit(SearchResult& result) const {
  auto begun = greedy(task_.problem, task_.network, &task_.watch);
  result.how = std::move(begun.how);
  if (begun.schedule.steps > task_.steps)
    result.how += fmt::format(", its {} slots wrapped round to {}", begun.schedule.steps, task_.steps);
  result.schedule = std::move(begun.schedule);
  for (auto& placement : result.schedule.placements) placement.slot %= task_.steps;
  result.schedule.steps = task_.steps;
  result.conflicts = count_conflicts(task_.problem, result.schedule);
}

// A cycle that has found a schedule is over: its counts are kept, and nothing is left to continue with.
Record AnnealingSearch::state() {
  Record state;
  const bool has_cycle = !cycles_.empty() && !is_successful();
  state.add("place", has_cycle ? std::vector<std::uint64_t>{first_, evaluations_, generations_, 1}
                               : std::vector<std::uint64_t>{first_, evaluations(), generations(), 0});
  best().save(state);
  if (has_cycle) cycles_.front()->save(state);
  return state;
}

void AnnealingSearch::resume(const Record& state) {
  const auto place = array_of(state, "place", 4);
  if (place[0] > most_cycles)
    throw InvalidInput(fmt::format("exchange: the checkpoint is in cycle {}, and no run makes as many", place[0]));
  first_ = place[0];
  evaluations_ = place[1];
  generations_ = place[2];
  best_.resume(state, halving_);
  if (place[3] == 0) return;
  cycles_.push_back(std::make_unique<Cycle>(halving_, first_, left()));
  cycles_.front()->resume(state);
}

}  // namespace clopt::exchange
