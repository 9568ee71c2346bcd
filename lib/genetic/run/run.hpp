/// \file
/// One run on one device.
#pragma once

#include <clopt/checkpoint.hpp>
#include <clopt/detail/run_times.hpp>
#include <clopt/error.hpp>
#include <device/kernels/build_ahead.hpp>
#include <device/transfer/block_hashes.hpp>
#include <device/transfer/read_in_pieces.hpp>
#include <device/verification/fault_detection.hpp>
#include <run/pacing.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <genetic/device/tuning.hpp>
#include <genetic/launch/engine.hpp>
#include <genetic/peers.hpp>
#include <genetic/problems/permutation_objectives.hpp>
#include <genetic/problems/start_tour.hpp>
#include "best_check.hpp"
#include "best_so_far.hpp"
#include "genes.hpp"
#include "island_state.hpp"
#include "request.hpp"
#include "result_builder.hpp"
#include "run_status.hpp"
#include "statistics_reporter.hpp"

namespace clopt::genetic {

// Generations between two reads of where the run stands: the number grows until they take about this many seconds.
inline constexpr double seconds_between_reads = 0.05;
inline constexpr std::uint64_t first_generations = 8;
inline constexpr std::uint64_t most_generations_between_reads = 4096;
// A generation that takes longer is divided into launches, between which the run may end.
inline constexpr double most_undivided_seconds = 0.1;
// What a start population may take beyond the end of the run, which it then ends with.
inline constexpr double most_late_seconds = 0.1;
// Others evaluate, too, where a generation takes so long, and three times what its individuals need to come to them.
inline constexpr double least_offloaded_seconds = 0.005;
inline constexpr double offloaded_bytes_a_second = 4e9 / 3;
// Of a built-in objective on a GPU, whose generations are known to be short.
inline constexpr std::uint64_t first_short_generations = 128;

/// A run with genes kept in Element and costs in Real.
template <class Element, class Real>
class Run {
 public:
  Run(Request& request, Device& device, const GranularityChoice& choice)
      : request_(request),
        options_(request.options),
        plan_(request.plan),
        settings_(plan_.settings),
        watch_(request.watch),
        device_(device),
        genes_(plan_),
        has_host_memory_(device.info().launches_are_calls) {
    make_start_tour();
    objective::build_with(request.problem.objective, device, [&] {
      BuildAhead builds;
      engine_ = std::make_unique<Engine<Element, Real>>(device, request.problem, options_, plan_, choice.granularity);
      BuildAhead build_of_hashes;
      begin_hashes();
      builds.finish();
      finish_hashes(build_of_hashes);
      status_ = std::make_unique<RunStatus<Element, Real>>(device, plan_, *engine_);
    });
    result_.method = granularity_names.of(plan_.iterates ? Granularity::thread : choice.granularity);
    result_.reason = plan_.iterates ? "a thread has a segment of a tour" : choice.reason;
    result_.individuals_per_group = engine_->individuals_per_group();
  }

  Result finish() {
    TimedPart computing(TimePart::compute);
    engine_->call_between_launches([this] { look_between_launches(); });
    if (options_.resume)
      load(*options_.resume);
    else
      start();
    if (!is_cut_) evolve();
    end_computing(computing);
    // A start population that was left is no state to continue from.
    if (options_.checkpoint && !is_cut_) save();
    make_result();
    return std::move(result_);
  }

  /// The end of a run among others: its state, and in \p result what of it belongs to the result.
  /// \param hashes of the population's blocks, in place of the population where it need not come to the host.
  IslandState<Element, Real> finish_in_ring(const std::optional<IslandState<Element, Real>>& from, Result& result,
                                            std::vector<std::uint64_t>& hashes) {
    engine_->work_with(request_.peers);
    // What others still build is no work of this one.
    TimedPart building(TimePart::build);
    request_.peers->await_all();
    building.end();
    TimedPart computing(TimePart::compute);
    if (from)
      status_->restore(*from);
    else
      start();
    evolve_in_ring();
    end_computing(computing);
    result_.launches = engine_->queue().counts().launches;
    result = result_;
    if (hashes_) hashes = hashes_->of_blocks(engine_->queue(), engine_->population());
    return status_->read_state(!hashes_);
  }

 private:
  // Of a large population that stays on a GPU; whatever is in the way, it can be read.
  void begin_hashes() {
    const auto bytes = engine_->population().size() * sizeof(Element);
    if (device_.info().kind != DeviceKind::gpu || bytes < BlockHashes::least_bytes || options_.keep_population ||
        options_.range)
      return;
    // Those of the next run's blocks follow.
    if (request_.peers && (request_.wants_population || bytes % Checksum::block_bytes != 0)) return;
    try {
      hashes_.emplace(device_, bytes);
    } catch (const DeviceError&) {
      hashes_.reset();
    }
  }

