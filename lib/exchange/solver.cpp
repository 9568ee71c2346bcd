#include <clopt/detail/activity.hpp>
#include <clopt/detail/run_times.hpp>
#include <clopt/error.hpp>
#include <clopt/exchange.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <limits>
#include <mutex>
#include <new>
#include <optional>
#include <stop_token>
#include <utility>

#include <device/solver_devices.hpp>
#include <exchange/network/lower_bound.hpp>
#include <exchange/packing/background_packing.hpp>
#include <exchange/packing/construct.hpp>
#include <exchange/packing/greedy.hpp>
#include <exchange/packing/packing.hpp>
#include <exchange/packing/repair.hpp>
#include <exchange/run/attempts.hpp>
#include <exchange/run/ranks.hpp>
#include <exchange/run/state.hpp>
#include <exchange/schedule/schedule.hpp>
#include <run/timed_run.hpp>
#include <support/threads/kept_team.hpp>
#include "options.hpp"
#include "search.hpp"

namespace clopt::exchange {
namespace {

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();
constexpr double unlimited_seconds = std::numeric_limits<double>::infinity();
// A packing of fewer, of some milliseconds, is over before a search has begun.
constexpr std::uint64_t fewest_moves_beside = 5'000;
// Of a limit of time, what the bound may take.
constexpr double bound_part = 0.25;

class Run {
 public:
  Run(const Problem& problem, const Options& options, const ParsedOptions& parsed,
      std::span<const std::shared_ptr<Device>> devices, const RunControl& control)
      : problem_(problem),
        options_(options),
        parsed_(parsed),
        devices_(devices),
        control_(control),
        watch_(control),
        network_(problem.topology),
        ways_(problem, options, parsed.optimizer, network_),
        steps_(options.steps),
        ranks_(Ranks::find(options, parsed)) {}

  Result run() {
    result_.bound = find_bound();
    result_.bound_seconds = watch_.seconds();
    computing_.emplace(TimePart::compute);
    if (options_.steps && *options_.steps < result_.bound.steps)
      throw InvalidInput(fmt::format("`steps` is {}, and no schedule has fewer than {} steps; give {} or more",
                                     *options_.steps, result_.bound.steps, result_.bound.steps));
    if (options_.steps_are_bound) steps_ = static_cast<std::uint32_t>(result_.bound.steps);
    identity_ = identity_of(problem_, options_, parsed_.optimizer, searched_steps());
    if (options_.resume) state_ = read_state(problem_, identity_, *options_.resume);
    const bool wants_construction =
        parsed_.optimizer == Optimizer::construct || parsed_.optimizer == Optimizer::automatic;
    if (!(wants_construction && take_construction())) search();
    finish();
    return std::move(result_);
  }

 private:
  // Of a part of the run, whose progress is the run's. seconds: its limit, if the run has one.
  RunControl control_of_part(double seconds) {
    RunControl control = control_;
    if (control.time_limit) control.time_limit = std::max(0.0, seconds);
    if (control.progress) {
      control.progress_interval = 0;
      control.progress = [this](const Progress& progress) {
        watch_.report(progress.phase, progress.done, progress.best, progress.best_point, progress.evaluations);
        return !watch_.interrupted();
      };
    }
    return control;
  }

  Bound find_bound() {
    const Activity activity("computing the bound of", problem_.pattern, problem_.topology.name);
    BoundEffort effort;
    const auto seconds = control_.time_limit.value_or(unlimited_seconds) * bound_part;
    effort.programme_seconds = std::min(effort.programme_seconds, seconds);
    const auto control = control_of_part(seconds);
    return BoundSearch(problem_, network_).run(Watch(control), effort);
  }

  // No limit ends a construction that is asked for: half of one is no schedule.
  std::optional<Construction> construct_schedule() const {
    const Activity activity("constructing a schedule (choose the `optimizer` anneal to search within limits) of",
                            problem_.pattern, problem_.topology.name);
    if (parsed_.optimizer == Optimizer::construct) return construct(problem_, network_);
    return construct(problem_, network_, [this] { return watch_.expired(); });
  }

