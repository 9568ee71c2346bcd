#include "ranks.hpp"

#include <clopt/error.hpp>
#include <group/lost_devices.hpp>
#include <group/team.hpp>
#include <support/threads/thread_team.hpp>

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

#include <genetic/device_setup.hpp>
#include "messages.hpp"
#include "ring_peers.hpp"
#include "run.hpp"

namespace clopt::genetic {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view name_of_worker = "genetic";

// How often all islands go to the first rank, which ends with them when it is interrupted, or writes them to a
// checkpoint: the first time, then at least this multiple of what it takes.
constexpr double first_snapshot = 1.0;
constexpr double snapshot_interval = 8.0;
constexpr double snapshot_share = 20;

/// Evolves the islands of a member, until the run has ended. \param first of the first one; null at others.
void serve(const RunMessage& message, std::span<const std::shared_ptr<Device>> devices, group::Mailbox& mailbox,
           FirstRank* first) {
  RunControl limits;
  limits.time_limit = message.time_limit;
  const auto whole = make_plan(message.problem, message.options, limits);
  // The first member sends the end of the run.
  RunControl control;
  control.stop = mailbox.stop();
  const auto evolve = [&](std::span<const std::shared_ptr<Device>> own, const group::Order& order) {
    auto& device = *own.front();
    group::require_doubles(own.first(1), whole.double_precision);
    device.begin_self_test(name_of_worker);
    const auto place = static_cast<std::size_t>(order.range.first);
    const auto plan = part_of(whole, message.islands_of(place));
    const auto choice = choose_on(device, message.problem, plan);
    const Watch watch(control);
    RingPeers peers(mailbox, order.range, group::ring_of(mailbox, message.members, place), first);
    Request request{message.problem, message.options, plan, watch, control.progress_interval};
    request.peers = &peers;
    request.wants_population = message.wants_population;
    PartResult part;
    const auto run = [&]<class Element, class Real>(std::type_identity<Element>, std::type_identity<Real>) {
      std::optional<IslandState<Element, Real>> from;
      ByteReader details(order.details);
      if (!details.rest().empty()) from = details.take<IslandState<Element, Real>>();
      auto state = Run<Element, Real>(request, device, choice).finish_in_ring(from, part.result, part.hashes);
      return encode(part, state);
    };
    auto bytes = with_types(message.problem.objective.kind(), plan.double_precision, run);
    return std::pair(std::move(bytes), part.result.launches);
  };
  group::serve_team(message.members, devices, mailbox, first != nullptr, evolve);
}

const group::WorkerEntry islands_worker(name_of_worker,
                                        [](ByteReader message, std::optional<double>,
                                           std::span<const std::shared_ptr<Device>> devices, group::Mailbox& mailbox) {
                                          serve(decode_run(message), devices, mailbox, nullptr);
                                        });

/// A run's islands, at the first rank.
template <class Element, class Real>
class SharedRun {
 public:
  SharedRun(group::Group& group, const Request& request, std::span<const std::shared_ptr<Device>> devices,
            const RunControl& control)
      : options_(request.options),
        plan_(request.plan),
        watch_(request.watch),
        devices_(devices),
        file_(plan_),
        range_(request.options.range.value_or(WorkRange{0, request.options.islands})),
        message_{request.problem, request.options, control.time_limit, range_},
        team_(group, static_cast<std::size_t>(range_.count), watch_) {
    message_.options.range.reset();
    message_.wants_population =
        options_.keep_population || options_.range.has_value() || options_.checkpoint != nullptr;
    begin();
  }