  void finish_hashes(BuildAhead& build) {
    try {
      build.finish();
      if (hashes_ && !hashes_->is_able()) hashes_.reset();
    } catch (const BuildError&) {
      hashes_.reset();
    }
  }

  void end_computing(TimedPart& computing) {
    engine_->queue().finish();
    computing.end();
    read_best();
    check_best();
  }

  // Before any search, and before its table is on the device, there is a tour, which is the result where no better one
  // is found.
  void make_start_tour() {
    if (plan_.iterates || (plan_.improves && settings_.first_island == 0 && !request_.peers))
      start_tour_ = start_tour(request_.problem.objective, settings_.genes);
    // A search makes no tour longer than that which it begins with, so that whole numbers of 32 bits hold them.
    if (start_tour_ && static_cast<double>(start_tour_->length) > largest_sum)
      throw InvalidInput(
          fmt::format("a tour of the shortest edges is {} units long, which passes 2^31; give places in a larger unit, "
                      "or fewer `decimals`",
                      start_tour_->length));
    if (!start_tour_ || settings_.first_island != 0 || request_.peers) return;
    best_so_far_.set(start_cost(), value_of(start_cost()), {start_tour_->cities.begin(), start_tour_->cities.end()});
    best_so_far_.report(watch_, 0, 0);
  }
  Real start_cost() const { return static_cast<Real>(start_tour_->length); }

  // Within a generation, of which nothing is known yet.
  void look_between_launches() {
    // The first report of a start that is short has its best individual.
    if (has_started_ || watch_.seconds() - start_begin_ > most_undivided_seconds) report_best();
    if (!watch_.expired()) return;
    if (!expired_at_) expired_at_ = watch_.seconds();
    if (has_started_ || watch_.seconds() - *expired_at_ > most_late_seconds)
      throw Cancelled("the run was ended within a generation");
  }
  Ending ending_by_watch() const { return watch_.interrupted() ? Ending::interrupted : Ending::time; }

  static constexpr Real infinity = std::numeric_limits<Real>::infinity();

  std::uint64_t individuals() const { return std::uint64_t{settings_.population} * settings_.islands; }
  Values<Real> values() const { return values_of<Real>(plan_); }
  double value_of(Real cost) const { return values()(cost); }

  void start() {
    initial_ = hash_of_initial(options_.initial);
    auto initial = initial_of(plan_, options_);
    if (plan_.iterates)
      while (initial.size() < individuals() * settings_.genes)
        initial.insert(initial.end(), start_tour_->cities.begin(), start_tour_->cities.end());
    const auto given = initial.size() / settings_.genes;
    if (given != 0) {
      const auto elements = genes_.pack(initial);
      engine_->queue().write(engine_->population(), std::span<const Element>(elements));
    }
    start_begin_ = watch_.seconds();
    try {
      engine_->start(static_cast<std::uint32_t>(given));
    } catch (const Cancelled&) {
      if (request_.problem.objective.is_batch_function()) throw;
      is_cut_ = true;
      result_.ending = ending_by_watch();
    }
    has_started_ = true;
    if (is_cut_) return status_->read_marks();
    if (!is_sure_to_breed()) status_->read_marks();
    if (!options_.statistics) return;
    begin_statistics();
    statistics_->report(0, engine_->queue().read_all(engine_->costs()), 0, request_.last_reported);
  }

  bool has_short_generations() const {
    return request_.problem.objective.is_builtin() && device_.info().kind == DeviceKind::gpu && !plan_.iterates;
  }

  /// Whether the first launch need not know of the start population. A device stops by itself where that reaches
  /// the target.
  bool is_sure_to_breed() const {
    return has_short_generations() && !options_.statistics && request_.peers == nullptr && plan_.restart == 0 &&
           !plan_.host_watches_stagnation && last_generation(plan_, 0) > 0;
  }

