/// \file
/// A problem's vectors one behind the other, so that 16 parameters are handled at once and donors are read without
/// gathering.
#pragma once

#include <openmp/differential_evolution/launch.hpp>

#include <algorithm>
#include <cstdint>
#include <span>

namespace clopt::openmp::differential_evolution {

/// A population, its trials, and the vectors that SHADE keeps.
template <class Real>
class Rows {
 public:
  /// \param room individuals in whole vectors
  Rows(const Launch<Real>& launch, std::size_t k, const Places<Real>& places, std::size_t room)
      : launch_(launch),
        k_(k),
        population_(launch.settings.population),
        dimensions_(launch.settings.dimensions),
        archive_(launch.settings.archive),
        room_(room),
        count_(room),
        length_(padded(dimensions_)),
        places_(places),
        rows_((room_ + archive_) * length_),
        trials_(count_ * length_),
        columns_(count_ * length_),
        bounds_(2 * length_),
        trial_values_(count_),
        outside_(count_),
        taken_(count_ * length_ / lane_block) {
    read_columns(places.vectors, population_, rows_.data());
    read_columns(places.archive, archive_, first_archived());
    // What fills vectors of individuals has values, too.
    for (std::size_t i = population_; i < count_; ++i) std::copy_n(rows_.data(), length_, &trials_[i * length_]);
    std::copy_n(launch.bounds.begin(), dimensions_, bounds_.begin());
    std::copy_n(launch.bounds.begin() + static_cast<std::ptrdiff_t>(dimensions_), dimensions_,
                bounds_.begin() + static_cast<std::ptrdiff_t>(length_));
  }

  /// Leaves out individuals from here on, padding included.
  void shrink(std::size_t count) { count_ = count; }
  Real* trial_values() { return trial_values_.data(); }

  VectorView<Real> vectors() { return {rows_.data(), length_, 1}; }
  VectorView<Real> archived_vectors() { return {first_archived(), length_, 1}; }
  VectorView<const Real> trials() const { return {trials_.data(), length_, 1}; }

  /// Decides which parameters come from the mutant. draw(group, TakenGroup, taken) is called for each group in
  /// ascending order.
  template <class Draw>
  void draw_taken_bits(const std::uint32_t* forced, const Draw& draw) {
    static_assert(EVOLUTION_GROUP == lane_block);
    for (std::uint32_t first = 0; first < dimensions_; first += EVOLUTION_GROUP) {
      const auto group = first / EVOLUTION_GROUP;
      const auto parameters = std::min(EVOLUTION_GROUP, launch_.settings.dimensions - first);
      draw(group, TakenGroup{forced, first, parameters}, &taken_[group * count_]);
    }
  }

  /// Makes the trials of the first \p alive individuals.
  void make_trials(const DonorRows& donors, const Real* weights, std::uint32_t alive, const LaneAddress& at) {
    const TrialRows<Real> rows{rows_.data(),    length_,        dimensions_,
                               alive,           count_,         donors,
                               launch_.edge(),  bounds_.data(), bounds_.data() + length_,
                               outside_.data(), weights,        taken_.data()};
    const auto found = make_rows(rows, trials_.data());
    launch_.bring_inside(std::span(outside_).first(found), {trials_.data(), length_, 1},
                         {0, launch_.settings.dimensions}, at);
  }

  /// The trials of the first \p alive individuals, for the objective.
  ObjectiveBatch batch(std::uint32_t alive) {
    transpose(trials_.data(), count_, length_, dimensions_, columns_.data());
    const std::size_t room = (alive + value_block - 1) / value_block * value_block;
    return launch_.batch(k_, columns_.data(), count_, trial_values_.data(), alive, room);
  }

  /// Puts better trials in the places of their parents. \returns how many values are NaN.
  std::uint32_t replace() {
    return replace_rows(Selection<Real>{trials_.data(), trial_values_.data(), rows_.data(), places_.values,
                                        launch_.settings.population},
                        length_);
  }

  /// Puts a trial in the place of its parent, which goes to the place of the trial.
  void exchange(std::size_t i) {
    std::swap_ranges(&rows_[i * length_], &rows_[i * length_] + length_, &trials_[i * length_]);
  }

  void write_back() {
    write_columns(rows_.data(), population_, places_.vectors);
    write_columns(first_archived(), archive_, places_.archive);
  }

 private:
  Real* first_archived() { return rows_.data() + room_ * length_; }

  // Parameter j of vector i of a problem is at[j * vectors + i].
  void read_columns(const Real* from, std::size_t vectors, Real* to) const {
    for_blocks(vectors, [=, this](std::size_t i, std::size_t j) { to[i * length_ + j] = from[j * vectors + i]; });
  }
  void write_columns(const Real* from, std::size_t vectors, Real* to) const {
    for_blocks(vectors, [=, this](std::size_t i, std::size_t j) { to[j * vectors + i] = from[i * length_ + j]; });
  }
  // Vectors whose lines of the cache stay there while all of their parameters are handled.
  template <class Function>
  void for_blocks(std::size_t vectors, const Function& function) const {
    constexpr std::size_t block = 64;
    for (std::size_t first = 0; first < vectors; first += block)
      for (std::size_t j = 0; j < dimensions_; ++j)
        for (std::size_t i = first; i < std::min(first + block, vectors); ++i) function(i, j);
  }

  static constexpr std::size_t value_block = 8;

  const Launch<Real>& launch_;
  std::size_t k_;
  std::size_t population_;
  std::size_t dimensions_;
  std::size_t archive_;  // vectors
  std::size_t room_;     // for individuals, padded
  std::size_t count_;    // individuals, padded
  std::size_t length_;   // parameters, padded
  Places<Real> places_;
  Lines<Real> rows_;  // of the population, padded, and of the archive
  Lines<Real> trials_;
  Lines<Real> columns_;
  Lines<Real> bounds_;
  Lines<Real> trial_values_;
  Lines<Outside> outside_;
  Lines<std::uint32_t> taken_;
};

}  // namespace clopt::openmp::differential_evolution