  bool take_construction() {
    auto construction = construct_schedule();
    if (parsed_.optimizer == Optimizer::construct) {
      if (!construction)
        throw InvalidInput(
            "no construction is known for this network and pattern; choose the `optimizer` anneal, or auto");
      if (steps_ && construction->schedule.steps > *steps_)
        throw InvalidInput(
            fmt::format("the construction takes {} steps, and `steps` is {}; choose the `optimizer` anneal, or auto",
                        construction->schedule.steps, *steps_));
    } else if (!construction || construction->schedule.steps > steps_.value_or(result_.bound.steps)) {
      constructed_ = std::move(construction);
      return false;
    }
    state_.best = std::move(construction->schedule);
    state_.best.steps = steps_.value_or(state_.best.steps);
    report_found(state_.best);
    how_ = construction->how;
    used_ = Optimizer::construct;
    return true;
  }

  // The only number of steps that is searched; none: as few as can be found.
  std::optional<std::uint32_t> searched_steps() const {
    if (steps_ || parsed_.optimizer != Optimizer::umda) return steps_;
    return static_cast<std::uint32_t>(result_.bound.steps);
  }

  void search() {
    devices_.front()->begin_self_test("exchange");
    used_ = parsed_.optimizer == Optimizer::automatic ? Optimizer::anneal : parsed_.optimizer;
    if (const auto steps = searched_steps()) {
      report_first_schedule(*steps);
      search_once(*steps);
    } else {
      lower();
    }
    if (watch_.interrupted())
      early_ending_ = Ending::interrupted;
    else if (watch_.expired())
      early_ending_ = Ending::time;
  }

  std::uint64_t generations_left() const {
    const auto most = options_.generations.value_or(
        parsed_.optimizer == Optimizer::umda && !control_.time_limit ? most_generations : unlimited);
    return most - std::min(most, state_.generations);
  }

  // One search, whose counts are added to the run's when it ends for good.
  SearchResult attempt(std::uint32_t steps, std::uint64_t generations, Optimizer optimizer, const Watch& watch) {
    if (!paths_ && optimizer == Optimizer::umda) paths_ = std::make_unique<Paths>(network_);
    SearchTask task{problem_, network_, paths_.get(), steps, options_, parsed_, devices_, watch, generations};
    // A search that failed begins elsewhere the next time.
    task.seed = options_.seed + 0xd1b5'4a32'd192'ed03U * (state_.round / Attempts::each_round);
    task.parsed.optimizer = optimizer;
    const auto earlier = std::exchange(state_.search, {});
    // A bound that a limit of time cut short may have been another one, and so the steps that were searched.
    if (!earlier.empty() && state_.search_steps == steps) task.resume = &earlier;
    state_.search_steps = steps;
    if (options_.checkpoint) task.save = [&](const std::function<Record()>& make) { save_search(make); };
    if (options_.statistics)
      task.statistics = [&](const GenerationStatistics& found) {
        Statistics statistics{found, steps};
        statistics.generation += state_.generations;
        statistics.evaluations += state_.evaluations;
        options_.statistics(statistics);
      };
    auto found = optimizer == Optimizer::umda ? (ranks_ ? ranks_->umda(task) : umda(task)) : make_searches_of(task);
    state_.search = std::move(found.state);
    result_.launches += found.launches;
    if (found.evaluations_done > found.evaluations) ahead_ += found.evaluations_done - found.evaluations;
    result_.search_conflicts = found.conflicts;
    if (!ranks_) result_.devices = std::move(found.devices);
    require_conflicts(task, found);
    for (auto& failure : found.failures)
      if (std::find(result_.failures.begin(), result_.failures.end(), failure) == result_.failures.end())
        result_.failures.push_back(std::move(failure));
    return found;
  }

