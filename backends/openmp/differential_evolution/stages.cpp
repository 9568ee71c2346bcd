/// \file
/// The kernels of stages.cl as they stand, and twins of those that call the objective or have groups.
#include <objective/batch.hpp>
#include <openmp/objective/objective.hpp>
#include "trial.hpp"

#include <shared/differential_evolution/arithmetic.h>
#include <algorithm>
#include <vector>

namespace clopt::openmp::differential_evolution {
namespace {

namespace operations = clopt::differential_evolution::operations;

/// Individuals that are worth a thread.
constexpr auto individuals_worth_a_thread = [](const auto& arguments) {
  return std::uint64_t{1 << 12} / (arguments.settings->dimensions + 8) + 1;
};
constexpr auto population_of = [](const auto& arguments) { return std::uint64_t{arguments.settings->population}; };

/// Runs a function for each of some problems that runs in a generation.
template <class Function>
void for_problems(std::uint64_t problems, std::span<const State> states, std::uint32_t generation,
                  const Function& function) {
  for_each_part(problems, [&](std::size_t k) {
    if (states[k].stopped_at >= generation) function(k);
  });
}

/// Runs a function for each problem whose individuals are from \p begin to \p end - 1.
template <class Function>
void for_part(const Settings& settings, std::uint64_t begin, std::uint64_t end, const Function& function) {
  const auto first = begin / settings.population;
  for_each_part(end / settings.population - first, [&](std::size_t n) { function(first + n); });
}

std::size_t numbers_of(const Settings& settings) { return std::size_t{settings.population} * settings.dimensions; }

std::size_t archive_of(const Settings& settings) { return std::size_t{settings.archive} * settings.dimensions; }

std::size_t first_control(const Settings& settings, std::size_t k) {
  return k * shared::evolution_controls(settings.adapt, settings.population);
}

bool stops_at_target(const Settings& settings) { return (settings.stop & EVOLUTION_STOP_TARGET) != 0; }

/// What an operation has of the problems' populations in a generation; it leaves out what it does not use.
template <class Real>
struct Populations {
  const Settings& settings;
  std::span<const State> states;
  std::uint32_t generation;
  std::span<const Real> controls;
  std::span<const Real> bounds{};
  std::span<const std::uint32_t> order{};
  std::span<const Real> archive{};
  Real weight = 0;

  Generation<Real> of(std::size_t k) const {
    // Only the operations that are given controls to write do write them.
    auto* const own = const_cast<Real*>(from(controls, first_control(settings, k)));
    const auto& state = states[k];
    return {settings,
            bounds.data(),
            own,
            weight,
            state.problem,
            generation,
            state.best,
            from(order, k * settings.population),
            state.alive,
            state.archived,
            from(archive, k * archive_of(settings))};
  }

 private:
  // None of what is left out.
  template <class T>
  static const T* from(std::span<const T> all, std::size_t first) {
    return all.empty() ? nullptr : all.data() + first;
  }
};

/// The objective with its data.
template <class Real>
struct Evaluation {
  const ObjectiveCode& objective;
  const Settings& settings;
  std::span<const Real> rows;
  std::span<const Real> tables;

  /// The values of a problem's individuals. \returns how many are NaN.
  std::uint32_t operator()(std::size_t k, const Real* vectors, Real* values, std::uint32_t alive) const {
    objective.evaluate(batch(k, vectors, values, alive));
    return settle_values(settings, std::span(values, alive));
  }