  /// Breeds to the end. Where devices work by themselves, the next launch is under way while statistics of the last one
  /// are reported.
  void evolve() {
    // An objective may be slow: a launch begins with few generations, so that the run can be stopped between them.
    const double known = engine_->seconds_of_evaluation();
    if (gains_by_offload(known))
      offload();
    else if (known > most_undivided_seconds)
      divide_generations();
    if (!request_.problem.objective.is_builtin())
      pacing_.set(known > 0 && !request_.problem.objective.is_function()
                      ? std::min(static_cast<double>(first_generations), most_undivided_seconds / known)
                      : 1);
    else if (has_short_generations())
      pacing_.set(first_short_generations);
    report();
    bool continues = proceed();
    while (continues) {
      const auto before = await_launch();
      const auto restarts = status_->restarts();
      if (options_.statistics) read_costs_since(before);
      const auto here = engine_->generation();
      const bool saves = options_.checkpoint && options_.checkpoint->due() && here >= request_.last_saved.value_or(0);
      const bool goes_ahead = options_.statistics && !has_host_memory_ && !saves && !watch_.report_due();
      std::exception_ptr failure;
      // Report what is known before the failure.
      try {
        if (goes_ahead) continues = proceed();
      } catch (...) {
        failure = std::current_exception();
      }
      if (options_.statistics) statistics_->report(before + 1, launch_costs_, restarts, request_.last_reported);
      if (failure) std::rethrow_exception(failure);
      if (goes_ahead) continue;
      if (saves) save();
      report();
      continues = proceed();
    }
  }

  /// The same among other runs, in step with them: all know alike when to end, to draw again, and how far a launch
  /// goes. A target that others have reached earlier takes this run back to the generation in which they did.
  void evolve_in_ring() {
    while (!meet()) {
      const auto here = engine_->generation();
      // A launch of one generation ends no earlier than where all have to stop.
      if (settings_.has_target != 0 && !is_to_restart() && launch_end() > here + 1) engine_->keep(device_);
      begin_launch();
      await_launch();
    }
  }
  /// \returns whether the run has ended.
  bool meet() {
    auto& peers = *request_.peers;
    auto own = status_->own_status();
    own.orders = static_cast<std::uint32_t>(pacing_.steps());
    const auto known = peers.combine(own, engine_->generation());
    if (known.stop < engine_->generation()) go_back_to(known.stop);
    status_->set_ring_status(known);
    pacing_.set(static_cast<double>(known.generations()));
    is_late_ = known.has(RingStatus::is_late);
    if (known.has(RingStatus::wants_state)) peers.send_state(encode(status_->read_state()));
    if (peers.best_is_due()) send_best();
    return ended();
  }
  void go_back_to(std::uint64_t generation) {
    engine_->put_back();
    engine_->advance(generation);
    status_->read_marks();
  }
  void send_best() {
    status_->keep_best();
    const auto island = status_->best_island();
    if (!(status_->cost_of(island) < values().bound)) return;
    std::vector<double> genes;
    genes_.unpack(status_->kept_row(island), genes);
    request_.peers->send_best(value_of(status_->cost_of(island)), genes);
  }

  /// Begins the next launch unless the run has ended. \returns whether it did.
  bool proceed() {
    if (ended()) return false;
    try {
      begin_launch();
    } catch (const Cancelled&) {
      // A generation was left, since the run is to end: the one before is still there, and perhaps a better tour.
      if (auto left = engine_->left(); left && left->length < start_tour_->length) start_tour_ = std::move(left);
      result_.ending = ending_by_watch();
      return false;
    }
    return true;
  }

  void begin_launch() {
    const auto here = engine_->generation();
    launch_begin_ = watch_.seconds();
    launched_from_ = here;
    if (is_to_restart()) return status_->restart();
    engine_->advance(launch_end());
  }

  /// The generation that the next launch goes to.
  std::uint64_t launch_end() const {
    const auto here = engine_->generation();
    // Of a batch function it has one generation.
    const bool each = options_.measure_stages || plan_.iterates || request_.problem.objective.is_batch_function();
    auto step = std::min(each ? 1 : pacing_.steps(), last_generation(plan_, status_->restarts()) - here);
    if (options_.statistics) step = std::min(step, engine_->most_kept());
    const auto end = std::min(here + step, next_look());
    if (request_.peers == nullptr || options_.migrate_every == 0) return end;
    return std::min(end, (here / options_.migrate_every + 1) * options_.migrate_every);
  }

  /// Whether the next generation is drawn again.
  bool is_to_restart() const {
    return plan_.restart != 0 && engine_->generation() - status_->improved_since_restart() >= plan_.restart;
  }
  /// The first generation at which the host may have to end or restart the run.
  std::uint64_t next_look() const {
    auto next = std::numeric_limits<std::uint64_t>::max();
    if (plan_.restart != 0) next = status_->improved_since_restart() + plan_.restart;
    if (plan_.host_watches_stagnation) next = std::min(next, status_->improved() + *options_.stagnation);
    return next;
  }

  void divide_generations() {
    const double begin = watch_.seconds();
    try {
      engine_->divide_generations();
      pacing_.set(1);
    } catch (const BuildError&) {
      // It remains as it is.
    }
    result_.seconds.build += watch_.seconds() - begin;
  }

