#include <clopt/error.hpp>
#include <clopt/exchange.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <utility>

#include <exchange/anneal/symmetry.hpp>
#include <exchange/bound/bound.hpp>
#include <exchange/packing/construct.hpp>
#include <exchange/packing/greedy.hpp>
#include <exchange/packing/packing.hpp>
#include <exchange/packing/repair.hpp>
#include <exchange/schedule/schedule.hpp>
#include <support/thread_team.hpp>
#include "run_state.hpp"
#include "search.hpp"

namespace clopt::exchange {
namespace {

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();
// While steps are lowered, the sweeps of the first attempts, and how often they are doubled before the run gives up.
constexpr std::uint64_t first_sweeps = 1000;
constexpr std::uint32_t doublings = 9;
// Moves for each link and slot of the first packing, and of the one after a search at the bound has failed; doubled
// too.
constexpr std::uint64_t first_packing = 4;
constexpr std::uint64_t second_packing = 256;
// Orbits of transfers up to which searches that move all of them are worth their time.
constexpr std::size_t most_orbits = 20'000;
// Of a limit of time, what the bound may take.
constexpr double bound_part = 0.25;

void check_options(const Options& options) {
  const auto& known = optimizers();
  if (std::find(known.begin(), known.end(), options.optimizer) == known.end())
    throw InvalidInput(
        fmt::format("there is no optimizer '{}'; choose one of {}", options.optimizer, fmt::join(known, ", ")));
  if (options.offload != "host" && options.offload != "device")
    throw InvalidInput(fmt::format("there is no offload '{}'; choose host or device", options.offload));
  if (options.method != "links" && options.method != "pairs")
    throw InvalidInput(fmt::format("there is no method '{}'; choose links or pairs", options.method));
  if (options.population < 2)
    throw InvalidInput(fmt::format("a population of {} cannot be selected from; give 2 at least", options.population));
  if (options.population > most_population)
    throw InvalidInput(fmt::format("a population of {} individuals is too large; give {} at most", options.population,
                                   most_population));
  if (options.queues < 1 || options.queues > 2)
    throw InvalidInput(fmt::format("a device has 1 or 2 queues, not {}", options.queues));
  if (options.replicas < 1 || options.replicas > most_replicas)
    throw InvalidInput(fmt::format("a search has 1 to {} replicas, not {}", most_replicas, options.replicas));
  if (options.optimizer == "pack" && (options.steps || options.steps_are_bound))
    throw InvalidInput("the optimizer pack takes as many steps as it needs; leave out the steps, or choose anneal");
  if (options.steps && *options.steps == 0) throw InvalidInput("a schedule has 1 step at least, not 0");
}

class Run {
 public:
  Run(const Problem& problem, const Options& options, std::span<const std::shared_ptr<Device>> devices,
      const RunControl& control)
      : problem_(problem),
        options_(options),
        devices_(devices),
        control_(control),
        watch_(control),
        network_(problem.topology),
        steps_(options.steps) {}

  Result run() {
    auto bound_control = control_;
    BoundEffort effort;
    if (bound_control.time_limit) {
      *bound_control.time_limit *= bound_part;
      effort.programme_seconds = std::min(effort.programme_seconds, *bound_control.time_limit);
    }
    result_.bound = BoundSearch(problem_, network_).run(Watch(bound_control), effort);
    result_.bound_seconds = watch_.seconds();
    if (options_.steps && *options_.steps < result_.bound.steps)
      throw InvalidInput(fmt::format("--steps {} is below the bound: no schedule has fewer than {} steps",
                                     *options_.steps, result_.bound.steps));
    if (options_.steps_are_bound) steps_ = static_cast<std::uint32_t>(result_.bound.steps);
    if (options_.resume) state_ = read_run_state(problem_, *options_.resume);
    const bool wants_construction = options_.optimizer == "construct" || options_.optimizer == "auto";
    if (!(wants_construction && take_construction())) search();
    finish();
    return std::move(result_);
  }

 private:
  bool take_construction() {
    auto construction = construct(problem_, network_);
    if (options_.optimizer == "construct") {
      if (!construction)
        throw InvalidInput(
            "no construction is known for this network and pattern; choose the optimizer anneal, or auto");
      if (steps_ && construction->schedule.steps > *steps_)
        throw InvalidInput(fmt::format("the construction takes {} steps, not {}; choose the optimizer anneal, or auto",
                                       construction->schedule.steps, *steps_));
    } else if (!construction || construction->schedule.steps > steps_.value_or(result_.bound.steps)) {
      return false;
    }
    state_.best = std::move(construction->schedule);
    state_.best.steps = steps_.value_or(state_.best.steps);
    how_ = construction->how;
    result_.optimizer = "construct";
    return true;
  }