  Result solve(cluster::Report& report) {
    FirstRank first{watch_};
    group::TeamWork work;
    work.worker = name_of_worker;
    work.begin = [&] {
      ends_.clear();
      pending_.clear();
      is_requested_ = false;
      next_snapshot_ = Clock::now() + duration_of(options_.checkpoint ? 0 : first_snapshot);
      first.wants_state = false;
    };
    work.message = [this](const std::vector<group::TeamMember>& members) {
      message_.members = members;
      return encode_run(message_);
    };
    work.local = [&](const std::vector<group::TeamMember>&, group::Mailbox& mailbox) {
      serve(message_, devices_, mailbox, &first);
    };
    if (from_)
      work.details = [this](std::size_t place) {
        const auto own = message_.islands_of(place);
        return encode(from_->part(own.first - range_.first, own.count));
      };
    work.accept = [this](std::size_t place, ByteReader message) {
      auto part = message.take<PartResult>();
      ends_.emplace(place, std::pair(std::move(part), message.take<IslandState<Element, Real>>()));
    };
    work.progress = [this](std::size_t place, ByteReader message) { note(place, message); };
    work.attend = [&] {
      request_snapshot(first);
      report_progress(first);
    };
    auto distributed = team_.run(work);
    auto result = make_result(distributed.launches);
    team_.report_losses(result.failures, distributed.report);
    for (std::size_t place = 0; place < message_.members.size(); ++place)
      distributed.report.per_rank[message_.members[place].rank].items = message_.islands_of(place).count;
    report = std::move(distributed.report);
    return result;
  }

 private:
  void begin() {
    if (options_.resume) {
      const auto& checkpoint = *options_.resume;
      checkpoint.require(identity_of(message_.problem, options_, plan_));
      initial_ = initial_in(checkpoint, options_);
      from_ = file_.read(checkpoint);
    } else {
      initial_ = hash_of_initial(options_.initial);
    }
  }

  static Clock::duration duration_of(double seconds) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }

  void note(std::size_t place, ByteReader& message) {
    if (message.take<ProgressKind>() == ProgressKind::state) {
      pending_.insert_or_assign(place, message.take<IslandState<Element, Real>>());
      if (pending_.size() == message_.members.size()) keep_snapshot();
      return;
    }
    const auto value = message.take<double>();
    if (best_ && !(plan_.settings.maximise != 0 ? value > *best_ : value < *best_)) return;
    best_ = value;
    best_point_ = message.take<std::vector<double>>();
  }

  static IslandState<Element, Real> joined(std::map<std::size_t, IslandState<Element, Real>> parts) {
    auto whole = std::move(parts.begin()->second);
    for (auto next = std::next(parts.begin()); next != parts.end(); ++next) whole.append(next->second);
    return whole;
  }

  // All islands have come, as they were in one generation.
  void keep_snapshot() {
    snapshot_ = joined(std::move(pending_));
    pending_.clear();
    if (options_.checkpoint) save(*snapshot_);
    const double cost = requested_.seconds();
    next_snapshot_ =
        Clock::now() + duration_of(std::max(options_.checkpoint ? 0 : snapshot_interval, snapshot_share * cost));
    is_requested_ = false;
  }

  void save(const IslandState<Element, Real>& state) const {
    file_.write(*options_.checkpoint, identity_of(message_.problem, options_, plan_), state, initial_);
  }

  void request_snapshot(FirstRank& first) {
    if (is_requested_ || Clock::now() < next_snapshot_ || (options_.checkpoint && !options_.checkpoint->due())) return;
    is_requested_ = true;
    requested_ = Stopwatch();
    first.wants_state = true;
  }

  void report_progress(const FirstRank& first) const {
    if (watch_.interrupted() || !watch_.report_due()) return;
    const auto generation = first.generation.load();
    const auto restarts = snapshot_ ? snapshot_->restarts : 0;
    const auto last = std::max<std::uint64_t>(last_generation(plan_, restarts), 1);
    watch_.report("generations", static_cast<double>(generation) / static_cast<double>(last), best_, best_point_,
                  evaluations_at(plan_.settings, generation, restarts));
  }

