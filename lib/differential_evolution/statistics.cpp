#include "statistics.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace clopt::differential_evolution {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The least, the greatest and the sum of numbers, by eight lanes side by side; the n th number belongs to lane n % 8.
class Totals {
 public:
  Totals() {
    least_.fill(infinity);
    greatest_.fill(-infinity);
  }

  void add(std::span<const double> numbers) {
    while (!numbers.empty() && lane_ != 0) {
      add(lane_, numbers.front());
      lane_ = (lane_ + 1) % lanes;
      numbers = numbers.subspan(1);
    }
    for (; numbers.size() >= lanes; numbers = numbers.subspan(lanes))
      for (std::size_t lane = 0; lane < lanes; ++lane) add(lane, numbers[lane]);
    for (const double number : numbers) add(lane_++, number);
  }

  double least() const { return *std::min_element(least_.begin(), least_.end()); }
  double greatest() const { return *std::max_element(greatest_.begin(), greatest_.end()); }
  double sum() const {
    double sum = 0;
    for (const double each : sums_) sum += each;
    return sum;
  }

 private:
  static constexpr std::size_t lanes = 8;

  void add(std::size_t lane, double number) {
    least_[lane] = number < least_[lane] ? number : least_[lane];
    greatest_[lane] = number > greatest_[lane] ? number : greatest_[lane];
    sums_[lane] += number;
  }

  std::array<double, lanes> least_;
  std::array<double, lanes> greatest_;
  std::array<double, lanes> sums_{};
  std::size_t lane_ = 0;  ///< of the next number
};

}  // namespace

StatisticsRow::StatisticsRow(std::vector<State> states, std::vector<double> values, std::uint32_t generation)
    : states_(std::move(states)), values_(std::move(values)), begun_(generation), shown_(values_) {
  find_first_end();
}

void StatisticsRow::find_first_end() {
  first_end_ = EVOLUTION_RUNNING;
  for (const auto& state : states_) first_end_ = std::min(first_end_, state.stopped_at);
}

void StatisticsRow::take_launch(Batch& batch, std::uint32_t begun, std::uint32_t generations) {
  begun_ = begun;
  batch.least_values(generations, least_);
  for (std::size_t k = 0; k < states_.size(); ++k) states_[k].stopped_at = batch.stopped_at(k);
  find_first_end();
}

std::uint32_t StatisticsRow::last_of_launch(std::uint32_t end) const {
  std::uint32_t last = begun_;
  for (const auto& state : states_) last = std::max(last, std::min(end, state.stopped_at));
  return last;
}

void StatisticsRow::take_generation(const Plan& plan, std::uint32_t generation, bool is_last) {
  const auto problems = states_.size();
  const auto values_of = [&](std::uint32_t of) { return &least_[(of - begun_ - 1) * problems]; };
  if (plan.remembers())
    for (auto& state : states_)
      if (state.stopped_at >= generation) plan.count_evaluations(state, generation);
  if (generation <= first_end_) {
    shown_ = {values_of(generation), problems};
    if (!is_last) return;
    std::copy(shown_.begin(), shown_.end(), values_.begin());
  } else {
    // Those that ended keep their last values.
    for (std::size_t k = 0; k < problems; ++k)
      if (states_[k].stopped_at > begun_) values_[k] = values_of(std::min(generation, states_[k].stopped_at))[k];
  }
  shown_ = values_;
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
  Totals totals;
  std::size_t problems = 0;
  for (const auto& row : rows) {
    totals.add(row.values());
    statistics.evaluations += row.evaluations(plan, generation);
    statistics.running += row.running(generation);
    problems += row.problems();
  }
  statistics.best = plan.turned(totals.least());
  statistics.worst = plan.turned(totals.greatest());
  statistics.mean = plan.turned(totals.sum() / static_cast<double>(problems));
  return statistics;
}

}  // namespace clopt::differential_evolution