  ObjectiveBatch batch(std::size_t k, const Real* vectors, Real* values, std::uint32_t alive) const {
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
};

/// The values of the vectors of the problems from \p first to \p last - 1 that are taken, by one call of the objective.
template <class Real>
void evaluate_generation(const Evaluation<Real>& evaluation, std::span<const Real> vectors, std::span<Real> values,
                         std::span<State> states, const auto& is_taken, std::size_t first, std::size_t last) {
  const auto& settings = evaluation.settings;
  const auto for_running = [&](const auto& function) {
    for (auto k = first; k < last; ++k)
      if (is_taken(states[k])) function(k, values.data() + k * settings.population, states[k]);
  };
  std::vector<ObjectiveBatch> batches;
  for_running([&](std::size_t k, Real* own, const State& state) {
    batches.push_back(evaluation.batch(k, vectors.data() + k * numbers_of(settings), own, state.alive));
  });
  if (batches.empty()) return;
  evaluation.objective.evaluate_generation(batches);
  for_running([&](std::size_t, Real* own, State& state) {
    state.invalid += settle_values(settings, std::span(own, state.alive));
  });
}

template <class Real>
void evaluate_twin(const ObjectiveCode& objective, const Range&, const operations::Evaluate<Real>& arguments) {
  const Settings settings = arguments.settings;
  const std::uint32_t generation = arguments.generation;
  const Evaluation<Real> evaluate{objective, settings, arguments.rows, arguments.tables};
  if (objective.whole_generations())
    return evaluate_generation<Real>(
        evaluate, arguments.vectors, arguments.values, arguments.states,
        [=](const State& state) { return state.stopped_at >= generation; }, *arguments.begin / settings.population,
        *arguments.end / settings.population);
  for_part(settings, arguments.begin, arguments.end, [&](std::size_t k) {
    auto& state = arguments.states[k];
    if (state.stopped_at < generation) return;
    state.invalid += evaluate(k, arguments.vectors.data() + k * numbers_of(settings),
                              arguments.values.data() + k * settings.population, state.alive);
  });
}

template <class Real>
void initialise_and_evaluate_twin(const ObjectiveCode& objective, const Range&,
                                  const operations::InitialiseAndEvaluate<Real>& arguments) {
  const Settings settings = arguments.settings;
  const Evaluation<Real> evaluate{objective, settings, arguments.rows, arguments.tables};
  const std::uint32_t generation = arguments.generation;
  const auto is_taken = [=](const State& state) {
    return generation == 0 || shared::evolution_restarts(state, generation) != 0;
  };
  for_part(settings, arguments.begin, arguments.end, [&](std::size_t k) {
    if (!is_taken(arguments.states[k])) return;
    for (auto id = k * settings.population; id < (k + 1) * settings.population; ++id)
      Stages<Real>{{{id, 0}, &settings}}.initialise(
          arguments.vectors.data(), arguments.controls.data(), arguments.states.data(), arguments.bounds.data(),
          arguments.initial.data(), settings, arguments.weight, arguments.crossover, generation, 0, arguments.end);
    if (objective.whole_generations()) return;
    arguments.states[k].invalid += evaluate(k, arguments.vectors.data() + k * numbers_of(settings),
                                            arguments.values.data() + k * settings.population, settings.population);
  });
  if (objective.whole_generations())
    evaluate_generation<Real>(evaluate, arguments.vectors, arguments.values, arguments.states, is_taken,
                              *arguments.begin / settings.population, *arguments.end / settings.population);
}

/// The words that P leaves for each individual of a problem.
struct DrawnWords {
  DrawnWords(const Settings& settings, std::size_t k)
      : population(settings.population), first(k * EVOLUTION_DRAWN_WORDS * population) {}

