/// \file
/// The twin of kernels_cl/differential_evolution/fused.cl: a thread is a whole optimisation; where the objective takes
/// whole generations, optimisations wait for each other at its calls.
#include <openmp/differential_evolution/vectors/columns.hpp>
#include <openmp/differential_evolution/vectors/rows.hpp>
#include <openmp/differential_evolution/vectors/shade_problem.hpp>
#include <openmp/team.hpp>
#include <openmp/twin.hpp>
#include "launch.hpp"

#include <shared/differential_evolution/arithmetic.h>
#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace clopt::openmp::differential_evolution {
namespace {

/// A problem of any strategy, one individual after the other.
template <class Real>
class PlainProblem {
 public:
  PlainProblem(const Launch<Real>& launch, std::size_t k, State& state, const Places<Real>& places)
      : launch_(launch),
        k_(k),
        state_(state),
        vectors_(places.vectors),
        values_(places.values),
        archive_(places.archive),
        order_(launch.settings.population),
        now_{launch.settings, launch.bounds.data(), places.controls, launch.weight, state.problem, 0, 0,
             order_.data(),   state.alive,          state.archived,  places.archive},
        trials_(std::size_t{launch.settings.population} * launch.settings.dimensions),
        trial_values_(launch.settings.population) {}

  /// Makes the trials of a generation.
  ObjectiveBatch propose(std::uint32_t generation) {
    const auto alive = now_.alive;
    now_.number = generation;
    if (launch_.needs_best()) now_.best = find_extremes(values_, alive).best;
    if (launch_.settings.strategy == EVOLUTION_CURRENT_TO_PBEST_1)
      find_order(values_, alive, most_leaders(alive, launch_.settings.adapt), order_.data());
    for (std::uint32_t i = 0; i < alive; ++i) make_trial(now_, now_.draw(i), i, vectors_, trials_.data());
    return launch_.batch(k_, trials_.data(), launch_.settings.population, trial_values_.data(), alive, alive);
  }

  /// Selects from evaluated trials. \returns whether the problem ends with this generation.
  bool select(std::uint32_t& invalid) {
    const auto population = launch_.settings.population;
    const auto alive = now_.alive;
    invalid += settle_values(launch_.settings, std::span(trial_values_).first(alive));
    bool reached = false;
    for (std::uint32_t i = 0; i < alive; ++i) {
      now_.keep_control(i, values_[i], trial_values_[i]);
      if (!(trial_values_[i] < values_[i])) continue;
      values_[i] = trial_values_[i];
      for (std::size_t at = i; at < trials_.size(); at += population) std::swap(vectors_[at], trials_[at]);
      reached = reached || launch_.reaches(values_[i]);
    }
    if (shared::evolution_remembers(launch_.settings.adapt) != 0) {
      renew(now_, replaced_in_columns<Real>(launch_.settings, vectors_, trials_.data(), archive_), values_, state_);
      now_.alive = state_.alive;
      now_.archived = state_.archived;
    }
    return launch_.is_over(reached, values_, now_.alive);
  }
  void finish() {}

 private:
  const Launch<Real>& launch_;
  std::size_t k_;
  State& state_;
  Real* vectors_;
  Real* values_;
  Real* archive_;
  std::vector<std::uint32_t> order_;
  Generation<Real> now_;
  std::vector<Real> trials_;
  std::vector<Real> trial_values_;
};

/// A problem whose trials are made of 16 parameters at once.
template <class Real>
class RowProblem {
 public:
  static bool takes(const Settings& settings) { return LaneDraws::takes(settings); }

  RowProblem(const Launch<Real>& launch, std::size_t k, const State& state, const Places<Real>& places)
      : launch_(launch),
        draws_(launch.settings, state.problem),
        values_(places.values),
        rows_(launch, k, places, draws_.count()),
        weights_(draws_.count(), launch.weight) {}

  ObjectiveBatch propose(std::uint32_t generation) {
    const auto population = launch_.settings.population;
    draws_.begin(generation);
    rows_.draw_taken_bits(draws_.forced(),
                          [&](std::uint32_t group, const TakenGroup& parameters, std::uint32_t* taken) {
                            draw_taken(draws_.words_of(group), parameters, draws_.count(), taken);
                          });
    rows_.make_trials(draws_.parts(values_), weights_.data(), population, draws_.address());
    return rows_.batch(population);
  }

  bool select(std::uint32_t& invalid) {
    if (launch_.settings.maximise != 0)
      invalid += settle_values(launch_.settings, std::span(rows_.trial_values(), launch_.settings.population));
    invalid += rows_.replace();
    return launch_.is_over(values_);
  }

  void finish() { rows_.write_back(); }

