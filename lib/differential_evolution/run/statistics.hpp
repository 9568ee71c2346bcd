/// \file
/// Statistics of a run's generations.
#pragma once

#include <clopt/differential_evolution.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <differential_evolution/plan.hpp>
#include "batch.hpp"
#include "value_totals.hpp"

namespace clopt::differential_evolution {

/// What statistics need of a piece.
class StatisticsRow {
 public:
  StatisticsRow() = default;
  /// \param states with the evaluations up to \p generation. \param values the best ones of that generation.
  StatisticsRow(std::vector<State> states, std::vector<double> values, std::uint32_t generation);

  /// Takes in what a launch has done, before any of its generations is reported.
  /// \param begun the generation before it. \param end its last one. \param batch where the launch has ended.
  /// \param plan says whether problems restart: their best values stay.
  void take_launch(const Plan& plan, Batch& batch, std::uint32_t begun, std::uint32_t end);
  /// Proceeds to the next generation of the launch. \param is_last whether it is the launch's last one.
  void take_generation(const Plan& plan, std::uint32_t generation, bool is_last);

  std::size_t problems() const { return states_.size(); }
  bool all_run() const { return first_end_ == EVOLUTION_RUNNING; }
  /// The last generation in which a problem of the launch ran.
  std::uint32_t last_of_launch(std::uint32_t end) const;
  /// Adds the best values of the generation that it stands at.
  void add_to(ValueTotals& totals) const;
  /// The same of those that are feasible. \returns how many are.
  std::size_t add_feasible_to(ValueTotals& totals, const Plan& plan) const;
  /// The totals of that generation where the device has made them: only for a row that is alone, since sums run over
  /// all pieces.
  const shared::evolution_totals* totals() const;
  /// Problems that have not ended by that generation, and the evaluations of all up to it.
  std::uint64_t running(std::uint32_t generation) const;
  std::uint64_t evaluations(const Plan& plan, std::uint32_t generation) const;

 private:
  void find_first_end();
  void keep_least(std::uint32_t end);

  std::vector<State> states_;   ///< with the evaluations up to the generation that it stands at
  std::vector<double> values_;  ///< of problems that ended before the launch, or of all where none has begun
  Values least_;                ///< of the launch, a generation after the other
  std::vector<double> kept_;    ///< where problems restart, these as the best up to each generation
  std::vector<shared::evolution_totals> totals_;  ///< in their place: of the launch's generations
  std::uint32_t begun_ = 0;
  std::uint32_t first_end_ = EVOLUTION_RUNNING;  ///< the first generation that ended a problem
  std::optional<std::uint32_t> shown_;           ///< the generation of the launch that it stands at; none: see values_
};

/// Statistics of the generation that all rows stand at. The mean is of eight sums, each of every eighth problem.
Statistics statistics_of(const Plan& plan, std::span<const StatisticsRow> rows, std::uint32_t generation);

}  // namespace clopt::differential_evolution
