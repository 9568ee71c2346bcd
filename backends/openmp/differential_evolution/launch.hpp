/// \file
/// What threads that are whole optimisations have in common.
#pragma once

#include <objective/batch.hpp>
#include <openmp/differential_evolution/vectors/lanes.hpp>
#include <openmp/objective/objective.hpp>
#include "trial.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace clopt::openmp::differential_evolution {

/// What stays the same for all problems of a launch.
template <class Real>
struct Launch {
  const ObjectiveCode& objective;
  Settings settings;
  std::span<const Real> bounds;
  std::span<const Real> rows;
  std::span<const Real> tables;
  Real weight;
  Real target;
  Real spread;

  bool needs_best() const { return shared::evolution_needs_best(settings.strategy) != 0; }

  /// \p count individuals of problem k side by side, for the objective. \param room up to where values may be computed
  /// and written.
  ObjectiveBatch batch(std::size_t k, const Real* columns, std::size_t step, Real* values, std::size_t count,
                       std::size_t room) const {
    ObjectiveBatch batch{};
    batch.genes = columns;
    batch.rows = rows.data() + k * settings.columns;
    batch.tables = tables.data();
    batch.values = values;
    batch.count = objective.is_text() ? room : count;
    batch.individual_step = 1;
    batch.gene_step = static_cast<std::uint32_t>(step);
    batch.gene_count = settings.dimensions;
    batch.column_count = settings.columns;
    return batch;
  }

  /// Whether a problem ends with values that were better in this generation.
  bool is_over(const Real* values) const {
    if ((settings.stop & (EVOLUTION_STOP_TARGET | EVOLUTION_STOP_SPREAD)) == 0) return false;
    const bool reached =
        std::any_of(values, values + settings.population, [this](Real value) { return reaches(value); });
    return is_over(reached, values, settings.population);
  }
  bool is_over(bool reached, const Real* values, std::uint32_t alive) const {
    if ((settings.stop & EVOLUTION_STOP_SPREAD) == 0) return reached;
    const auto found = find_extremes(values, alive);
    return reached || found.greatest - found.least <= spread;
  }
  bool reaches(Real value) const { return (settings.stop & EVOLUTION_STOP_TARGET) != 0 && value <= target; }

  /// What trials are made with.
  Edge edge() const {
    if (settings.bounds == EVOLUTION_UNBOUNDED) return Edge::none;
    return settings.bounds == EVOLUTION_CLIP ? Edge::clip : Edge::find;
  }

  /// Brings those of the trials' parameters [first, second) within their bounds that may be outside.
  void bring_inside(std::span<const Outside> found, const VectorView<Real>& trials,
                    std::pair<std::uint32_t, std::uint32_t> parameters, const LaneAddress& at) const {
    for (const auto& one : found)
      for (auto bits = one.bits; bits != 0; bits &= bits - 1)
        for (auto j = parameters.first + static_cast<std::uint32_t>(std::countr_zero(bits)); j < parameters.second;
             j += lane_block) {
          auto& parameter = trials(one.individual, j);
          parameter = shared::evolution_bounded(parameter, bounds[j], bounds[settings.dimensions + j], settings.bounds,
                                                settings.seed, at.problem, at.generation, one.individual, j);
        }
  }
};

/// Where a problem's numbers lie.
template <class Real>
struct Places {
  Real* vectors;
  Real* values;
  Real* controls;
  Real* archive;
};

/// The draws of a population in a generation, many individuals at once, for strategies that draw three.
class LaneDraws {
 public:
  static bool takes(const Settings& settings) {
    return settings.adapt == EVOLUTION_FIXED && settings.exponential == 0 && settings.whole == 0 &&
           shared::evolution_draws_five(settings.strategy) == 0 && settings.strategy != EVOLUTION_CURRENT_TO_PBEST_1;
  }

  LaneDraws(const Settings& settings, std::uint32_t problem)
      : settings_(settings),
        at_{settings.seed, problem, 0},
        count_(padded_individuals(settings.population)),
        words_(4 * count_),
        drawn_(4 * count_),
        own_(count_),
        best_(count_) {
    for (std::size_t i = 0; i < count_; ++i) own_[i] = static_cast<std::uint32_t>(i);
  }

  /// Draws individuals, and the words of the first group of parameters.
  void begin(std::uint32_t generation) {
    at_.generation = generation;
    random_words(at_, EVOLUTION_DRAW_INDICES, count_, words_.data());
    if (settings_.population <= EVOLUTION_MOST_IN_A_WORD)
      draw_three(words_.data(), count_, settings_.population, settings_.dimensions, drawn_.data());
    else
      draw_one_by_one();
    if (settings_.unforced != 0) std::fill_n(drawn_.data() + 3 * count_, count_, EVOLUTION_NO_PARAMETER);
  }

  /// The words that decide about a group of parameters; for all groups in ascending order.
  GroupWords words_of(std::uint32_t group) {
    const bool is_odd = group % 2 != 0;
    if (is_odd) random_words(at_, EVOLUTION_DRAW_CROSSOVER + group / 2, count_, words_.data());
    const auto* const even = words_.data() + (is_odd ? 0 : 2 * count_);
    return {even, even + count_, settings_.crossover};
  }

  /// The parameter that is always taken, or EVOLUTION_NO_PARAMETER.
  const std::uint32_t* forced() const { return drawn_.data() + 3 * count_; }

  template <class Real>
  DonorRows parts(const Real* values) {
    const auto* const r1 = drawn_.data();
    const auto* const r2 = r1 + count_;
    const auto* const r3 = r2 + count_;
    if (shared::evolution_needs_best(settings_.strategy) != 0)
      std::fill(best_.begin(), best_.end(), find_extremes(values, settings_.population).best);
    if (settings_.strategy == EVOLUTION_BEST_1) return {best_.data(), r1, r2, nullptr, nullptr};
    if (settings_.strategy == EVOLUTION_CURRENT_TO_BEST_1) return {own_.data(), best_.data(), own_.data(), r1, r2};
    return {r1, r2, r3, nullptr, nullptr};
  }

  /// Individuals with their padding.
  std::size_t count() const { return count_; }
  const LaneAddress& address() const { return at_; }

 private:
  void draw_one_by_one() {
    for (std::uint32_t i = 0; i < settings_.population; ++i) {
      const auto drawn = shared::evolution_draw(at_.seed, at_.problem, at_.generation, i, settings_.population,
                                                settings_.dimensions, settings_.strategy, settings_.adapt, 0, 0);
      drawn_[i] = drawn.r1;
      drawn_[count_ + i] = drawn.r2;
      drawn_[2 * count_ + i] = drawn.r3;
      drawn_[3 * count_ + i] = drawn.forced;
    }
  }

  const Settings& settings_;
  LaneAddress at_;
  std::size_t count_;
  Lines<std::uint32_t> words_;
  Lines<std::uint32_t> drawn_;
  Lines<std::uint32_t> own_;
  Lines<std::uint32_t> best_;
};

}  // namespace clopt::openmp::differential_evolution