  // Of the ranks of a job, or of this process.
  SearchResult make_searches_of(const SearchTask& task) {
    if (!ranks_) return anneal(task);
    std::optional<double> seconds;
    if (control_.time_limit) seconds = std::max(0.0, *control_.time_limit - watch_.seconds());
    return ranks_->anneal(task, seconds);
  }

  // Where a search for fewer steps does not return, there is at least this schedule.
  void report_first_schedule(std::uint32_t steps) {
    if (!options_.found) return;
    if (!watch_.interrupted()) watch_.report("first schedule", 0);
    auto first = greedy(problem_, network_, &watch_).schedule;
    first.steps = std::max(first.steps, steps);
    report_found(first);
  }

  void search_once(std::uint32_t steps) {
    auto found = attempt(steps, generations_left(), used_, watch_);
    result_.search = found.search;
    result_.generations = found.generations;
    result_.evaluations = found.evaluations;
    result_.checksum = found.checksum;
    state_.best = std::move(found.schedule);
    how_ = found.how;
    // Nothing but a limit ends a search that found none.
    if (found.conflicts > 0)
      early_ending_ = Ending::generations;
    else
      report_found(state_.best);
  }

  // Fewer and fewer steps: slots packed one after the other, then the bound itself, then half of the way to it. Nothing
  // depends on the time, so that a run without a limit of time gives the same schedule everywhere.
  void lower() {
    const auto bound = static_cast<std::uint32_t>(result_.bound.steps);
    ways_.set_bound(bound);
    if (state_.best.placements.empty()) {
      if (!watch_.interrupted()) watch_.report("first schedule", 0);
      const auto begin = watch_.seconds();
      auto begun = greedy(problem_, network_, &watch_);
      first_fit_seconds_ = watch_.seconds() - begin;
      state_.best = std::move(begun.schedule);
      how_ = std::move(begun.how);
      if (constructed_ && constructed_->schedule.steps < state_.best.steps) {
        how_ = std::move(constructed_->how);
        keep(std::move(constructed_->schedule), Optimizer::construct);
      }
      constructed_.reset();
    } else {
      how_ = "as the checkpoint has it";
      // Taking its paths is most of first fit's work.
      const auto begin = watch_.seconds();
      if (control_.time_limit) without_conflicts(problem_, network_, state_.best);
      first_fit_seconds_ = watch_.seconds() - begin;
    }
    report_found(state_.best);
    // The reason says so even where the run ends before its first search.
    if (parsed_.optimizer != Optimizer::pack && state_.best.steps > bound) ways_.can_search(bound);
    while (state_.best.steps > bound && state_.round < Attempts::each_round * Attempts::most_rounds &&
           generations_left() > 0 && !watch_.expired()) {
      // A device may not return from what comes next, least of all from its first build.
      if (options_.checkpoint && (state_.round == 0 || options_.checkpoint->due()))
        write_state(identity_, state_, *options_.checkpoint);
      const auto way = ways_.at(state_.round);
      const auto target = way == Attempt::halves ? bound + (state_.best.steps - bound) / 2 : bound;
      if (!ways_.is_worth_trying(way, target)) {
        ++state_.round;
        continue;
      }
      if (!try_way(way, target)) break;
    }
    if (generations_left() == 0) early_ending_ = Ending::generations;
    result_.generations = state_.generations + pending_generations_;
    result_.evaluations = state_.evaluations + pending_evaluations_;
  }

  // \returns whether the run continues.
  bool try_way(Attempt way, std::uint32_t target) {
    if (way == Attempt::bound || way == Attempt::halves) return try_search(way, target);
    return may_search_beside(way) ? try_packing_beside_search(target) : try_packing();
  }

  // What is left after a limit, first fit among the packed slots and the checks, takes about as long as 3.5 times first
  // fit, and longer beside other programs.
  double packing_seconds() const {
    const auto left = control_.time_limit.value_or(unlimited_seconds) - watch_.seconds();
    return left - std::min(5 * first_fit_seconds_, left / 2);
  }

