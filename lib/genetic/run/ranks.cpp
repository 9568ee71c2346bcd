#include "ranks.hpp"

#include <clopt/detail/run_times.hpp>
#include <clopt/error.hpp>
#include <group/distribution.hpp>
#include <group/ring.hpp>
#include <group/workers.hpp>
#include <support/threads/thread_team.hpp>

#include <fmt/format.h>

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
// Once the run is interrupted, what all ranks may take to end together: the launcher kills them after a second.
constexpr double shutdown_timeout = 0.3;

std::size_t place_of(const std::vector<Member>& members, std::uint64_t first) {
  const auto found =
      std::find_if(members.begin(), members.end(), [&](const Member& member) { return member.first == first; });
  return static_cast<std::size_t>(found - members.begin());
}

/// Evolves the islands of a rank.
class PartWorker {
 public:
  PartWorker(const RunMessage& message, std::span<const std::shared_ptr<Device>> devices, group::Mailbox& mailbox,
             FirstRank* first)
      : message_(message), devices_(devices), mailbox_(mailbox), first_(first) {
    control_.time_limit = message.time_limit;
    whole_ = make_plan(message.problem, message.options, control_);
    // The first rank sends the end of the run.
    control_ = {};
    control_.stop = mailbox.stop();
  }

  void serve() {
    if (devices_.empty()) throw NoDevice("there is no device to run on");
    group::serve_ranges(devices_, std::nullopt, mailbox_, group::RankShape(),
                        [&](const group::Order& order, const RunControl&) { return evolve(order); });
  }

 private:
  std::pair<Bytes, std::uint64_t> evolve(const group::Order& order) {
    const auto place = place_of(message_.members, order.range.first);
    const auto& own = message_.members.at(place);
    auto& device = *devices_[std::min<std::size_t>(own.failed, devices_.size() - 1)];
    PartOutcome end;
    Bytes state;
    const RunTimes times;
    try {
      device.begin_self_test(name_of_worker);
      state = evolve_on(device, order, place, end);
      end.build_seconds = times.seconds().build;
      end.kind = PartOutcome::Kind::done;
    } catch (const Cancelled&) {
    } catch (const DeviceError& error) {
      end.kind = PartOutcome::Kind::failed;
      end.failure = fmt::format("{}: {}", device.info().id, error.what());
      end.has_other_device = own.failed + 1 < devices_.size();
    } catch (const InvalidInput& error) {
      // What fits the first one's device, and not this one.
      if (first_ != nullptr) throw;
      end.kind = PartOutcome::Kind::failed;
      end.failure = fmt::format("{}: {}", device.info().id, error.what());
    }
    auto bytes = encode(end);
    bytes.insert(bytes.end(), state.begin(), state.end());
    return {std::move(bytes), end.result.launches};
  }

  Bytes evolve_on(Device& device, const group::Order& order, std::size_t place, PartOutcome& end) {
    const auto plan = part_of(whole_, {order.range.first, order.range.count});
    const auto choice = choose_on(device, message_.problem.objective, plan);
    const Watch watch(control_);
    std::vector<std::uint32_t> ranks;
    for (const auto& member : message_.members) ranks.push_back(member.rank);
    RingPeers peers(mailbox_, order.range, group::Ring(mailbox_, std::move(ranks), place), first_);
    Request request{message_.problem, message_.options, plan, watch, control_.progress_interval};
    request.peers = &peers;
    request.wants_population = message_.wants_population;
    const auto run = [&]<class Element, class Real>(std::type_identity<Element>, std::type_identity<Real>) {
      std::optional<IslandState<Element, Real>> from;
      ByteReader details(order.details);
      if (!details.rest().empty()) from = details.take<IslandState<Element, Real>>();
      return encode(Run<Element, Real>(request, device, choice).finish_in_ring(from, end.result, end.hashes));
    };
    return with_types(message_.problem.objective.kind(), plan.double_precision, run);
  }

  const RunMessage& message_;
  std::span<const std::shared_ptr<Device>> devices_;
  group::Mailbox& mailbox_;
  FirstRank* first_;
  RunControl control_;
  Plan whole_;
};

