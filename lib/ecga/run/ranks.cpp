#include "ranks.hpp"

#include <clopt/cluster.hpp>
#include <clopt/device.hpp>
#include <clopt/error.hpp>
#include <device/solver_devices.hpp>
#include <group/lost_devices.hpp>
#include <group/team.hpp>
#include <group/workers.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <ecga/dimensions.hpp>
#include <ecga/model/device_counter.hpp>
#include "evolution.hpp"
#include "messages.hpp"

namespace clopt::ecga {
namespace {

constexpr std::string_view name_of_model_worker = "ecga model";

// Bits of pairs that the ranks of a job count for one model, from which they share it.
constexpr double fewest_bits_of_a_model_by_processors = 1e10;
constexpr double fewest_bits_of_a_model = 1e13;
/// What the first rank's two threads exchange: one makes the run, the other one called solve().
struct FirstRank {
  const Watch& watch;
  Recorder& recorder;
  group::KeptProgress& progress;
  std::optional<Result> result;
  bool has_shared = false;
};

/// The runs of the other ranks.
class RingPeers : public Peers {
 public:
  /// \param first of the first rank; null at others.
  RingPeers(group::Ring ring, const FirstRank* first) : ring_(std::move(ring)), first_(first) {}

  std::size_t place() const override { return ring_.place(); }
  std::uint64_t neighbours() const override { return static_cast<std::uint64_t>(group::Group::job()->neighbours()); }
  std::uint64_t least(std::uint64_t own) override {
    return ring_.all_reduce(own, [](std::uint64_t one, std::uint64_t other) { return std::min(one, other); });
  }
  bool must_stop() override {
    const std::uint64_t continues = first_ != nullptr && first_->watch.expired() ? 0 : 1;
    return least(continues) == 0;
  }
  void require_equal(std::uint64_t own) override {
    struct Range {
      std::uint64_t least, greatest;
    };
    const auto all = ring_.all_reduce(Range{own, own}, [](const Range& one, const Range& other) {
      return Range{std::min(one.least, other.least), std::max(one.greatest, other.greatest)};
    });
    if (all.least != all.greatest)
      throw Error(
          "the ranks' populations have come to differ: a device of one of them is wrong; see `clopt devices "
          "--self-test`");
  }
  std::vector<Bytes> gather(Bytes own) override {
    ++gathered_;
    return ring_.all_gather(std::move(own));
  }
  /// Whether a pass was shared: the first time they exchange their devices.
  bool have_shared() const { return gathered_ > 1; }

 private:
  group::Ring ring_;
  const FirstRank* first_;
  std::size_t gathered_ = 0;
};

/// Takes a rank's part in a run. \param first of the first rank; null at others.
void serve(const RunMessage& message, std::span<const std::shared_ptr<Device>> devices, group::Mailbox& mailbox,
           FirstRank* first) {
  const auto plan = make_plan(message.problem, message.options);
  Recorder own_recorder(plan, first ? std::nullopt : message.start);
  const auto evolve = [&](std::span<const std::shared_ptr<Device>> own, const group::Order& order) {
    const auto place = static_cast<std::size_t>(order.range.first);
    group::require_doubles(own.first(1), plan.is_double);
    own.front()->begin_self_test("ecga");
    // The first rank sends its limits to all.
    RunControl control;
    control.stop = mailbox.stop();
    if (first) control.progress = [first](const Progress& progress) { return first->progress.keep(progress); };
    const Watch watch(control);
    RingPeers peers(group::ring_of(mailbox, message.members, place), first);
    auto result = evolve_on(own, plan, watch, first ? first->recorder : own_recorder, &peers);
    const auto launches = result.launches;
    auto encoded = encode(PartResult{result.checksum, result.failures});
    if (first) {
      first->has_shared = peers.have_shared();
      first->result = std::move(result);
    }
    return std::pair(std::move(encoded), launches);
  };
  group::serve_team(message.members, devices, mailbox, first != nullptr, evolve);
}

const group::WorkerEntry model_worker(name_of_model_worker,
                                      [](ByteReader message, std::optional<double>,
                                         std::span<const std::shared_ptr<Device>> devices, group::Mailbox& mailbox) {
                                        serve(decode_run(message), devices, mailbox, nullptr);
                                      });

/// A run at the first rank.
class SharedRun {
 public:
  SharedRun(group::Group& group, const Plan& plan, std::span<const std::shared_ptr<Device>> devices, const Watch& watch)
      : devices_(devices),
        watch_(watch),
        recorder_(plan),
        first_{watch, recorder_, progress_, {}},
        message_{plan.problem, plan.options, {}, {}},
        team_(group, ~std::size_t{0}, watch) {
    if (recorder_.start()) message_.start = *recorder_.start();
  }

