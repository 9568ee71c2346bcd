/// \file
/// One run on one device.
#pragma once

#include <clopt/checkpoint.hpp>
#include <clopt/error.hpp>
#include <device/build_ahead.hpp>
#include <device/doubt.hpp>
#include <device/read_in_pieces.hpp>
#include <objective/host_check.hpp>
#include <support/checksum.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "choice.hpp"
#include "engine.hpp"
#include "genes.hpp"
#include "told_statistics.hpp"

namespace clopt::genetic {

// Generations between two reads of where the run stands: the number grows until they take about so many seconds.
inline constexpr double seconds_between_reads = 0.05;
inline constexpr std::uint64_t first_generations = 8;
inline constexpr std::uint64_t most_generations_between_reads = 1024;

/// What is asked for, and what the caller was given already, whatever the device.
struct Request {
  const Problem& problem;
  const Options& options;
  const Plan& plan;
  const Watch& watch;
  double progress_interval;
  std::optional<std::uint64_t> told{};  ///< the last generation of which statistics were told
  std::optional<std::uint64_t> kept{};  ///< the generation of the last checkpoint
};

/// A run with genes kept in Element and costs in Real.
template <class Element, class Real>
class Run {
 public:
  Run(Request& request, Device& device, const Choice& choice)
      : request_(request),
        options_(request.options),
        plan_(request.plan),
        run_(plan_.settings),
        watch_(request.watch),
        device_(device),
        genes_(plan_),
        has_host_memory_(device.info().launches_are_calls) {
    const double begin = watch_.seconds();
    BuildAhead builds;
    engine_ = std::make_unique<Engine<Element, Real>>(device, request.problem, options_, plan_, choice.granularity);
    builds.finish();
    result_.method = granularity_names.of(choice.granularity);
    result_.reason = choice.reason;
    result_.individuals_per_group = engine_->individuals_per_group();
    result_.seconds.build = watch_.seconds() - begin;
  }

  Result finish() {
    const double begin = watch_.seconds();
    if (options_.resume)
      load(*options_.resume);
    else
      start();
    evolve();
    engine_->queue().finish();
    result_.seconds.compute = watch_.seconds() - begin;
    read_best();
    check_best();
    if (options_.checkpoint) save();
    conclude();
    result_.seconds.total = watch_.seconds() - result_.seconds.build;
    return std::move(result_);
  }

 private:
  std::uint64_t individuals() const { return std::uint64_t{run_.population} * run_.islands; }
  double value_of(Real cost) const {
    return run_.maximise != 0 ? -static_cast<double>(cost) : static_cast<double>(cost);
  }

  void start() {
    initial_ = hash_of(options_.initial);
    const auto given = options_.initial.size() / run_.genes;
    if (given != 0) {
      const auto elements = genes_.pack(options_.initial);
      engine_->queue().write(engine_->population(), std::span<const Element>(elements));
    }
    engine_->start(static_cast<std::uint32_t>(given));
    read_marks();
    if (!options_.statistics) return;
    begin_statistics();
    tell_statistics(0, read(engine_->costs()));
  }

  /// Breeds to the end. Where devices work by themselves, the next launch is under way while statistics of the last one
  /// are told.
  void evolve() {
    // A function may be slow: a launch begins with one generation, so that the run can be stopped between them.
    if (request_.problem.objective.is_function()) generations_ = 1;
    report();
    bool goes_on = go_on();
    while (goes_on) {
      const auto before = await_launch();
      if (options_.statistics) read_costs_since(before);
      const auto here = engine_->generation();
      const bool saves = options_.checkpoint && options_.checkpoint->due() && here >= request_.kept.value_or(0);
      const bool goes_ahead = options_.statistics && !has_host_memory_ && !saves && !watch_.report_due();
      std::exception_ptr failure;
      // What is known already is told before a failure is.
      try {
        if (goes_ahead) goes_on = go_on();
      } catch (...) {
        failure = std::current_exception();
      }
      if (options_.statistics) tell_statistics(before + 1, told_costs_);
      if (failure) std::rethrow_exception(failure);
      if (goes_ahead) continue;
      if (saves) save();
      report();
      goes_on = go_on();
    }
  }

  /// Begins the next launch unless the run has ended. \returns whether it did.
  bool go_on() {
    if (ended()) return false;
    begin_launch();
    return true;
  }