 private:
  const Launch<Real>& launch_;
  LaneDraws draws_;
  Real* values_;
  Rows<Real> rows_;
  Lines<Real> weights_;
};

/// A small population of floats on a processor whose registers take whole columns of it.
class ColumnProblem {
 public:
  static bool takes(const Settings& settings) {
    return LaneDraws::takes(settings) && has_columns() && settings.population <= most_in_columns;
  }

  ColumnProblem(const Launch<float>& launch, std::size_t k, const State& state, const Places<float>& places)
      : launch_(launch),
        k_(k),
        draws_(launch.settings, state.problem),
        population_(launch.settings.population),
        dimensions_(launch.settings.dimensions),
        count_(draws_.count()),
        source_(places.vectors),
        values_(places.values),
        columns_(count_ * dimensions_),
        trials_(count_ * dimensions_),
        trial_values_(count_),
        outside_(count_) {
    for (std::size_t j = 0; j < dimensions_; ++j) {
      std::copy_n(source_ + j * population_, population_, &columns_[j * count_]);
      // What fills vectors of individuals has values, too.
      std::fill_n(&columns_[j * count_ + population_], count_ - population_, source_[j * population_]);
    }
  }

  ObjectiveBatch propose(std::uint32_t generation) {
    draws_.begin(generation);
    const auto parts = draws_.parts(values_);
    const TrialColumns all{columns_.data(),
                           count_,
                           launch_.settings.population,
                           launch_.settings.dimensions,
                           parts,
                           draws_.forced(),
                           launch_.edge(),
                           launch_.bounds.data(),
                           launch_.bounds.data() + dimensions_,
                           outside_.data(),
                           launch_.weight};
    for (std::uint32_t first = 0; first < dimensions_; first += EVOLUTION_GROUP) {
      const auto found = make_columns(all, first, draws_.words_of(first / EVOLUTION_GROUP), trials_.data());
      launch_.bring_inside(std::span(outside_).first(found), {trials_.data(), 1, count_},
                           {first, std::min(launch_.settings.dimensions, first + EVOLUTION_GROUP)}, draws_.address());
    }
    return launch_.batch(k_, trials_.data(), count_, trial_values_.data(), launch_.settings.population, count_);
  }

  bool select(std::uint32_t& invalid) {
    if (launch_.settings.maximise != 0)
      invalid += settle_values(launch_.settings, std::span(trial_values_).first(population_));
    invalid +=
        replace_columns({trials_.data(), trial_values_.data(), columns_.data(), values_, launch_.settings.population},
                        count_, launch_.settings.dimensions);
    return launch_.is_over(values_);
  }

  void finish() {
    for (std::size_t j = 0; j < dimensions_; ++j)
      std::copy_n(&columns_[j * count_], population_, source_ + j * population_);
  }

 private:
  const Launch<float>& launch_;
  std::size_t k_;
  LaneDraws draws_;
  std::size_t population_;
  std::size_t dimensions_;
  std::size_t count_;  // individuals, in whole blocks
  float* source_;
  float* values_;
  Lines<float> columns_;
  Lines<float> trials_;
  Lines<float> trial_values_;
  Lines<Outside> outside_;
};

/// Keeps a problem's values after each generation of a launch, where statistics are wanted.
template <class Real>
struct History {
  const Real* values;
  std::size_t population;
  Real* next;        ///< null: they are not kept
  std::size_t step;  ///< to those of the next generation

  void keep() {
    if (next == nullptr) return;
    std::copy_n(values, population, next);
    next += step;
  }
};

/// The generations of a launch.
struct Generations {
  std::uint32_t first;
  std::uint32_t last;
};

/// Ends a generation whose trials are evaluated. \returns whether the problem ends with it.
template <class Problem, class Real>
bool end_generation(Problem& problem, const Settings& settings, State& state, std::uint32_t generation,
                    std::uint32_t& invalid, History<Real>& history) {
  bool ends = problem.select(invalid);
  history.keep();
  if ((settings.stop & EVOLUTION_STOP_STAGNATION) != 0)
    ends |= stagnates(settings, find_extremes(history.values, state.alive).least, generation, state);
  if (ends) state.stopped_at = generation;
  return ends;
}

/// A problem by itself.
template <class Problem, class Real>
void run_alone(Problem problem, const Launch<Real>& launch, State& state, const Generations& generations,
               History<Real> history) {
  // Threads that are at neighbouring problems would write to one line of their caches.
  std::uint32_t invalid = 0;
  for (auto generation = generations.first; generation <= generations.last; ++generation) {
    launch.objective.evaluate(problem.propose(generation));
    if (end_generation(problem, launch.settings, state, generation, invalid, history)) break;
  }
  state.invalid += invalid;
  problem.finish();
}

/// Problems that proceed generation by generation together, since one call evaluates the trials of all.
template <class Problem, class Real>
class ProblemsTogether {
 public:
  /// \param begin `begin(n)` makes a running problem and its history; \param states `states(n)` is its state.
  template <class Begin, class States>
  ProblemsTogether(const Launch<Real>& launch, std::size_t count, const Begin& begin, const States& states)
      : launch_(launch), members_(count) {
    for_each_part(count, [&](std::size_t n) {
      auto [problem, history] = begin(n);
      members_[n] = {std::move(problem), history, &states(n), 0, false};
    });
  }

