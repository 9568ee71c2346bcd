#include "statistics.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

namespace clopt::differential_evolution {

StatisticsRow::StatisticsRow(std::vector<State> states, std::vector<double> values, std::uint32_t generation)
    : states_(std::move(states)), values_(std::move(values)), begun_(generation) {
  find_first_end();
}

void StatisticsRow::find_first_end() {
  first_end_ = EVOLUTION_RUNNING;
  for (const auto& state : states_) first_end_ = std::min(first_end_, state.stopped_at);
}

// From the values of the generation before, which are those shown last.
void StatisticsRow::keep_least(std::uint32_t end) {
  const auto count = values_.size();
  auto before = values_;
  std::vector<double> kept;
  const auto keep = [&](const auto& least) {
    for (std::size_t n = 0; n < (end - begun_) * count; ++n) {
      auto& own = before[n % count];
      own = std::min(own, static_cast<double>(least[n]));
      kept.push_back(own);
    }
  };
  std::visit(keep, least_);
  kept_ = std::move(kept);
  least_ = std::span<const double>(kept_);
}

void StatisticsRow::take_launch(const Plan& plan, Batch& batch, std::uint32_t begun, std::uint32_t end) {
  begun_ = begun;
  for (std::size_t k = 0; k < states_.size(); ++k) states_[k].stopped_at = batch.stopped_at(k);
  find_first_end();
  totals_.clear();
  // Problems that end keep their last values.
  const auto totals = batch.totals();
  if (first_end_ > end && !totals.empty())
    totals_.assign(totals.begin(), totals.end());
  else
    least_ = batch.least_values();
  if (plan.restarts) keep_least(end);
}

std::uint32_t StatisticsRow::last_of_launch(std::uint32_t end) const {
  std::uint32_t last = begun_;
  for (const auto& state : states_) last = std::max(last, std::min(end, state.stopped_at));
  return last;
}

void StatisticsRow::take_generation(const Plan& plan, std::uint32_t generation, bool is_last) {
  if (plan.remembers())
    for (auto& state : states_)
      if (state.stopped_at >= generation) plan.count_evaluations(state, generation);
  shown_ = generation;
  if (!totals_.empty() || (generation <= first_end_ && !is_last)) return;
  shown_.reset();
  // Those that ended keep their last values.
  const auto take = [&](const auto& least) {
    for (std::size_t k = 0; k < values_.size(); ++k) {
      const auto end = std::min(generation, states_[k].stopped_at);
      if (end > begun_) values_[k] = least[(end - begun_ - 1) * values_.size() + k];
    }
  };
  std::visit(take, least_);
}

void StatisticsRow::add_to(ValueTotals& totals) const {
  if (!shown_) return totals.add(std::span<const double>(values_));
  const auto add = [&](const auto& least) {
    totals.add(least.subspan((*shown_ - begun_ - 1) * values_.size(), values_.size()));
  };
  std::visit(add, least_);
}

std::size_t StatisticsRow::add_feasible_to(ValueTotals& totals, const Plan& plan) const {
  std::vector<double> feasible;
  const auto take = [&](const auto& values) {
    for (const auto value : values)
      if (plan.is_feasible(static_cast<double>(value))) feasible.push_back(static_cast<double>(value));
  };
  const auto take_shown = [&](const auto& least) {
    take(least.subspan((*shown_ - begun_ - 1) * values_.size(), values_.size()));
  };
  if (shown_)
    std::visit(take_shown, least_);
  else
    take(values_);
  totals.add(std::span<const double>(feasible));
  return feasible.size();
}

const shared::evolution_totals* StatisticsRow::totals() const {
  return shown_ && !totals_.empty() ? &totals_[*shown_ - begun_ - 1] : nullptr;
}

std::uint64_t StatisticsRow::running(std::uint32_t generation) const {
  if (generation < first_end_) return states_.size();
  return static_cast<std::uint64_t>(
      std::count_if(states_.begin(), states_.end(), [&](const State& state) { return state.stopped_at > generation; }));
}

std::uint64_t StatisticsRow::evaluations(const Plan& plan, std::uint32_t generation) const {
  if (states_.empty()) return 0;
  // All have as many as the first.
  if (!plan.remembers() && generation <= first_end_)
    return states_.size() * plan.evaluations_of(states_[0], generation);
  std::uint64_t evaluations = 0;
  for (const auto& state : states_) evaluations += plan.evaluations_of(state, generation);
  return evaluations;
}

Statistics statistics_of(const Plan& plan, std::span<const StatisticsRow> rows, std::uint32_t generation) {
  Statistics statistics;
  statistics.generation = generation;
  ValueTotals sum_up;
  std::size_t problems = 0;
  std::size_t feasible = 0;
  for (const auto& row : rows) {
    if (plan.constrained())
      feasible += row.add_feasible_to(sum_up, plan);
    else if (!row.totals())
      row.add_to(sum_up);
    statistics.evaluations += row.evaluations(plan, generation);
    statistics.running += row.running(generation);
    problems += row.problems();
  }
  if (!plan.constrained()) feasible = problems;
  const auto totals = !rows.empty() && rows.front().totals() ? *rows.front().totals() : sum_up.all();
  // The same text on every device: zeros and NaN have no sign.
  const auto signed_value = [&](double value) {
    return std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : plan.turned(value) + 0.0;
  };
  statistics.best = signed_value(totals.least);
  statistics.worst = signed_value(totals.greatest);
  statistics.feasible = feasible;
  const auto sum = std::accumulate(std::begin(totals.sums), std::end(totals.sums), 0.0);
  statistics.mean = feasible != 0 ? signed_value(sum / static_cast<double>(feasible)) : statistics.best;
  if (feasible == 0) statistics.worst = statistics.best;
  return statistics;
}

}  // namespace clopt::differential_evolution
