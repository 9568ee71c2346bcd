#include "sparse_sweep.hpp"
#include <clopt/device.hpp>
#include <clopt/error.hpp>
#include <device/verification/fault_detection.hpp>
#include <subset_sum/operations.hpp>
#include <support/process/memory.hpp>
#include <support/stopwatch.hpp>
#include "checkpoints.hpp"
#include "limit_check.hpp"
#include "sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <utility>

namespace clopt::subset_sum {
namespace {

constexpr std::uint64_t bytes_a_sum = sizeof(std::uint64_t) + sizeof(std::uint32_t);
// Room for the list is made for twice what is needed, at least.
constexpr std::uint64_t least_room = std::uint64_t{1} << 12;
constexpr std::uint64_t read_together = std::uint64_t{1} << 20;
// Of one launch: some tens of milliseconds on one thread.
constexpr std::uint64_t parts_in_launch = std::uint64_t{1} << 16;

constexpr std::uint64_t parts_of(std::uint64_t all, std::uint64_t part) { return (all + part - 1) / part; }

/// The list, on a device, and on the host what does not matter any more but for the walk back.
class ListedSums {
 public:
  ListedSums(Device& device, const Watch& watch, std::uint64_t most)
      : device_(device),
        most_(most),
        queue_(device.queue()),
        limit_check_(*queue_, watch),
        launches_(device, *queue_),
        count_merged_(device.kernel<operations::CountMerged>()),
        add_counts_(device.kernel<operations::AddCounts>()),
        merge_sums_(device.kernel<operations::MergeSums>()),
        find_sums_(device.kernel<operations::FindSums>()),
        wanted_(device.buffer<std::uint64_t>("wanted sum", 1)),
        place_(device.buffer<std::uint64_t>("its place", 1)) {
    reserve(lists_[0], 1);
    queue_->fill(lists_[0].sums, 0, 0, 1);
    queue_->fill(lists_[0].items, 0, 0, 1);
  }

  enum class Added { yes, no_room, stopped };

  /// Takes the next item. \param matters the capacities that matter after it. Where there is no room, nothing changes.
  Added add(std::uint64_t weight, const Range& matters, double done) {
    const auto count = size();
    const auto most_below = matters.last - weight;
    const auto moved = largest_ <= most_below ? count : find(most_below + 1) - first_;
    const auto kept = prepare(count, moved, weight, matters.first, done);
    if (!kept) return Added::stopped;
    if (*kept > most_) return Added::no_room;
    if (!merge(count, moved, weight, matters.first, *kept, done)) return Added::stopped;
    largest_ = std::min(largest_ + weight, matters.last);
    merged_ += count + moved;
    if (matters.first > 0) retire(find(matters.first));
    return Added::yes;
  }

  std::uint64_t size() const { return end_ - first_; }
  std::uint64_t merged() const { return merged_; }
  std::uint64_t launches() const { return queue_->counts().launches; }

  /// All sums of the items so far, once; their number of those that still matter is size().
  NamedSums take() {
    retire(end_);
    launches_.require_all();
    old_.items = items_;
    return std::move(old_);
  }

 private:
  struct List {
    Buffer<std::uint64_t> sums;
    Buffer<std::uint32_t> items;
  };

  void reserve(List& list, std::uint64_t count) {
    if (list.sums && list.sums.size() >= count) return;
    const auto room = std::max(count, std::min(most_, std::max(2 * count, least_room)));
    list = {};
    list = {device_.buffer<std::uint64_t>("reached sums", room), device_.buffer<std::uint32_t>("their items", room)};
  }

  /// How many sums of the list are below one.
  std::uint64_t find(std::uint64_t sum) {
    queue_->write(wanted_, std::span(&sum, 1));
    queue_->launch(
        find_sums_, clopt::Range::of_items(1, 1),
        {.sums = lists_[now_].sums, .count = end_, .wanted = wanted_, .places = place_, .launches = launches_.next()});
    std::uint64_t place = 0;
    read_twice(device_, *queue_, place_, std::span(&place, 1));
    if (place > end_) report_fault(device_, fmt::format("finds place {} in a list of {} sums", place, end_));
    return std::max(place, first_);
  }