  void search() {
    result_.optimizer = options_.optimizer == "auto" ? "anneal" : options_.optimizer;
    const bool one_number = steps_ || options_.optimizer == "umda";
    if (one_number)
      search_once(steps_.value_or(static_cast<std::uint32_t>(result_.bound.steps)));
    else
      lower();
  }

  std::uint64_t generations_left() const {
    const auto most = options_.generations.value_or(
        options_.optimizer == "umda" && !control_.time_limit ? most_generations : unlimited);
    return most - std::min(most, state_.generations);
  }

  // One search, whose counts are added to the run's when it ends for good.
  SearchResult attempt(std::uint32_t steps, std::uint64_t generations, const std::string& optimizer) {
    if (!paths_ && optimizer == "umda") paths_ = std::make_unique<Paths>(network_);
    SearchTask task{problem_, network_, paths_.get(), steps, options_, devices_, control_, watch_, generations};
    // A search that failed begins elsewhere the next time.
    task.seed = options_.seed + 0xd1b5'4a32'd192'ed03U * (state_.round / ways);
    task.optimizer = optimizer;
    const auto earlier = std::move(state_.search);
    state_.search.clear();
    if (!earlier.empty()) task.resume = &earlier;
    if (options_.checkpoint)
      task.save = [&](const std::function<SearchState()>& make) {
        if (!options_.checkpoint->due()) return;
        state_.search = make();
        write_run_state(problem_, state_, *options_.checkpoint);
      };
    auto found = optimizer == "umda" ? umda(task) : anneal(task);
    state_.search = std::move(found.state);
    result_.build_seconds += found.build_seconds;
    return found;
  }

  void search_once(std::uint32_t steps) {
    auto found = attempt(steps, generations_left(), result_.optimizer);
    result_.generations = found.generations;
    result_.evaluations = found.evaluations;
    result_.checksum = found.checksum;
    state_.best = std::move(found.schedule);
    how_ = found.how;
  }

  // What is tried in a round while steps are lowered, one after the other, then again with twice the effort.
  enum class Way { packing, bound, more_packing, halves };
  static constexpr std::uint32_t ways = 4;

  // Fewer and fewer steps: slots packed one after the other, then the bound itself, then half of the way to it. Nothing
  // depends on the time, so that a run without a limit of time gives the same schedule everywhere.
  void lower() {
    const auto bound = static_cast<std::uint32_t>(result_.bound.steps);
    if (state_.best.placements.empty()) {
      watch_.report("first schedule", 0);
      auto begun = greedy(problem_, network_, &watch_);
      state_.best = std::move(begun.schedule);
      how_ = std::move(begun.how);
    } else {
      how_ = "as the checkpoint has it";
    }
    // Told even where the run ends before its first search.
    if (options_.optimizer != "pack" && state_.best.steps > bound) can_search(bound);
    while (state_.best.steps > bound && state_.round < ways * doublings && generations_left() > 0 &&
           !watch_.expired()) {
      const auto way = static_cast<Way>(state_.round % ways);
      const auto target = way == Way::halves ? bound + (state_.best.steps - bound) / 2 : bound;
      if (!is_worth_trying(way, target))
        ++state_.round;
      else if (way == Way::packing || way == Way::more_packing)
        try_packing(way);
      else if (!try_search(way, target))
        break;
    }
    result_.generations = state_.generations + pending_generations_;
    result_.evaluations = state_.evaluations + pending_evaluations_;
  }

  bool is_worth_trying(Way way, std::uint32_t target) {
    if (way == Way::packing) return options_.optimizer == "auto" || options_.optimizer == "pack";
    if (way == Way::more_packing) return options_.optimizer == "auto" && few_orbits();
    if (options_.optimizer == "pack" || (way == Way::halves && target == result_.bound.steps)) return false;
    return can_search(target) && (options_.optimizer != "auto" || few_orbits());
  }

  // \returns whether a search takes so many steps of this network; the run's reason tells what is in its way.
  bool can_search(std::uint32_t steps) {
    const auto obstacle = search_obstacle(network_, steps);
    if (!obstacle.empty()) limits_ = fmt::format(", since {}", obstacle);
    return obstacle.empty();
  }

  // Whether there are few transfers, or enough symmetries to move many at once.
  bool few_orbits() {
    if (problem_.transfers.size() <= most_orbits) return true;
    if (!few_orbits_) {
      std::uint32_t order = 1;
      for (const auto& group :
           find_groups(network_, problem_.transfers, static_cast<std::uint32_t>(result_.bound.steps), options_.seed))
        order = std::max(order, group.order());
      few_orbits_ = problem_.transfers.size() / order <= most_orbits;
    }
    return *few_orbits_;
  }

