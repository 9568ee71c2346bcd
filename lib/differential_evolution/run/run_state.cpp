#include "run_state.hpp"

#include <clopt/checkpoint.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <differential_evolution/fit/standard_errors.hpp>
#include <differential_evolution/problems/fit_data.hpp>
#include <differential_evolution/result.hpp>
#include <objective/host_check.hpp>

namespace clopt::differential_evolution {
namespace {

template <class T>
void put(std::vector<T>& to, const std::vector<T>& from, std::size_t place, std::size_t length) {
  std::copy(from.begin(), from.end(), to.begin() + static_cast<std::ptrdiff_t>(place * length));
}

template <class T>
std::vector<T> part(const std::vector<T>& all, const Piece& piece, std::size_t length) {
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(piece.first * length);
  return {begin, begin + static_cast<std::ptrdiff_t>(piece.count * length)};
}

std::size_t controls_of(const Plan& plan) {
  return shared::evolution_controls(plan.settings.adapt, plan.settings.population);
}

// The violation that a value to be minimised stands for, but for its last bits.
double violation_of(const Plan& plan, double value) {
  if (!std::isfinite(value)) return std::numeric_limits<double>::infinity();
  if (plan.is_double()) return shared::violation_of_cost(value);
  return static_cast<double>(shared::violation_of_cost(static_cast<float>(value)));
}

// Whether a problem's control parameters are such as a run may have: F of all individuals, then CR, then what SHADE
// keeps, at the end the place in its history that is written next.
bool are_controls(const Settings& settings, std::span<const double> controls) {
  if (controls.empty()) return true;
  const auto within = [](std::span<const double> numbers, double most) {
    return std::all_of(numbers.begin(), numbers.end(), [=](double number) { return number >= 0 && number <= most; });
  };
  const std::size_t population = settings.population;
  if (!within(controls.first(population), 2) || !within(controls.subspan(population, population), 1)) return false;
  if (shared::evolution_remembers(settings.adapt) == 0) return true;
  const double place = controls.back();
  return std::all_of(controls.begin(), controls.end(), [](double number) { return std::isfinite(number); }) &&
         place >= 0 && place < EVOLUTION_HISTORY(settings.adapt) && place == std::floor(place);
}

}  // namespace

RunState::RunState(const Plan& plan, bool keeps_states) : plan_(plan) {
  // Before there is memory for the sizes that another run's file asks for.
  if (plan.options.resume) plan.options.resume->require(identity_of(plan));
  const auto problems = plan.problem.problems;
  const auto dimensions = plan.problem.dimensions;
  generation_.assign(problems, not_begun);
  states_.resize(problems);
  for (std::size_t k = 0; k < problems; ++k) states_[k] = plan.first_state(k);
  summary_.best_values.assign(problems, std::numeric_limits<double>::infinity());
  summary_.worst_values = summary_.best_values;
  summary_.best_vectors.assign(problems * dimensions, 0.0);
  summary_.digests.assign(problems, 0);
  improved_.assign(problems, 0);
  converged_.assign(problems, 0);
  polish_evaluations_.assign(problems, 0);
  if (plan.objective.is_fit()) errors_.assign(problems * dimensions, std::numeric_limits<double>::infinity());
  if (!keeps_states) return;
  vectors_.resize(problems * numbers());
  values_.resize(problems * plan.settings.population);
  controls_.resize(problems * controls_of(plan));
  archive_.resize(problems * archive_numbers());
  if (!plan.restarts) return;
  kept_values_.assign(problems, std::numeric_limits<double>::infinity());
  kept_vectors_.resize(problems * dimensions);
}

std::vector<Piece> RunState::pieces(std::size_t most) const {
  std::vector<Piece> all;
  for (std::size_t k = 0; k < generation_.size(); ++k) {
    const auto generation = generation_[k] == not_begun ? std::nullopt : std::optional(generation_[k]);
    if (!all.empty() && all.back().generation == generation && all.back().first + all.back().count == k &&
        all.back().count < most)
      ++all.back().count;
    else
      all.push_back({k, 1, generation});
  }
  return all;
}

std::optional<std::uint32_t> RunState::generation_of(const Piece& piece) const {
  const std::lock_guard lock(mutex_);
  const auto generation = generation_[piece.first];
  return generation == not_begun ? std::nullopt : std::optional(generation);
}

EvolutionState RunState::state_of(const Piece& piece) const {
  const std::lock_guard lock(mutex_);
  return {part(states_, piece, 1),
          part(vectors_, piece, numbers()),
          part(values_, piece, plan_.settings.population),
          part(controls_, piece, controls_of(plan_)),
          part(archive_, piece, archive_numbers()),
          part(kept_values_, piece, plan_.restarts ? 1 : 0),
          part(kept_vectors_, piece, plan_.restarts ? plan_.problem.dimensions : 0)};
}

void RunState::deposit(const Piece& piece, std::uint32_t generation, const EvolutionState& state) {
  const std::lock_guard lock(mutex_);
  std::fill_n(generation_.begin() + static_cast<std::ptrdiff_t>(piece.first), piece.count, generation);
  put(states_, state.states, piece.first, 1);
  put(vectors_, state.vectors, piece.first, numbers());
  put(values_, state.values, piece.first, plan_.settings.population);
  if (controls_of(plan_) != 0) put(controls_, state.controls, piece.first, controls_of(plan_));
  if (plan_.has_archive()) put(archive_, state.archive, piece.first, archive_numbers());
  if (!plan_.restarts) return;
  put(kept_values_, state.kept_values, piece.first, 1);
  put(kept_vectors_, state.kept_vectors, piece.first, plan_.problem.dimensions);
}

void RunState::finish(const Piece& piece, std::uint32_t generation, const Summary& summary,
                      const std::optional<Polished>& polished) {
  const std::lock_guard lock(mutex_);
  std::fill_n(generation_.begin() + static_cast<std::ptrdiff_t>(piece.first), piece.count, generation);
  put(states_, summary.states, piece.first, 1);
  put(summary_.best_values, summary.best_values, piece.first, 1);
  put(summary_.worst_values, summary.worst_values, piece.first, 1);
  put(summary_.best_vectors, summary.best_vectors, piece.first, plan_.settings.dimensions);
  put(summary_.digests, summary.digests, piece.first, 1);
  if (!polished) return;
  put(improved_, polished->improved, piece.first, 1);
  put(converged_, polished->converged, piece.first, 1);
  put(polish_evaluations_, polished->evaluations, piece.first, 1);
  if (plan_.objective.is_fit()) take_errors(piece, summary, *polished);
}

void RunState::take_errors(const Piece& piece, const Summary& summary, const Polished& polished) {
  const auto n = plan_.problem.dimensions;
  const std::span<const double> normal(polished.normal);
  for (std::size_t k = 0; k < piece.count; ++k) {
    // What stands for a violation is not a sum of squares.
    const auto variance = plan_.is_feasible(summary.best_values[k])
                              ? residual_variance(summary.best_values[k], present_data(plan_.problem, piece.first + k),
                                                  n, !plan_.problem.sigma.empty())
                              : std::numeric_limits<double>::infinity();
    const auto errors = standard_errors(normal.subspan(k * n * (n + 1), n * (n + 1)), n, variance);
    std::copy(errors.begin(), errors.end(), errors_.begin() + static_cast<std::ptrdiff_t>((piece.first + k) * n));
  }
}

void RunState::require_values(const Checkpoint& checkpoint) const {
  if (plan_.is_double())
    require_values_of<double>(checkpoint);
  else
    require_values_of<float>(checkpoint);
}

template <class Real>
void RunState::require_values_of(const Checkpoint& checkpoint) const {
  const std::size_t dimensions = plan_.problem.dimensions;
  const std::size_t columns = plan_.settings.columns;
  for (std::size_t k = 0; k < states_.size(); ++k) {
    if (generation_[k] == not_begun) continue;
    std::vector<Real> vectors, rows, values;
    // Parameters lie `step` apart.
    const auto add = [&](const double* vector, std::size_t step, double value) {
      for (std::size_t j = 0; j < dimensions; ++j) vectors.push_back(static_cast<Real>(vector[j * step]));
      for (std::size_t c = 0; c < columns; ++c) rows.push_back(static_cast<Real>(plan_.rows()[k * columns + c]));
      values.push_back(static_cast<Real>(plan_.turned(value)));
    };
    const auto compare = [&](std::string_view field) {
      objective::require_kept_values<Real, Real>(checkpoint, plan_.objective,
                                                 {.elements = vectors,
                                                  .count = values.size(),
                                                  .genes = static_cast<std::uint32_t>(dimensions),
                                                  .rows = rows,
                                                  .columns = static_cast<std::uint32_t>(columns)},
                                                 values, field);
      vectors.clear(), rows.clear(), values.clear();
    };
    // In the middle of a restart the vectors are drawn, and the values are those before.
    if (states_[k].restarted_at <= generation_[k]) {
      for (std::size_t i = 0; i < states_[k].alive; ++i) {
        const std::size_t population = plan_.settings.population;
        add(&vectors_[k * numbers() + i], population, values_[k * population + i]);
      }
      compare("values");
    }
    if (states_[k].restarted_at == 0) continue;
    add(&kept_vectors_[k * dimensions], 1, kept_values_[k]);
    compare("kept_values");
  }
}

void RunState::load(const Checkpoint& checkpoint) {
  const auto sizes = [this] {
    return std::array{controls_.size(), archive_.size(), kept_values_.size(), kept_vectors_.size()};
  };
  const auto expected = sizes();
  CheckpointFields<RunState> kept{*this, 0};
  read_checkpoint(checkpoint, kept);
  if (sizes() != expected) checkpoint.refuse("its 'controls', its 'archive' or what was 'kept' has another size");
  for (const auto& [name, values] : {std::pair("values", &values_), std::pair("kept_values", &kept_values_)})
    if (std::any_of(values->begin(), values->end(), [](double value) { return std::isnan(value); }))
      checkpoint.refuse(fmt::format("a value of its '{}' is not a number", name));
  const auto are_finite = [](const std::vector<double>& numbers) {
    return std::all_of(numbers.begin(), numbers.end(), [](double number) { return std::isfinite(number); });
  };
  if (!are_finite(vectors_)) checkpoint.refuse("a parameter of its 'vectors' is not finite");
  if (!are_finite(kept_vectors_)) checkpoint.refuse("a parameter of its 'kept_vectors' is not finite");
  if (!are_finite(archive_)) checkpoint.refuse("a parameter of its 'archive' is not finite");
  // Others than L-SHADE may have been meant to run for longer than this run.
  const auto most = plan_.settings.adapt == EVOLUTION_LSHADE ? plan_.generations : std::uint32_t{1} << 31;
  for (std::size_t k = 0; k < states_.size(); ++k) {
    const auto& state = states_[k];
    const auto generation = generation_[k];
    const bool sound =
        (generation == not_begun || generation <= most) &&
        (state.stopped_at == EVOLUTION_RUNNING || (generation != not_begun && state.stopped_at <= generation)) &&
        state.alive >= plan_.strategy.least_population() && state.alive <= plan_.settings.population &&
        state.archived <= plan_.settings.archive &&
        (generation == not_begun || (state.improved_at <= generation && state.restarted_at <= generation + 1 &&
                                     state.invalid <= plan_.evaluations_of(state, generation)));
    if (!sound)
      checkpoint.refuse(
          fmt::format("problem {} stands at generation {}, which its 'stopped_at', 'improved_at', "
                      "'restarted_at', 'invalid', 'alive' or 'archived' contradict",
                      k, generation));
    if (!are_controls(plan_.settings, std::span(controls_).subspan(k * controls_of(plan_), controls_of(plan_))))
      checkpoint.refuse(fmt::format("problem {} has F, CR or what is remembered of them, 'controls', out of range", k));
  }
  for (std::size_t k = 0; k < states_.size(); ++k) {
    if (states_[k].stopped_at == EVOLUTION_RUNNING) {
      if (generation_[k] != not_begun && keeps_target(k)) stop(k);
      continue;
    }
    if (stays_stopped(k)) continue;
    // It continues where it stopped.
    generation_[k] = states_[k].stopped_at;
    states_[k].stopped_at = EVOLUTION_RUNNING;
  }
}

// Whether what was kept at restarts reaches the target, which no generation to come asks.
bool RunState::keeps_target(std::size_t k) const {
  return plan_.options.target && plan_.restarts && kept_values_[k] <= plan_.target();
}

// Ends a problem where it stands, one in the middle of a restart before that.
void RunState::stop(std::size_t k) {
  states_[k].stopped_at = generation_[k];
  states_[k].restarted_at = std::min(states_[k].restarted_at, generation_[k]);
}

bool RunState::save(CheckpointWriter& writer) const {
  const std::lock_guard lock(mutex_);
  // All problems have come this far.
  const auto first = *std::min_element(generation_.begin(), generation_.end());
  return writer.write(
      record_of_state(identity_of(plan_), CheckpointFields<const RunState>{*this, first == not_begun ? 0 : first}));
}

Stop RunState::stop_of(std::size_t k) const {
  if (plan_.options.target && summary_.best_values[k] <= plan_.target()) return Stop::target;
  if (states_[k].stopped_at == EVOLUTION_RUNNING) return Stop::limit;
  return plan_.stagnates(states_[k]) ? Stop::stagnation : Stop::spread;
}

// Whether a problem that had stopped stops all the same with the target, the spread and the stagnation of this run.
bool RunState::stays_stopped(std::size_t k) const {
  const auto begin = values_.begin() + static_cast<std::ptrdiff_t>(k * plan_.settings.population);
  const auto [least, greatest] = std::minmax_element(begin, begin + states_[k].alive);
  const auto& options = plan_.options;
  return (options.target && *least <= plan_.target()) || keeps_target(k) ||
         (options.spread && plan_.rounded(*greatest - *least) <= plan_.spread()) || plan_.stagnates(states_[k]);
}

Ending RunState::ending(const std::vector<Stop>& stops, Ending cut) const {
  bool is_limited = false;
  for (std::size_t k = 0; k < stops.size(); ++k) {
    if (stops[k] != Stop::limit) continue;
    if (generation_[k] == not_begun || generation_[k] < plan_.generations) return cut;
    is_limited = true;
  }
  if (is_limited) return plan_.limit;
  const bool all_reached = std::all_of(stops.begin(), stops.end(), [](Stop stop) { return stop == Stop::target; });
  if (all_reached) return Ending::target;
  const bool some_stagnate = std::find(stops.begin(), stops.end(), Stop::stagnation) != stops.end();
  return some_stagnate ? Ending::stagnation : Ending::complete;
}

void RunState::fill_polish(Result& result) const {
  result.errors = errors_;
  if (plan_.objective.is_fit()) result.chi_squared = result.values;
  if (!plan_.polishes) return;
  result.converged = converged_;
  for (std::size_t k = 0; k < improved_.size(); ++k) {
    result.polished += improved_[k];
    result.polish_evaluations += polish_evaluations_[k];
  }
  result.total_evaluations += result.polish_evaluations;
}

void RunState::fill(Result& result, Ending cut) const {
  const auto problems = generation_.size();
  result.parameters = summary_.best_vectors;
  for (std::size_t k = 0; k < problems; ++k) {
    const bool has_begun = generation_[k] != not_begun;
    const auto generations = has_begun ? plan_.generations_of(states_[k], generation_[k]) : 0;
    result.values.push_back(plan_.turned(summary_.best_values[k]));
    result.generations.push_back(generations);
    result.stops.push_back(stop_of(k));
    result.invalid.push_back(states_[k].invalid);
    if (plan_.constrained()) result.violations.push_back(violation_of(plan_, summary_.best_values[k]));
    result.feasible += plan_.is_feasible(summary_.best_values[k]) ? 1 : 0;
    result.solved += result.stops.back() == Stop::target ? 1 : 0;
    result.total_generations += generations;
    if (has_begun) result.total_evaluations += plan_.evaluations_of(states_[k], generation_[k]);
    if (summary_.best_values[k] < summary_.best_values[result.best] || std::isnan(summary_.best_values[result.best]))
      result.best = k;
  }
  fill_polish(result);
  result.ending = ending(result.stops, cut);
  result.digests = summary_.digests;
  result.best_cost = summary_.best_values[result.best];
  result.maximised = plan_.maximises();
  result.checksum = checksum_of(result);
}

}  // namespace clopt::differential_evolution