  /// Launches over the parts of a merge, few at a time. \returns false where a limit ended the run.
  template <class Launch>
  bool by_parts(std::uint64_t parts, double done, const Launch& launch) {
    for (std::uint64_t first = 0; first < parts; first += parts_in_launch) {
      const auto count = std::min(parts_in_launch, parts - first);
      if (!limit_check_.proceed(count * SUBSET_SUM_MERGED, done)) return false;
      launch(first, clopt::Range::of_items(count));
    }
    return true;
  }

  /// Prepares a merge. \returns how many sums it keeps; none where a limit ended the run.
  std::optional<std::uint64_t> prepare(std::uint64_t count, std::uint64_t moved, std::uint64_t weight,
                                       std::uint64_t low, double done) {
    const auto parts = parts_of(count + moved, SUBSET_SUM_MERGED);
    const auto together = parts_of(parts, SUBSET_SUM_COUNTS);
    if (!counts_ || counts_.size() < parts) {
      counts_ = device_.buffer<std::uint32_t>("sums of each part", 2 * parts);
      totals_ = device_.buffer<std::uint32_t>("sums of some parts", 2 * together);
      offsets_ = device_.buffer<std::uint64_t>("where parts begin", 2 * together);
    }
    const bool counted = by_parts(parts, done, [&](std::uint64_t first_part, const clopt::Range& range) {
      queue_->launch(count_merged_, range,
                     {.sums = lists_[now_].sums,
                      .first = first_,
                      .count = count,
                      .moved = moved,
                      .weight = weight,
                      .low = low,
                      .first_part = first_part,
                      .counts = counts_,
                      .launches = launches_.next()});
    });
    if (!counted) return std::nullopt;
    queue_->launch(add_counts_, clopt::Range::of_items(together),
                   {.counts = counts_,
                    .parts = static_cast<std::uint32_t>(parts),
                    .totals = totals_,
                    .launches = launches_.next()});
    std::vector<std::uint32_t> totals(together);
    read_twice(device_, *queue_, totals_, std::span(totals));
    std::vector<std::uint64_t> offsets;
    std::uint64_t kept = 0;
    for (const auto total : totals) {
      offsets.push_back(kept);
      kept += total;
    }
    if (kept < count || kept > count + moved)
      report_fault(device_, fmt::format("merges {} and {} sums to {}", count, moved, kept));
    queue_->write(offsets_, offsets);
    return kept;
  }

  /// \returns false where a limit ended the run.
  bool merge(std::uint64_t count, std::uint64_t moved, std::uint64_t weight, std::uint64_t low, std::uint64_t kept,
             double done) {
    const auto& list = lists_[now_];
    auto& merged = lists_[1 - now_];
    reserve(merged, kept);
    const auto parts = parts_of(count + moved, SUBSET_SUM_MERGED);
    const bool is_merged = by_parts(parts, done, [&](std::uint64_t first_part, const clopt::Range& range) {
      queue_->launch(merge_sums_, range,
                     {.sums = list.sums,
                      .items = list.items,
                      .merged = merged.sums,
                      .merged_items = merged.items,
                      .first = first_,
                      .count = count,
                      .moved = moved,
                      .weight = weight,
                      .low = low,
                      .item = items_ + 1,
                      .first_part = first_part,
                      .counts = counts_,
                      .offsets = offsets_,
                      .launches = launches_.next()});
    });
    if (!is_merged) return false;
    ++items_;
    now_ = 1 - now_;
    first_ = 0;
    end_ = kept;
    return true;
  }

  /// Moves the list's sums up to one to the host. They are above those that were moved before.
  void retire(std::uint64_t end) {
    const auto& list = lists_[now_];
    while (first_ < end) {
      const auto count = std::min(read_together, end - first_);
      const auto old = old_.sums.size();
      old_.sums.resize(old + count);
      old_.first.resize(old + count);
      read_twice(device_, *queue_, list.sums, std::span(old_.sums).subspan(old), first_);
      read_twice(device_, *queue_, list.items, std::span(old_.first).subspan(old), first_);
      first_ += count;
    }
  }

