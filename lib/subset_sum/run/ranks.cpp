#include "ranks.hpp"

#include <clopt/device.hpp>
#include <clopt/error.hpp>
#include <clopt/subset_sum.hpp>
#include <group/distribution.hpp>
#include <group/workers.hpp>

#include <group/local_group.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include <subset_sum/meet/four_lists.hpp>
#include <subset_sum/meet/meet_in_the_middle.hpp>

namespace clopt::subset_sum {

template <class Archive>
void fields(Archive& archive, ReducedProblem& reduced) {
  archive("weights", reduced.weights)("low", reduced.low)("high", reduced.high)("complement", reduced.complement);
}

namespace {

constexpr std::string_view meet_solver = "subset-sum";

// The search among fewer items takes less time than messages do, or on a GPU less than another one's lists and kernels.
constexpr std::size_t fewest_items = 40;
constexpr std::size_t fewest_items_on_gpu = 62;

// Most sums are in the middle: no range there is to be too large a piece of the work. On a GPU a range of fewer than
// 2^29 sums is over before all work-groups are at work.
std::uint64_t most_parts(const Device& device, const ReducedProblem& reduced) {
  constexpr std::size_t fewest_bits_of_sums = 29;
  constexpr std::size_t most_halvings = 6;
  if (device.info().kind != DeviceKind::gpu) return meet_parts >> most_halvings;
  const auto bits = std::max(reduced.size() / 2, fewest_bits_of_sums) - fewest_bits_of_sums;
  return meet_parts >> std::clamp<std::size_t>(bits, 2, most_halvings);
}

/// What a range of parts has led to.
struct PartsOutcome {
  bool is_certain = false;
  std::optional<SumPair> best;
};

/// Searches ranges of parts on one device, and on the next one where that fails.
class PartWorker {
 public:
  PartWorker(const ReducedProblem& reduced, std::span<const std::shared_ptr<Device>> devices, group::Mailbox& mailbox)
      : reduced_(reduced), devices_(devices), mailbox_(mailbox) {}

  /// Makes kernels and lists, so that a device that has none yet has no range either.
  void begin() {
    on_device([this] { make_search(); });
  }

  std::pair<Bytes, std::uint64_t> serve(const group::Range& range, const RunControl& control) {
    return on_device([&] {
      make_search();
      return search(range, control);
    });
  }

 private:
  /// Does something on the first device that does not fail.
  template <class Work>
  std::invoke_result_t<Work> on_device(const Work& work) {
    while (true) {
      try {
        return work();
      } catch (const DeviceError& error) {
        search_.reset();
        launches_ = 0;
        if (device_ + 1 == devices_.size()) throw;
        mailbox_.send_failure(fmt::format("{}: {}", devices_[device_]->info().id, error.what()));
        ++device_;
      }
    }
  }

  void make_search() {
    if (search_) return;
    auto& device = *devices_[device_];
    search_ = std::make_unique<PairSearch>(reduced_, device, four_lists_shape(device));
    const RunControl no_limits;
    search_->run({0, 0}, Watch(no_limits));
  }

  std::pair<Bytes, std::uint64_t> search(const group::Range& range, const RunControl& control) {
    const Watch watch(control);
    const bool is_certain = search_->run({range.first, range.count}, watch,
                                         [&](const std::optional<SumPair>& best) { return compare(range, best); });
    const auto launches = search_->launches() - std::exchange(launches_, search_->launches());
    return {encode(PartsOutcome{is_certain, search_->best()}), launches};
  }

  std::optional<SumPair> compare(const group::Range& range, const std::optional<SumPair>& best) {
    const auto news = mailbox_.news();
    const auto best_of_others = news ? std::optional(decode<SumPair>(*news)) : std::nullopt;
    if (best && (!best_of_others || *best < *best_of_others) && (!sent_ || *best < *sent_)) {
      sent_ = best;
      mailbox_.send_progress(range, encode(*best));
    }
    return best_of_others;
  }

  const ReducedProblem& reduced_;
  std::span<const std::shared_ptr<Device>> devices_;
  group::Mailbox& mailbox_;
  std::size_t device_ = 0;
  std::unique_ptr<PairSearch> search_;
  std::uint64_t launches_ = 0;  ///< of it, for ranges before
  std::optional<SumPair> sent_;
};

void serve_parts(const ReducedProblem& reduced, std::optional<double> seconds,
                 std::span<const std::shared_ptr<Device>> devices, group::Mailbox& mailbox) {
  PartWorker worker(reduced, devices, mailbox);
  const group::RankShape shape{.most = most_parts(*devices.front(), reduced)};
  group::serve_ranges(
      devices, seconds, mailbox, shape,
      [&](const group::Order& order, const RunControl& control) { return worker.serve(order.range, control); },
      [&] { worker.begin(); });
}

const group::WorkerEntry parts_worker(meet_solver,
                                      [](ByteReader message, std::optional<double> seconds,
                                         std::span<const std::shared_ptr<Device>> devices, group::Mailbox& mailbox) {
                                        const auto reduced = message.take<ReducedProblem>();
                                        serve_parts(reduced, seconds, devices, mailbox);
                                      });

/// The search of all ranks, at the first one.
class SharedSearch {
 public:
  SharedSearch(const ReducedProblem& reduced, const WorkRange& parts, const Watch& watch)
      : reduced_(reduced), parts_(parts), watch_(watch) {}

