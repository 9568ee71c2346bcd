/// \file
/// The twin of kernels_cl/differential_evolution/fused.cl: a thread is a whole optimisation.
#include <objective/batch.hpp>
#include "differential_evolution_lanes.hpp"
#include "differential_evolution_trial.hpp"
#include "objective.hpp"
#include "twin.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace clopt::openmp::differential_evolution {
namespace {

/// What stays the same for all problems of a launch.
template <class Real>
struct Launch {
  const ObjectiveCode& objective;
  const Settings& settings;
  std::span<const Real> bounds;
  std::span<const Real> rows;
  std::span<const Real> tables;
  Real weight;
  Real target;
  Real spread;

  bool needs_best() const { return shared::evolution_needs_best(settings.strategy) != 0; }

  /// The values of individuals side by side. \returns how many are no numbers.
  std::uint32_t evaluate(std::size_t k, const Real* columns, std::size_t step, std::span<Real> values) const {
    ObjectiveBatch batch{};
    batch.genes = columns;
    batch.rows = rows.data() + k * settings.columns;
    batch.tables = tables.data();
    batch.values = values.data();
    batch.count = settings.population;
    batch.individual_step = 1;
    batch.gene_step = static_cast<std::uint32_t>(step);
    batch.gene_count = settings.dimensions;
    batch.column_count = settings.columns;
    objective.evaluate(batch);
    return replace_invalid(values.first(settings.population));
  }

  bool is_over(bool reached, const Real* values) const {
    if ((settings.stop & EVOLUTION_STOP_SPREAD) == 0) return reached;
    const auto found = find_extremes(values, settings.population);
    return reached || found.greatest - found.least <= spread;
  }
  bool reaches(Real value) const { return (settings.stop & EVOLUTION_STOP_TARGET) != 0 && value <= target; }
};

/// A problem of any strategy, one individual after the other.
template <class Real>
class PlainProblem {
 public:
  PlainProblem(const Launch<Real>& launch, std::size_t k, const State& state, Real* vectors, Real* values,
               Real* controls)
      : launch_(launch),
        k_(k),
        vectors_(vectors),
        values_(values),
        order_(launch.settings.population),
        now_{launch.settings, launch.bounds.data(), controls, launch.weight, state.problem, 0, 0, order_.data()},
        trials_(std::size_t{launch.settings.population} * launch.settings.dimensions),
        trial_values_(launch.settings.population) {}

  /// \returns whether the problem ends with this generation.
  bool step(std::uint32_t generation, std::uint32_t& invalid) {
    const auto population = launch_.settings.population;
    now_.number = generation;
    if (launch_.needs_best()) now_.best = find_extremes(values_, population).best;
    if (launch_.settings.strategy == EVOLUTION_CURRENT_TO_PBEST_1) find_order(values_, population, order_.data());
    for (std::uint32_t i = 0; i < population; ++i) make_trial(now_, now_.draw(i), i, vectors_, trials_.data());
    invalid += launch_.evaluate(k_, trials_.data(), population, std::span(trial_values_));
    bool reached = false;
    for (std::uint32_t i = 0; i < population; ++i) {
      now_.keep_control(i, values_[i], trial_values_[i]);
      if (!(trial_values_[i] < values_[i])) continue;
      values_[i] = trial_values_[i];
      for (std::size_t at = i; at < trials_.size(); at += population) vectors_[at] = trials_[at];
      reached = reached || launch_.reaches(values_[i]);
    }
    if (launch_.settings.adapt == EVOLUTION_SHADE) now_.remember_controls();
    return launch_.is_over(reached, values_);
  }
  void finish() {}

 private:
  const Launch<Real>& launch_;
  std::size_t k_;
  Real* vectors_;
  Real* values_;
  std::vector<std::uint32_t> order_;
  Generation<Real> now_;
  std::vector<Real> trials_;
  std::vector<Real> trial_values_;
};

/// A problem with fixed F and CR and binomial crossover: random numbers for 16 individuals at
/// once, trials of 16 parameters at once, values of many individuals at once. Vectors lie one behind the other, so that
/// donors are read without gathering.
template <class Real>
class LaneProblem {
 public:
  static bool takes(const Settings& settings) {
    return settings.adapt == EVOLUTION_FIXED && settings.exponential == 0 &&
           shared::evolution_draws_five(settings.strategy) == 0 && settings.strategy != EVOLUTION_CURRENT_TO_PBEST_1;
  }