  ThreadTeam& packing_threads() {
    if (!team_) team_ = kept_team(options_.threads);
    return *team_;
  }

  // \returns whether the run continues.
  bool try_packing() {
    const auto control = control_of_part(packing_seconds());
    const auto effort = ways_.packing_effort(state_.round);
    const auto earlier = std::exchange(state_.search, {});
    PackingStates states;
    if (std::exchange(state_.search_steps, 0) == 0 && !earlier.empty()) states.resume = &earlier;
    if (options_.checkpoint) states.save = [&](const std::function<Record()>& make) { save_search(make); };
    try {
      auto packed = pack(problem_, network_, effort, packing_threads(), Watch(control), states);
      state_.search = std::move(packed.state);
      return take_packing(effort, std::move(packed));
    } catch (const InvalidInput& error) {
      if (states.resume != nullptr) options_.resume->refuse(error.what());
      throw;
    }
  }

  void save_search(const std::function<Record()>& make) {
    if (!options_.checkpoint->due()) return;
    state_.search = make();
    write_state(identity_, state_, *options_.checkpoint);
  }

  bool take_packing(const PackingEffort& effort, Packed packed) {
    const bool is_better = packed.schedule.steps < state_.best.steps;
    if (is_better) how_ = std::move(packed.how);
    if (!packed.is_whole) {
      // The run may continue with the whole packing.
      if (is_better) end_with(std::move(packed.schedule));
      early_ending_ = Ending::time;
      return false;
    }
    const auto evaluations = std::uint64_t{effort.moves} * effort.width * packed.schedule.steps;
    state_.evaluations += evaluations;
    state_.generations += evaluations / problem_.transfers.size();
    ++state_.round;
    if (is_better) keep(std::move(packed.schedule), Optimizer::pack);
    return true;
  }

  // Whether the packing of this turn may be made while devices that leave the host's cores alone make what follows. Not
  // where states or counts are reported in between, or where a limit of generations has to know the packing's.
  bool may_search_beside(Attempt way) {
    if (way != Attempt::packing) return false;
    const auto effort = ways_.packing_effort(state_.round);
    if (std::uint64_t{effort.moves} * effort.width * result_.bound.steps < fewest_moves_beside) return false;
    const bool is_in_turn =
        options_.statistics || options_.checkpoint || options_.resume || options_.generations || ranks_;
    const auto is_on_host = [](const auto& device) { return device->info().kind == DeviceKind::cpu; };
    return !is_in_turn && std::none_of(devices_.begin(), devices_.end(), is_on_host);
  }

  // The search at the bound, of the next turn, is made meanwhile. Each finds what it would have found in its turn, and
  // a search that would not have begun then counts for nothing, even where it fails. \returns whether the run
  // continues.
  bool try_packing_beside_search(std::uint32_t bound) {
    std::stop_source stop_search;
    const auto meets_bound = [bound](const Packed& packed) {
      return packed.is_whole && packed.schedule.steps <= bound;
    };
    const auto effort = ways_.packing_effort(state_.round);
    std::optional<double> seconds;
    if (control_.time_limit) seconds = packing_seconds();
    BackgroundPacking packing(problem_, network_, effort, packing_threads(), seconds, [&](const Packed& packed) {
      if (meets_bound(packed)) stop_search.request_stop();
      report_found(packed.schedule);
    });
    const auto earlier_conflicts = result_.search_conflicts;
    const auto budget = ways_.sweeps(state_.round + 1);
    std::exception_ptr failure;
    const RunTimes searching;
    auto found = attempt_beside(bound, budget, stop_search, failure);
    const auto search_seconds = searching.seconds();
    auto packed = packing.finish(watch_);
    if (failure && !meets_bound(packed)) std::rethrow_exception(failure);
    // What was built while threads packed was not waited for.
    RunTimes::move(
        TimePart::build, TimePart::compute,
        std::clamp(packing.seconds() - search_seconds.total + search_seconds.build, 0.0, search_seconds.build));
    const bool counts = found && !meets_bound(packed) && (packed.is_whole || found->conflicts == 0);
    if (!counts) {
      if (found) ahead_ += found->evaluations;
      result_.search_conflicts = earlier_conflicts;
      state_.search = {};
      return take_packing(effort, std::move(packed));
    }
    if (packed.is_whole) take_packing(effort, std::move(packed));
    return take_search(budget, Optimizer::anneal, std::move(*found));
  }