  group::Distributed distribute(group::Group& group, std::optional<double> seconds,
                                const std::shared_ptr<Device>& device) {
    group::Work work{.solver = std::string(meet_solver), .message = encode(reduced_), .seconds = seconds};
    work.ranges = {{0, parts_.first, parts_.count}};
    work.accept = [this](const group::Range& range, ByteReader result) { accept(range, result); };
    work.progress = [this](const group::Range&, ByteReader message) { note(message.take<SumPair>()); };
    work.news = [this]() -> std::optional<Bytes> {
      if (!std::exchange(is_news_, false)) return std::nullopt;
      return encode(*best_);
    };
    work.attend = [this] { report(); };
    work.expired = [this] { return watch_.expired(); };
    work.interrupted = [this] { return watch_.interrupted(); };
    work.local = [&](group::Mailbox& mailbox) { serve_parts(reduced_, seconds, std::span(&device, 1), mailbox); };
    return group::distribute(group, work);
  }

  bool is_certain() const { return done_ == parts_.count; }
  const std::optional<SumPair>& best() const { return best_; }

 private:
  void accept(const group::Range& range, ByteReader& result) {
    const auto end = result.take<PartsOutcome>();
    if (end.is_certain) done_ += range.count;
    if (end.best) note(*end.best);
  }

  void note(const SumPair& pair) {
    if (best_ && *best_ <= pair) return;
    best_ = pair;
    is_news_ = true;
  }

  void report() const {
    if (watch_.interrupted() || !watch_.report_due()) return;
    const auto sum = best_ ? std::optional(static_cast<double>(sum_of_reduced(reduced_, *best_))) : std::nullopt;
    watch_.report("search", static_cast<double>(done_) / static_cast<double>(parts_.count), sum);
  }

  const ReducedProblem& reduced_;
  const WorkRange parts_;
  const Watch& watch_;
  std::uint64_t done_ = 0;  ///< parts
  std::optional<SumPair> best_;
  bool is_news_ = false;
};

// Why the first rank searches alone; empty where ranks share the search.
std::string why_alone(const ReducedProblem& reduced, const std::optional<WorkRange>& parts, const Device& device) {
  if (!meet_in_the_middle_need(reduced).streamed) return "sums so small are met in the host's memory at once";
  const auto fewest = device.info().kind == DeviceKind::gpu ? fewest_items_on_gpu : fewest_items;
  if (reduced.size() < fewest || is_trivial(reduced)) return "so few items take a moment";
  if (parts && parts->count == 1) return "there is one part";
  return {};
}

}  // namespace

Ranks::Ranks(const RunControl& control) : control_(control), job_(group::Group::of_run()) {
  if (job_ && job_->ranks() == 1) alone_ = "there is one rank";
}

Found Ranks::meet_in_the_middle(const ReducedProblem& reduced, std::span<const std::shared_ptr<Device>> devices,
                                const Watch& watch, const std::optional<WorkRange>& parts) {
  parts_.clear();
  const auto members = group::alike(devices);
  const bool has_one = job_ ? job_->ranks() == 1 : members.size() == 1;
  alone_ = has_one ? (job_ ? "there is one rank" : "the others are of another kind")
                   : subset_sum::why_alone(reduced, parts, *devices.front());
  if (!alone_.empty()) return subset_sum::meet_in_the_middle(reduced, *devices.front(), watch, parts);
  std::optional<group::LocalGroup> here;
  group::Group* group = job_;
  if (!group) group = &here.emplace(members);
  std::optional<double> seconds;
  if (control_.time_limit) seconds = std::max(0.0, *control_.time_limit - watch.seconds());
  SharedSearch search(reduced, parts.value_or(WorkRange{0, meet_parts}), watch);
  auto distributed = search.distribute(*group, seconds, devices.front());
  report_ = std::move(distributed.report);
  if (here) {
    parts_ = group::parts_of(members, *report_);
    for (std::size_t k = 0; k < members.size(); ++k)
      for (const auto& failure : report_->per_rank[k].failures)
        failures_.push_back(fmt::format("{}: {}", members[k]->info().id, failure));
  }
  auto found = answer_of(reduced, search.best(), search.is_certain(), parts);
  found.launches = distributed.launches;
  if (found.complete) watch.report("search", 1);
  return found;
}

std::shared_ptr<const cluster::Report> Ranks::report() const {
  if (!job_) return nullptr;
  return std::make_shared<const cluster::Report>(report_ ? *report_ : group::report_of_one(*job_, alone_));
}

}  // namespace clopt::subset_sum
