#include "profit_sweep.hpp"
#include <clopt/error.hpp>
#include <device/verification/fault_detection.hpp>
#include <subset_sum/operations.hpp>
#include <subset_sum/sweep/limit_check.hpp>
#include <subset_sum/sweep/sweep.hpp>
#include <support/process/memory.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace clopt::subset_sum {
namespace {

using Items = std::span<const ProfitItem>;

std::uint64_t weight_of(Items items) {
  std::uint64_t sum = 0;
  for (const auto& item : items) sum += item.weight;
  return sum;
}

template <class Word>
class ProfitSweep {
 public:
  ProfitSweep(const Knapsack& knapsack, const KnapsackLimits& limits, Device& device, const Watch& watch)
      : items_(knapsack.items),
        capacity_(knapsack.capacity),
        limits_(limits),
        device_(device),
        watch_(watch),
        queue_(device.queue()),
        limit_check_(*queue_, watch),
        launches_(device, *queue_),
        take_profit_(device.kernel<operations::TakeProfit<Word>>()),
        all_steps_(sweep_steps(knapsack)) {
    for (auto& each : vectors_) each = device.buffer<Word>("profits within the capacities", capacity_ + 1);
  }

  Packed run() {
    packed_.complete = pack(0, items_.size(), capacity_);
    if (packed_.complete) launches_.require_all();
    std::sort(packed_.best.positions.begin(), packed_.best.positions.end());
    for (const auto position : packed_.best.positions) packed_.best.profit += items_[position].profit;
    if (packed_.complete && most_ && packed_.best.profit != *most_)
      report_fault(device_, fmt::format("finds a profit of {}, and divides the items so that it is {}", *most_,
                                        packed_.best.profit));
    packed_.launches = queue_->counts().launches;
    return std::move(packed_);
  }

 private:
  /// Chooses of some items those with the most profit within a capacity. \returns false where a limit ended the run.
  bool pack(std::size_t first, std::size_t end, std::uint64_t capacity) {
    const auto items = items_.subspan(first, end - first);
    if (weight_of(items) <= capacity) {
      for (auto i = first; i < end; ++i) take(i);
      return true;
    }
    if (items.size() <= 1) return true;
    if (items.size() * (capacity + 1) <= limits_.steps_on_host) return pack_on_host(first, items, capacity);
    const auto middle = first + items.size() / 2;
    std::uint64_t left = 0;
    {
      const auto low = profits(items_.subspan(first, middle - first), capacity);
      if (low.empty()) return false;
      const auto high = profits(items_.subspan(middle, end - middle), capacity);
      if (high.empty()) return false;
      left = best_part(low, high, capacity);
    }
    return pack(first, middle, left) && pack(middle, end, capacity - left);
  }

  /// The part of a capacity that the first of two halves gets; the smallest of the best ones.
  std::uint64_t best_part(const std::vector<Word>& low, const std::vector<Word>& high, std::uint64_t capacity) {
    std::uint64_t best = 0;
    std::uint64_t most = 0;
    for (std::uint64_t k = 0; k < low.size(); ++k) {
      const auto profit = std::uint64_t{low[k]} + high[std::min(capacity - k, std::uint64_t{high.size() - 1})];
      if (k > 0 && profit <= most) continue;
      most = profit;
      best = k;
    }
    if (!most_) most_ = most;
    return best;
  }

  /// The most profit of some items within each capacity up to one, or up to their weight: beyond, it stays the same.
  /// \returns nothing where a limit ended the run.
  std::vector<Word> profits(Items items, std::uint64_t capacity) {
    queue_->fill(vectors_[0], 0, 0, 1);
    std::uint64_t known = 0;
    for (const auto& item : items) {
      const auto reached = std::min(capacity, known + item.weight);
      if (!limit_check_.proceed(reached + 1, static_cast<double>(packed_.steps) / all_steps_)) return {};
      queue_->launch(take_profit_, clopt::Range::of_items(reached + 1),
                     {.before = vectors_[0],
                      .after = vectors_[1],
                      .known = known,
                      .last = reached,
                      .weight = item.weight,
                      .profit = static_cast<Word>(item.profit),
                      .launches = launches_.next()});
      packed_.steps += reached + 1;
      known = reached;
      std::swap(vectors_[0], vectors_[1]);
    }
    std::vector<Word> result(known + 1);
    read_twice(device_, *queue_, vectors_[0], std::span(result));
    queue_->finish();
    return result;
  }

  bool pack_on_host(std::size_t first, Items items, std::uint64_t capacity) {
    if (watch_.expired()) return false;
    std::vector<std::uint64_t> most(capacity + 1);
    std::vector<bool> takes(items.size() * most.size());
    for (std::size_t i = 0; i < items.size(); ++i)
      for (auto k = capacity; k >= items[i].weight; --k) {
        const auto profit = most[k - items[i].weight] + items[i].profit;
        if (profit <= most[k]) continue;
        most[k] = profit;
        takes[i * most.size() + k] = true;
      }
    for (auto i = items.size(); i-- > 0;) {
      if (!takes[i * most.size() + capacity]) continue;
      take(first + i);
      capacity -= items[i].weight;
    }
    return true;
  }

  void take(std::size_t position) { packed_.best.positions.push_back(static_cast<std::uint32_t>(position)); }

  Items items_;
  std::uint64_t capacity_;
  const KnapsackLimits& limits_;
  Device& device_;
  const Watch& watch_;
  std::unique_ptr<Queue> queue_;
  LimitCheck limit_check_;
  LaunchCount launches_;
  Kernel<operations::TakeProfit<Word>> take_profit_;
  double all_steps_;
  std::array<Buffer<Word>, 2> vectors_;
  std::optional<std::uint64_t> most_;  ///< the profit of all items, by the first division
  Packed packed_;
};

}  // namespace

double sweep_steps(const Knapsack& knapsack) {
  return 2 * static_cast<double>(knapsack.items.size()) * static_cast<double>(knapsack.capacity + 1);
}

Packed sweep_profits(const Knapsack& knapsack, const KnapsackLimits& limits, Device& device, const Watch& watch) {
  std::uint64_t profit = 0;
  for (const auto& item : knapsack.items) profit += item.profit;
  const bool is_narrow = profit <= std::numeric_limits<std::uint32_t>::max();
  const auto bytes = (static_cast<double>(knapsack.capacity) + 1) * (is_narrow ? 4 : 8);
  const auto& info = device.info();
  // Two vectors there, and on the host one of each half; what is read of another memory has two places meanwhile.
  const bool is_host = info.kind == DeviceKind::cpu;
  const double on_device = (is_host ? 4 : 2) * bytes;
  if (bytes > static_cast<double>(info.max_allocation_bytes) || on_device > memory_left(device, on_device) ||
      (!is_host && 4 * bytes > static_cast<double>(available_memory())))
    throw InvalidInput(fmt::format(
        "subset-sum: a sweep of profits over capacities up to {} needs {:.0f} bytes, of which two buffers have {:.0f} "
        "each, and {} ({}) has {:.0f}, {} for one buffer; use a device with more memory",
        knapsack.capacity, on_device, bytes, info.id, info.name, memory_left(device, on_device),
        info.max_allocation_bytes));
  if (is_narrow) return ProfitSweep<std::uint32_t>(knapsack, limits, device, watch).run();
  return ProfitSweep<std::uint64_t>(knapsack, limits, device, watch).run();
}

}  // namespace clopt::subset_sum
