#include "statistics.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace clopt::differential_evolution {

namespace {

constexpr std::size_t lanes = 8;

// Each lane takes in one number of each block. With copies, and an operation at a time, so that compilers keep all
// lanes in vectors.
template <class Real>
void add_blocks(const Real* numbers, std::size_t blocks, std::array<double, lanes>& least_of,
                std::array<double, lanes>& greatest_of, std::array<double, lanes>& sums_of) {
  auto least = least_of;
  auto greatest = greatest_of;
  auto sums = sums_of;
  for (const Real* const end = numbers + blocks * lanes; numbers != end; numbers += lanes) {
    std::array<double, lanes> block;
    for (std::size_t lane = 0; lane < lanes; ++lane) block[lane] = static_cast<double>(numbers[lane]);
    for (std::size_t lane = 0; lane < lanes; ++lane)
      least[lane] = block[lane] < least[lane] ? block[lane] : least[lane];
    for (std::size_t lane = 0; lane < lanes; ++lane)
      greatest[lane] = block[lane] > greatest[lane] ? block[lane] : greatest[lane];
    for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += block[lane];
  }
  least_of = least;
  greatest_of = greatest;
  sums_of = sums;
}

}  // namespace

/// The least, the greatest and the sum of numbers, by eight lanes side by side; the n th number belongs to lane n % 8.
class Totals {
 public:
  Totals() {
    least_.fill(std::numeric_limits<double>::infinity());
    greatest_.fill(-std::numeric_limits<double>::infinity());
  }

  template <class Real>
  void add(std::span<const Real> numbers) {
    for (; !numbers.empty() && lane_ != 0; numbers = numbers.subspan(1)) add_one(static_cast<double>(numbers.front()));
    const auto blocks = numbers.size() / lanes;
    add_blocks(numbers.data(), blocks, least_, greatest_, sums_);
    numbers = numbers.subspan(blocks * lanes);
    for (const auto number : numbers) add_one(static_cast<double>(number));
  }

  double least() const { return *std::min_element(least_.begin(), least_.end()); }
  double greatest() const { return *std::max_element(greatest_.begin(), greatest_.end()); }
  double sum() const {
    double sum = 0;
    for (const double each : sums_) sum += each;
    return sum;
  }

 private:
  void add_one(double number) {
    least_[lane_] = number < least_[lane_] ? number : least_[lane_];
    greatest_[lane_] = number > greatest_[lane_] ? number : greatest_[lane_];
    sums_[lane_] += number;
    lane_ = (lane_ + 1) % lanes;
  }

  std::array<double, lanes> least_;
  std::array<double, lanes> greatest_;
  std::array<double, lanes> sums_{};
  std::size_t lane_ = 0;  ///< of the next number
};

StatisticsRow::StatisticsRow(std::vector<State> states, std::vector<double> values, std::uint32_t generation)
    : states_(std::move(states)), values_(std::move(values)), begun_(generation) {
  find_first_end();
}

void StatisticsRow::find_first_end() {
  first_end_ = EVOLUTION_RUNNING;
  for (const auto& state : states_) first_end_ = std::min(first_end_, state.stopped_at);
}

void StatisticsRow::take_launch(const Batch& batch, std::uint32_t begun) {
  begun_ = begun;
  least_ = batch.least_values();
  for (std::size_t k = 0; k < states_.size(); ++k) states_[k].stopped_at = batch.stopped_at(k);
  find_first_end();
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
  if (generation <= first_end_ && !is_last) return;
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

void StatisticsRow::add_to(Totals& totals) const {
  if (!shown_) return totals.add(std::span<const double>(values_));
  const auto add = [&](const auto& least) {
    totals.add(least.subspan((*shown_ - begun_ - 1) * values_.size(), values_.size()));
  };
  std::visit(add, least_);
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
    row.add_to(totals);
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