  void try_packing(Way way) {
    const std::uint64_t each = way == Way::packing ? first_packing : second_packing;
    const auto moves = std::min<std::uint64_t>(each * network_.links().size() << state_.round / ways, 1U << 30);
    if (!team_) team_ = std::make_unique<ThreadTeam>(options_.threads);
    const PackingEffort effort{options_.seed, state_.round, static_cast<std::uint32_t>(moves)};
    auto [packed, how] = pack(problem_, network_, effort, *team_, watch_);
    const bool is_better = packed.steps < state_.best.steps;
    if (is_better) how_ = std::move(how);
    if (watch_.expired()) {
      // The run may go on with the whole packing.
      if (is_better) ended_early_ = std::move(packed);
      return;
    }
    state_.evaluations += moves * packed.steps;
    state_.generations += moves * packed.steps / problem_.transfers.size();
    ++state_.round;
    if (is_better) keep(std::move(packed), "pack");
  }

  // \returns whether the run goes on.
  bool try_search(Way way, std::uint32_t target) {
    const auto sweeps = first_sweeps << state_.round / ways;
    const auto budget = std::min(sweeps, generations_left());
    // Where there are steps to spare, the search without temperature is the quicker one.
    const bool is_tabu = options_.optimizer == "tabu" || (options_.optimizer == "auto" && way == Way::halves);
    auto found = attempt(target, budget, is_tabu ? "tabu" : "anneal");
    pending_generations_ = found.generations;
    pending_evaluations_ = found.evaluations;
    const bool is_valid = found.conflicts == 0;
    auto valid = is_valid || found.schedule.placements.empty()
                     ? std::move(found.schedule)
                     : without_conflicts(problem_, network_, std::move(found.schedule));
    const bool is_better = !valid.placements.empty() && valid.steps < state_.best.steps;
    if (is_better) how_ = is_valid ? found.how : found.how + ", then repaired";
    if (!is_valid && (watch_.expired() || budget < sweeps)) {
      // A limit ended the search, and the run may go on from within it: its state stays as it was.
      if (is_better) ended_early_ = std::move(valid);
      return false;
    }
    state_.generations += std::exchange(pending_generations_, 0);
    state_.evaluations += std::exchange(pending_evaluations_, 0);
    state_.search.clear();
    if (is_better) keep(std::move(valid), is_tabu ? "tabu" : "anneal");
    if (!is_valid) ++state_.round;
    return true;
  }

  void keep(Schedule better, const char* optimizer) {
    state_.best = std::move(better);
    if (options_.optimizer == "auto") result_.optimizer = optimizer;
  }

  void finish() {
    result_.schedule = ended_early_.placements.empty() ? state_.best : std::move(ended_early_);
    result_.compute_seconds = watch_.seconds() - result_.bound_seconds - result_.build_seconds;
    result_.conflicts = count_conflicts(problem_, result_.schedule);
    if (result_.conflicts == 0)
      if (const auto fault = check(problem_, claim(problem_, result_.schedule)); !fault.empty())
        throw InternalError(fmt::format("the optimizer {} gave a wrong schedule: {}", result_.optimizer, fault));
    if (result_.checksum == 0) result_.checksum = checksum_of(result_.schedule);
    result_.interrupted = watch_.interrupted();
    result_.reason = reason();
    if (options_.checkpoint) write_run_state(problem_, state_, *options_.checkpoint);
    result_.total_seconds = watch_.seconds() - result_.build_seconds;
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
    return fmt::format("{}{}; {}", how_, limits_, proof);
  }

  const Problem& problem_;
  const Options& options_;
  std::span<const std::shared_ptr<Device>> devices_;
  const RunControl& control_;
  Watch watch_;
  Network network_;
  std::optional<std::uint32_t> steps_;  ///< that the schedule must have; none: as few as can be found
  std::unique_ptr<Paths> paths_;
  RunState state_;
  Schedule ended_early_;  ///< better than the state's, of a search that a limit ended; else without placements
  std::uint64_t pending_generations_ = 0;
  std::uint64_t pending_evaluations_ = 0;
  std::unique_ptr<ThreadTeam> team_;
  std::optional<bool> few_orbits_;
  std::string how_;
  std::string limits_;  ///< what kept a search from being made
  Result result_;
};

}  // namespace

const std::vector<std::string>& optimizers() {
  static const std::vector<std::string> names{"auto", "umda", "anneal", "tabu", "pack", "construct"};
  return names;
}

Result solve(const Problem& problem, const Options& options, std::span<const std::shared_ptr<Device>> devices,
             const RunControl& control) {
  check_options(options);
  if (devices.empty()) throw InvalidInput("no device is given; open one at least");
  if (options.optimizer == "umda" && options.offload == "device" && devices.size() > 1)
    throw InvalidInput(
        fmt::format("offload to a device keeps the whole population on one device, and {} are given; give one, or "
                    "choose the offload host, which shares out the individuals",
                    devices.size()));
  return Run(problem, options, devices, control).run();
}

}  // namespace clopt::exchange
