#include "bellman.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <clopt/error.hpp>
#include <memory>

namespace clopt::subset_sum {
namespace {

constexpr Uint128 largest_table = Uint128{1} << 30;
constexpr std::uint64_t capacities_between_looks = std::uint64_t{1} << 20;

}  // namespace

Found bellman(const ReducedProblem& reduced, const Watch& watch) {
  const std::size_t n = reduced.size();
  const Uint128 bytes = (Uint128{n} + 1) * (Uint128{reduced.high} + 1) * sizeof(std::uint32_t);
  if (bytes > largest_table) {
    throw InvalidInput(
        fmt::format("method bellman: the table of {} items by {} capacities takes {} bytes, at most {} "
                    "are allowed; use `method` auto",
                    n, Uint128{reduced.high} + 1, bytes, largest_table));
  }
  const std::size_t width = reduced.high + 1;
  const auto table = std::make_unique_for_overwrite<std::uint32_t[]>((n + 1) * width);
  const auto row = [&](std::size_t i) { return table.get() + i * width; };
  std::fill_n(row(0), width, 0U);

  Found found;
  std::uint64_t since_look = 0;
  for (std::size_t i = 1; i <= n; ++i) {
    const auto weight = static_cast<std::uint32_t>(reduced.weights[i - 1]);
    const std::uint32_t* const before = row(i - 1);
    std::uint32_t* const after = row(i);
    std::copy_n(before, std::min<std::size_t>(weight, width), after);
    for (std::size_t k = weight; k < width; ++k) after[k] = std::max(before[k], before[k - weight] + weight);
    found.capacities_swept += width;
    since_look += width;
    if (since_look >= capacities_between_looks) {
      since_look = 0;
      watch.report("table", static_cast<double>(i) / static_cast<double>(n));
      if (watch.expired()) return found;
    }
  }

  const auto best = best_sum(reduced, [&](std::uint64_t capacity) { return row(n)[capacity] == capacity; });
  if (!best) throw InternalError("method bellman: the bound of the trivial solution was not reached");
  found.sum = *best;
  std::uint64_t left = *best;
  for (std::size_t i = n; i > 0; --i) {
    if (row(i - 1)[left] == left) continue;
    found.positions.push_back(static_cast<std::uint32_t>(i - 1));
    left -= reduced.weights[i - 1];
  }
  found.complete = true;
  return found;
}

}  // namespace clopt::subset_sum
