/// \file
/// A problem with SHADE or L-SHADE (Tanabe and Fukunaga 2013, 2014), many individuals and many parameters at once.
#pragma once

#include "rows.hpp"
#include "shade.hpp"

#include <support/numbers/instruction_set.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>

namespace clopt::openmp::differential_evolution {

/// The draws of a population in a generation.
template <class Real>
class ShadeDraws {
 public:
  /// \param controls F, CR and gains of the individuals, then the history
  ShadeDraws(const Settings& settings, std::uint32_t problem, const Real* controls)
      : settings_(settings),
        at_{settings.seed, problem, 0},
        history_(controls + EVOLUTION_HISTORY_BEGIN(std::size_t{settings.population})),
        room_(padded(settings.population)),
        count_(room_),
        words_(4 * room_),
        leader_words_(4 * room_),
        more_words_(4 * room_),
        drawn_(4 * room_),
        own_(room_),
        leaders_(room_),
        values_(room_),
        ranks_(room_),
        order_(settings.population),
        weights_(room_),
        crossovers_(room_),
        chances_(room_),
        masks_(room_) {
    std::iota(own_.begin(), own_.end(), 0U);
  }

  /// Draws individuals, their F and CR, and the words of the first group of parameters.
  void begin(std::uint32_t generation, std::uint32_t alive, std::uint32_t archived, const Real* values) {
    at_.generation = generation;
    count_ = padded(alive);
    random_words(at_, EVOLUTION_DRAW_INDICES, count_, words_.data());
    random_words(at_, EVOLUTION_DRAW_INDICES + 1, count_, leader_words_.data());
    if (alive > EVOLUTION_MOST_IN_A_WORD) random_words(at_, EVOLUTION_DRAW_INDICES + 2, count_, more_words_.data());
    draw_with_leaders({words_.data(), leader_words_.data(), more_words_.data()}, count_,
                      {alive, archived, static_cast<std::uint32_t>(room_), settings_.dimensions, settings_.adapt},
                      drawn_.data());
    if (settings_.unforced != 0) std::fill_n(drawn_.data() + 3 * count_, count_, EVOLUTION_NO_PARAMETER);
    find_leaders(alive, values);
    draw_own_controls(alive);
  }

  /// The words that decide about a group of parameters; for all groups in ascending order.
  OwnWords words_of(std::uint32_t group) {
    const bool is_odd = group % 2 != 0;
    if (is_odd) random_words(at_, EVOLUTION_DRAW_CROSSOVER + group / 2, count_, words_.data());
    const auto* const even = words_.data() + (is_odd ? 0 : 2 * count_);
    return {even, even + count_, chances_.data(), masks_.data()};
  }

  DonorRows donors() const {
    return {own_.data(), leaders_.data(), own_.data(), drawn_.data(), drawn_.data() + count_};
  }
  const std::uint32_t* forced() const { return drawn_.data() + 3 * count_; }
  const LaneAddress& address() const { return at_; }
  const Real* weights() const { return weights_.data(); }
  const Real* crossovers() const { return crossovers_.data(); }
  /// Individuals of the latest generation with their padding.
  std::size_t count() const { return count_; }

 private:
  // Beyond this many, finding the first ones takes fewer comparisons than vectors make up for.
  static constexpr std::uint32_t most_compared = 512;

  void find_leaders(std::uint32_t alive, const Real* values) {
    if (uses_avx2() && alive <= most_compared) {
      std::copy_n(values, alive, values_.begin());
      rank_values(values_.data(), alive, static_cast<std::uint32_t>(count_), ranks_.data());
      for (std::uint32_t i = 0; i < alive; ++i) order_[ranks_[i]] = i;
    } else {
      find_order(values, alive, most_leaders(alive, settings_.adapt), order_.data());
    }
    const auto* const ranks_drawn = drawn_.data() + 2 * count_;
    for (std::uint32_t i = 0; i < alive; ++i) leaders_[i] = order_[ranks_drawn[i]];
  }

  void draw_own_controls(std::uint32_t alive) {
    const auto places = EVOLUTION_HISTORY(settings_.adapt);
    random_words(at_, EVOLUTION_DRAW_CONTROL, count_, more_words_.data());
    draw_controls(more_words_.data(), count_, Remembered<Real>{history_, history_ + places, places}, weights_.data(),
                  crossovers_.data());
    for (std::uint32_t i = 0; i < alive; ++i) {
      if (!(weights_[i] > 0)) {
        const shared::random_block block{more_words_[i], more_words_[count_ + i], more_words_[2 * count_ + i],
                                         more_words_[3 * count_ + i]};
        weights_[i] = shared::evolution_shade_weight(at_.seed, at_.problem, at_.generation, i, block,
                                                     history_[shared::uniform_below(block.a, places)]);
      }
      const auto probability = shared::evolution_probability(crossovers_[i]);
      chances_[i] = shared::evolution_chance(probability);
      masks_[i] = probability >= BERNOULLI_ONE ? 0U : ~0U;
    }
  }

