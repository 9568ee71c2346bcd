#include <clopt/device.hpp>
#include <clopt/error.hpp>
#include <subset_sum/operations.hpp>
#include <subset_sum/pace.hpp>
#include <subset_sum/sweep.hpp>
#include <subset_sum/vector_sweep.hpp>
#include <subset_sum/walk_back.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <vector>

namespace clopt::subset_sum {
namespace {

// The work of one launch that takes several items, some tens of milliseconds, and words read at a time in the search
// for the optimum.
constexpr std::uint64_t capacities_in_launch = std::uint64_t{1} << 33;
constexpr std::uint64_t words_read_together = std::uint64_t{1} << 16;

// Memory of one capacity: two bits and the item that reached it first.
constexpr double bytes_a_capacity = 4 + 2.0 / 8;

/// The paper's implementation 3 (chapter 5.4) with words of one size.
template <class Word>
class BitSweep {
 public:
  BitSweep(const Plan& plan, Device& device, const Watch& watch)
      : plan_(plan),
        device_(device),
        watch_(watch),
        ranges_(item_ranges(plan)),
        queue_(device.queue()),
        pace_(*queue_, watch) {}

  Found run() {
    build();
    allocate();
    found_.complete = sweep();
    if (found_.complete) {
      const auto sum = find_best();
      if (!sum) throw InternalError("k3: the sweep reached no sum that is wanted");
      found_.sum = *sum;
      take_items();
    }
    found_.launches = queue_->counts().launches;
    return std::move(found_);
  }

 private:
  static constexpr std::uint64_t bits = 8 * sizeof(Word);

  std::uint64_t words() const { return plan_.high / bits + 1; }

  // Where a launch is a call that has all threads, it takes several items, on one vector in place; elsewhere one item.
  bool in_place() const { return std::is_same_v<Word, std::uint64_t> && device_.info().launches_are_calls; }

  void build() {
    const auto begin = std::chrono::steady_clock::now();
    if (in_place())
      sweep_items_ = device_.kernel(subset_sum::sweep_items);
    else
      sweep_bits_ = device_.kernel(subset_sum::sweep_bits<Word>);
    walk_back_ = device_.kernel(subset_sum::walk_back);
    found_.build_seconds = seconds_since(begin);
  }

  void allocate() {
    for (std::size_t i = 0; i < (in_place() ? 1 : 2); ++i) {
      vectors_[i] = device_.buffer<Word>("reached capacities", words());
      queue_->fill(vectors_[i], 0);
      queue_->fill(vectors_[i], 1, 0, 1);  // the empty sum
    }
    first_item_ = device_.buffer<std::uint32_t>("first items", words() * bits);
  }

  // Algorithm 17. Returns whether every item was swept.
  bool sweep() {
    if constexpr (std::is_same_v<Word, std::uint64_t>)
      if (in_place()) return sweep_together();
    for (std::size_t i = 0; i < plan_.size(); ++i) {
      if (!pace_.go_on(ranges_[i].size(), part(i))) return false;
      if (ranges_[i].size() != 0) step(i, ranges_[i]);
    }
    queue_->finish();
    return true;
  }

  double part(std::size_t item) const { return static_cast<double>(item) / static_cast<double>(plan_.size()); }

  void step(std::size_t i, const Range& range) {
    const auto first = range.first / bits;
    const auto count = range.last / bits - first + 1;
    const auto weight = plan_.weights[i];
    queue_->launch(sweep_bits_, sweep_range<Word>(count), vectors_[current_], vectors_[1 - current_], first_item_,
                   first, count, weight / bits, static_cast<std::uint32_t>(weight % bits),
                   static_cast<std::uint32_t>(i + 1));
    current_ = 1 - current_;
    found_.capacities_swept += range.size();
  }

