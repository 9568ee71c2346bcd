/// \file
/// The search for the optimum in what a sweep left on a device.
#pragma once

#include <clopt/queue.hpp>
#include <subset_sum/plan.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace clopt::subset_sum {

/// The best sum of a plan, read part by part from the end where it lies.
/// \param capacities of one element of the buffer, whose first one begins at capacity 0.
/// \param reached tells from an element, and the number of a capacity in it, whether the capacity is reached.
template <class Element, class Reached>
std::optional<std::uint64_t> best_sum_on_device(Queue& queue, const Buffer<Element>& buffer, std::uint64_t capacities,
                                                const Plan& plan, const Reached& reached) {
  constexpr std::uint64_t read_together = std::uint64_t{1} << 16;
  const auto first = plan.low / capacities;
  const auto end = plan.high / capacities + 1;
  std::vector<Element> part;
  for (std::uint64_t done = 0; done < end - first; done += read_together) {
    const auto count = std::min(read_together, end - first - done);
    const auto begin = plan.complement ? first + done : end - done - count;
    part.resize(count);
    queue.read(buffer, std::span(part), begin);
    queue.finish();
    const Range sums{std::max(plan.low, begin * capacities), std::min(plan.high, (begin + count) * capacities - 1)};
    const auto best = best_sum(sums, plan.complement, [&](std::uint64_t capacity) {
      return reached(part[capacity / capacities - begin], capacity % capacities);
    });
    if (best) return best;
  }
  return std::nullopt;
}

/// The same for a bit vector.
template <class Word>
std::optional<std::uint64_t> best_bit_on_device(Queue& queue, const Buffer<Word>& vector, const Plan& plan) {
  return best_sum_on_device(queue, vector, 8 * sizeof(Word), plan,
                            [](Word word, std::uint64_t bit) { return (word >> bit & 1) != 0; });
}

}  // namespace clopt::subset_sum
