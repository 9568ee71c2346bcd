#include "ranks.hpp"

#include <clopt/cluster.hpp>
#include <clopt/device.hpp>
#include <clopt/error.hpp>
#include <cluster/distribution.hpp>
#include <cluster/range_servant.hpp>
#include <cluster/ring.hpp>
#include <cluster/servants.hpp>
#include <device/first_launches.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <support/stopwatch.hpp>
#include "device_counter.hpp"
#include "evolution.hpp"
#include "messages.hpp"
#include "shape.hpp"

namespace clopt::ecga {
namespace {

constexpr std::string_view name_of_servant = "ecga model";

// Bits of pairs that the ranks of a job count for one model, from which they share it.
constexpr double fewest_bits_of_processors = 1e10;
constexpr double fewest_bits = 1e13;
// Once the run is interrupted, what all ranks may take to end together: the launcher kills them after a second.
constexpr double longest_farewell = 0.3;

/// What the first rank's two threads tell each other: one makes the run, the other one called solve().
class FirstRank {
 public:
  FirstRank(const Watch& own_watch, Recorder& own_recorder) : watch(own_watch), recorder(own_recorder) {}

  const Watch& watch;
  Recorder& recorder;
  std::optional<Result> result{};
  bool has_shared = false;

  /// For the run's thread.
  bool keep(const Progress& progress) {
    const std::lock_guard lock(mutex_);
    phase_ = progress.phase;
    progress_ = progress;
    point_.assign(progress.best_point.begin(), progress.best_point.end());
    return true;
  }
  /// For the thread that called solve().
  void report() const {
    if (watch.interrupted() || !watch.report_due()) return;
    std::string phase;
    std::vector<double> point;
    std::optional<Progress> progress;
    {
      const std::lock_guard lock(mutex_);
      phase = phase_;
      point = point_;
      progress = progress_;
    }
    if (progress) watch.report(phase, progress->done, progress->best, point, progress->evaluations);
  }

 private:
  mutable std::mutex mutex_;
  std::string phase_;
  std::optional<Progress> progress_;  // without its phase and point
  std::vector<double> point_;
};

/// The runs of the other ranks.
class OthersInRing : public Others {
 public:
  /// \param first of the first rank; null at others.
  OthersInRing(cluster::Ring ring, const FirstRank* first) : ring_(std::move(ring)), first_(first) {}

  std::size_t place() const override { return ring_.place(); }
  std::uint64_t least(std::uint64_t own) override {
    return ring_.agree(own, [](std::uint64_t one, std::uint64_t other) { return std::min(one, other); });
  }
  bool are_to_end() override {
    const std::uint64_t goes_on = first_ != nullptr && first_->watch.expired() ? 0 : 1;
    return least(goes_on) == 0;
  }
  void require_alike(std::uint64_t own) override {
    struct Range {
      std::uint64_t least, greatest;
    };
    const auto all = ring_.agree(Range{own, own}, [](const Range& one, const Range& other) {
      return Range{std::min(one.least, other.least), std::max(one.greatest, other.greatest)};
    });
    if (all.least != all.greatest)
      throw Error(
          "the ranks' populations have come to differ: a device of one of them is wrong; see `clopt devices "
          "--self-test`");
  }
  std::vector<cluster::Bytes> gather(cluster::Bytes own) override {
    ++gathered_;
    return ring_.gather(std::move(own));
  }
  /// Whether a pass was shared: the first time they tell their devices.
  bool have_shared() const { return gathered_ > 1; }

 private:
  cluster::Ring ring_;
  const FirstRank* first_;
  std::size_t gathered_ = 0;
};

/// Takes a rank's part in a run.
class PartServant {
 public:
  PartServant(const Job& job, std::span<const std::shared_ptr<Device>> devices, cluster::Mailbox& mailbox,
              FirstRank* first)
      : job_(job),
        devices_(devices),
        mailbox_(mailbox),
        first_(first),
        settings_(checked_settings(job.problem, job.options)),
        own_recorder_(settings_, first ? std::nullopt : job.start) {}

  void serve() {
    if (devices_.empty()) throw NoDevice("there is no device to run on");
    cluster::serve_ranges(devices_, std::nullopt, mailbox_, {.devices = devices_.size()},
                          [&](const cluster::Order& order, const RunControl&) { return evolve(order); });
  }

