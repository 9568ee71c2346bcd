#include "ranks.hpp"

#include <clopt/error.hpp>
#include <group/distribution.hpp>
#include <group/workers.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "messages.hpp"
#include "shared_islands.hpp"

namespace clopt::exchange {
namespace {

constexpr std::string_view name_of_worker = "exchange";

// How often a rank reports the progress of its searches.
constexpr double report_interval = 0.5;

WorkRange searches_of(const Options& options) { return options.range.value_or(WorkRange{0, options.searches}); }

// Why the first rank makes all searches; empty where ranks share them.
std::string why_alone(const Options& options, const ParsedOptions& parsed, int ranks) {
  if (ranks == 1) return "there is one rank";
  if (parsed.optimizer == Optimizer::pack || parsed.optimizer == Optimizer::construct)
    return fmt::format("{} is not shared out", name_of(parsed.optimizer));
  if (parsed.optimizer == Optimizer::umda) return why_islands_are_alone(options);
  if (searches_of(options).count == 1) return "one search is not shared out";
  if (options.checkpoint || options.resume) return "a checkpoint holds all searches at once";
  if (options.statistics) return "statistics are of all searches at once";
  return {};
}

/// How far a range of searches is.
struct RangeProgress {
  std::optional<double> conflicts;
  std::uint64_t evaluations = 0;
  std::optional<Winner> winner;
};

// Makes the searches of a range, in step; a search of another rank that has found a schedule ends them.
SearchResult make_searches(const SearchTask& whole, const group::Range& range, RunControl control,
                           std::span<const std::shared_ptr<Device>> devices, group::Mailbox& mailbox) {
  RangeProgress reached;
  const auto send = [&] { mailbox.send_progress(range, encode(reached)); };
  control.progress_interval = report_interval;
  control.progress = [&](const Progress& progress) {
    reached.conflicts = progress.best;
    reached.evaluations = progress.evaluations.value_or(reached.evaluations);
    send();
    return true;
  };
  const Watch watch(control);
  auto options = whole.options;
  options.range = WorkRange{range.first, range.count};
  SearchTask task{whole.problem, whole.network, nullptr, whole.steps,       options,
                  whole.parsed,  devices,       watch,   whole.generations, whole.seed};
  task.compare = [&](const std::optional<Winner>& own) -> std::optional<Winner> {
    if (own && own != reached.winner) {
      reached.winner = own;
      send();
    }
    const auto news = mailbox.news();
    if (!news) return std::nullopt;
    return ByteReader(*news).take<Winner>();
  };
  return anneal(task);
}

void serve_searches(const SearchTask& whole, std::optional<double> seconds,
                    std::span<const std::shared_ptr<Device>> devices, group::Mailbox& mailbox) {
  const group::RankShape shape{.devices = std::max<std::uint64_t>(1, devices.size())};
  group::serve_ranges(devices, seconds, mailbox, shape, [&](const group::Order& order, const RunControl& control) {
    const auto found = make_searches(whole, order.range, control, devices, mailbox);
    for (const auto& failure : found.failures) mailbox.send_failure(failure);
    return std::pair(encode_result(found), found.launches);
  });
}

const group::WorkerEntry searches_worker(name_of_worker, [](ByteReader message, std::optional<double> seconds,
                                                            std::span<const std::shared_ptr<Device>> devices,
                                                            group::Mailbox& mailbox) {
  const auto sent = decode_run(message);
  const Network network(sent.problem.topology);
  const RunControl no_limits;
  const Watch watch(no_limits);
  const SearchTask whole{sent.problem, network, nullptr, sent.steps,       sent.options,
                         sent.parsed,  devices, watch,   sent.generations, sent.seed};
  serve_searches(whole, seconds, devices, mailbox);
});

// As the searches of one process end: see Searches::finish().
SearchResult merge_searches(std::map<std::uint64_t, SearchResult> parts) {
  auto chosen = parts.begin();
  for (auto part = parts.begin(); part != parts.end(); ++part)
    if (is_taken_before(part->second.conflicts, part->second.generations, chosen->second.conflicts,
                        chosen->second.generations))
      chosen = part;
  auto whole = std::move(chosen->second);
  const bool has_found = whole.conflicts == 0;
  for (auto part = parts.begin(); part != parts.end(); ++part) {
    if (part == chosen) continue;
    const auto& other = part->second;
    if (!has_found) {
      whole.generations = std::max(whole.generations, other.generations);
      whole.evaluations += other.evaluations;
    }
    whole.evaluations_done += other.evaluations_done;
    whole.is_final = whole.is_final && other.is_final;
    whole.launches += other.launches;
    whole.failures.insert(whole.failures.end(), other.failures.begin(), other.failures.end());
  }
  return whole;
}

/// The searches of a task, at the first rank.
class SharedSearches {
 public:
  explicit SharedSearches(const SearchTask& task) : task_(task) {}

