#include "host_check.hpp"
#include <device/verification/fault_detection.hpp>
#include <objective/host_check.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace clopt::differential_evolution {
namespace {

// Parameters and data that are evaluated again: less than a second's work.
constexpr std::size_t most_checked_numbers = std::size_t{1} << 22;

// All problems; of very many the best one and some others, evenly spread.
std::vector<std::size_t> problems_to_check(const Plan& plan, const Summary& summary) {
  const auto problems = summary.best_values.size();
  const auto numbers = problems * (plan.problem.dimensions + plan.settings.columns);
  const auto step = std::max<std::size_t>(1, numbers / most_checked_numbers);
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < problems; k += step) places.push_back(k);
  const auto least = std::min_element(summary.best_values.begin(), summary.best_values.end(), is_better);
  if (step > 1) places.push_back(static_cast<std::size_t>(least - summary.best_values.begin()));
  return places;
}

template <class Real>
std::string check(const Plan& plan, const Device& device, const Piece& piece, const Summary& summary) {
  const auto& objective = plan.objective;
  const std::size_t dimensions = plan.problem.dimensions;
  const std::size_t columns = plan.settings.columns;
  const auto places = problems_to_check(plan, summary);
  std::vector<Real> elements(places.size() * dimensions), rows(places.size() * columns);
  for (std::size_t n = 0; n < places.size(); ++n) {
    const auto k = places[n];
    for (std::size_t d = 0; d < dimensions; ++d)
      elements[n * dimensions + d] = static_cast<Real>(summary.best_vectors[k * dimensions + d]);
    for (std::size_t c = 0; c < columns; ++c)
      rows[n * columns + c] = static_cast<Real>(plan.rows()[(piece.first + k) * columns + c]);
  }
  std::string unchecked;
  const auto values = objective::values_on_host<Real, Real>(objective,
                                                            {.elements = elements,
                                                             .count = places.size(),
                                                             .genes = static_cast<std::uint32_t>(dimensions),
                                                             .rows = rows,
                                                             .columns = static_cast<std::uint32_t>(columns)},
                                                            unchecked);
  for (std::size_t n = 0; n < values.size(); ++n) {
    // NaN counts as the worst.
    const auto worst = std::numeric_limits<double>::infinity();
    const auto on_host = std::isnan(values[n]) ? worst : plan.turned(values[n]);
    objective::require_host_value(objective, device, plan.turned(summary.best_values[places[n]]), plan.turned(on_host));
  }
  return unchecked;
}

// The objective's values, or the violations, of some problems' vectors; empty where the host cannot evaluate them.
template <class Real>
std::vector<Real> parts_of(const Plan& plan, const std::vector<std::size_t>& places, const Result& result,
                           objective::Term term) {
  const std::size_t dimensions = plan.problem.dimensions;
  const std::size_t columns = plan.settings.columns;
  std::vector<Real> elements;
  std::vector<Real> rows;
  for (const auto k : places) {
    for (std::size_t d = 0; d < dimensions; ++d)
      elements.push_back(static_cast<Real>(result.parameters[k * dimensions + d]));
    for (std::size_t c = 0; c < columns; ++c) rows.push_back(static_cast<Real>(plan.rows()[k * columns + c]));
  }
  std::string reason;
  return objective::values_on_host<Real, Real>(plan.objective,
                                               {.elements = elements,
                                                .count = places.size(),
                                                .genes = static_cast<std::uint32_t>(dimensions),
                                                .rows = rows,
                                                .columns = static_cast<std::uint32_t>(columns)},
                                               reason, term);
}

template <class Real>
void evaluate_parts(const Plan& plan, const std::vector<std::size_t>& places, Result& result) {
  const auto values = parts_of<Real>(plan, places, result, objective::Term::value);
  const auto violations = parts_of<Real>(plan, places, result, objective::Term::violation);
  for (std::size_t n = 0; n < values.size(); ++n) result.values[places[n]] = static_cast<double>(values[n]);
  for (std::size_t n = 0; n < violations.size(); ++n) result.violations[places[n]] = static_cast<double>(violations[n]);
}

// Values and violations of infeasible vectors, which a device has as one number.
void set_values(const Plan& plan, bool was_ended, Result& result) {
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < result.values.size(); ++k) {
    if (result.violations[k] == 0 || std::isinf(result.violations[k])) continue;
    places.push_back(k);
    result.values[k] = std::numeric_limits<double>::quiet_NaN();
  }
  // A text takes a compiler seconds, and a function may have been what the caller would not wait for.
  if (places.empty() || was_ended) return;
  if (plan.is_double())
    evaluate_parts<double>(plan, places, result);
  else
    evaluate_parts<float>(plan, places, result);
}

}  // namespace

void set_violations(const Plan& plan, bool was_ended, Result& result) {
  set_values(plan, was_ended, result);
  if (plan.objective.is_fit()) result.chi_squared = result.values;
}

void require_sound(const Plan& plan, const Device& device, std::uint32_t generation, const Summary& summary) {
  const bool may_stop = plan.settings.stop != 0;
  for (std::size_t k = 0; k < summary.states.size(); ++k) {
    const auto& state = summary.states[k];
    if (state.stopped_at != EVOLUTION_RUNNING && (!may_stop || state.stopped_at > generation))
      report_fault(device, fmt::format("says in generation {} that a problem stopped in generation {}", generation,
                                       state.stopped_at));
    const auto evaluations = plan.evaluations_of(state, generation);
    if (state.invalid > evaluations || (state.invalid == evaluations && std::isfinite(summary.best_values[k])))
      report_fault(device, fmt::format("counts {} values that are not numbers among {}", state.invalid, evaluations));
  }
}

std::string check_on_host(const Plan& plan, const Device& device, const Piece& piece, const Summary& summary,
                          bool was_ended) {
  if (!plan.options.checks_values) return "only another search begins at the vectors";
  auto unchecked = objective::why_unchecked(plan.objective, device, was_ended);
  if (!unchecked.empty()) return unchecked;
  return plan.is_double() ? check<double>(plan, device, piece, summary) : check<float>(plan, device, piece, summary);
}

}  // namespace clopt::differential_evolution