  LaneProblem(const Launch<Real>& launch, std::size_t k, const State& state, Real* vectors, Real* values, Real*)
      : launch_(launch),
        k_(k),
        at_{launch.settings.seed, state.problem, 0},
        population_(launch.settings.population),
        dimensions_(launch.settings.dimensions),
        count_(padded(population_)),
        length_(padded(dimensions_)),
        source_(vectors),
        values_(values),
        rows_(count_ * length_),
        trials_(count_ * length_),
        columns_(count_ * length_),
        bounds_(2 * length_),
        trial_values_(count_),
        words_(4 * count_),
        drawn_(4 * count_),
        own_(count_),
        best_(count_),
        group_(count_),
        outside_(count_),
        taken_(count_ * length_ / lane_block) {
    for (std::size_t i = 0; i < population_; ++i)
      for (std::size_t j = 0; j < dimensions_; ++j) rows_[i * length_ + j] = vectors[j * population_ + i];
    std::copy_n(launch.bounds.begin(), dimensions_, bounds_.begin());
    std::copy_n(launch.bounds.begin() + static_cast<std::ptrdiff_t>(dimensions_), dimensions_,
                bounds_.begin() + static_cast<std::ptrdiff_t>(length_));
    for (std::size_t i = 0; i < count_; ++i) own_[i] = static_cast<std::uint32_t>(i);
  }

  bool step(std::uint32_t generation, std::uint32_t& invalid) {
    at_.generation = generation;
    random_words(at_, EVOLUTION_DRAW_INDICES, count_, words_.data());
    draw_individuals();
    draw_taken_bits();
    make_trials();
    transpose(trials_.data(), count_, length_, dimensions_, columns_.data());
    invalid += launch_.evaluate(k_, columns_.data(), count_, std::span(trial_values_));
    replace_rows(trials_.data(), trial_values_.data(), length_, launch_.settings.population, rows_.data(), values_);
    const bool reached =
        std::any_of(values_, values_ + population_, [&](Real value) { return launch_.reaches(value); });
    return launch_.is_over(reached, values_);
  }

  void finish() {
    for (std::size_t i = 0; i < population_; ++i)
      for (std::size_t j = 0; j < dimensions_; ++j) source_[j * population_ + i] = rows_[i * length_ + j];
  }

 private:
  void draw_individuals() {
    const auto& settings = launch_.settings;
    if (settings.population <= EVOLUTION_MOST_IN_A_WORD)
      return draw_three(words_.data(), count_, settings.population, settings.dimensions, drawn_.data());
    for (std::uint32_t i = 0; i < population_; ++i) {
      const auto drawn = shared::evolution_draw(at_.seed, at_.problem, at_.generation, i, settings.population,
                                                settings.dimensions, settings.strategy);
      drawn_[i] = drawn.r1;
      drawn_[count_ + i] = drawn.r2;
      drawn_[2 * count_ + i] = drawn.r3;
      drawn_[3 * count_ + i] = drawn.forced;
    }
  }

  // Which parameters come from the mutant: a group is a word of the trials' masks.
  void draw_taken_bits() {
    static_assert(EVOLUTION_GROUP == lane_block);
    const auto groups = length_ / lane_block;
    for (std::size_t group = 0; group < groups; ++group) {
      const bool is_odd = group % 2 != 0;
      if (is_odd)
        random_words(at_, EVOLUTION_DRAW_CROSSOVER + static_cast<std::uint32_t>(group / 2), count_, words_.data());
      const auto* const even = words_.data() + (is_odd ? 0 : 2 * count_);
      draw_taken(even, even + count_, count_, launch_.settings.crossover, group_.data());
      for (std::size_t i = 0; i < population_; ++i)
        taken_[i * groups + group] = static_cast<std::uint16_t>(group_[i]);
    }
    const auto* const forced = drawn_.data() + 3 * count_;
    for (std::size_t i = 0; i < population_; ++i) {
      auto& bits = taken_[i * groups + forced[i] / lane_block];
      bits = static_cast<std::uint16_t>(bits | 1U << forced[i] % lane_block);
    }
  }

