/// \file
/// Twins of the stages of differential evolution, apart and merged, and of its summaries.
#include <objective/batch.hpp>
#include <openmp/objective/objective.hpp>
#include <openmp/twin.hpp>
#include "trial.hpp"

#include <shared/differential_evolution/arithmetic.h>
#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

namespace clopt::openmp::differential_evolution {
namespace {

/// Runs a function for each of some problems that runs in a generation.
template <class Function>
void for_problems(std::uint64_t problems, std::span<const State> states, std::uint32_t generation,
                  const Function& function) {
  in_parallel(problems, [&](std::size_t k) {
    if (states[k].stopped_at >= generation) function(k);
  });
}

/// Runs a function for each problem whose individuals are from \p begin to \p end - 1.
template <class Function>
void for_part(const Settings& settings, std::uint64_t begin, std::uint64_t end, const Function& function) {
  const auto first = begin / settings.population;
  in_parallel(end / settings.population - first, [&](std::size_t n) { function(first + n); });
}

std::size_t numbers_of(const Settings& settings) { return std::size_t{settings.population} * settings.dimensions; }

std::size_t archive_of(const Settings& settings) { return std::size_t{settings.archive} * settings.dimensions; }

std::size_t first_control(const Settings& settings, std::size_t k) {
  return k * shared::evolution_controls(settings.adapt, settings.population);
}

template <class Real>
Generation<Real> generation_of(const Settings& settings, std::span<const Real> bounds, std::span<const Real> controls,
                               std::span<const std::uint32_t> order, Real weight, const State& state, std::size_t k,
                               std::uint32_t number, std::span<const Real> archive = {}) {
  // Only the operations that are given controls to write do write them.
  auto* const own = const_cast<Real*>(controls.data()) + first_control(settings, k);
  return {settings,
          bounds.data(),
          own,
          weight,
          state.problem,
          number,
          state.best,
          order.data() + k * settings.population,
          state.alive,
          state.archived,
          archive.data() + k * archive_of(settings)};
}

template <class Real>
void initialise_problem(const Settings& settings, std::span<const Real> bounds, const State& state, std::size_t k,
                        Real* vectors, std::span<Real> controls, Real weight, Real crossover) {
  const auto population = settings.population;
  for (std::uint32_t j = 0; j < settings.dimensions; ++j)
    for (std::uint32_t i = 0; i < population; ++i)
      vectors[std::size_t{j} * population + i] = shared::evolution_anywhere(
          settings.seed, state.problem, 0U, i, EVOLUTION_DRAW_INITIAL, j, bounds[j], bounds[settings.dimensions + j]);
  begin_controls(settings, controls.data() + first_control(settings, k), weight, crossover);
}

/// A problem's vectors and their values, as an objective takes them.
template <class Real>
ObjectiveBatch batch_of(const Settings& settings, std::size_t k, const Real* vectors, std::span<const Real> rows,
                        std::span<const Real> tables, Real* values, std::uint32_t alive) {
  ObjectiveBatch batch{};
  batch.genes = vectors;
  batch.rows = rows.data() + k * settings.columns;
  batch.tables = tables.data();
  batch.values = values;
  batch.count = alive;
  batch.individual_step = 1;
  batch.row_step = 0;
  batch.gene_step = settings.population;
  batch.gene_count = settings.dimensions;
  batch.column_count = settings.columns;
  return batch;
}

/// The values of a problem's vectors. \returns how many are no numbers.
template <class Real>
std::uint32_t evaluate_problem(const ObjectiveCode& objective, const Settings& settings, std::size_t k,
                               const Real* vectors, std::span<const Real> rows, std::span<const Real> tables,
                               Real* values, std::uint32_t alive) {
  objective.evaluate(batch_of(settings, k, vectors, rows, tables, values, alive));
  return replace_invalid(std::span(values, alive));
}

/// The values of the vectors of all problems that run, from \p first to \p last - 1, by one call of the objective.
template <class Real>
void evaluate_generation(const ObjectiveCode& objective, const Settings& settings, std::span<const Real> vectors,
                         std::span<Real> values, std::span<State> states, std::span<const Real> rows,
                         std::span<const Real> tables, std::uint32_t generation, std::size_t first, std::size_t last) {
  std::vector<ObjectiveBatch> batches;
  const auto for_running = [&](const auto& function) {
    for (auto k = first; k < last; ++k)
      if (states[k].stopped_at >= generation) function(k);
  };
  for_running([&](std::size_t k) {
    batches.push_back(batch_of(settings, k, vectors.data() + k * numbers_of(settings), rows, tables,
                               values.data() + k * settings.population, states[k].alive));
  });
  objective.evaluate_generation(batches);
  for_running([&](std::size_t k) {
    states[k].invalid += replace_invalid(values.subspan(k * settings.population, states[k].alive));
  });
}

template <class Real>
void initialise_twin(const Range&, std::span<Real> vectors, std::span<Real> controls, std::span<const State> states,
                     std::span<const Real> bounds, Settings settings, Real weight, Real crossover, std::uint64_t begin,
                     std::uint64_t end) {
  for_part(settings, begin, end, [&](std::size_t k) {
    initialise_problem(settings, bounds, states[k], k, vectors.data() + k * numbers_of(settings), controls, weight,
                       crossover);
  });
}

template <class Real>
void evaluate_twin(const ObjectiveCode& objective, const Range&, std::span<const Real> vectors, std::span<Real> values,
                   std::span<State> states, std::span<const Real> rows, std::span<const Real> tables, Settings settings,
                   std::uint32_t generation, std::uint64_t begin, std::uint64_t end) {
  if (objective.whole_generations())
    return evaluate_generation(objective, settings, vectors, values, states, rows, tables, generation,
                               begin / settings.population, end / settings.population);
  for_part(settings, begin, end, [&](std::size_t k) {
    if (states[k].stopped_at < generation) return;
    states[k].invalid += evaluate_problem(objective, settings, k, vectors.data() + k * numbers_of(settings), rows,
                                          tables, values.data() + k * settings.population, states[k].alive);
  });
}

template <class Real>
void initialise_and_evaluate_twin(const ObjectiveCode& objective, const Range&, std::span<Real> vectors,
                                  std::span<Real> values, std::span<Real> controls, std::span<State> states,
                                  std::span<const Real> bounds, std::span<const Real> rows,
                                  std::span<const Real> tables, Settings settings, Real weight, Real crossover,
                                  std::uint64_t begin, std::uint64_t end) {
  for_part(settings, begin, end, [&](std::size_t k) {
    auto* const own = vectors.data() + k * numbers_of(settings);
    initialise_problem(settings, bounds, states[k], k, own, controls, weight, crossover);
    states[k].invalid += evaluate_problem(objective, settings, k, own, rows, tables,
                                          values.data() + k * settings.population, settings.population);
  });
}

// Words that P leaves for an individual.
shared::evolution_drawn drawn_of(std::span<const std::uint32_t> drawn, const Settings& settings, std::size_t k,
                                 std::uint32_t i) {
  const std::size_t population = settings.population;
  const auto* const words = drawn.data() + k * EVOLUTION_DRAWN_WORDS * population + i;
  return {words[0],
          words[population],
          words[2 * population],
          words[3 * population],
          words[4 * population],
          words[5 * population],
          words[6 * population],
          words[7 * population]};
}

void prepare_twin(const Range&, std::span<const State> states, std::span<std::uint32_t> drawn, Settings settings,
                  std::uint32_t generation, std::uint64_t count) {
  for_problems(count / settings.population, states, generation, [&](std::size_t k) {
    const std::size_t population = settings.population;
    const auto& state = states[k];
    for (std::uint32_t i = 0; i < state.alive; ++i) {
      auto* const words = drawn.data() + k * EVOLUTION_DRAWN_WORDS * population + i;
      const auto own = shared::evolution_draw(settings.seed, state.problem, generation, i, state.alive,
                                              settings.dimensions, settings.strategy, settings.adapt, state.archived);
      words[0] = own.r1;
      words[population] = own.r2;
      words[2 * population] = own.r3;
      words[3 * population] = own.r4;
      words[4 * population] = own.r5;
      words[5 * population] = own.forced;
      words[6 * population] = own.even;
      words[7 * population] = own.odd;
    }
  });
}

template <class Real>
void mutate_twin(const Range&, std::span<const Real> vectors, std::span<const std::uint32_t> drawn,
                 std::span<const Real> controls, std::span<const State> states, std::span<const std::uint32_t> order,
                 std::span<const Real> archive, std::span<Real> trials, Settings settings, Real weight,
                 std::uint32_t generation, std::uint64_t count) {
  for_problems(count / settings.population, states, generation, [&](std::size_t k) {
    const auto now = generation_of<Real>(settings, {}, controls, order, weight, states[k], k, generation, archive);
    for (std::uint32_t i = 0; i < now.alive; ++i) {
      const auto individuals = drawn_of(drawn, settings, k, i);
      const auto donors = shared::evolution_donors_of(individuals, settings.strategy, i, now.best_for(individuals));
      const auto own_weight = now.control(i).weight;
      for (std::uint32_t j = 0; j < settings.dimensions; ++j) {
        const auto first = k * numbers_of(settings) + std::size_t{j} * settings.population;
        trials[first + i] = now.mutant(vectors.data() + first, j, donors, own_weight);
      }
    }
  });
}

template <class Real>
void recombine_twin(const Range&, std::span<const Real> vectors, std::span<const std::uint32_t> drawn,
                    std::span<const Real> controls, std::span<const State> states, std::span<const Real> bounds,
                    std::span<Real> trials, Settings settings, std::uint32_t generation, std::uint64_t count) {
  for_problems(count / settings.population, states, generation, [&](std::size_t k) {
    const auto now = generation_of<Real>(settings, bounds, controls, {}, Real{0}, states[k], k, generation);
    for (std::uint32_t i = 0; i < now.alive; ++i) {
      const auto own = drawn_of(drawn, settings, k, i);
      for_crossed(now, own, i, now.control(i).crossover, [&](std::uint32_t j, bool taken) {
        const auto at = k * numbers_of(settings) + std::size_t{j} * settings.population + i;
        trials[at] = taken ? now.bounded(trials[at], i, j) : vectors[at];
      });
    }
  });
}

template <class Real>
void replace_twin(const Range&, std::span<Real> trials, std::span<const Real> trial_values, std::span<Real> vectors,
                  std::span<Real> values, std::span<Real> controls, std::span<State> states, Settings settings,
                  Real target, std::uint32_t generation, std::uint64_t count) {
  for_problems(count / settings.population, states, generation, [&](std::size_t k) {
    const auto now = generation_of<Real>(settings, {}, controls, {}, Real{0}, states[k], k, generation);
    for (std::uint32_t i = 0; i < now.alive; ++i) {
      const auto id = k * settings.population + i;
      now.keep_control(i, values[id], trial_values[id]);
      if (!(trial_values[id] < values[id])) continue;
      values[id] = trial_values[id];
      for (std::size_t j = 0; j < settings.dimensions; ++j) {
        const auto at = k * numbers_of(settings) + j * settings.population + i;
        std::swap(vectors[at], trials[at]);
      }
      if ((settings.stop & EVOLUTION_STOP_TARGET) != 0 && values[id] <= target) states[k].stopped_at = generation;
    }
  });
}

template <class Real>
void evolve_twin(const ObjectiveCode& objective, const Range&, std::span<const Real> vectors, std::span<Real> next,
                 std::span<Real> values, std::span<const std::uint32_t> drawn, std::span<Real> controls,
                 std::span<State> states, std::span<const std::uint32_t> order, std::span<const Real> archive,
                 std::span<const Real> bounds, std::span<const Real> rows, std::span<const Real> tables,
                 Settings settings, Real weight, Real target, std::uint32_t generation, std::uint64_t count) {
  const auto numbers = numbers_of(settings);
  const std::size_t population = settings.population;
  // A problem's last generation is carried over once, so that both have it.
  for_problems(count / settings.population, states, generation - 1, [&](std::size_t k) {
    const auto* const current = vectors.data() + k * numbers;
    auto* const trials = next.data() + k * numbers;
    if (states[k].stopped_at < generation) {
      std::copy_n(current, numbers, trials);
      return;
    }
    const auto now = generation_of<Real>(settings, bounds, controls, order, weight, states[k], k, generation, archive);
    for (std::uint32_t i = 0; i < now.alive; ++i) make_trial(now, drawn_of(drawn, settings, k, i), i, current, trials);
    std::vector<Real> trial_values(population);
    states[k].invalid += evaluate_problem(objective, settings, k, trials, rows, tables, trial_values.data(), now.alive);
    for (std::uint32_t i = 0; i < now.alive; ++i) {
      auto& value = values[k * population + i];
      now.keep_control(i, value, trial_values[i]);
      if (!(trial_values[i] < value)) {
        for (std::size_t at = i; at < numbers; at += population) trials[at] = current[at];
        continue;
      }
      value = trial_values[i];
      if ((settings.stop & EVOLUTION_STOP_TARGET) != 0 && value <= target) states[k].stopped_at = generation;
    }
  });
}

template <class Real>
void lead_twin(const Range& range, std::span<Real> vectors, std::span<const Real> old, std::span<Real> values,
               std::span<Real> controls, std::span<Real> archive, std::span<State> states,
               std::span<std::uint32_t> order, Settings settings, Real target, Real spread, std::uint32_t renews,
               std::uint32_t generation, LocalMemory<Real>, LocalMemory<Real>, LocalMemory<std::uint32_t>) {
  for_problems(range.groups(), states, generation, [&](std::size_t k) {
    auto* const own = values.data() + k * settings.population;
    const auto first = k * numbers_of(settings);
    if (renews != 0)
      renew(generation_of<Real>(settings, {}, controls, {}, Real{0}, states[k], k, generation), vectors.data() + first,
            old.data() + first, own, archive.data() + k * archive_of(settings), states[k]);
    const auto found = find_extremes(own, states[k].alive);
    states[k].best = found.best;
    if (settings.strategy == EVOLUTION_CURRENT_TO_PBEST_1)
      find_order(own, states[k].alive, order.data() + k * settings.population);
    const bool reached = (settings.stop & EVOLUTION_STOP_TARGET) != 0 && found.least <= target;
    const bool close = (settings.stop & EVOLUTION_STOP_SPREAD) != 0 && found.greatest - found.least <= spread;
    if (reached || close) states[k].stopped_at = std::min(states[k].stopped_at, generation);
  });
}

std::uint64_t bits_of(float value) { return value == value ? std::bit_cast<std::uint32_t>(value) : 0x7fc00000U; }
std::uint64_t bits_of(double value) {
  return value == value ? std::bit_cast<std::uint64_t>(value) : 0x7ff8000000000000U;
}

template <class Real>
void summarise_twin(const Range& range, std::span<const Real> vectors, std::span<const Real> values,
                    std::span<State> states, Settings settings, std::span<Real> best_values,
                    std::span<Real> worst_values, std::span<Real> best_vectors, std::span<std::uint64_t> digests,
                    LocalMemory<Real>, LocalMemory<Real>, LocalMemory<std::uint32_t>, LocalMemory<std::uint64_t>) {
  const std::size_t population = settings.population;
  const std::uint64_t step = std::uint64_t{settings.dimensions} + 1;
  in_parallel(range.groups(), [&](std::size_t k) {
    const auto found = find_extremes(values.data() + k * population, states[k].alive);
    states[k].best = found.best;
    best_values[k] = found.least;
    worst_values[k] = found.greatest;
    std::uint64_t digest = 0;
    for (std::size_t i = 0; i < states[k].alive; ++i)
      digest += shared::evolution_digest(bits_of(values[k * population + i]), i * step);
    for (std::size_t j = 0; j < settings.dimensions; ++j) {
      const auto* const parameter = vectors.data() + k * numbers_of(settings) + j * population;
      for (std::size_t i = 0; i < states[k].alive; ++i)
        digest += shared::evolution_digest(bits_of(parameter[i]), i * step + j + 1);
      best_vectors[k * settings.dimensions + j] = parameter[found.best];
    }
    digests[k] = digest;
  });
}

}  // namespace

#define BOTH_PRECISIONS(name)                                                       \
  const Twin name{{clopt::differential_evolution::name<float>, name##_twin<float>}, \
                  {clopt::differential_evolution::name<double>, name##_twin<double>}};

BOTH_PRECISIONS(initialise)
BOTH_PRECISIONS(evaluate)
BOTH_PRECISIONS(initialise_and_evaluate)
BOTH_PRECISIONS(mutate)
BOTH_PRECISIONS(recombine)
BOTH_PRECISIONS(replace)
BOTH_PRECISIONS(evolve)
BOTH_PRECISIONS(lead)
BOTH_PRECISIONS(summarise)
const Twin prepare{{clopt::differential_evolution::prepare<float>, prepare_twin},
                   {clopt::differential_evolution::prepare<double>, prepare_twin}};

}  // namespace clopt::openmp::differential_evolution
