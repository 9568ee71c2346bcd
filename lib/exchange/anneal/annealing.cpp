#include "annealing.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include <exchange/packing/greedy.hpp>

namespace clopt::exchange {
namespace {

std::string describe(const SearchPlan& plan, Optimizer optimizer) {
  const char* const search = optimizer == Optimizer::tabu ? "tabu search" : "annealing";
  if (plan.shape.order == 1) return fmt::format("{} without symmetry", search);
  return fmt::format("{} with a group of {} symmetries{}", search, plan.shape.order,
                     plan.group.reverses() ? ", some of which reverse paths" : "");
}

}  // namespace

Annealing::Annealing(const SearchTask& task) : task_(task), competition_(task) {
  if (task.resume) resume(*task.resume);
}

bool Annealing::is_over() const {
  if (best_.has_schedule() && best_.conflicts == 0) return true;
  return !cycles_.empty() && (cycles_.front()->is_successful() || cycles_.front()->is_limited());
}

double Annealing::left() const { return static_cast<double>(task_.generations) - static_cast<double>(generations_); }

void Annealing::add(double limit) {
  cycles_.push_back(std::make_unique<Cycle>(competition_, first_ + cycles_.size(), limit));
}

// The first cycle in the order, and those after it: their answers count only where all cycles before them have failed.
// On one device more than one cycle would slow the first one down: its launches fill the device, or wait for each other
// where a driver has few queues of its own.
void Annealing::add_cycles() {
  if (cycles_.empty()) add(left());
  while (cycles_.size() < task_.devices.size() && !cycles_.back()->is_successful())
    add(std::numeric_limits<double>::infinity());
}

void Annealing::start() {
  add_cycles();
  if (is_over()) return;
  for (auto& cycle : cycles_) cycle->start();
}

void Annealing::finish_launch() {
  for (auto& cycle : cycles_) cycle->finish();
  while (!is_over() && !cycles_.empty() && cycles_.front()->has_ended()) end_first();
}

// Takes the first cycle out, which has failed.
void Annealing::end_first() {
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

BestPlacing Annealing::best() const {
  auto best = best_;
  if (!cycles_.empty()) best.take(cycles_.front()->best());
  return best;
}

std::uint64_t Annealing::generations() const {
  return generations_ + (cycles_.empty() ? 0 : cycles_.front()->sweeps());
}

std::uint64_t Annealing::evaluations() const {
  return evaluations_ + (cycles_.empty() ? 0 : cycles_.front()->evaluations());
}

std::vector<double> Annealing::conflicts() const {
  return cycles_.empty() ? std::vector<double>() : cycles_.front()->conflicts();
}

SearchResult Annealing::result() {
  SearchResult result;
  auto best = this->best();
  result.generations = generations();
  result.evaluations = evaluations();
  result.evaluations_done = evaluations_ + evaluations_in_vain_;
  for (const auto& cycle : cycles_) {
    result.evaluations_done += cycle->evaluations();
    // A run that a limit of time ends may have a better one ahead.
    if (competition_.expired()) best.take(cycle->best());
  }
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

void Annealing::take(const BestPlacing& best, SearchResult& result) const {
  const auto& plan = competition_.plans[best.group];
  const auto& [slots, paths] = best.placing;
  result.schedule = expand(plan, task_.network, task_.problem.transfers, slots, paths);
  result.conflicts = best.conflicts;
  result.how = describe(plan, task_.choice.optimizer);
}

// The run ended before any transfer was placed.
void Annealing::take_first_fit(SearchResult& result) const {
  auto begun = greedy(task_.problem, task_.network, &task_.watch);
  result.how = std::move(begun.how);
  if (begun.schedule.steps > task_.steps)
    result.how += fmt::format(", its {} slots wrapped round to {}", begun.schedule.steps, task_.steps);
  result.schedule = std::move(begun.schedule);
  for (auto& placement : result.schedule.placements) placement.slot %= task_.steps;
  result.schedule.steps = task_.steps;
  result.conflicts = count_conflicts(task_.problem, result.schedule);
}

SearchState Annealing::state() {
  SearchState state;
  state.emplace_back("place",
                     std::vector<std::uint64_t>{first_, evaluations_, generations_, cycles_.empty() ? 0U : 1U});
  best().save(state);
  if (!cycles_.empty()) cycles_.front()->save(state);
  return state;
}

void Annealing::resume(const SearchState& state) {
  const auto& place = array_of(state, "place", 4);
  first_ = place[0];
  evaluations_ = place[1];
  generations_ = place[2];
  best_.resume(state, competition_);
  if (place[3] == 0) return;
  add(left());
  cycles_.front()->resume(state);
}

}  // namespace clopt::exchange