  void begin_launch() {
    const auto here = engine_->generation();
    // Of a batch function it has one generation.
    const bool each =
        plan_.host_watches_stagnation || options_.measure_stages || request_.problem.objective.is_batch_function();
    auto step = std::min(each ? 1 : generations_, plan_.last_generation - here);
    if (options_.statistics) step = std::min(step, engine_->most_kept());
    launch_begin_ = watch_.seconds();
    launched_from_ = here;
    engine_->advance(here + step);
    best_point_.clear();
  }

  /// \returns the generation before the launch.
  std::uint64_t await_launch() {
    read_marks();
    const bool is_function = request_.problem.objective.is_function();
    const double slow = std::min(seconds_between_reads / 2, is_function ? request_.progress_interval / 4
                                                                        : std::numeric_limits<double>::infinity());
    const double seconds = watch_.seconds() - launch_begin_;
    const std::uint64_t growth = seconds >= slow ? 1 : seconds < seconds_between_reads / 16 ? 16 : 2;
    generations_ = std::min(growth * generations_, most_generations_between_reads);
    return launched_from_;
  }

  // Reads where the run stands; the device stops by itself.
  void read_marks() {
    marks_.resize(engine_->marks().size());
    engine_->queue().read(engine_->marks(), std::span(marks_));
    stopped_ = marks_[GENETIC_STOP] <= engine_->generation();
    // That ends the run.
    if (stopped_) read_twice(device_, engine_->queue(), engine_->marks(), std::span(marks_));
    if (stopped_) engine_->set_generation(marks_[GENETIC_STOP]);
  }

  void report() {
    if (!watch_.report_due()) return;
    read_limits();
    // The best individual is at hand where memory is the host's, and where a checkpoint was just written.
    if (has_host_memory_ && best_point_.empty()) {
      std::vector<Element> row(run_.row);
      engine_->queue().read(engine_->best(), std::span(row), best_island() * run_.row);
      genes_.unpack(row, best_point_);
    }
    watch_.report("generations",
                  static_cast<double>(engine_->generation()) /
                      static_cast<double>(std::max<std::uint64_t>(plan_.last_generation, 1)),
                  value_of(limits_[best_island() * GENETIC_LIMITS + GENETIC_BEST]), best_point_);
  }

  bool ended() {
    const auto here = engine_->generation();
    if (stopped_) {
      result_.ending = best_cost() <= target() && run_.has_target != 0 ? Ending::target : Ending::stagnation;
    } else if (plan_.host_watches_stagnation && here - improved() >= *options_.stagnation) {
      result_.ending = Ending::stagnation;
    } else if (here >= plan_.last_generation) {
      result_.ending = plan_.evaluations_end_it ? Ending::evaluations : Ending::generations;
    } else if (watch_.interrupted()) {
      result_.ending = Ending::interrupted;
    } else if (watch_.expired()) {
      result_.ending = Ending::time;
    } else {
      return false;
    }
    return true;
  }

  Real target() const { return static_cast<Real>(plan_.numbers[GENETIC_TARGET]); }
  std::uint64_t improved() const {
    std::uint64_t latest = 0;
    for (std::uint32_t island = 0; island < run_.islands; ++island)
      latest = std::max<std::uint64_t>(latest, marks_[GENETIC_MARKS + island * std::size_t{GENETIC_MARKS_EACH}]);
    return latest;
  }
  Real best_cost() {
    read_limits();
    return limits_[best_island() * GENETIC_LIMITS + GENETIC_BEST];
  }
  void read_limits() {
    limits_.resize(engine_->limits().size());
    engine_->queue().read(engine_->limits(), std::span(limits_));
  }
  std::size_t best_island() const {
    std::size_t best = 0;
    for (std::size_t island = 1; island < run_.islands; ++island)
      if (limits_[island * GENETIC_LIMITS + GENETIC_BEST] < limits_[best * GENETIC_LIMITS + GENETIC_BEST])
        best = island;
    return best;
  }
  template <class T>
  std::vector<T> read(const Buffer<T>& buffer) {
    return engine_->queue().read_all(buffer);
  }

  void begin_statistics() {
    read_limits();
    std::vector<Real> best;
    for (std::uint32_t island = 0; island < run_.islands; ++island)
      best.push_back(limits_[island * std::size_t{GENETIC_LIMITS} + GENETIC_BEST]);
    statistics_.emplace(run_, options_, std::move(best), !has_host_memory_);
  }
  void tell_statistics(std::uint64_t first, std::span<const Real> costs) {
    statistics_->tell(first, costs, request_.told);
  }
  void read_costs_since(std::uint64_t before) {
    told_costs_.resize((engine_->generation() - before) * individuals());
    engine_->queue().read(engine_->history(), std::span(told_costs_));
  }

