/// \file
/// The twin of kernels_cl/differential_evolution/fused.cl: a thread is a whole optimisation.
#include <openmp/team.hpp>
#include <openmp/twin.hpp>
#include "columns.hpp"
#include "launch.hpp"
#include "remembering.hpp"
#include "rows.hpp"

#include <shared/differential_evolution/arithmetic.h>
#include <algorithm>
#include <cstdint>
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

  /// \returns whether the problem ends with this generation.
  bool step(std::uint32_t generation, std::uint32_t& invalid) {
    const auto population = launch_.settings.population;
    const auto alive = now_.alive;
    now_.number = generation;
    if (launch_.needs_best()) now_.best = find_extremes(values_, alive).best;
    if (launch_.settings.strategy == EVOLUTION_CURRENT_TO_PBEST_1) find_order(values_, alive, order_.data());
    for (std::uint32_t i = 0; i < alive; ++i) make_trial(now_, now_.draw(i), i, vectors_, trials_.data());
    launch_.evaluate(k_, trials_.data(), population, trial_values_.data(), alive, alive);
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

  bool step(std::uint32_t generation, std::uint32_t& invalid) {
    const auto population = launch_.settings.population;
    draws_.begin(generation);
    rows_.draw_taken_bits(draws_.forced(),
                          [&](std::uint32_t group, const TakenGroup& parameters, std::uint32_t* taken) {
                            draw_taken(draws_.words_of(group), parameters, draws_.count(), taken);
                          });
    rows_.make_trials(draws_.parts(values_), weights_.data(), population, draws_.address().problem, generation);
    rows_.evaluate(population);
    if (launch_.settings.maximise != 0)
      invalid += settle_values(launch_.settings, std::span(rows_.trial_values(), population));
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
    return LaneDraws::takes(settings) && has_columns() && settings.population <= most_in_columns &&
           (settings.bounds == EVOLUTION_CLIP || settings.bounds == EVOLUTION_UNBOUNDED);
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
        trial_values_(count_) {
    for (std::size_t j = 0; j < dimensions_; ++j) {
      std::copy_n(source_ + j * population_, population_, &columns_[j * count_]);
      // What fills vectors of individuals has values, too.
      std::fill_n(&columns_[j * count_ + population_], count_ - population_, source_[j * population_]);
    }
  }

  bool step(std::uint32_t generation, std::uint32_t& invalid) {
    draws_.begin(generation);
    const auto parts = draws_.parts(values_);
    const bool clips = launch_.settings.bounds == EVOLUTION_CLIP;
    const TrialColumns all{columns_.data(),
                           count_,
                           launch_.settings.dimensions,
                           parts,
                           draws_.forced(),
                           clips ? launch_.bounds.data() : nullptr,
                           clips ? launch_.bounds.data() + dimensions_ : nullptr,
                           launch_.weight};
    for (std::uint32_t first = 0; first < dimensions_; first += EVOLUTION_GROUP) {
      make_columns(all, first, draws_.words_of(first / EVOLUTION_GROUP), trials_.data());
    }
    launch_.evaluate(k_, trials_.data(), count_, trial_values_.data(), launch_.settings.population, count_);
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

template <class Problem, class Real>
void run(Problem problem, const Settings& settings, State& state, std::uint32_t first_generation,
         std::uint32_t last_generation, History<Real> history) {
  // Threads that are at neighbouring problems would write to one line of their caches.
  std::uint32_t invalid = 0;
  for (auto generation = first_generation; generation <= last_generation; ++generation) {
    bool ends = problem.step(generation, invalid);
    history.keep();
    if ((settings.stop & EVOLUTION_STOP_STAGNATION) != 0)
      ends |= stagnates(settings, find_extremes(history.values, state.alive).least, generation, state);
    if (!ends) continue;
    state.stopped_at = generation;
    break;
  }
  state.invalid += invalid;
  problem.finish();
}

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
  const bool remembers = RememberingProblem<Real>::takes(settings);
  const bool in_columns = std::is_same_v<Real, float> && ColumnProblem::takes(settings);
  for_each_part(range.groups(), [&](std::size_t group) {
    const std::size_t k = arguments.running[group];
    auto& state = arguments.states[k];
    const Places<Real> places{arguments.vectors.data() + k * numbers, arguments.values.data() + k * population,
                              arguments.controls.data() + k * controls, arguments.archive.data() + k * archive};
    const std::uint64_t step = arguments.history_step;
    const History<Real> history{places.values, population,
                                step == 0 ? nullptr : arguments.history.data() + k * population, step};
    const auto begin = [&]<class Problem>(std::type_identity<Problem>) {
      run(Problem(launch, k, state, places), settings, state, arguments.first_generation, arguments.last_generation,
          history);
    };
    if constexpr (std::is_same_v<Real, float>)
      if (in_columns) return begin(std::type_identity<ColumnProblem>{});
    if (in_rows) return begin(std::type_identity<RowProblem<Real>>{});
    if (remembers) return begin(std::type_identity<RememberingProblem<Real>>{});
    begin(std::type_identity<PlainProblem<Real>>{});
  });
}

}  // namespace

const Twin fused{fused_twin<float>, fused_twin<double>};

}  // namespace clopt::openmp::differential_evolution
