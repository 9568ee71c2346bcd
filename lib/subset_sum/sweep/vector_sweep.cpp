#include "vector_sweep.hpp"
#include <clopt/detail/run_times.hpp>
#include <clopt/device.hpp>
#include <clopt/error.hpp>
#include <device/verification/barrier.hpp>
#include <support/stopwatch.hpp>
#include "best_sum.hpp"
#include "limit_check.hpp"
#include "walk_back.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace clopt::subset_sum {
namespace {

// Capacities of a block where every block is a launch, and work-items of a group where one launch takes many blocks.
constexpr std::uint64_t block_of_launch = std::uint64_t{1} << 14;
constexpr std::uint32_t most_in_group = 256;
// Work-groups for each compute unit (the paper, algorithm 14, takes two).
constexpr std::uint32_t groups_a_unit = 2;
// Capacities times items of a launch of many blocks: some tenths of a second at most.
constexpr std::uint64_t words_in_launch = std::uint64_t{1} << 33;
constexpr double seconds_of_launch = 20e-6;
// How much longer than in the probe a work-item waits for others, and the most that it polls: some seconds.
constexpr std::uint32_t polls_factor = 1U << 10;
constexpr std::uint32_t most_polls = 1U << 22;
// Items that a work-item may visit on a device that ends long loops.
constexpr std::size_t items_in_short_loop = std::size_t{1} << 14;

/// What the two implementations on the vector g share.
class VectorSweep {
 public:
  VectorSweep(const ReducedProblem& reduced, Device& device, const Watch& watch)
      : reduced_(reduced),
        device_(device),
        watch_(watch),
        ranges_(item_ranges(reduced)),
        queue_(device.queue()),
        limit_check_(*queue_, watch),
        launches_(device, *queue_) {
    // No item reaches less than it weighs.
    for (std::size_t i = 0; i < reduced.size(); ++i) ranges_[i].first = std::max(ranges_[i].first, reduced.weights[i]);
  }

 protected:
  void build() {
    take_item_ = device_.kernel<operations::TakeItem>();
    walk_back_ = device_.kernel<operations::WalkBack>();
  }

  void allocate() {
    g_ = device_.buffer<std::uint32_t>("g", reduced_.high + 1);
    queue_->fill(g_, static_cast<std::uint32_t>(reduced_.size() + 1));
    queue_->fill(g_, 0, 0, 1);  // the empty sum
  }

  // Algorithm 12 for the items from `first` on.
  bool take_items(std::size_t first) {
    for (auto i = first; i < reduced_.size(); ++i) {
      const auto count = ranges_[i].size();
      if (!limit_check_.proceed(count, static_cast<double>(i) / static_cast<double>(reduced_.size()))) return false;
      if (count == 0) continue;
      queue_->launch(take_item_, clopt::Range::of_items(count),
                     {.g = g_,
                      .first_capacity = ranges_[i].first,
                      .capacities = count,
                      .weight = reduced_.weights[i],
                      .item = static_cast<std::uint32_t>(i + 1),
                      .launches = launches_.next()});
      found_.capacities_swept += count;
    }
    queue_->finish();
    return true;
  }

  Found finish(bool complete) {
    if (complete) {
      const auto sum = best_sum_on_device(device_, *queue_, g_, 1, {reduced_.low, reduced_.high}, reduced_.complement,
                                          [&](std::uint32_t item, std::uint64_t) { return item <= reduced_.size(); });
      if (!sum) throw InternalError("the sweep reached no sum that is wanted");
      found_.sum = *sum;
      launches_.require_all();
      const Stopwatch stopwatch;
      watch_.report("recovery", 0, static_cast<double>(found_.sum));
      auto positions = walk_back_on_device(device_, *queue_, walk_back_, g_, reduced_, found_.sum, watch_);
      found_.recovery_seconds = stopwatch.seconds();
      found_.complete = positions.has_value();
      if (positions) found_.positions = std::move(*positions);
    }
    found_.recovery = "table";
    found_.recovery_bytes = g_.bytes();
    found_.launches = queue_->counts().launches;
    return std::move(found_);
  }

  const ReducedProblem& reduced_;
  Device& device_;
  const Watch& watch_;
  std::vector<Range> ranges_;
  std::unique_ptr<Queue> queue_;
  LimitCheck limit_check_;
  LaunchCount launches_;
  Buffer<std::uint32_t> g_;
  Found found_;

 private:
  Kernel<operations::TakeItem> take_item_;
  Kernel<operations::WalkBack> walk_back_;
};

class ItemSweep : VectorSweep {
 public:
  using VectorSweep::VectorSweep;
  Found run() {
    build();
    allocate();
    return finish(take_items(0));
  }
};

class BlockSweep : VectorSweep {
 public:
  BlockSweep(const ReducedProblem& reduced, bool cyclic, Device& device, const Watch& watch)
      : VectorSweep(reduced, device, watch), cyclic_(cyclic) {}

  Found run() {
    build();
    build_blocks();
    allocate();
    choose_items();
    const bool filled = items_ == 0 || (groups_ != 0 ? fill_together() : fill_one_by_one(first_));
    return finish(filled && take_items(items_));
  }

