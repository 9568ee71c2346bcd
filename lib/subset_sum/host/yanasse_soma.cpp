#include "yanasse_soma.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <clopt/error.hpp>
#include <memory>
#include <span>

namespace clopt::subset_sum {
namespace {

constexpr Uint128 largest_vector = Uint128{4} << 30;
constexpr std::uint64_t combinations_between_looks = std::uint64_t{1} << 22;

// Fills the vector, whose pages the system gives now, which takes seconds. \returns whether the time sufficed.
bool fill(std::uint32_t* first, std::uint32_t* last, std::uint32_t value, const Watch& watch) {
  while (first != last && !watch.expired()) {
    const auto count = std::min<std::ptrdiff_t>(last - first, std::ptrdiff_t{combinations_between_looks});
    first = std::fill_n(first, count, value);
  }
  return first == last;
}

}  // namespace

Found yanasse_soma(const ReducedProblem& reduced, const Watch& watch) {
  const Uint128 bytes = (Uint128{reduced.high} + 1) * sizeof(std::uint32_t);
  if (bytes > largest_vector) {
    throw InvalidInput(fmt::format(
        "method yanasse-soma: the vector of {} capacities takes {} bytes, at most {} are allowed; use `method` auto",
        Uint128{reduced.high} + 1, bytes, largest_vector));
  }
  // Items count from 1 in g, as in the paper, and from 0 elsewhere.
  const auto n = static_cast<std::uint32_t>(reduced.size());
  const std::uint32_t none = n + 1;
  const auto vector = std::make_unique_for_overwrite<std::uint32_t[]>(reduced.high + 1);
  const std::span g(vector.get(), reduced.high + 1);
  if (!fill(g.data(), g.data() + g.size(), none, watch)) return {};
  // The empty sum, with which the single items are combinations like the others.
  g[0] = 0;

  // From capacity k, items [first, last) are worth adding: those before are too heavy for high, and those from `last`
  // on cannot reach low, not even all together. Both ends only grow with k.
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  Uint128 after = 0;  // w of the items from `last` on, all together
  for (const std::uint64_t weight : reduced.weights) after += weight;

  Found found;
  std::uint64_t since_look = combinations_between_looks;
  const std::uint64_t end = reduced.high - reduced.weights.back();
  for (std::uint64_t k = 0; k <= end; ++k) {
    if (since_look >= combinations_between_looks) {
      since_look = 0;
      watch.report("capacities", static_cast<double>(k) / static_cast<double>(reduced.high));
      if (watch.expired()) return found;
    }
    while (reduced.weights[first] > reduced.high - k) ++first;
    while (last < n && k + after >= reduced.low) after -= reduced.weights[last++];
    ++since_look;
    if (g[k] == none) continue;
    const std::uint32_t begin = std::max(g[k], first);
    if (begin >= last) continue;
    for (std::uint32_t i = begin; i < last; ++i) {
      std::uint32_t& item = g[k + reduced.weights[i]];
      item = std::min(item, i + 1);
    }
    found.capacities_swept += last - begin;
    since_look += last - begin;
  }

  const auto best = best_sum(reduced, [&](std::uint64_t capacity) { return g[capacity] != none; });
  if (!best) throw InternalError("method yanasse-soma: the bound of the trivial solution was not reached");
  found.sum = *best;
  found.positions = recover(
      reduced, [&](std::uint64_t capacity) { return g[capacity]; }, *best);
  found.complete = true;
  return found;
}

}  // namespace clopt::subset_sum