  // A search at the bound that can be stopped, if one follows. \param failure why there is none.
  std::optional<SearchResult> attempt_beside(std::uint32_t bound, std::uint64_t budget, std::stop_source& stop,
                                             std::exception_ptr& failure) {
    auto control = control_of_part(control_.time_limit.value_or(unlimited_seconds) - watch_.seconds());
    control.stop = stop.get_token();
    const std::stop_callback stop_with_run(control_.stop, [&] { stop.request_stop(); });
    try {
      if (ways_.search_follows(state_.round)) return attempt(bound, budget, Optimizer::anneal, Watch(control));
    } catch (const Error&) {
      failure = std::current_exception();
    } catch (const std::bad_alloc&) {
      failure = std::current_exception();
    }
    return std::nullopt;
  }

  // \returns whether the run continues.
  bool try_search(Attempt way, std::uint32_t target) {
    const auto budget = std::min(ways_.sweeps(state_.round), generations_left());
    // Where there are steps to spare, the search without temperature is the quicker one.
    const bool is_tabu =
        parsed_.optimizer == Optimizer::tabu || (parsed_.optimizer == Optimizer::automatic && way == Attempt::halves);
    const auto optimizer = is_tabu ? Optimizer::tabu : Optimizer::anneal;
    return take_search(budget, optimizer, attempt(target, budget, optimizer, watch_));
  }

  // \param budget sweeps that it might make.
  bool take_search(std::uint64_t budget, Optimizer optimizer, SearchResult found) {
    const auto sweeps = ways_.sweeps(state_.round);
    pending_generations_ = found.generations;
    pending_evaluations_ = found.evaluations;
    const bool is_valid = found.conflicts == 0;
    auto valid = is_valid || found.schedule.placements.empty()
                     ? std::move(found.schedule)
                     : without_conflicts(problem_, network_, std::move(found.schedule));
    const bool is_better = !valid.placements.empty() && valid.steps < state_.best.steps;
    if (is_better) how_ = is_valid ? found.how : found.how + ", then repaired";
    if ((!is_valid && (watch_.expired() || budget < sweeps)) || (is_valid && !found.is_final)) {
      // A limit ended the search, and a run may resume within it: its state stays as it was.
      if (is_better) end_with(std::move(valid));
      early_ending_ = Ending::generations;
      return false;
    }
    state_.generations += std::exchange(pending_generations_, 0);
    state_.evaluations += std::exchange(pending_evaluations_, 0);
    state_.search = {};
    if (is_better) keep(std::move(valid), optimizer);
    if (!is_valid) ++state_.round;
    return true;
  }

  // Also a packing's, by its own thread: what a search beside it waits for may not return.
  void report_found(const Schedule& schedule) {
    const std::lock_guard lock(found_mutex_);
    if (!options_.found || schedule.steps >= found_steps_) return;
    found_steps_ = schedule.steps;
    options_.found(result_.bound, schedule);
  }

  void keep(Schedule better, Optimizer optimizer) {
    state_.best = std::move(better);
    if (parsed_.optimizer == Optimizer::automatic) used_ = optimizer;
    report_found(state_.best);
  }

  static bool is_better(const Schedule& one, const Schedule& other) {
    return other.placements.empty() || one.steps < other.steps;
  }

  void end_with(Schedule better) {
    ended_early_ = std::move(better);
    report_found(ended_early_);
  }

