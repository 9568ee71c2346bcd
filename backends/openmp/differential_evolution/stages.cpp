/// \file
/// Twins of the stages of differential evolution, apart and merged.
#include <objective/batch.hpp>
#include <openmp/objective/objective.hpp>
#include <openmp/team.hpp>
#include <openmp/twin.hpp>
#include "trial.hpp"

#include <shared/differential_evolution/arithmetic.h>
#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace clopt::openmp::differential_evolution {
namespace {

namespace operations = clopt::differential_evolution::operations;

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

/// The initial vectors of a problem, and F and CR.
template <class Arguments, class Real>
void initialise_problem(const Arguments& arguments, const Settings& settings, std::size_t k, Real* vectors) {
  const auto population = settings.population;
  const auto* const bounds = arguments.bounds.data();
  const auto problem = arguments.states[k].problem;
  const auto* const initial = arguments.initial.data() + k * settings.initial_step * std::size_t{settings.dimensions};
  for (std::uint32_t j = 0; j < settings.dimensions; ++j) {
    const auto anywhere =
        is_whole(settings, bounds, j) ? shared::evolution_anywhere_whole<Real> : shared::evolution_anywhere<Real>;
    for (std::uint32_t i = 0; i < population; ++i)
      vectors[std::size_t{j} * population + i] = i < settings.initial
                                                     ? initial[std::size_t{i} * settings.dimensions + j]
                                                     : anywhere(settings.seed, problem, 0U, i, EVOLUTION_DRAW_INITIAL,
                                                                j, bounds[j], bounds[settings.dimensions + j]);
  }
  begin_controls(settings, arguments.controls.data() + first_control(settings, k), *arguments.weight,
                 *arguments.crossover);
}

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

/// The values of the vectors of all problems that run in a generation, from \p first to \p last - 1, by one call of the
/// objective.
template <class Real>
void evaluate_generation(const Evaluation<Real>& evaluation, std::span<const Real> vectors, std::span<Real> values,
                         std::span<State> states, std::uint32_t generation, std::size_t first, std::size_t last) {
  const auto& settings = evaluation.settings;
  const auto for_running = [&](const auto& function) {
    for (auto k = first; k < last; ++k)
      if (states[k].stopped_at >= generation) function(k, values.data() + k * settings.population, states[k]);
  };
  std::vector<ObjectiveBatch> batches;
  for_running([&](std::size_t k, Real* own, const State& state) {
    batches.push_back(evaluation.batch(k, vectors.data() + k * numbers_of(settings), own, state.alive));
  });
  evaluation.objective.evaluate_generation(batches);
  for_running([&](std::size_t, Real* own, State& state) {
    state.invalid += settle_values(settings, std::span(own, state.alive));
  });
}

template <class Real>
void initialise_twin(const Range&, const operations::Initialise<Real>& arguments) {
  const Settings settings = arguments.settings;
  for_part(settings, arguments.begin, arguments.end, [&](std::size_t k) {
    initialise_problem(arguments, settings, k, arguments.vectors.data() + k * numbers_of(settings));
  });
}

template <class Real>
void evaluate_twin(const ObjectiveCode& objective, const Range&, const operations::Evaluate<Real>& arguments) {
  const Settings settings = arguments.settings;
  const std::uint32_t generation = arguments.generation;
  const Evaluation<Real> evaluate{objective, settings, arguments.rows, arguments.tables};
  if (objective.whole_generations())
    return evaluate_generation<Real>(evaluate, arguments.vectors, arguments.values, arguments.states, generation,
                                     *arguments.begin / settings.population, *arguments.end / settings.population);
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
  for_part(settings, arguments.begin, arguments.end, [&](std::size_t k) {
    auto* const own = arguments.vectors.data() + k * numbers_of(settings);
    initialise_problem(arguments, settings, k, own);
    if (objective.whole_generations()) return;
    arguments.states[k].invalid +=
        evaluate(k, own, arguments.values.data() + k * settings.population, settings.population);
  });
  if (objective.whole_generations())
    evaluate_generation<Real>(evaluate, arguments.vectors, arguments.values, arguments.states, 0,
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
  void write(std::span<std::uint32_t> drawn, std::uint32_t i, const shared::evolution_drawn& own) const {
    auto* const words = drawn.data() + first + i;
    words[0] = own.r1;
    words[population] = own.r2;
    words[2 * population] = own.r3;
    words[3 * population] = own.r4;
    words[4 * population] = own.r5;
    words[5 * population] = own.forced;
    words[6 * population] = own.even;
    words[7 * population] = own.odd;
  }

  std::size_t population;
  std::size_t first;
};

void prepare_twin(const Range&, const operations::Prepare& arguments) {
  const Settings settings = arguments.settings;
  const std::uint32_t generation = arguments.generation;
  for_problems(arguments.count / settings.population, arguments.states, generation, [&](std::size_t k) {
    const DrawnWords words(settings, k);
    const auto state = arguments.states[k];
    for (std::uint32_t i = 0; i < state.alive; ++i)
      words.write(arguments.drawn, i,
                  shared::evolution_draw(settings.seed, state.problem, generation, i, state.alive, settings.dimensions,
                                         settings.strategy, settings.adapt, state.archived));
  });
}

template <class Real>
void mutate_twin(const Range&, const operations::Mutate<Real>& arguments) {
  const Settings settings = arguments.settings;
  const Populations<Real> populations{.settings = settings,
                                      .states = arguments.states,
                                      .generation = arguments.generation,
                                      .controls = arguments.controls,
                                      .order = arguments.order,
                                      .archive = arguments.archive,
                                      .weight = arguments.weight};
  const auto* const vectors = arguments.vectors.data();
  auto* const trials = arguments.trials.data();
  for_problems(arguments.count / settings.population, arguments.states, arguments.generation, [&](std::size_t k) {
    const auto now = populations.of(k);
    const DrawnWords words(settings, k);
    for (std::uint32_t i = 0; i < now.alive; ++i) {
      const auto individuals = words.read(arguments.drawn, i);
      const auto donors = shared::evolution_donors_of(individuals, settings.strategy, i, now.best_for(individuals));
      const auto own_weight = now.control(i).weight;
      for (std::uint32_t j = 0; j < settings.dimensions; ++j) {
        const auto first = k * numbers_of(settings) + std::size_t{j} * settings.population;
        trials[first + i] = now.mutant(vectors + first, j, donors, own_weight);
      }
    }
  });
}

template <class Real>
void recombine_twin(const Range&, const operations::Recombine<Real>& arguments) {
  const Settings settings = arguments.settings;
  const Populations<Real> populations{.settings = settings,
                                      .states = arguments.states,
                                      .generation = arguments.generation,
                                      .controls = arguments.controls,
                                      .bounds = arguments.bounds};
  const auto* const vectors = arguments.vectors.data();
  auto* const trials = arguments.trials.data();
  for_problems(arguments.count / settings.population, arguments.states, arguments.generation, [&](std::size_t k) {
    const auto now = populations.of(k);
    const DrawnWords words(settings, k);
    for (std::uint32_t i = 0; i < now.alive; ++i) {
      const auto own = words.read(arguments.drawn, i);
      for_crossed(now, own, i, now.control(i).crossover, [&](std::uint32_t j, bool taken) {
        const auto at = k * numbers_of(settings) + std::size_t{j} * settings.population + i;
        trials[at] = taken ? now.bounded(trials[at], i, j) : vectors[at];
      });
    }
  });
}

template <class Real>
void replace_twin(const Range&, const operations::Replace<Real>& arguments) {
  const Settings settings = arguments.settings;
  const std::uint32_t generation = arguments.generation;
  const Real target = arguments.target;
  const Populations<Real> populations{
      .settings = settings, .states = arguments.states, .generation = generation, .controls = arguments.controls};
  auto* const vectors = arguments.vectors.data();
  auto* const trials = arguments.trials.data();
  auto* const values = arguments.values.data();
  const auto* const trial_values = arguments.trial_values.data();
  for_problems(arguments.count / settings.population, arguments.states, generation, [&](std::size_t k) {
    const auto now = populations.of(k);
    for (std::uint32_t i = 0; i < now.alive; ++i) {
      const auto id = k * settings.population + i;
      now.keep_control(i, values[id], trial_values[id]);
      if (!(trial_values[id] < values[id])) continue;
      values[id] = trial_values[id];
      for (std::size_t j = 0; j < settings.dimensions; ++j) {
        const auto at = k * numbers_of(settings) + j * settings.population + i;
        std::swap(vectors[at], trials[at]);
      }
      if (stops_at_target(settings) && values[id] <= target) arguments.states[k].stopped_at = generation;
    }
  });
}

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
  for_problems(range.groups(), arguments.states, generation, [&](std::size_t k) {
    auto* const values = arguments.values.data() + k * settings.population;
    auto& state = arguments.states[k];
    const auto first = k * numbers_of(settings);
    if (*arguments.renews != 0)
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

const Twin initialise{initialise_twin<float>, initialise_twin<double>};
const Twin evaluate{evaluate_twin<float>, evaluate_twin<double>};
const Twin initialise_and_evaluate{initialise_and_evaluate_twin<float>, initialise_and_evaluate_twin<double>};
const Twin prepare{Implementation(prepare_twin)};
const Twin mutate{mutate_twin<float>, mutate_twin<double>};
const Twin recombine{recombine_twin<float>, recombine_twin<double>};
const Twin replace{replace_twin<float>, replace_twin<double>};
const Twin evolve{evolve_twin<float>, evolve_twin<double>};
const Twin lead{lead_twin<float>, lead_twin<double>};

}  // namespace clopt::openmp::differential_evolution