  Result solve() {
    group::TeamWork work;
    work.worker = name_of_model_worker;
    work.begin = [this] {
      parts_.clear();
      first_.result.reset();
    };
    work.message = [this](const std::vector<group::TeamMember>& members) {
      message_.members = members;
      return encode_run(message_);
    };
    work.local = [this](const std::vector<group::TeamMember>&, group::Mailbox& mailbox) {
      serve(message_, devices_, mailbox, &first_);
    };
    work.accept = [this](std::size_t place, ByteReader part) { parts_.emplace(place, part.take<PartResult>()); };
    work.attend = [this] { progress_.report(watch_); };
    auto distributed = team_.run(work);
    if (!first_.result) throw Cancelled("the run was ended before its first generation");
    return conclude(std::move(distributed));
  }

 private:
  Result conclude(group::Distributed distributed) {
    auto result = std::move(*first_.result);
    require_one_checksum(result);
    if (watch_.interrupted() && result.ending == Ending::time) result.ending = Ending::interrupted;
    for (const auto& [place, part] : parts_)
      if (place != 0) team_.note_losses(place, part.lost);
    team_.report_losses(result.failures, distributed.report);
    result.launches = distributed.launches;
    if (!first_.has_shared) distributed.report.alone = "no pass had pairs enough to be shared";
    result.cluster = std::make_shared<const cluster::Report>(std::move(distributed.report));
    return result;
  }

  // Of ranks that have come to the end.
  void require_one_checksum(const Result& result) const {
    for (const auto& [place, part] : parts_)
      if (result.ending != Ending::interrupted && part.checksum != result.checksum)
        throw DeviceError(
            fmt::format("{} ends in state {:016x} and the first rank in {:016x}: a device of one of them is wrong; "
                        "see `clopt devices --self-test`",
                        team_.name_of(place), part.checksum, result.checksum));
  }

  std::span<const std::shared_ptr<Device>> devices_;
  const Watch& watch_;
  Recorder recorder_;
  group::KeptProgress progress_;
  FirstRank first_;
  RunMessage message_;
  group::Team team_;
  std::map<std::size_t, PartResult> parts_;  // by places, of ranks that have come to the end
};

// Why the first rank makes the models alone; empty where all do.
std::string why_alone(const Plan& plan, const Device& device, int ranks) {
  const auto& options = plan.options;
  if (ranks == 1) return "there is one rank";
  if (plan.problem.objective.is_function()) return "the objective is a function of one process";
  if (options.statistics) return "generations are reported one after the other";
  const Dimensions dimensions(options.population, plan.problem.length, options.largest_group, options.tournament,
                              ECGA_MOST_ROW_LOCI);
  const bool is_predicted = plan.search == SearchMethod::greedy && !options.guesses;
  if (!is_predicted && counts_rows(plan.counting) && !options.least_shared &&
      static_cast<std::size_t>(ranks) < fewest_ranks_of_searches)
    return fmt::format("fewer than {} ranks are slower at searches by passes than one", fewest_ranks_of_searches);
  const double rows = dimensions.length + dimensions.needed_rows();
  const double usual =
      device.info().kind == DeviceKind::cpu ? fewest_bits_of_a_model_by_processors : fewest_bits_of_a_model;
  if (16.0 * dimensions.row_words * rows * rows < options.least_shared.value_or(usual))
    return "a model has so few pairs that one rank is quicker";
  if (options.resume &&
      dimensions.population_bytes() * static_cast<std::uint64_t>(ranks - 1) > group::Transport::most_bytes / 2)
    return "the checkpoint is too much to be sent to all ranks";
  return {};
}

}  // namespace

Result solve_by_job(const Problem& problem, const Options& options, std::span<const std::shared_ptr<Device>> devices,
                    const RunControl& control) {
  auto* const group = group::Group::of_run();
  if (!group) return solve_by_process(problem, options, devices, control);
  require_devices(devices);
  const Watch watch(control);
  const auto plan = make_plan(problem, options);
  auto reason = why_alone(plan, *devices.front(), group->ranks());
  if (reason.empty()) return SharedRun(*group, plan, devices, watch).solve();
  auto result = solve_by_process(problem, options, devices, control);
  result.cluster = std::make_shared<const cluster::Report>(group::report_of_one(*group, std::move(reason)));
  return result;
}

}  // namespace clopt::ecga