const group::WorkerEntry islands_worker(name_of_worker,
                                        [](ByteReader message, std::optional<double>,
                                           std::span<const std::shared_ptr<Device>> devices, group::Mailbox& mailbox) {
                                          const auto run = decode_run(message);
                                          PartWorker(run, devices, mailbox, nullptr).serve();
                                        });

/// Thrown where a rank's device has failed, so that all restart.
struct PartFailed {
  std::uint32_t rank;
  PartOutcome end;
};

/// A run's islands, at the first rank.
template <class Element, class Real>
class SharedRun {
 public:
  SharedRun(group::Group& group, const Request& request, std::span<const std::shared_ptr<Device>> devices,
            const RunControl& control)
      : group_(group),
        options_(request.options),
        plan_(request.plan),
        watch_(request.watch),
        devices_(devices),
        file_(plan_),
        message_{request.problem, request.options, control.time_limit, {}, false},
        range_(request.options.range.value_or(WorkRange{0, request.options.islands})) {
    message_.options.range.reset();
    message_.wants_population =
        options_.keep_population || options_.range.has_value() || options_.checkpoint != nullptr;
    begin();
  }

  Result solve(std::optional<cluster::Report>& report) {
    const auto ranks = static_cast<std::size_t>(group_.ranks());
    std::vector<Member> able;
    for (std::size_t rank = 0; rank < ranks; ++rank) able.push_back({static_cast<std::uint32_t>(rank), 0, 0, 0});
    std::vector<std::string> failures;
    for (;;) try {
        take_members(able);
        auto distributed = distribute(ranks);
        auto result = make_result(distributed.launches);
        result.failures = std::move(failures);
        report = std::move(distributed.report);
        return result;
      } catch (const PartFailed& failed) {
        failures.push_back(fmt::format("{}: {}", group_.name_of(failed.rank), failed.end.failure));
        const auto member =
            std::find_if(able.begin(), able.end(), [&](const Member& each) { return each.rank == failed.rank; });
        if (failed.end.has_other_device)
          ++member->failed;
        else if (failed.rank == 0)
          throw DeviceError(failed.end.failure);
        else
          able.erase(member);
      }
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

  // The first ranks that can have some islands each; the others have nothing to do.
  void take_members(const std::vector<Member>& able) {
    const auto count = std::min<std::uint64_t>(able.size(), range_.count);
    message_.members.assign(able.begin(), able.begin() + static_cast<std::ptrdiff_t>(count));
    for (std::uint64_t k = 0; k < count; ++k) {
      const auto own = range_of({k + 1, count}, range_.count);
      message_.members[k].first = range_.first + own.first;
      message_.members[k].count = own.count;
    }
  }

  group::Distributed distribute(std::size_t ranks) {
    ends_.clear();
    pending_.clear();
    is_requested_ = false;
    next_snapshot_ = Clock::now() + duration_of(options_.checkpoint ? 0 : first_snapshot);
    FirstRank first{watch_};
    group::Work work{.solver = std::string(name_of_worker), .message = encode_run(message_)};
    work.cutting = group::Cutting::own;
    work.ranges.resize(ranks);
    for (const auto& member : message_.members) work.ranges[member.rank] = {0, member.first, member.count};
    if (from_) work.details = [this](const group::Range& range) { return details(range); };
    work.accept = [this](const group::Range& range, ByteReader message) { accept(range, message); };
    work.progress = [this](const group::Range& range, ByteReader message) { note(range, message); };
    work.attend = [&] {
      request_snapshot(first);
      report(first);
    };
    // The statuses carry a limit of time, and at first an interrupt, so that all end in the same generation.
    work.expired = [this] { return shutdown_timed_out(); };
    work.interrupted = [this] { return watch_.interrupted(); };
    work.local = [&](group::Mailbox& mailbox) { PartWorker(message_, devices_, mailbox, &first).serve(); };
    const TimedPart computing(TimePart::compute);
    return group::distribute(group_, work);
  }

  bool shutdown_timed_out() {
    if (!watch_.interrupted()) return false;
    if (!interrupted_) interrupted_.emplace();
    return interrupted_->seconds() > shutdown_timeout;
  }

  static Clock::duration duration_of(double seconds) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }

  Bytes details(const group::Range& range) const {
    return encode(from_->part(range.first - range_.first, range.count));
  }