  Result make_result(std::uint64_t launches) {
    Result result;
    const bool is_whole = ends_.size() == message_.members.size();
    if (!ends_.empty()) result = ends_.begin()->second.first.result;
    if (!is_whole && !snapshot_)
      throw Cancelled("the run was interrupted before the islands of all ranks were known to the first one");
    std::map<std::size_t, IslandState<Element, Real>> parts;
    std::vector<std::uint64_t> hashes;
    for (auto& [place, end] : ends_) {
      const auto& own = end.first.hashes;
      hashes.insert(hashes.end(), own.begin(), own.end());
      if (result.unchecked.empty()) result.unchecked = end.first.result.unchecked;
      parts.emplace(place, std::move(end.second));
    }
    if (watch_.interrupted() && (!is_whole || result.ending == Ending::time)) result.ending = Ending::interrupted;
    const auto state = is_whole ? joined(std::move(parts)) : std::move(*snapshot_);
    if (is_whole && options_.checkpoint) save(state);
    complete_result(state, is_whole ? hashes : std::vector<std::uint64_t>(), result);
    result.launches = launches;
    return result;
  }

  // \param hashes of blocks that come before what the state has of the population.
  void complete_result(const IslandState<Element, Real>& state, const std::vector<std::uint64_t>& hashes,
                       Result& result) const {
    const auto rows = state.best_rows();
    const auto costs = state.best_costs();
    ResultBuilder<Element, Real> builder(message_.problem, options_, plan_, result, usable_cores());
    builder.take_hashes_of_genes([&](Checksum& checksum) { checksum.add_blocks(hashes); });
    builder.take_genes(state.population);
    builder.take_costs(state.costs);
    builder.finish(costs, rows, !watch_.expired());
    result.generations = state.generation;
    result.restarts = state.restarts;
    result.evaluations = evaluations_at(plan_.settings, state.generation, state.restarts);
    if (options_.range) result.part = part_of_result(plan_, state.population, state.costs, rows, costs);
  }

  const Options& options_;
  const Plan& plan_;  ///< of all islands that all ranks have
  const Watch& watch_;
  std::span<const std::shared_ptr<Device>> devices_;
  const IslandStateFile<Element, Real> file_;
  const WorkRange range_;
  RunMessage message_;
  group::Team team_;
  std::uint64_t initial_ = 0;                       ///< as Run has it
  std::optional<IslandState<Element, Real>> from_;  ///< of a checkpoint
  // By places among the members.
  std::map<std::size_t, std::pair<PartResult, IslandState<Element, Real>>> ends_;
  std::map<std::size_t, IslandState<Element, Real>> pending_;
  std::optional<IslandState<Element, Real>> snapshot_;  ///< the last one of all islands
  std::optional<double> best_;
  std::vector<double> best_point_;
  bool is_requested_ = false;
  Stopwatch requested_;
  Clock::time_point next_snapshot_{};
};

}  // namespace

std::string why_alone(const Request& request, int members) {
  const auto& options = request.options;
  if (request.plan.settings.islands == 1) return "there is one island";
  if (request.problem.objective.is_function()) return "the objective is a function of one process";
  // Members in step would have to agree where within a generation a run ends.
  if (request.plan.iterates) return "segments of tours are searched by one device";
  if (options.statistics) return "statistics are of all islands at once";
  if (options.measure_stages) return "times of stages are those of one device";
  const auto most = range_of({1, static_cast<std::uint64_t>(members)}, request.plan.settings.islands);
  const auto bytes = with_types(request.problem.objective.kind(), request.plan.double_precision,
                                [&]<class Element, class Real>(std::type_identity<Element>, std::type_identity<Real>) {
                                  return state_bytes<Element, Real>(part_of(request.plan, most));
                                });
  if (bytes > group::Transport::most_bytes / 2) return "a member's islands are more than a message of 1 GiB takes";
  return {};
}

Result solve_by_group(group::Group& group, const Request& request, std::span<const std::shared_ptr<Device>> devices,
                      const RunControl& control, cluster::Report& report) {
  return with_types(request.problem.objective.kind(), request.plan.double_precision,
                    [&]<class Element, class Real>(std::type_identity<Element>, std::type_identity<Real>) {
                      return SharedRun<Element, Real>(group, request, devices, control).solve(report);
                    });
}

}  // namespace clopt::genetic