 private:
  void build_blocks() {
    const TimedPart building(TimePart::build);
    const auto kind = cyclic_ ? BarrierKind::cyclic : BarrierKind::xiao_feng;
    fill_block_ = device_.kernel<operations::FillBlock>();
    xiao_feng_ = device_.kernel<operations::FillBlocksXiaoFeng>();
    cyclic_kernel_ = device_.kernel<operations::FillBlocksCyclic>();
    const auto most = cyclic_ ? cyclic_kernel_.max_group_size() : xiao_feng_.max_group_size();
    group_size_ = std::min(most_in_group, most);
    if (device_.has_long_loops()) {
      const auto support = probe_barrier(device_, device_.info().compute_units * groups_a_unit, group_size_, kind);
      // On a busy processor, a launch a block is quicker than waiting for a work-group that has no core.
      const bool slow = device_.info().kind == DeviceKind::cpu && support.seconds > seconds_of_launch;
      groups_ = slow ? 0 : support.groups;
      // A step of the probe is a few reads; one of ours reads all items.
      polls_ = std::min(support.polls * polls_factor, most_polls);
    }
    block_ = groups_ != 0 ? std::uint64_t{groups_} * group_size_ : block_of_launch;
  }

  // The items that weigh at least as much as a block has capacities, and the capacities that they can reach.
  void choose_items() {
    const auto light = std::find_if(reduced_.weights.begin(), reduced_.weights.end(),
                                    [this](std::uint64_t weight) { return weight < block_; });
    items_ = static_cast<std::size_t>(light - reduced_.weights.begin());
    if (!device_.has_long_loops()) items_ = std::min(items_, items_in_short_loop);
    std::vector<SweepStep> steps(items_);
    first_ = std::numeric_limits<std::uint64_t>::max();
    for (std::size_t i = 0; i < items_; ++i) {
      steps[i] = {reduced_.weights[i], ranges_[i].first, ranges_[i].last};
      if (ranges_[i].size() == 0) continue;
      first_ = std::min(first_, ranges_[i].first);
      last_ = std::max(last_, ranges_[i].last);
    }
    if (first_ > last_) items_ = 0;
    if (items_ == 0) return;
    steps_ = device_.buffer<SweepStep>("steps", items_);
    queue_->write(steps_, steps);
    queue_->finish();
  }

  bool fill_one_by_one(std::uint64_t first) {
    for (auto begin = first; begin <= last_; begin += block_) {
      const auto count = std::min(block_, last_ - begin + 1);
      if (!limit_check_.proceed(count * items_, static_cast<double>(begin) / static_cast<double>(last_))) return false;
      queue_->launch(fill_block_, clopt::Range::of_items(count),
                     {.g = g_,
                      .steps = steps_,
                      .step_count = static_cast<std::uint32_t>(items_),
                      .first_capacity = begin,
                      .capacities = count,
                      .launches = launches_.next()});
      found_.capacities_swept += count * items_;
    }
    queue_->finish();
    return true;
  }

  bool fill_together() {
    const auto blocks = std::max<std::uint64_t>(1, words_in_launch / (block_ * items_));
    given_up_ = device_.buffer<std::uint32_t>("whether a work-group gave up", 1);
    for (auto& flags : flags_) flags = device_.buffer<std::uint32_t>("barrier", groups_);
    for (auto begin = first_; begin <= last_; begin += blocks * block_) {
      const auto end = std::min(last_, begin + blocks * block_ - 1);
      if (!limit_check_.proceed(blocks * block_ * items_, static_cast<double>(begin) / static_cast<double>(last_)))
        return false;
      // What a launch that gave up has written is right, and what it left out is done again a launch a block.
      if (!fill_blocks(begin, end)) return fill_one_by_one(begin);
      found_.capacities_swept += (end - begin + 1) * items_;
    }
    return true;
  }

  bool fill_blocks(std::uint64_t begin, std::uint64_t end) {
    const auto range = clopt::Range::of_groups(groups_, group_size_);
    const auto items = static_cast<std::uint32_t>(items_);
    queue_->fill(given_up_, 0);
    queue_->fill(flags_[0], cyclic_ ? 1 : 0);
    queue_->fill(flags_[1], 0);
    if (cyclic_)
      queue_->launch(cyclic_kernel_, range,
                     {.g = g_,
                      .steps = steps_,
                      .step_count = items,
                      .first_capacity = begin,
                      .last_capacity = end,
                      .clock = flags_[0],
                      .given_up = given_up_,
                      .most_polls = polls_,
                      .launches = launches_.next()});
    else
      queue_->launch(xiao_feng_, range,
                     {.g = g_,
                      .steps = steps_,
                      .step_count = items,
                      .first_capacity = begin,
                      .last_capacity = end,
                      .arrived = flags_[0],
                      .released = flags_[1],
                      .given_up = given_up_,
                      .most_polls = polls_,
                      .launches = launches_.next()});
    std::uint32_t given_up = 0;
    read_twice(device_, *queue_, given_up_, std::span(&given_up, 1));
    queue_->finish();
    return given_up == 0;
  }

  bool cyclic_;
  Kernel<operations::FillBlock> fill_block_;
  Kernel<operations::FillBlocksXiaoFeng> xiao_feng_;
  Kernel<operations::FillBlocksCyclic> cyclic_kernel_;
  std::uint32_t groups_ = 0;
  std::uint32_t group_size_ = 1;
  std::uint32_t polls_ = 0;
  std::uint64_t block_ = 0;
  std::size_t items_ = 0;
  std::uint64_t first_ = 0;
  std::uint64_t last_ = 0;
  Buffer<SweepStep> steps_;
  Buffer<std::uint32_t> given_up_;
  Buffer<std::uint32_t> flags_[2];
};

}  // namespace

Found sweep_by_items(const ReducedProblem& reduced, Device& device, const Watch& watch) {
  return ItemSweep(reduced, device, watch).run();
}

Found sweep_by_blocks(const ReducedProblem& reduced, Barrier barrier, Device& device, const Watch& watch) {
  return BlockSweep(reduced, barrier == Barrier::cyclic, device, watch).run();
}

}  // namespace clopt::subset_sum
