#include "shared_islands.hpp"

#include <clopt/error.hpp>
#include <clopt/shard.hpp>
#include <group/workers.hpp>

#include <algorithm>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include <support/threads/thread_team.hpp>
#include "messages.hpp"

namespace clopt::exchange {
namespace {

constexpr std::string_view name_of_islands_worker = "exchange islands";

/// The islands of other ranks.
class RingIslands : public PeerIslands {
 public:
  /// \param watch of the first rank's run; null at others.
  RingIslands(group::Ring ring, const Watch* watch) : ring_(std::move(ring)), watch_(watch) {}

  Bytes pass_on(const Bytes& migrant) override { return ring_.pass_on(migrant); }
  IslandStatus combine(IslandStatus own) override {
    own.is_late = watch_ && watch_->expired() ? 1 : 0;
    return ring_.all_reduce(own, join);
  }
  bool is_first() const override { return watch_ != nullptr; }

 private:
  group::Ring ring_;
  const Watch* watch_;
};

// Once one has found a schedule, no other is of interest.
void keep_winner(IslandsOutcome& end, const WorkRange& range) {
  if (!end.status.has_found()) return;
  const std::uint64_t island = end.status.island();
  if (island < range.first || island >= range.first + range.count) return end.states.clear();
  auto winner = std::move(end.states[island - range.first]);
  end.states.clear();
  end.states.push_back(std::move(winner));
}

// Of the host, for a rank without a given number: those of its OpenMP device, or its share of the machine's cores.
unsigned threads_of(const Device& device) {
  if (device.info().backend == "openmp") return device.info().compute_units;
  const auto* const job = group::Group::job();
  return std::max(1U, usable_cores() / static_cast<unsigned>(job ? job->neighbours() : 1));
}

/// What the first rank's two threads share.
struct FirstRank {
  const Watch& watch;
  group::KeptProgress& progress;
  std::optional<IslandsOutcome>& own;
};

// Takes a rank's part. \param first of the first rank; null at others.
void serve(const SearchTask& whole, const std::vector<group::TeamMember>& members, group::Mailbox& mailbox,
           FirstRank* first) {
  const auto evolve = [&](std::span<const std::shared_ptr<Device>> devices, const group::Order& order) {
    const auto place = static_cast<std::size_t>(order.range.first);
    auto options = whole.options;
    if (!first) options.threads = threads_of(*devices.front());
    devices.front()->begin_self_test("exchange");
    RunControl control;
    control.stop = mailbox.stop();
    if (first) control.progress = [first](const Progress& progress) { return first->progress.keep(progress); };
    const Watch watch(control);
    RingIslands peers(group::ring_of(mailbox, members, place), first ? &first->watch : nullptr);
    const SearchTask task{.problem = whole.problem,
                          .network = whole.network,
                          .paths = whole.paths,
                          .steps = whole.steps,
                          .options = options,
                          .parsed = whole.parsed,
                          .devices = devices,
                          .watch = watch,
                          .generations = whole.generations,
                          .seed = whole.seed,
                          .islands = range_of({place + 1, members.size()}, whole.options.islands),
                          .peer_islands = &peers};
    auto end = evolve_islands(task);
    const auto launches = end.launches;
    Bytes message;
    if (first) {
      first->own = std::move(end);
    } else {
      keep_winner(end, *task.islands);
      message = encode(end);
    }
    return std::pair(std::move(message), launches);
  };
  group::serve_team(members, whole.devices, mailbox, first != nullptr, evolve);
}

const group::WorkerEntry islands_worker(name_of_islands_worker, [](ByteReader message, std::optional<double>,
                                                                   std::span<const std::shared_ptr<Device>> devices,
                                                                   group::Mailbox& mailbox) {
  const auto sent = decode_run(message);
  const Network network(sent.problem.topology);
  const Paths paths(network);
  const RunControl no_limits;
  const Watch watch(no_limits);
  const SearchTask whole{sent.problem, network, &paths, sent.steps,       sent.options,
                         sent.parsed,  devices, watch,  sent.generations, sent.seed};
  serve(whole, sent.members, mailbox, nullptr);
});

}  // namespace

std::string why_islands_are_alone(const Options& options) {
  if (options.islands == 1) return "one island is not shared out";
  if (options.checkpoint || options.resume) return "a checkpoint holds all islands at once";
  if (options.statistics) return "statistics are of all islands at once";
  return {};
}

bool fits_messages(const SearchTask& task, int ranks) {
  const auto most = range_of({1, static_cast<std::uint64_t>(ranks)}, task.options.islands).count;
  const auto individual = sizeof(std::uint32_t) * task.problem.transfers.size() + sizeof(std::uint64_t);
  return most * task.options.population * individual <= group::Transport::most_bytes / 2;
}

SearchResult SharedIslands::evolve() {
  FirstRank first{task_.watch, progress_, own_};
  group::TeamWork work;
  work.worker = name_of_islands_worker;
  work.begin = [this] {
    parts_.clear();
    own_.reset();
  };
  work.message = [this](const std::vector<group::TeamMember>& members) { return encode_run(task_, members); };
  work.local = [&](const std::vector<group::TeamMember>& members, group::Mailbox& mailbox) {
    serve(task_, members, mailbox, &first);
  };
  work.accept = [this](std::size_t place, ByteReader part) {
    if (place != 0) parts_.emplace(place, part.take<IslandsOutcome>());
  };
  work.attend = [this] { progress_.report(task_.watch); };
  auto distributed = team_.run(work);
  if (!own_) throw Cancelled("the run was ended before the first population was made");
  auto end = whole();
  team_.report_losses(end.failures, distributed.report);
  end.launches = distributed.launches;
  report_ = std::move(distributed.report);
  return result_of_islands(task_, std::move(end));
}

// The islands of all ranks that have come to the end, in their order.
IslandsOutcome SharedIslands::whole() const {
  auto whole = *own_;
  for (const auto& [place, part] : parts_)
    whole.states.insert(whole.states.end(), part.states.begin(), part.states.end());
  return whole;
}

}  // namespace clopt::exchange