  // What a limit of generations ends does not depend on where the run was stopped before.
  Schedule answer() {
    const bool was_cut = early_ending_ == Ending::time || early_ending_ == Ending::interrupted;
    if (was_cut && !ended_early_.placements.empty() && is_better(ended_early_, state_.early))
      state_.early = ended_early_;
    if (was_cut && !state_.early.placements.empty() && is_better(state_.early, state_.best)) return state_.early;
    return ended_early_.placements.empty() ? state_.best : std::move(ended_early_);
  }

  void finish() {
    result_.schedule = answer();
    computing_.reset();
    result_.method = name_of(used_);
    result_.conflicts = count_conflicts(problem_, result_.schedule);
    if (result_.conflicts == 0)
      if (const auto fault = check(problem_, claim(problem_, result_.schedule)); !fault.empty())
        throw InternalError(
            fmt::format("{}: the optimizer {} gave a wrong schedule: {}", names_of(devices_), result_.method, fault));
    if (result_.checksum == 0) result_.checksum = checksum_of(result_.schedule);
    result_.evaluations_done = result_.evaluations + ahead_;
    result_.ending = ending();
    result_.reason = reason();
    if (options_.checkpoint) write_state(identity_, state_, *options_.checkpoint);
    if (ranks_) result_.cluster = ranks_->report();
  }

  Ending ending() const {
    if (result_.conflicts == 0 && steps_) return Ending::target;
    if (result_.conflicts == 0 && result_.schedule.steps == result_.bound.steps) return Ending::complete;
    return early_ending_.value_or(Ending::complete);
  }

  std::string reason() const {
    const auto& bound = result_.bound;
    std::string proof;
    if (result_.conflicts > 0)
      proof = "no schedule without conflicts was found";
    else if (result_.schedule.steps == bound.steps)
      proof = fmt::format("optimal: the certificate ({}) proves that no schedule has fewer steps", bound.source);
    else
      proof = fmt::format("not proven to be optimal: the bound is {} ({})", bound.steps, bound.source);
    return fmt::format("{}{}; {}", how_, ways_.limits(), proof);
  }

  const Problem& problem_;
  const Options& options_;
  const ParsedOptions& parsed_;
  std::span<const std::shared_ptr<Device>> devices_;
  const RunControl& control_;
  Watch watch_;
  Network network_;
  Attempts ways_;
  std::optional<std::uint32_t> steps_;  ///< that the schedule must have; none: as few as can be found
  std::unique_ptr<Ranks> ranks_;        ///< of a job; else null
  std::unique_ptr<Paths> paths_;
  State state_;
  Schedule ended_early_;  ///< better than the state's, of a search that a limit ended; else without placements
  std::uint64_t pending_generations_ = 0;
  std::uint64_t pending_evaluations_ = 0;
  std::optional<Construction> constructed_;  ///< of more steps than the bound, to begin with
  double first_fit_seconds_ = 0;
  std::uint64_t ahead_ = 0;  ///< evaluations that were made ahead of need
  KeptTeam team_;
  std::mutex found_mutex_;
  std::uint64_t found_steps_ = unlimited;  ///< of the schedule that was reported last; under the mutex
  std::string how_;
  RunIdentity identity_{""};
  Optimizer used_ = Optimizer::automatic;
  std::optional<TimedPart> computing_;
  std::optional<Ending> early_ending_;  ///< the limit that ended the search
  Result result_;
};

}  // namespace

void check(const Problem&, const Options& options) {
  const auto parsed = parse_options(options);
  if (options.range) check_divisible(options, parsed.optimizer);
}

Result solve(const Problem& problem, const Options& options, std::span<const std::shared_ptr<Device>> devices,
             const RunControl& control) {
  return timed([&] {
    check(problem, options);
    const auto parsed = named_by(options);
    require_devices(devices);
    return Run(problem, options, parsed, devices, control).run();
  });
}

Result solve(const Problem& problem, const Options& options, Device& device, const RunControl& control) {
  const std::shared_ptr<Device> devices[] = {non_owning(device)};
  return solve(problem, options, devices, control);
}

}  // namespace clopt::exchange