  /// \param seconds of a generation on this device.
  bool gains_by_offload(double seconds) const {
    if (request_.others.empty() || settings_.islands != plan_.whole_islands || settings_.islands != 1) return false;
    if (request_.problem.objective.is_batch_function() || options_.measure_stages) return false;
    const auto choice = offload_names.value(options_.offload, "offload");
    const auto bytes = static_cast<double>(individuals() * settings_.row * sizeof(Element));
    return choice == OffloadChoice::always ||
           (choice == OffloadChoice::automatic &&
            seconds > std::max(least_offloaded_seconds, bytes / offloaded_bytes_a_second));
  }
  void offload() {
    try {
      engine_->offload_to(request_.others);
    } catch (const BuildError&) {
      return;  // It remains as it is.
    } catch (const OutOfMemory&) {
      return;
    } catch (const std::bad_alloc&) {
      return;
    }
    pacing_.set(1);
    result_.reason += fmt::format("; {} devices evaluate the population", 1 + request_.others.size());
  }

  /// \returns the generation before the launch.
  std::uint64_t await_launch() {
    status_->read_marks();
    const bool is_function = request_.problem.objective.is_function();
    const double slow = std::min(seconds_between_reads / 2, is_function ? request_.progress_interval / 4
                                                                        : std::numeric_limits<double>::infinity());
    const double seconds = watch_.seconds() - launch_begin_;
    const double growth = seconds < seconds_between_reads / 16 ? 16 : 2;
    const bool is_single = engine_->generation() == launched_from_ + 1;
    if (is_single && seconds > most_undivided_seconds && !request_.problem.objective.is_builtin() && !request_.peers)
      divide_generations();
    pacing_.keep_within(slow, std::numeric_limits<double>::infinity(), seconds, growth);
    return launched_from_;
  }

  void report() {
    if (!watch_.report_due()) return;
    status_->read_limits();
    const auto cost = status_->cost_of(status_->best_island());
    if (cost < values().bound && best_so_far_.is_beaten_by(cost)) {
      std::vector<double> genes;
      genes_.unpack(status_->read_best_row(), genes);
      best_so_far_.set(cost, value_of(cost), std::move(genes));
    }
    report_best();
  }
  void report_best() {
    const auto last = std::max<std::uint64_t>(last_generation(plan_, status_->restarts()), 1);
    best_so_far_.report(watch_, static_cast<double>(engine_->generation()) / static_cast<double>(last),
                        status_->evaluations());
  }

  /// Where the start population is not known yet, a device may say that the run has ended for another reason.
  bool ended() {
    if (!has_ended()) return false;
    if (status_->has_marks()) return true;
    status_->read_marks();
    return has_ended();
  }
  bool has_ended() {
    const auto here = engine_->generation();
    const auto last = last_generation(plan_, status_->restarts());
    if (status_->stopped()) {
      status_->read_limits();
      // Among others it is one of them that does.
      const bool is_target = request_.peers != nullptr || status_->reaches_target();
      result_.ending = is_target ? Ending::target : Ending::stagnation;
    } else if (plan_.host_watches_stagnation && here - status_->improved() >= *options_.stagnation) {
      result_.ending = Ending::stagnation;
    } else if (here >= last) {
      result_.ending = here < plan_.last_generation ? Ending::evaluations : Ending::generations;
    } else if (is_to_restart() && plan_.evaluations &&
               evaluations_of_all(plan_, here + 1, status_->restarts() + 1) > *plan_.evaluations) {
      result_.ending = Ending::evaluations;
    } else if (request_.peers == nullptr && watch_.interrupted()) {
      result_.ending = Ending::interrupted;
    } else if (request_.peers != nullptr ? is_late_ : watch_.expired()) {
      result_.ending = Ending::time;
    } else {
      return false;
    }
    return true;
  }

  void begin_statistics() {
    status_->read_limits();
    std::vector<Real> best;
    for (std::uint32_t island = 0; island < settings_.islands; ++island) best.push_back(status_->cost_of(island));
    statistics_.emplace(settings_, options_, values(), std::move(best), !has_host_memory_);
  }
  void read_costs_since(std::uint64_t before) {
    launch_costs_.resize((engine_->generation() - before) * individuals());
    engine_->queue().read(engine_->history(), std::span(launch_costs_));
  }

  void save() {
    const auto state = status_->read_state();
    IslandStateFile<Element, Real>(plan_).write(*options_.checkpoint, identity_of(request_.problem, options_, plan_),
                                                state, initial_);
    request_.last_saved = engine_->generation();
  }

