#include <clopt/error.hpp>
#include <clopt/runs.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace clopt {
namespace {

// Of ascending numbers; the way of numpy's default.
double quantile(std::span<const double> sorted, double part) {
  const double place = part * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const auto above = std::min(below + 1, sorted.size() - 1);
  // An infinity has no part.
  if (place == static_cast<double>(below) || sorted[below] == sorted[above] || !std::isfinite(sorted[below]))
    return sorted[below];
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

RunsSummary summary_of(std::span<const RunOutcome> runs, bool maximised) {
  if (runs.empty()) throw InvalidInput("there are no `runs`; give one at least");
  RunsSummary summary;
  summary.runs = runs.size();
  std::vector<double> values;
  double evaluations = 0;
  const double worst = (maximised ? -1 : 1) * std::numeric_limits<double>::infinity();
  for (const auto& run : runs) {
    summary.successes += run.success ? 1 : 0;
    evaluations += static_cast<double>(run.evaluations);
    values.push_back(std::isnan(run.value) ? worst : run.value);
  }
  std::sort(values.begin(), values.end());
  summary.best = maximised ? values.back() : values.front();
  summary.worst = maximised ? values.front() : values.back();
  summary.lower_quartile = quantile(values, 0.25);
  summary.median = quantile(values, 0.5);
  summary.upper_quartile = quantile(values, 0.75);
  if (summary.successes != 0) summary.evaluations = evaluations / static_cast<double>(summary.successes);
  return summary;
}

}  // namespace clopt