  Device& device_;
  std::uint64_t most_;
  std::unique_ptr<Queue> queue_;
  LimitCheck limit_check_;
  LaunchCount launches_;
  Kernel<operations::CountMerged> count_merged_;
  Kernel<operations::AddCounts> add_counts_;
  Kernel<operations::MergeSums> merge_sums_;
  Kernel<operations::FindSums> find_sums_;
  Buffer<std::uint64_t> wanted_;
  Buffer<std::uint64_t> place_;
  Buffer<std::uint32_t> counts_;
  Buffer<std::uint32_t> totals_;
  Buffer<std::uint64_t> offsets_;
  std::array<List, 2> lists_;
  std::size_t now_ = 0;        // the list
  std::uint64_t first_ = 0;    // of it, what still matters
  std::uint64_t end_ = 1;      // behind its last
  std::uint64_t largest_ = 0;  // no sum is above
  std::uint64_t merged_ = 0;
  std::uint32_t items_ = 0;
  NamedSums old_;
};

}  // namespace

std::uint32_t NamedSums::first_item(std::uint64_t sum) const {
  const auto found = std::lower_bound(sums.begin(), sums.end(), sum);
  return found != sums.end() && *found == sum ? first[static_cast<std::size_t>(found - sums.begin())] : 0;
}

Found sweep_sparsely(const ReducedProblem& reduced, Device& device, const Watch& watch, const SparseLimits& limits,
                     const Continue& dense) {
  const Stretch all(reduced.weights, 0, 0, reduced.size(), {reduced.low, reduced.high});
  std::optional<ListedSums> list(std::in_place, device, watch, limits.most_sums);
  Found found;
  for (std::size_t item = 1; item <= reduced.size(); ++item) {
    const auto& matters = all.after(item);
    const auto added = list->add(reduced.weights[item - 1], matters,
                                 static_cast<double>(item - 1) / static_cast<double>(reduced.size()));
    found.launches = list->launches();
    if (added == ListedSums::Added::stopped) return found;
    if (list->size() == 0) throw InternalError("sparse: no sum is left from which one that is wanted can be reached");
    const bool no_room = added == ListedSums::Added::no_room;
    if (no_room && !dense)
      throw InvalidInput(fmt::format(
          "sparse: item {} of {} reaches more than the {} sums for which {} ({}) has room, and the capacities up to {} "
          "have none either; use a device with more memory",
          item, reduced.size(), limits.most_sums, device.info().id, device.info().name, reduced.high));
    const bool is_dense = dense && list->size() >= matters.size() / limits.capacities_a_sum;
    if (!no_room && (!is_dense || item == reduced.size())) continue;
    const auto merged = list->merged();
    const auto known = list->take();
    list.reset();  // the bits may need all of the device's memory
    auto rest = dense(known);
    rest.capacities_swept += merged;
    rest.launches += found.launches;
    return rest;
  }
  found.capacities_swept = list->merged();
  const auto wanted = list->size();
  const Stopwatch stopwatch;
  const auto known = list->take();
  found.launches = list->launches();
  found.sum = reduced.complement ? known.sums[known.sums.size() - wanted] : known.sums.back();
  watch.report("recovery", 0, static_cast<double>(found.sum));
  found.positions = recover(
      reduced, [&](std::uint64_t sum) { return known.first_item(sum); }, found.sum);
  found.complete = true;
  found.recovery = "list";
  found.recovery_bytes = known.sums.size() * bytes_a_sum;
  found.recovery_seconds = stopwatch.seconds();
  return found;
}

std::uint64_t sums_that_fit(const Device& device) {
  const auto largest = device.info().max_allocation_bytes / sizeof(std::uint64_t);
  // Two lists, and counts of their parts; on the host a copy, twice while it grows.
  constexpr double bytes = 2 * bytes_a_sum + 1;
  constexpr double host_bytes = 3 * bytes_a_sum;
  const bool is_host = device.info().kind == DeviceKind::cpu;
  const auto left = memory_left(device, static_cast<double>(device.info().global_memory_bytes)) / bytes;
  const auto left_on_host = static_cast<double>(available_memory()) / (host_bytes + (is_host ? bytes : 0));
  return std::max<std::uint64_t>(1, std::min(largest, static_cast<std::uint64_t>(std::min(left, left_on_host))));
}

}  // namespace clopt::subset_sum