  void load(const Checkpoint& checkpoint) {
    checkpoint.require(identity_of(request_.problem, options_, plan_));
    initial_ = initial_in(checkpoint, options_);
    status_->restore(IslandStateFile<Element, Real>(plan_).read(checkpoint));
    has_started_ = true;
    if (options_.statistics) begin_statistics();
  }

  // Once, so that the result is the one that was checked.
  void read_best() {
    status_->keep_best();
    for (std::size_t island = 0; island < settings_.islands; ++island)
      if (status_->cost_of(island) < infinity && !genes_.is_sound(status_->kept_row(island)))
        report_fault(device_, "gives the best individual genes that none can have");
    if (result_.ending == Ending::target && request_.peers == nullptr && !status_->reaches_target())
      report_fault(device_, "says that the target is reached, and its best individual does not reach it");
  }

  void check_best() {
    const auto& objective = request_.problem.objective;
    result_.unchecked = objective::why_unchecked(objective, device_, is_late_ || watch_.expired());
    if (is_cut_ && engine_->evaluated() < individuals())
      result_.unchecked = "the run was ended before its start population was evaluated";
    if (result_.unchecked.empty()) try {
        check_on_host(objective, device_, settings_, *engine_, *status_, result_.unchecked);
      } catch (const DeviceError&) {
        if (options_.resume) require_kept_costs<Element, Real>(*options_.resume, objective, plan_);
        throw;
      }
  }

  // A large population is never on the host as a whole, unless it is asked for.
  void make_result() {
    ResultBuilder<Element, Real> builder(request_.problem, options_, plan_, result_,
                                         has_host_memory_ ? device_.info().compute_units : usable_cores());
    PieceReader reader(device_, engine_->queue());
    const auto row = options_.keep_population ? settings_.row : 1;
    // Of several blocks, which threads hash side by side.
    const auto most = std::max<std::size_t>(1, most_bytes_of_piece / (row * sizeof(Element))) * row;
    if (hashes_)
      builder.take_hashes_of_genes(
          [&](Checksum& checksum) { hashes_->add(engine_->queue(), engine_->population(), checksum); });
    else
      reader.read(
          engine_->population(), [&](std::span<const Element> elements) { builder.take_genes(elements); }, most);
    reader.read(engine_->costs(), [&](std::span<const Real> costs) { builder.take_costs(costs); });
    if constexpr (std::is_same_v<Element, std::uint32_t>)
      if (start_tour_) status_->keep_better(start_cost(), start_tour_->cities);
    // They are all kept now.
    builder.finish(status_->kept_costs(), status_->kept_rows(), !watch_.expired());
    result_.generations = engine_->generation();
    result_.restarts = status_->restarts();
    result_.evaluations = is_cut_ ? engine_->evaluated() : status_->evaluations();
    result_.launches = engine_->queue().counts().launches;
    if (const auto* offload = engine_->offload()) {
      result_.launches += offload->launches();
      result_.devices = offload->parts();
      result_.failures = offload->failures();
    }
    if (options_.measure_stages) result_.stages = engine_->stages();
    if (options_.range)
      result_.part =
          part_of_result(plan_, engine_->queue().read_all(engine_->population()),
                         engine_->queue().read_all(engine_->costs()), status_->kept_rows(), status_->kept_costs());
  }

  Request& request_;
  const Options& options_;
  const Plan& plan_;
  const Settings settings_;
  const Watch& watch_;
  Device& device_;
  Genes<Element> genes_;
  bool has_host_memory_;
  std::unique_ptr<Engine<Element, Real>> engine_;
  std::unique_ptr<RunStatus<Element, Real>> status_;
  std::optional<BlockHashes> hashes_;  ///< where a large population stays on the device
  std::vector<Real> launch_costs_;     ///< of the generations of a launch
  Pacing pacing_{first_generations, 1, most_generations_between_reads};  ///< of the next launch, at most
  std::uint64_t launched_from_ = 0;                                      ///< the generation before the launch
  bool is_late_ = false;  ///< whether the limit of time has passed, among others
  double launch_begin_ = 0;
  std::optional<StatisticsReporter<Real>> statistics_;
  std::optional<StartTour> start_tour_;  ///< of a search for tours; in the end the one that a generation has left
  double start_begin_ = 0;
  bool has_started_ = false;          ///< whether the start population is there
  bool is_cut_ = false;               ///< whether that was left before its end
  std::optional<double> expired_at_;  ///< when that was seen first
  BestSoFar<Real> best_so_far_;
  std::uint64_t initial_ = 0;  ///< a hash of the individuals that the run began with
  Result result_;
};

}  // namespace clopt::genetic
