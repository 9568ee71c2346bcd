#include <clopt/device.hpp>
#include <clopt/error.hpp>
#include <subset_sum/vector_sweep.hpp>
#include <subset_sum/walk_back.hpp>

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

namespace clopt::subset_sum {
namespace {

// Items given to a device before the limits are looked at, and capacities read at a time in the search for the optimum.
constexpr std::size_t items_between_looks = 64;
constexpr std::uint64_t capacities_read_together = std::uint64_t{1} << 16;

// Reads [low, high], part by part from the end where the optimum lies.
std::optional<std::uint64_t> find_best(Queue& queue, const Buffer<std::uint32_t>& g, const Plan& plan) {
  std::vector<std::uint32_t> part;
  const auto wanted = plan.high - plan.low + 1;
  for (std::uint64_t done = 0; done < wanted; done += capacities_read_together) {
    Plan section;
    section.complement = plan.complement;
    const auto count = std::min(capacities_read_together, wanted - done);
    section.low = plan.complement ? plan.low + done : plan.high + 1 - done - count;
    section.high = section.low + count - 1;
    part.resize(count);
    queue.read(g, std::span(part), section.low);
    queue.finish();
    if (const auto best = best_sum(section, [&](std::uint64_t k) { return part[k - section.low] <= plan.size(); }))
      return best;
  }
  return std::nullopt;
}

}  // namespace

Found sweep_by_items(const Plan& plan, Device& device, const Watch& watch) {
  Found found;
  const auto begin = std::chrono::steady_clock::now();
  const auto take = device.kernel(take_item);
  const auto walk = device.kernel(walk_back);
  found.build_seconds = seconds_since(begin);
  const auto queue = device.queue();
  const auto g = device.buffer<std::uint32_t>("g", plan.high + 1);
  queue->fill(g, static_cast<std::uint32_t>(plan.size() + 1));
  queue->fill(g, 0, 0, 1);  // the empty sum
  const auto ranges = item_ranges(plan);
  Event before;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    if (i % items_between_looks == 0) {
      before.wait();  // so that the device is never far behind
      before = queue->record();
      watch.report("sweep", static_cast<double>(i) / static_cast<double>(plan.size()));
      if (watch.expired()) return found;
    }
    const auto first = std::max(ranges[i].first, plan.weights[i]);
    if (first > ranges[i].last) continue;
    const auto count = ranges[i].last - first + 1;
    queue->launch(take, clopt::Range::of_items(count), g, first, count, plan.weights[i],
                  static_cast<std::uint32_t>(i + 1));
    found.capacities_swept += count;
  }
  queue->finish();
  const auto sum = find_best(*queue, g, plan);
  if (!sum) throw InternalError("k1: the sweep reached no sum that is wanted");
  found.sum = *sum;
  found.positions = walk_back_on_device(device, *queue, walk, g, plan, found.sum);
  found.complete = true;
  found.launches = queue->counts().launches;
  return found;
}

}  // namespace clopt::subset_sum