 private:
  std::pair<cluster::Bytes, std::uint64_t> evolve(const cluster::Order& order) {
    const auto& own = job_.members.at(order.range.first);
    const auto devices = devices_.subspan(std::min<std::size_t>(own.failed, devices_.size() - 1));
    PartEnd end;
    std::uint64_t launches = 0;
    try {
      auto result = evolve_by(devices, order.range.first);
      end.kind = PartEnd::Kind::done;
      end.checksum = result.checksum;
      end.lost = result.failures;
      launches = result.launches;
      if (first_) first_->result = std::move(result);
    } catch (const Cancelled&) {
    } catch (const DeviceError& error) {
      end = failure_of(devices, error);
    } catch (const InvalidInput& error) {
      // It has no room, which the first one has.
      if (first_) throw;
      end = failure_of(devices, error);
    }
    return {encode(end), launches};
  }

  static PartEnd failure_of(std::span<const std::shared_ptr<Device>> devices, const Error& error) {
    PartEnd end;
    end.kind = PartEnd::Kind::failed;
    end.failure = fmt::format("{}: {}", devices.front()->info().id, error.what());
    end.has_other_device = devices.size() > 1;
    return end;
  }

  Result evolve_by(std::span<const std::shared_ptr<Device>> devices, std::size_t place) {
    const FirstLaunches first_launches(devices);
    devices.front()->begin_self_test("ecga");
    // The first rank's limits are told to all.
    RunControl control;
    control.stop = mailbox_.stop();
    if (first_) control.progress = [this](const Progress& progress) { return first_->keep(progress); };
    const Watch watch(control);
    std::vector<std::uint32_t> ranks;
    for (const auto& member : job_.members) ranks.push_back(member.rank);
    OthersInRing others(cluster::Ring(mailbox_, std::move(ranks), place), first_);
    auto& recorder = first_ ? first_->recorder : own_recorder_;
    auto result = evolve_on(devices, settings_, watch, recorder, &others);
    if (first_) first_->has_shared = others.have_shared();
    first_launches.move_to_build(result.seconds);
    return result;
  }

  const Job& job_;
  std::span<const std::shared_ptr<Device>> devices_;
  cluster::Mailbox& mailbox_;
  FirstRank* first_;
  const Settings settings_;
  Recorder own_recorder_;
};

const cluster::ServantEntry servant(name_of_servant,
                                    [](cluster::Reader message, std::optional<double>,
                                       std::span<const std::shared_ptr<Device>> devices, cluster::Mailbox& mailbox) {
                                      const auto job = decode_job(message);
                                      PartServant(job, devices, mailbox, nullptr).serve();
                                    });

/// Thrown where a rank's device has failed, so that all begin anew.
struct PartFailed {
  std::size_t place;
  PartEnd end;
};

/// A run at the first rank.
class SharedRun {
 public:
  SharedRun(cluster::Session& session, const Settings& settings, std::span<const std::shared_ptr<Device>> devices,
            const Watch& watch)
      : session_(session),
        devices_(devices),
        watch_(watch),
        recorder_(settings),
        job_{settings.problem, settings.options, {}, {}} {
    if (recorder_.start()) job_.start = *recorder_.start();
    const auto ranks = static_cast<std::uint32_t>(session.communicator().ranks());
    for (std::uint32_t rank = 0; rank < ranks; ++rank) job_.members.push_back({rank, 0});
  }

  Result solve() {
    for (;;) try {
        auto distributed = distribute();
        auto result = std::move(*first_->result);
        require_one_checksum(result);
        if (watch_.interrupted() && result.ending == Ending::time) result.ending = Ending::interrupted;
        tell_failures(result, distributed.report);
        result.launches = distributed.launches;
        result.seconds.total = watch_.seconds() - result.seconds.build;
        if (!first_->has_shared) distributed.report.alone = "no pass had pairs enough to be shared";
        result.cluster = std::make_shared<const cluster::Report>(std::move(distributed.report));
        return result;
      } catch (const PartFailed& failed) {
        go_on_without(failed);
      }
  }

 private:
  cluster::Distributed distribute() {
    ends_.clear();
    interrupted_.reset();
    first_.emplace(watch_, recorder_);
    cluster::Work work{.solver = std::string(name_of_servant), .job = encode(job_)};
    work.cutting = cluster::Cutting::own;
    work.ranges.resize(static_cast<std::size_t>(session_.communicator().ranks()));
    for (std::size_t place = 0; place < job_.members.size(); ++place)
      work.ranges[job_.members[place].rank] = {0, place, 1};
    work.accept = [this](const cluster::Range& range, cluster::Reader message) { accept(range.first, message); };
    work.attend = [this] { first_->report(); };
    // A limit of time, and at first an interrupt, is told by the run itself, so that all end in the same generation.
    work.expired = [this] { return has_lost_patience(); };
    work.interrupted = [this] { return watch_.interrupted(); };
    work.local = [this](cluster::Mailbox& mailbox) { PartServant(job_, devices_, mailbox, &*first_).serve(); };
    auto distributed = cluster::distribute(session_, work);
    if (!first_->result) throw Cancelled("the run was ended before its first generation");
    return distributed;
  }