  void accept(const group::Range& range, ByteReader& message) {
    auto end = message.take<PartOutcome>();
    const auto place = place_of(message_.members, range.first);
    if (end.kind == PartOutcome::Kind::failed) throw PartFailed{message_.members[place].rank, std::move(end)};
    if (end.kind == PartOutcome::Kind::done)
      ends_.emplace(place, std::pair(std::move(end), message.take<IslandState<Element, Real>>()));
  }

  void note(const group::Range& range, ByteReader& message) {
    if (message.take<ProgressKind>() == ProgressKind::state) {
      pending_.insert_or_assign(place_of(message_.members, range.first), message.take<IslandState<Element, Real>>());
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

  void report(const FirstRank& first) const {
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
    // All wait for the one that builds longest.
    double build_seconds = 0;
    for (auto& [place, end] : ends_) {
      build_seconds = std::max(build_seconds, end.first.build_seconds);
      const auto& own = end.first.hashes;
      hashes.insert(hashes.end(), own.begin(), own.end());
      if (result.unchecked.empty()) result.unchecked = end.first.result.unchecked;
      parts.emplace(place, std::move(end.second));
    }
    RunTimes::move(TimePart::compute, TimePart::build, build_seconds);
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

  group::Group& group_;
  const Options& options_;
  const Plan& plan_;  ///< of all islands that all ranks have
  const Watch& watch_;
  std::span<const std::shared_ptr<Device>> devices_;
  const IslandStateFile<Element, Real> file_;
  RunMessage message_;
  const WorkRange range_;
  std::uint64_t initial_ = 0;                       ///< as Run has it
  std::optional<IslandState<Element, Real>> from_;  ///< of a checkpoint
  // By places among the members.
  std::map<std::size_t, std::pair<PartOutcome, IslandState<Element, Real>>> ends_;
  std::map<std::size_t, IslandState<Element, Real>> pending_;
  std::optional<IslandState<Element, Real>> snapshot_;  ///< the last one of all islands
  std::optional<double> best_;
  std::vector<double> best_point_;
  std::optional<Stopwatch> interrupted_;
  bool is_requested_ = false;
  Stopwatch requested_;
  Clock::time_point next_snapshot_{};
};

// Why the first rank has all islands; empty where ranks share them.
std::string why_alone(const Request& request, int ranks) {
  const auto& options = request.options;
  if (ranks == 1) return "there is one rank";
  if (request.plan.settings.islands == 1) return "there is one island";
  if (request.problem.objective.is_function()) return "the objective is a function of one process";
  if (options.statistics) return "statistics are of all islands at once";
  if (options.measure_stages) return "times of stages are those of one device";
  const auto most = range_of({1, static_cast<std::uint64_t>(ranks)}, request.plan.settings.islands);
  const auto bytes = with_types(request.problem.objective.kind(), request.plan.double_precision,
                                [&]<class Element, class Real>(std::type_identity<Element>, std::type_identity<Real>) {
                                  return state_bytes<Element, Real>(part_of(request.plan, most));
                                });
  if (bytes > group::Transport::most_bytes / 2) return "a rank's islands are more than a message of 1 GiB takes";
  return {};
}

}  // namespace

std::unique_ptr<Ranks> Ranks::find(const Request& request, std::span<const std::shared_ptr<Device>> devices,
                                   const RunControl& control) {
  auto* const group = group::Group::of_run();
  if (!group) return nullptr;
  return std::make_unique<Ranks>(*group, request, devices, control);
}

Ranks::Ranks(group::Group& group, const Request& request, std::span<const std::shared_ptr<Device>> devices,
             const RunControl& control)
    : group_(group),
      request_(request),
      devices_(devices),
      control_(control),
      alone_(genetic::why_alone(request, group.ranks())) {}

Result Ranks::solve() {
  return with_types(request_.problem.objective.kind(), request_.plan.double_precision,
                    [&]<class Element, class Real>(std::type_identity<Element>, std::type_identity<Real>) {
                      return SharedRun<Element, Real>(group_, request_, devices_, control_).solve(report_);
                    });
}

std::shared_ptr<const cluster::Report> Ranks::report() const {
  if (report_) return std::make_shared<const cluster::Report>(*report_);
  return std::make_shared<const cluster::Report>(group::report_of_one(group_, alone_));
}

}  // namespace clopt::genetic