  static std::uint64_t hash_of(const std::vector<double>& numbers) {
    Checksum checksum;
    checksum.add(std::span<const double>(numbers));
    return checksum.value();
  }

  void save() {
    read_limits();
    const auto population = read(engine_->population());
    const auto costs = read(engine_->costs());
    const auto best = read(engine_->best());
    CheckpointState state(identity_of(request_.problem, options_, plan_));
    state.add("generation", engine_->generation())
        .add("initial", initial_)
        .add("population", population)
        .add("costs", costs)
        .add("limits", limits_)
        .add("best", best)
        .add("marks", marks_);
    options_.checkpoint->write(state);
    request_.kept = engine_->generation();
    best_point_.clear();
    genes_.unpack({&best[best_island() * run_.row], run_.row}, best_point_);
  }

  void load(const Checkpoint& checkpoint) {
    checkpoint.require(identity_of(request_.problem, options_, plan_));
    initial_ = checkpoint.number<std::uint64_t>("initial");
    if (!options_.initial.empty() && hash_of(options_.initial) != initial_)
      checkpoint.refuse(
          "its run did not begin with these individuals of `initial`; leave `initial` out, or begin a new run");
    const auto generation = checkpoint.number<std::uint64_t>("generation");
    if (generation > std::numeric_limits<std::uint32_t>::max() - 1) checkpoint.refuse("its generation is too large");
    engine_->set_generation(generation);
    const auto population = checkpoint.array<Element>("population", engine_->population().size());
    const auto costs = checkpoint.array<Real>("costs", individuals());
    const auto best = checkpoint.array<Element>("best", engine_->best().size());
    limits_ = checkpoint.array<Real>("limits", engine_->limits().size());
    marks_ = checkpoint.array<std::uint32_t>("marks", engine_->marks().size());
    genes_.require_genes(checkpoint, population);
    for (std::size_t island = 0; island < run_.islands; ++island)
      if (limits_[island * GENETIC_LIMITS + GENETIC_BEST] < std::numeric_limits<Real>::infinity())
        genes_.require_genes(checkpoint, std::span(best).subspan(island * run_.row, run_.row));
    require_limits(checkpoint, costs);
    find_stop(checkpoint, generation);
    auto& queue = engine_->queue();
    queue.write(engine_->population(), std::span<const Element>(population));
    queue.write(engine_->costs(), std::span<const Real>(costs));
    queue.write(engine_->best(), std::span<const Element>(best));
    queue.write(engine_->limits(), std::span<const Real>(limits_));
    queue.write(engine_->marks(), std::span<const std::uint32_t>(marks_));
    read_marks();
    if (options_.statistics) begin_statistics();
  }

  // The limits must be those of the values, which steer the selection.
  void require_limits(const Checkpoint& checkpoint, std::span<const Real> costs) const {
    constexpr auto infinity = std::numeric_limits<Real>::infinity();
    for (std::size_t island = 0; island < run_.islands; ++island) {
      Real least = infinity;
      Real greatest = -infinity;
      for (const Real cost : costs.subspan(island * run_.population, run_.population)) {
        if (std::isnan(cost)) checkpoint.refuse("a value of it is no number");
        if (!std::isfinite(cost)) continue;
        least = std::min(least, cost);
        greatest = std::max(greatest, cost);
      }
      const auto* const limits = &limits_[island * GENETIC_LIMITS];
      if (limits[GENETIC_LEAST] != least || limits[GENETIC_GREATEST] != greatest || std::isnan(limits[GENETIC_BEST]))
        checkpoint.refuse("its least and greatest values are not those of its individuals");
    }
  }

  // Limits may be others now: whether the run is to end is found out anew.
  void find_stop(const Checkpoint& checkpoint, std::uint64_t generation) {
    marks_[GENETIC_STOP] = std::numeric_limits<std::uint32_t>::max();
    for (std::uint32_t island = 0; island < run_.islands; ++island) {
      const auto since = marks_[GENETIC_MARKS + island * std::size_t{GENETIC_MARKS_EACH}];
      if (since > generation) checkpoint.refuse("its marks are of a later generation");
      const bool reached =
          run_.has_target != 0 && limits_[island * std::size_t{GENETIC_LIMITS} + GENETIC_BEST] <= target();
      if (reached || (run_.stagnation != 0 && generation - since >= run_.stagnation))
        marks_[GENETIC_STOP] = static_cast<std::uint32_t>(generation);
    }
  }