  void accept(std::size_t place, cluster::Reader& message) {
    auto end = decode_part_end(message);
    if (end.kind == PartEnd::Kind::failed) throw PartFailed{place, std::move(end)};
    if (end.kind == PartEnd::Kind::done) ends_.emplace(place, std::move(end));
  }

  void go_on_without(const PartFailed& failed) {
    const auto member = job_.members.begin() + static_cast<std::ptrdiff_t>(failed.place);
    failures_.push_back({member->rank, failed.end.failure});
    if (failed.end.has_other_device)
      ++member->failed;
    else if (member->rank == 0)
      throw DeviceError(failed.end.failure);
    else
      job_.members.erase(member);
  }

  bool has_lost_patience() {
    if (!watch_.interrupted()) return false;
    if (!interrupted_) interrupted_.emplace();
    return interrupted_->seconds() > longest_farewell;
  }

  // Of ranks that have come to the end.
  void require_one_checksum(const Result& result) const {
    for (const auto& [place, end] : ends_)
      if (result.ending != Ending::interrupted && end.checksum != result.checksum)
        throw DeviceError(
            fmt::format("{} ends in state {:016x} and the first rank in {:016x}: a device of one of them is wrong; "
                        "see `clopt devices --self-test`",
                        session_.name_of(job_.members[place].rank), end.checksum, result.checksum));
  }

  // Those of the first rank's last attempt are in the result already.
  void tell_failures(Result& result, cluster::Report& report) {
    report.per_rank.front().failures = result.failures;
    for (const auto& [place, end] : ends_)
      if (place != 0)
        for (const auto& lost : end.lost) failures_.push_back({job_.members[place].rank, lost});
    for (const auto& failure : failures_) {
      report.per_rank[failure.rank].failures.push_back(failure.what);
      result.failures.push_back(fmt::format("{}: {}", session_.name_of(failure.rank), failure.what));
    }
  }

  cluster::Session& session_;
  std::span<const std::shared_ptr<Device>> devices_;
  const Watch& watch_;
  Recorder recorder_;
  Job job_;
  std::optional<FirstRank> first_;
  std::map<std::size_t, PartEnd> ends_;  // by places
  struct Failure {
    std::uint32_t rank;
    std::string what;
  };
  std::vector<Failure> failures_;
  std::optional<Stopwatch> interrupted_;
};

// Why the first rank makes the models alone; empty where all do.
std::string why_alone(const Settings& settings, const Device& device, int ranks) {
  const auto& options = settings.options;
  if (ranks == 1) return "there is one rank";
  if (settings.problem.objective.is_function()) return "the objective is a function of one process";
  if (options.statistics) return "generations are told one after the other";
  const Shape shape(options.population, settings.problem.length, options.largest_group, options.tournament,
                    ECGA_MOST_ROW_LOCI);
  const bool is_predicted = settings.search == SearchMethod::greedy && !options.guesses;
  if (!is_predicted && counts_rows(settings.counting) && !options.least_shared &&
      static_cast<std::size_t>(ranks) < fewest_ranks_of_searches)
    return fmt::format("fewer than {} ranks are slower at searches by passes than one", fewest_ranks_of_searches);
  const double rows = shape.length + shape.needed_rows();
  const double usual = device.info().kind == DeviceKind::cpu ? fewest_bits_of_processors : fewest_bits;
  if (16.0 * shape.row_words * rows * rows < options.least_shared.value_or(usual))
    return "a model has so few pairs that one rank is quicker";
  if (options.resume &&
      shape.population_bytes() * static_cast<std::uint64_t>(ranks - 1) > cluster::Communicator::most_bytes / 2)
    return "the checkpoint is too much to be sent to all ranks";
  return {};
}

}  // namespace

Result solve_by_job(const Problem& problem, const Options& options, std::span<const std::shared_ptr<Device>> devices,
                    const RunControl& control) {
  auto* const session = cluster::Session::current();
  if (!session) return solve_by_process(problem, options, devices, control);
  if (devices.empty()) throw InvalidInput(no_device);
  session->require_first();
  const Watch watch(control);
  const auto settings = checked_settings(problem, options);
  auto reason = why_alone(settings, *devices.front(), session->communicator().ranks());
  if (reason.empty()) return SharedRun(*session, settings, devices, watch).solve();
  auto result = solve_by_process(problem, options, devices, control);
  result.cluster = std::make_shared<const cluster::Report>(cluster::report_of_one(*session, std::move(reason)));
  return result;
}

}  // namespace clopt::ecga