  bool sweep_together() {
    std::vector<SweepStep> steps(plan_.size());
    for (std::size_t i = 0; i < steps.size(); ++i) steps[i] = {plan_.weights[i], ranges_[i].first, ranges_[i].last};
    const auto on_device = device_.buffer<SweepStep>("steps", steps.size());
    queue_->write(on_device, steps);
    for (std::size_t i = 0; i < steps.size();) {
      if (!pace_.go_on(capacities_in_launch, part(i))) return false;
      const auto first = i;
      std::uint64_t work = 0;
      while (i < steps.size() && work < capacities_in_launch) work += ranges_[i++].size();
      queue_->launch(sweep_items_, clopt::Range::of_items(1, 1), vectors_[0], first_item_, on_device,
                     static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(i - first));
      found_.capacities_swept += work;
    }
    queue_->finish();
    return true;
  }

  // The words that hold [low, high], read part by part from the end where the optimum lies.
  std::optional<std::uint64_t> find_best() {
    const auto first = plan_.low / bits;
    const auto end = plan_.high / bits + 1;
    std::vector<Word> part;
    for (std::uint64_t done = 0; done < end - first; done += words_read_together) {
      const auto count = std::min(words_read_together, end - first - done);
      const auto begin = plan_.complement ? first + done : end - done - count;
      part.resize(count);
      queue_->read(vectors_[current_], std::span(part), begin);
      queue_->finish();
      Plan section;
      section.low = std::max(plan_.low, begin * bits);
      section.high = std::min(plan_.high, (begin + count) * bits - 1);
      section.complement = plan_.complement;
      const auto best = best_sum(section, [&](std::uint64_t capacity) {
        return (part[capacity / bits - begin] >> (capacity % bits) & 1) != 0;
      });
      if (best) return best;
    }
    return std::nullopt;
  }

  void take_items() {
    watch_.report("recovery", 0);
    found_.positions = walk_back_on_device(device_, *queue_, walk_back_, first_item_, plan_, found_.sum);
  }

  const Plan& plan_;
  Device& device_;
  const Watch& watch_;
  std::vector<Range> ranges_;
  std::unique_ptr<Queue> queue_;
  Pace pace_;
  decltype(kernel_of(sweep_bits<Word>)) sweep_bits_;
  decltype(kernel_of(sweep_items)) sweep_items_;
  decltype(kernel_of(walk_back)) walk_back_;
  std::array<Buffer<Word>, 2> vectors_;
  Buffer<std::uint32_t> first_item_;
  std::size_t current_ = 0;
  Found found_;
};

}  // namespace

Found sweep_on_device(const Plan& plan, const SweepMethod& method, Device& device, const Watch& watch) {
  if (const auto need = bytes_a_capacity * static_cast<double>(plan.high);
      need > static_cast<double>(sweep_memory(device)))
    throw InvalidInput(
        fmt::format("{} needs {:.0f} bytes for capacities up to {}, and {} ({}) has {} for it; use "
                    "--method auto",
                    method.name, need, plan.high, device.info().id, device.info().name, sweep_memory(device)));
  if (method.name == "k1") return sweep_by_items(plan, device, watch);
  if (method.name == "k2") return sweep_by_blocks(plan, method.barrier, device, watch);
  if (method.name == "k3-16") return BitSweep<std::uint16_t>(plan, device, watch).run();
  // In place, words of 32 and 64 bits are the same memory, swept the same way.
  if (method.name == "k3-64" || device.info().launches_are_calls)
    return BitSweep<std::uint64_t>(plan, device, watch).run();
  return BitSweep<std::uint32_t>(plan, device, watch).run();
}

std::uint64_t sweep_memory(const Device& device) {
  const auto& info = device.info();
  // The largest of the buffers, the items that reached first, must fit one allocation; some memory is others'.
  return std::min(info.global_memory_bytes / 10 * 9,
                  static_cast<std::uint64_t>(static_cast<double>(info.max_allocation_bytes) / 4 * bytes_a_capacity));
}

}  // namespace clopt::subset_sum