  // Once: what is told is what is checked.
  void read_best() {
    read_limits();
    best_ = read(engine_->best());
    for (std::size_t island = 0; island < run_.islands; ++island)
      if (cost_of(island) < std::numeric_limits<Real>::infinity() && !genes_.is_sound(best_row(island)))
        doubt(device_, "gives the best individual genes that none can have");
    if (result_.ending == Ending::target && !(cost_of(best_island()) <= target()))
      doubt(device_, "says that the target is reached, and its best individual does not reach it");
  }

  Real cost_of(std::size_t island) const { return limits_[island * GENETIC_LIMITS + GENETIC_BEST]; }
  std::span<const Element> best_row(std::size_t island) const { return {&best_[island * run_.row], run_.row}; }

  // On the host: the best of each island, and one that has no finite cost where the island is said to have none.
  void check_best() {
    const auto& objective = request_.problem.objective;
    result_.unchecked = objective::why_unchecked(objective, device_, watch_.expired());
    if (!result_.unchecked.empty()) return;
    const double begin = watch_.seconds();
    auto rows = best_;
    for (std::size_t island = 0; island < run_.islands; ++island)
      if (!(cost_of(island) < std::numeric_limits<Real>::infinity()))
        engine_->queue().read(engine_->population(), std::span(rows).subspan(island * run_.row, run_.row),
                              island * run_.population * run_.row);
    const auto values = objective::values_on_host<Element, Real>(
        objective, {.elements = rows, .count = run_.islands, .genes = run_.genes}, result_.unchecked);
    for (std::size_t island = 0; island < values.size(); ++island) {
      const auto on_host = std::isfinite(values[island]) ? static_cast<double>(values[island])
                           : run_.maximise != 0          ? -std::numeric_limits<double>::infinity()
                                                         : std::numeric_limits<double>::infinity();
      objective::require_host_value(objective, device_, value_of(cost_of(island)), on_host);
    }
    result_.seconds.build += watch_.seconds() - begin;
  }

  void conclude() {
    Checksum checksum;
    checksum_population(checksum);
    const auto island = best_island();
    result_.fitness = value_of(cost_of(island));
    const auto row = best_row(island);
    genes_.unpack(row, result_.genes);
    for (std::size_t i = 0; i < run_.islands; ++i) result_.island_fitness.push_back(value_of(cost_of(i)));
    result_.generations = engine_->generation();
    result_.evaluations = evaluations_at(run_, engine_->generation());
    result_.launches = engine_->queue().counts().launches;
    if (options_.measure_stages) result_.stages = engine_->stages();
    checksum.add(row);
    checksum.add(cost_of(island));
    result_.checksum = checksum.value();
  }

  // A large population is never on the host as a whole, unless it is asked for.
  void checksum_population(Checksum& checksum) {
    const auto whole_rows = std::max<std::size_t>(1, bytes_of_piece / (run_.row * sizeof(Element))) * run_.row;
    const auto take_genes = [&](std::span<const Element> elements) {
      checksum.add(elements);
      if (!options_.keep_population) return;
      for (; !elements.empty(); elements = elements.subspan(run_.row))
        genes_.unpack(elements.first(run_.row), result_.population);
    };
    const auto take_costs = [&](std::span<const Real> costs) {
      checksum.add(costs);
      if (!options_.keep_population) return;
      for (const Real cost : costs) result_.values.push_back(value_of(cost));
    };
    read_in_pieces(device_, engine_->queue(), engine_->population(), take_genes, whole_rows);
    read_in_pieces(device_, engine_->queue(), engine_->costs(), take_costs);
  }

  Request& request_;
  const Options& options_;
  const Plan& plan_;
  const Settings run_;
  const Watch& watch_;
  Device& device_;
  Genes<Element> genes_;
  bool has_host_memory_;
  std::unique_ptr<Engine<Element, Real>> engine_;
  std::vector<std::uint32_t> marks_;
  std::vector<Real> limits_;
  std::vector<Element> best_;                      ///< of each island, at the end
  std::vector<Real> told_costs_;                   ///< of the generations of a launch
  std::uint64_t generations_ = first_generations;  ///< of the next launch, at most
  std::uint64_t launched_from_ = 0;                ///< the generation before the launch
  double launch_begin_ = 0;
  std::optional<ToldStatistics<Real>> statistics_;
  std::vector<double> best_point_;  ///< empty where it is not at hand
  std::uint64_t initial_ = 0;       ///< a hash of the individuals that the run began with
  bool stopped_ = false;
  Result result_;
};

}  // namespace clopt::genetic