  void make_trials() {
    const auto* const r1 = drawn_.data();
    const auto* const r2 = r1 + count_;
    const auto* const r3 = r2 + count_;
    TrialRows<Real> rows{
        rows_.data(),   length_,      launch_.settings.population, r1, r2, r3, nullptr, nullptr, nullptr, nullptr,
        launch_.weight, taken_.data()};
    if (launch_.settings.bounds == EVOLUTION_CLIP) {
      rows.lower = bounds_.data();
      rows.upper = bounds_.data() + length_;
    }
    if (launch_.needs_best())
      std::fill(best_.begin(), best_.end(), find_extremes(values_, launch_.settings.population).best);
    if (launch_.settings.strategy == EVOLUTION_BEST_1) {
      rows.base = best_.data();
      rows.plus = r1;
      rows.minus = r2;
    } else if (launch_.settings.strategy == EVOLUTION_CURRENT_TO_BEST_1) {
      rows.base = own_.data();
      rows.plus = best_.data();
      rows.minus = own_.data();
      rows.second_plus = r1;
      rows.second_minus = r2;
    }
    make_rows(rows, trials_.data());
    if (launch_.settings.bounds == EVOLUTION_REFLECT || launch_.settings.bounds == EVOLUTION_RESAMPLE) bring_inside();
  }

  // The few parameters that left their bounds; those of the parent are inside.
  void bring_inside() {
    const auto& settings = launch_.settings;
    find_outside(trials_.data(), length_, settings.population, bounds_.data(), bounds_.data() + length_,
                 outside_.data());
    for (std::uint32_t i = 0; i < settings.population; ++i) {
      if (outside_[i] == 0) continue;
      for (std::uint32_t j = 0; j < settings.dimensions; ++j) {
        auto& parameter = trials_[i * length_ + j];
        parameter = shared::evolution_bounded(parameter, bounds_[j], bounds_[length_ + j], settings.bounds,
                                              settings.seed, at_.problem, at_.generation, i, j);
      }
    }
  }

  const Launch<Real>& launch_;
  std::size_t k_;
  LaneAddress at_;
  std::size_t population_;
  std::size_t dimensions_;
  std::size_t count_;   // individuals, padded
  std::size_t length_;  // parameters, padded
  Real* source_;
  Real* values_;
  std::vector<Real> rows_;
  std::vector<Real> trials_;
  std::vector<Real> columns_;
  std::vector<Real> bounds_;
  std::vector<Real> trial_values_;
  std::vector<std::uint32_t> words_;
  std::vector<std::uint32_t> drawn_;
  std::vector<std::uint32_t> own_;
  std::vector<std::uint32_t> best_;
  std::vector<std::uint32_t> group_;
  std::vector<std::uint8_t> outside_;
  std::vector<std::uint16_t> taken_;
};

template <class Problem>
void run(Problem problem, State& state, std::uint32_t first_generation, std::uint32_t last_generation) {
  for (auto generation = first_generation; generation <= last_generation; ++generation) {
    if (!problem.step(generation, state.invalid)) continue;
    state.stopped_at = generation;
    break;
  }
  problem.finish();
}

template <class Real>
void fused_twin(const ObjectiveCode& objective, const Range& range, std::span<Real> vectors, std::span<Real>,
                std::span<Real> values, std::span<Real> controls, std::span<State> states, std::span<std::uint32_t>,
                std::span<const std::uint32_t> running, std::span<const Real> bounds, std::span<const Real> rows,
                std::span<const Real> tables, Settings settings, Real weight, Real target, Real spread,
                std::uint32_t first_generation, std::uint32_t last_generation, LocalMemory<Real>, LocalMemory<Real>,
                LocalMemory<Real>, LocalMemory<std::uint32_t>) {
  const Launch<Real> launch{objective, settings, bounds, rows, tables, weight, target, spread};
  const std::size_t population = settings.population;
  const bool in_lanes = LaneProblem<Real>::takes(settings);
  in_parallel(range.groups(), [&](std::size_t group) {
    const std::size_t k = running[group];
    auto* const own_vectors = vectors.data() + k * population * settings.dimensions;
    auto* const own_values = values.data() + k * population;
    auto* const own_controls = controls.data() + k * shared::evolution_controls(settings.adapt, settings.population);
    const auto begin = [&]<class Problem>(std::type_identity<Problem>) {
      run(Problem(launch, k, states[k], own_vectors, own_values, own_controls), states[k], first_generation,
          last_generation);
    };
    if (in_lanes)
      begin(std::type_identity<LaneProblem<Real>>{});
    else
      begin(std::type_identity<PlainProblem<Real>>{});
  });
}

}  // namespace

const Twin fused{{clopt::differential_evolution::fused<float>, fused_twin<float>},
                 {clopt::differential_evolution::fused<double>, fused_twin<double>}};

}  // namespace clopt::openmp::differential_evolution
