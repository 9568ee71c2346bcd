/// \file
/// A run of differential evolution, checked, in the numbers that devices get.
#pragma once

#include <shared/differential_evolution/crossover.h>
#include <shared/objective/constraint.h>
#include <clopt/checkpoint.hpp>
#include <clopt/differential_evolution.hpp>

#include <algorithm>

#include "options.hpp"

namespace clopt::differential_evolution {

/// A local search has one of this many limited evaluations, and of this many seconds of a limited time.
inline constexpr std::uint64_t polish_share = 10;

/// What is the same for all devices of a run. Within the library every objective is minimised: of one that is
/// maximised, values are the negatives.
struct Plan {
  const Problem& problem;
  const Options& options;
  Objective objective;  ///< the problem's, with what a fit's rows have
  Method method = Method::automatic;
  Precision precision = Precision::single_precision;
  Strategy strategy{};
  Settings settings{};
  std::vector<double> bounds{};          ///< the lower ones of all dimensions, then the upper
  std::vector<double> whole{};           ///< of each dimension, 1 for a whole number; none where there is no such one
  bool uniform_bounds = false;           ///< whether all dimensions have the same
  std::vector<double> packed_rows{};     ///< of a fit whose rows have more than data
  std::size_t first = 0;                 ///< the number of the first problem among those of the whole run
  std::size_t whole_problems = 0;        ///< of the whole run
  std::uint32_t generations = 0;         ///< at most, by the limits of generations and evaluations
  Ending limit = Ending::generations;    ///< which of both it is
  bool polishes = false;                 ///< whether a local search follows
  bool restarts = false;                 ///< whether problems restart whose populations have collapsed
  std::uint64_t polish_evaluations = 0;  ///< that it may take of each problem

  /// Generations between two questions whether a problem restarts: many, so that launches have many, and few beside
  /// the 1000 of a usual run.
  static constexpr std::uint32_t restart_interval = 64;
  /// The bits of a state's least value before it was determined: those of no value.
  static constexpr auto no_least = ~std::uint64_t{0};

  /// A row of `settings.columns` numbers for each problem, as devices get them.
  const std::vector<double>& rows() const { return packed_rows.empty() ? problem.data : packed_rows; }
  double weight() const { return options.weight.value_or(usual_weight); }
  double crossover() const { return options.crossover.value_or(usual_crossover); }
  bool is_double() const { return precision == Precision::double_precision; }
  /// Whether problems may restart in a generation, which is then the only one of its launch.
  bool restarts_in(std::uint32_t generation) const {
    return restarts && generation > 1 && (generation - 1) % restart_interval == 0;
  }
  /// How many of the generations after one a launch may have.
  std::uint32_t most_of_launch(std::uint32_t generation) const {
    if (!restarts) return most_generations;
    return restarts_in(generation + 1) ? 1 : restart_interval - generation % restart_interval;
  }
  /// Whether values may stand for violations.
  bool constrained() const { return settings.constrained != 0; }
  /// Whether a value, to be minimised, is one of a vector that keeps all constraints.
  bool is_feasible(double value) const {
    return !constrained() || value < (is_double() ? CONSTRAINT_BOUND_DOUBLE : double{CONSTRAINT_BOUND_FLOAT});
  }
  bool maximises() const { return settings.maximise != 0; }
  /// A value as the objective gives it, from one that is minimised, or the other way round.
  double turned(double value) const { return maximises() ? -value : value; }
  /// The target, to be minimised, and the spread as the run's precision has them.
  double target() const {
    const double target = rounded(turned(options.target.value_or(0)));
    return constrained() ? std::min(target, is_double() ? CONSTRAINT_MOST_DOUBLE : double{CONSTRAINT_MOST_FLOAT})
                         : target;
  }
  double spread() const { return rounded(options.spread.value_or(0)); }
  double rounded(double number) const { return is_double() ? number : static_cast<double>(static_cast<float>(number)); }
  /// Whether replaced vectors are kept.
  bool has_archive() const { return settings.archive != 0; }
  /// Where a problem stands at first: the initial vectors are evaluated.
  State first_state(std::size_t k) const {
    State state{};
    state.problem = static_cast<std::uint32_t>(first + k);
    state.stopped_at = EVOLUTION_RUNNING;
    state.alive = settings.population;
    state.least = no_least;
    state.evaluations = settings.population;
    return state;
  }
  /// The generations of a problem in a run that has come to \p generation.
  std::uint32_t generations_of(const State& state, std::uint32_t generation) const {
    return std::min(generation, state.stopped_at);
  }
  /// Its evaluations so far.
  std::uint64_t evaluations_of(const State& state, std::uint32_t generation) const {
    if (remembers()) return state.evaluations;
    return (std::uint64_t{generations_of(state, generation)} + 1) * settings.population;
  }
  /// Whether the state of a problem that has stopped is one of stagnation.
  bool stagnates(const State& state) const {
    return options.stagnation.value_or(0) != 0 && state.least != no_least &&
           state.stopped_at - state.improved_at >= *options.stagnation;
  }
  /// Words that P leaves for an individual in a generation: with draws ahead, those of crossover too, which exponential
  /// crossover draws as it goes.
  std::uint32_t drawn_words() const {
    if (method != Method::ahead || settings.exponential != 0) return EVOLUTION_DRAWN_WORDS;
    return EVOLUTION_DRAWN_WORDS + 4 * shared::evolution_crossing_blocks(settings.dimensions);
  }
  bool needs_best() const { return shared::evolution_needs_best(settings.strategy) != 0; }
  /// Whether the individuals of a population are ranked each generation.
  bool needs_order() const {
    return settings.strategy == EVOLUTION_CURRENT_TO_PBEST_1 || settings.adapt == EVOLUTION_LSHADE;
  }
  /// Whether F and CR are drawn around those that were of use.
  bool remembers() const { return shared::evolution_remembers(settings.adapt) != 0; }
  /// Whether each generation needs the least or the greatest value of a population.
  bool needs_extremes() const {
    return needs_best() || (settings.stop & (EVOLUTION_STOP_SPREAD | EVOLUTION_STOP_STAGNATION)) != 0;
  }
  /// Whether the values after each generation are kept on the device, for statistics.
  bool keeps_history() const { return static_cast<bool>(options.statistics); }
  /// What becomes of a problem's state by a generation, as far as evaluations go; it may have stopped before.
  void count_evaluations(State& state, std::uint32_t generation) const;
  /// The local search that follows, as results call it.
  const char* polish_name() const {
    if (!polishes) return "none";
    return objective.is_fit() ? "levenberg-marquardt" : "nelder-mead";
  }
  /// Whether a generation needs the values of a whole population.
  bool needs_lead() const { return needs_extremes() || needs_order() || remembers(); }
};

/// \throws InvalidInput, as solve() says.
Plan make_plan(const Problem& problem, const Options& options, const RunControl& control);

/// The minimisations of a range as a problem of their own, with their data and start vectors.
struct Part {
  Problem problem;
  Options options;
  std::size_t whole_problems = 0;
};
/// \throws InvalidInput where the whole run has no such range, and as make_plan().
Part part_of(const Problem& problem, const Options& options, const RunControl& control);
/// The plan of a part, whose problems have the random numbers of the whole run.
Plan make_plan(const Part& part, const RunControl& control);

/// Everything that the result of a run depends on; limits are left out. Of a part, the data are its own. O(size of the
/// data).
RunIdentity identity_of(const Plan& plan);

/// Whether an objective must get all individuals of a generation by one call: then all work is of one device, and
/// not by the merged method.
bool needs_whole_generations(const Objective& objective);

}  // namespace clopt::differential_evolution
