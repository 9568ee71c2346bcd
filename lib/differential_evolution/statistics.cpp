#include "statistics.hpp"

#include <limits>

namespace clopt::differential_evolution {

void StatisticsRow::take_generation(const Plan& plan, std::uint32_t generation, std::size_t n) {
  const auto problems = states.size();
  for (std::size_t k = 0; k < problems; ++k) {
    if (states[k].stopped_at < generation) continue;
    best_values[k] = least[n * problems + k];
    plan.count_evaluations(states[k], generation);
  }
}

Statistics statistics_of(const Plan& plan, std::span<const StatisticsRow> rows, std::uint32_t generation) {
  Statistics statistics;
  statistics.generation = generation;
  auto least = std::numeric_limits<double>::infinity();
  auto greatest = -least;
  double sum = 0;
  std::size_t problems = 0;
  for (const auto& row : rows) {
    for (std::size_t k = 0; k < row.states.size(); ++k) {
      const auto value = row.best_values[k];
      least = value < least ? value : least;
      greatest = value < greatest ? greatest : value;
      sum += value;
      statistics.evaluations += plan.evaluations_of(row.states[k], generation);
      statistics.running += row.states[k].stopped_at > generation ? 1 : 0;
    }
    problems += row.states.size();
  }
  statistics.best = plan.turned(least);
  statistics.worst = plan.turned(greatest);
  statistics.mean = plan.turned(sum / static_cast<double>(problems));
  return statistics;
}

}  // namespace clopt::differential_evolution