  group::Distributed distribute(group::Group& group, std::optional<double> seconds) {
    const auto range = searches_of(task_.options);
    group::Work work{.solver = std::string(name_of_worker), .message = encode_run(task_), .seconds = seconds};
    work.ranges = {{0, range.first, range.count}};
    work.cutting = group::Cutting::even;
    work.accept = [this](const group::Range& part, ByteReader message) { accept(part, message); };
    work.progress = [this](const group::Range& part, ByteReader message) { note(part, message.take<RangeProgress>()); };
    work.news = [this]() -> std::optional<Bytes> {
      if (!std::exchange(is_news_, false)) return std::nullopt;
      return encode(*winner_);
    };
    work.attend = [this] { report(); };
    work.expired = [this] { return task_.watch.expired(); };
    work.interrupted = [this] { return task_.watch.interrupted(); };
    work.local = [&](group::Mailbox& mailbox) { serve_searches(task_, seconds, task_.devices, mailbox); };
    return group::distribute(group, work);
  }

  SearchResult result() {
    // A limit has ended the run before any range: there is time for nothing but what comes of no search.
    if (parts_.empty()) return anneal(task_);
    auto whole = merge_searches(std::move(parts_));
    whole.is_final = whole.is_final && done_ == searches_of(task_.options).count;
    return whole;
  }

 private:
  void accept(const group::Range& part, ByteReader& message) {
    auto found = decode_result(message);
    RangeProgress reached{static_cast<double>(found.conflicts), found.evaluations_done, std::nullopt};
    if (found.conflicts == 0) reached.winner = Winner{found.generations, found.search};
    note(part, reached);
    done_ += part.count;
    parts_.insert_or_assign(part.first, std::move(found));
  }

  void note(const group::Range& part, const RangeProgress& reached) {
    if (reached.conflicts && (!conflicts_ || *reached.conflicts < *conflicts_)) conflicts_ = reached.conflicts;
    auto& evaluations = evaluations_[part.first];
    evaluations = std::max(evaluations, reached.evaluations);
    if (!reached.winner || (winner_ && *winner_ <= *reached.winner)) return;
    winner_ = reached.winner;
    is_news_ = true;
  }

  void report() const {
    if (task_.watch.interrupted() || !task_.watch.report_due()) return;
    std::uint64_t evaluations = 0;
    for (const auto& [first, each] : evaluations_) evaluations += each;
    task_.watch.report("anneal", conflicts_ ? 1 / (1 + *conflicts_) : 0, conflicts_, {}, evaluations);
  }

  const SearchTask& task_;
  std::map<std::uint64_t, SearchResult> parts_;  ///< by the number of the first search, as the counts below
  std::map<std::uint64_t, std::uint64_t> evaluations_;
  std::uint64_t done_ = 0;
  std::optional<double> conflicts_;
  std::optional<Winner> winner_;
  bool is_news_ = false;
};

}  // namespace

std::unique_ptr<Ranks> Ranks::find(const Options& options, const ParsedOptions& parsed) {
  auto* const group = group::Group::of_run();
  if (!group) return nullptr;
  return std::make_unique<Ranks>(*group, why_alone(options, parsed, group->ranks()));
}

SearchResult Ranks::anneal(const SearchTask& task, std::optional<double> seconds) {
  // What cannot be searched is refused by this rank.
  if (!alone_.empty() || !search_obstacle(task.network, task.steps).empty()) return exchange::anneal(task);
  SharedSearches searches(task);
  auto distributed = searches.distribute(group_, seconds);
  if (report_)
    group::add_report(*report_, distributed.report);
  else
    report_ = std::move(distributed.report);
  return searches.result();
}

SearchResult Ranks::umda(const SearchTask& task) {
  if (alone_.empty() && !fits_messages(task, group_.ranks()))
    alone_ = "a rank's islands are more than a message of 1 GiB takes";
  if (!alone_.empty()) return exchange::umda(task);
  SharedIslands islands(group_, task);
  auto result = islands.evolve();
  report_ = islands.report();
  return result;
}

std::shared_ptr<const cluster::Report> Ranks::report() const {
  if (report_) return std::make_shared<const cluster::Report>(*report_);
  const std::string reason = alone_.empty() ? "no search was needed" : alone_;
  return std::make_shared<const cluster::Report>(group::report_of_one(group_, reason));
}

}  // namespace clopt::exchange