  shared::evolution_drawn read(std::span<const std::uint32_t> drawn, std::uint32_t i) const {
    const auto* const words = drawn.data() + first + i;
    return {words[0],
            words[population],
            words[2 * population],
            words[3 * population],
            words[4 * population],
            words[5 * population],
            words[6 * population],
            words[7 * population]};
  }
  std::size_t population;
  std::size_t first;
};

template <class Real>
void evolve_twin(const ObjectiveCode& objective, const Range&, const operations::Evolve<Real>& arguments) {
  const Settings settings = arguments.settings;
  const std::uint32_t generation = arguments.generation;
  const Real target = arguments.target;
  const Populations<Real> populations{.settings = settings,
                                      .states = arguments.states,
                                      .generation = generation,
                                      .controls = arguments.controls,
                                      .bounds = arguments.bounds,
                                      .order = arguments.order,
                                      .archive = arguments.archive,
                                      .weight = arguments.weight};
  const Evaluation<Real> evaluate{objective, settings, arguments.rows, arguments.tables};
  const auto numbers = numbers_of(settings);
  const std::size_t population = settings.population;
  // A problem's last generation is copied once, so that both have it.
  for_problems(arguments.count / population, arguments.states, generation - 1, [&](std::size_t k) {
    const auto* const current = arguments.vectors.data() + k * numbers;
    auto* const trials = arguments.next.data() + k * numbers;
    auto& state = arguments.states[k];
    if (state.stopped_at < generation) {
      std::copy_n(current, numbers, trials);
      return;
    }
    const auto now = populations.of(k);
    const DrawnWords words(settings, k);
    for (std::uint32_t i = 0; i < now.alive; ++i) make_trial(now, words.read(arguments.drawn, i), i, current, trials);
    std::vector<Real> trial_values(population);
    state.invalid += evaluate(k, trials, trial_values.data(), now.alive);
    auto* const values = arguments.values.data() + k * population;
    for (std::uint32_t i = 0; i < now.alive; ++i) {
      now.keep_control(i, values[i], trial_values[i]);
      if (!(trial_values[i] < values[i])) {
        for (std::size_t at = i; at < numbers; at += population) trials[at] = current[at];
        continue;
      }
      values[i] = trial_values[i];
      if (stops_at_target(settings) && values[i] <= target) state.stopped_at = generation;
    }
  });
}

template <class Real>
void lead_twin(const Range& range, const operations::Lead<Real>& arguments) {
  const Settings settings = arguments.settings;
  const std::uint32_t generation = arguments.generation;
  const Populations<Real> populations{
      .settings = settings, .states = arguments.states, .generation = generation, .controls = arguments.controls};
  for_each_part(range.groups(), [&](std::size_t k) {
    auto* const values = arguments.values.data() + k * settings.population;
    auto& state = arguments.states[k];
    const bool restarts = shared::evolution_restarts(state, generation) != 0;
    if (state.stopped_at < generation && !restarts) return;
    if (restarts) {
      state.stopped_at = EVOLUTION_RUNNING;
      state.evaluations += settings.population;
    }
    const auto first = k * numbers_of(settings);
    if (*arguments.renews != 0 && !restarts)
      renew(populations.of(k),
            replaced_in_columns<Real>(settings, arguments.vectors.data() + first, arguments.old.data() + first,
                                      arguments.archive.data() + k * archive_of(settings)),
            values, state);
    const auto found = find_extremes(values, state.alive);
    state.best = found.best;
    if (settings.strategy == EVOLUTION_CURRENT_TO_PBEST_1)
      find_order(values, state.alive, most_leaders(state.alive, settings.adapt),
                 arguments.order.data() + k * settings.population);
    const bool reached = stops_at_target(settings) && found.least <= *arguments.target;
    const bool close =
        (settings.stop & EVOLUTION_STOP_SPREAD) != 0 && found.greatest - found.least <= *arguments.spread;
    const bool stays = stagnates(settings, found.least, generation, state);
    if (reached || close || stays) state.stopped_at = std::min(state.stopped_at, generation);
  });
}

}  // namespace

const Twin initialise{
    items_of<operations::Initialise<float>, &Stages<float>::initialise>(individuals_worth_a_thread),
    items_of<operations::Initialise<double>, &Stages<double>::initialise>(individuals_worth_a_thread)};
const Twin evaluate{evaluate_twin<float>, evaluate_twin<double>};
const Twin initialise_and_evaluate{initialise_and_evaluate_twin<float>, initialise_and_evaluate_twin<double>};
const Twin prepare{items_of<operations::Prepare, &Stages<float>::prepare>(individuals_worth_a_thread)};
const Twin mutate{items_of<operations::Mutate<float>, &Stages<float>::mutate>(individuals_worth_a_thread),
                  items_of<operations::Mutate<double>, &Stages<double>::mutate>(individuals_worth_a_thread)};
const Twin recombine{items_of<operations::Recombine<float>, &Stages<float>::recombine>(individuals_worth_a_thread),
                     items_of<operations::Recombine<double>, &Stages<double>::recombine>(individuals_worth_a_thread)};
// A problem's end is written by one thread.
const Twin replace{
    items_of<operations::Replace<float>, &Stages<float>::replace>(individuals_worth_a_thread, population_of),
    items_of<operations::Replace<double>, &Stages<double>::replace>(individuals_worth_a_thread, population_of)};
const Twin evolve{evolve_twin<float>, evolve_twin<double>};
const Twin lead{lead_twin<float>, lead_twin<double>};

}  // namespace clopt::openmp::differential_evolution