  const Settings& settings_;
  LaneAddress at_;
  const Real* history_;
  std::size_t room_;   // for individuals, padded
  std::size_t count_;  // individuals, padded
  Lines<std::uint32_t> words_;
  Lines<std::uint32_t> leader_words_;
  Lines<std::uint32_t> more_words_;
  Lines<std::uint32_t> drawn_;
  Lines<std::uint32_t> own_;
  Lines<std::uint32_t> leaders_;
  Lines<Real> values_;  // padded
  Lines<std::uint32_t> ranks_;
  Lines<std::uint32_t> order_;
  Lines<Real> weights_;
  Lines<Real> crossovers_;
  Lines<std::uint32_t> chances_;
  Lines<std::uint32_t> masks_;
};

/// A problem whose F and CR are remembered, by the strategy that both methods are defined with.
template <class Real>
class ShadeProblem {
 public:
  static bool takes(const Settings& settings) {
    return shared::evolution_remembers(settings.adapt) != 0 && settings.exponential == 0 && settings.whole == 0 &&
           settings.strategy == EVOLUTION_CURRENT_TO_PBEST_1;
  }

  ShadeProblem(const Launch<Real>& launch, std::size_t k, State& state, const Places<Real>& places)
      : launch_(launch),
        state_(state),
        values_(places.values),
        controls_(places.controls),
        draws_(launch.settings, state.problem, places.controls),
        rows_(launch, k, places, draws_.count()),
        now_{launch.settings, launch.bounds.data(), places.controls, launch.weight, state.problem, 0, 0,
             nullptr,         state.alive,          state.archived,  nullptr} {}

  /// Makes the trials of a generation.
  ObjectiveBatch propose(std::uint32_t generation) {
    const auto alive = now_.alive;
    now_.number = generation;
    draws_.begin(generation, alive, now_.archived, values_);
    rows_.shrink(draws_.count());
    rows_.draw_taken_bits(draws_.forced(),
                          [&](std::uint32_t group, const TakenGroup& parameters, std::uint32_t* taken) {
                            draw_taken_each(draws_.words_of(group), parameters, draws_.count(), taken);
                          });
    rows_.make_trials(draws_.donors(), draws_.weights(), alive, draws_.address());
    return rows_.batch(alive);
  }

  /// Selects from evaluated trials. \returns whether the problem ends with this generation.
  bool select(std::uint32_t& invalid) {
    const auto alive = now_.alive;
    invalid += settle_values(launch_.settings, std::span(rows_.trial_values(), alive));
    keep_controls(alive);
    const bool reached = replace(alive);
    renew(now_, Replaced<Real>{rows_.vectors(), rows_.trials(), rows_.archived_vectors()}, values_, state_);
    now_.alive = state_.alive;
    now_.archived = state_.archived;
    return launch_.is_over(reached, values_, now_.alive);
  }

  void finish() { rows_.write_back(); }

 private:
  void keep_controls(std::uint32_t alive) {
    const std::size_t population = launch_.settings.population;
    std::copy_n(draws_.weights(), alive, controls_);
    std::copy_n(draws_.crossovers(), alive, controls_ + population);
    for (std::uint32_t i = 0; i < alive; ++i)
      controls_[2 * population + i] =
          shared::evolution_weight_of(values_[i], rows_.trial_values()[i], launch_.settings.constrained);
  }

  // \returns whether the target is reached.
  bool replace(std::uint32_t alive) {
    bool reached = false;
    for (std::uint32_t i = 0; i < alive; ++i) {
      const Real value = rows_.trial_values()[i];
      if (!(value < values_[i])) continue;
      values_[i] = value;
      rows_.exchange(i);
      reached = reached || launch_.reaches(value);
    }
    return reached;
  }

  const Launch<Real>& launch_;
  State& state_;
  Real* values_;
  Real* controls_;
  ShadeDraws<Real> draws_;
  Rows<Real> rows_;
  Generation<Real> now_;
};

}  // namespace clopt::openmp::differential_evolution
