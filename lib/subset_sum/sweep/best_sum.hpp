/// \file
/// The search for the optimum in what a sweep left on a device.
#pragma once

#include <device/verification/fault_detection.hpp>
#include <subset_sum/reduction/reduced_problem.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace clopt::subset_sum {

/// The largest sum of a range that is reached, or the smallest, read part by part from the end where it lies.
/// That none is better rests on what is read: it is read twice.
/// \param capacities of one element of the buffer, whose first one begins at capacity 0.
/// \param reached takes an element and the number of a capacity in it, and returns whether the capacity is reached.
template <class Element, class Reached>
std::optional<std::uint64_t> best_sum_on_device(const Device& device, Queue& queue, const Buffer<Element>& buffer,
                                                std::uint64_t capacities, const Range& sums, bool smallest,
                                                const Reached& reached) {
  constexpr std::uint64_t read_together = std::uint64_t{1} << 16;
  const auto first = sums.first / capacities;
  const auto end = sums.last / capacities + 1;
  std::vector<Element> part;
  for (std::uint64_t done = 0; done < end - first; done += read_together) {
    const auto count = std::min(read_together, end - first - done);
    const auto begin = smallest ? first + done : end - done - count;
    part.resize(count);
    read_twice(device, queue, buffer, std::span(part), begin);
    queue.finish();
    const Range within{std::max(sums.first, begin * capacities), std::min(sums.last, (begin + count) * capacities - 1)};
    const auto best = best_sum(within, smallest, [&](std::uint64_t capacity) {
      return reached(part[capacity / capacities - begin], capacity % capacities);
    });
    if (best) return best;
  }
  return std::nullopt;
}

/// The same for a bit vector.
template <class Word>
std::optional<std::uint64_t> best_bit_on_device(const Device& device, Queue& queue, const Buffer<Word>& vector,
                                                const Range& sums, bool smallest) {
  return best_sum_on_device(device, queue, vector, 8 * sizeof(Word), sums, smallest,
                            [](Word word, std::uint64_t bit) { return (word >> bit & 1) != 0; });
}

}  // namespace clopt::subset_sum