  void run(const Generations& generations) {
    try {
      for (auto generation = generations.first; generation <= generations.last; ++generation) advance(generation);
    } catch (...) {
      // The generations before the one that failed.
      finish();
      throw;
    }
    finish();
  }

 private:
  struct Member {
    std::unique_ptr<Problem> problem;
    History<Real> history;
    State* state;
    std::uint32_t invalid;
    bool has_ended;
  };

  void advance(std::uint32_t generation) {
    std::vector<Member*> running;
    for (auto& member : members_)
      if (!member.has_ended) running.push_back(&member);
    if (running.empty()) return;
    std::vector<ObjectiveBatch> batches(running.size());
    for_each_part(running.size(), [&](std::size_t n) { batches[n] = running[n]->problem->propose(generation); });
    launch_.objective.evaluate_generation(batches);
    for_each_part(running.size(), [&](std::size_t n) {
      auto& own = *running[n];
      own.has_ended = end_generation(*own.problem, launch_.settings, *own.state, generation, own.invalid, own.history);
    });
  }

  void finish() {
    for_each_part(members_.size(), [this](std::size_t n) {
      members_[n].state->invalid += members_[n].invalid;
      members_[n].problem->finish();
    });
  }

  const Launch<Real>& launch_;
  std::vector<Member> members_;
};

template <class Real>
void fused_twin(const ObjectiveCode& objective, const Range& range,
                const clopt::differential_evolution::operations::Fused<Real>& arguments) {
  const Launch<Real> launch{.objective = objective,
                            .settings = arguments.settings,
                            .bounds = arguments.bounds,
                            .rows = arguments.rows,
                            .tables = arguments.tables,
                            .weight = arguments.weight,
                            .target = arguments.target,
                            .spread = arguments.spread};
  const auto& settings = launch.settings;
  const std::size_t population = settings.population;
  const auto numbers = population * settings.dimensions;
  const std::size_t controls = shared::evolution_controls(settings.adapt, settings.population);
  const std::size_t archive = std::size_t{settings.archive} * settings.dimensions;
  const bool in_rows = RowProblem<Real>::takes(settings);
  const bool remembers = ShadeProblem<Real>::takes(settings);
  const bool in_columns = std::is_same_v<Real, float> && ColumnProblem::takes(settings);
  const auto state_of = [&](std::size_t group) -> State& { return arguments.states[arguments.running[group]]; };
  const auto places_of = [&](std::size_t k) {
    return Places<Real>{arguments.vectors.data() + k * numbers, arguments.values.data() + k * population,
                        arguments.controls.data() + k * controls, arguments.archive.data() + k * archive};
  };
  const auto history_of = [&](std::size_t k) {
    const std::uint64_t step = arguments.history_step;
    return History<Real>{arguments.values.data() + k * population, population,
                         step == 0 ? nullptr : arguments.history.data() + k * population, step};
  };
  const Generations generations{arguments.first_generation, arguments.last_generation};
  // Without problems that restart.
  std::vector<std::size_t> groups;
  for (std::size_t group = 0; group < range.groups(); ++group)
    if (state_of(group).stopped_at >= generations.first) groups.push_back(group);
  const auto run = [&]<class Problem>(std::type_identity<Problem>) {
    if (objective.whole_generations()) {
      const auto begin = [&](std::size_t n) {
        const std::size_t k = arguments.running[groups[n]];
        return std::pair(std::make_unique<Problem>(launch, k, state_of(groups[n]), places_of(k)), history_of(k));
      };
      const auto own_state = [&](std::size_t n) -> State& { return state_of(groups[n]); };
      ProblemsTogether<Problem, Real>(launch, groups.size(), begin, own_state).run(generations);
      return;
    }
    for_each_part(groups.size(), [&](std::size_t n) {
      const std::size_t k = arguments.running[groups[n]];
      auto& state = state_of(groups[n]);
      run_alone(Problem(launch, k, state, places_of(k)), launch, state, generations, history_of(k));
    });
  };
  if constexpr (std::is_same_v<Real, float>)
    if (in_columns) return run(std::type_identity<ColumnProblem>{});
  if (in_rows) return run(std::type_identity<RowProblem<Real>>{});
  if (remembers) return run(std::type_identity<ShadeProblem<Real>>{});
  run(std::type_identity<PlainProblem<Real>>{});
}

}  // namespace

const Twin fused{fused_twin<float>, fused_twin<double>};

}  // namespace clopt::openmp::differential_evolution
