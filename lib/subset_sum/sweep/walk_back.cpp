#include "walk_back.hpp"
#include <clopt/error.hpp>
#include <device/verification/fault_detection.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace clopt::subset_sum {

std::optional<std::vector<std::uint32_t>> walk_back_on_device(Device& device, Queue& queue,
                                                              const Kernel<operations::WalkBack>& kernel,
                                                              const Buffer<const std::uint32_t>& g,
                                                              const ReducedProblem& reduced, std::uint64_t sum,
                                                              const Watch& watch) {
  const auto most = static_cast<std::uint32_t>(reduced.size());
  const auto weights = device.buffer<std::uint64_t>("weights", most);
  const auto items = device.buffer<std::uint32_t>("items taken", most);
  const auto count = device.buffer<std::uint32_t>("number of items taken", 1);
  const auto rest = device.buffer<std::uint64_t>("rest of the sum", 1);
  queue.write(weights, reduced.weights);
  queue.fill(count, 0);
  queue.fill(rest, sum);
  std::uint32_t taken = 0;
  for (auto left = sum; left != 0;) {
    if (watch.expired()) return std::nullopt;
    queue.launch(kernel, clopt::Range::of_items(1, 1),
                 {.first_item = g, .weights = weights, .items = items, .taken = count, .rest = rest, .most = most});
    read_twice(device, queue, count, std::span(&taken, 1));
    read_twice(device, queue, rest, std::span(&left, 1));
    queue.finish();
  }
  std::vector<std::uint32_t> positions(std::min(taken, most));
  read_twice(device, queue, items, std::span(positions));
  queue.finish();
  // Items count from 1.
  const bool are_items = taken <= most && std::all_of(positions.begin(), positions.end(),
                                                      [&](std::uint32_t item) { return item >= 1 && item <= most; });
  if (!are_items)
    throw DeviceError(
        fmt::format("subset-sum: the walk back from {} on {} meets an item that no sweep leaves there: a defect of the "
                    "device's driver or of clopt; run `clopt validate` to find out which",
                    sum, device.info().id));
  for (auto& position : positions) --position;
  return positions;
}

}  // namespace clopt::subset_sum
