/// \file
/// Slow answers that share no code with the library, and a plain sweep over the paper's recursion.
#pragma once

#include <clopt/subset_sum.hpp>
#include <cstdlib>
#include <random>
#include <set>
#include <string>
#include <support/device.hpp>
#include <vector>

#include <subset_sum/meet/meet_in_the_middle.hpp>
#include <subset_sum/run/run.hpp>

namespace oracle {

using Weights = std::vector<std::uint64_t>;
__extension__ typedef unsigned __int128 Uint128;

/// The largest sum of any of the 2^n subsets that is at most the capacity. For n up to about 20.
inline std::uint64_t best_of_all_subsets(const Weights& weights, std::uint64_t capacity) {
  std::vector<Uint128> sums{0};
  for (const std::uint64_t weight : weights) {
    const std::size_t before = sums.size();
    for (std::size_t i = 0; i < before; ++i) sums.push_back(sums[i] + weight);
  }
  Uint128 best = 0;
  for (const Uint128 sum : sums) {
    if (sum <= capacity && sum > best) best = sum;
  }
  return static_cast<std::uint64_t>(best);
}

/// The largest sum of a subset that is at most the capacity, from a table of all sums (Bellman 1957).
inline std::uint64_t best_sum(const Weights& weights, std::uint64_t capacity) {
  std::vector<char> reached(capacity + 1);
  reached[0] = 1;
  for (const std::uint64_t weight : weights)
    for (std::uint64_t sum = capacity; sum >= weight && sum <= capacity; --sum)
      if (reached[sum - weight]) reached[sum] = 1;
  while (!reached[capacity]) --capacity;
  return capacity;
}

/// All reachable sums up to a limit; for small limits.
inline std::set<std::uint64_t> reachable_sums(const Weights& weights, std::uint64_t limit) {
  std::set<std::uint64_t> sums{0};
  for (const std::uint64_t weight : weights) {
    std::set<std::uint64_t> more;
    for (const std::uint64_t sum : sums) {
      if (sum <= limit && weight <= limit - sum) more.insert(sum + weight);
    }
    sums.merge(more);
  }
  return sums;
}

/// How often the sweep below was asked.
inline std::size_t sweeps = 0;

/// Chapter 3.5.1 as written (algorithm 11), within the ranges of a reduced problem; but for the one method on a device
/// that is no sweep.
inline clopt::subset_sum::Found sweep(const clopt::subset_sum::ReducedProblem& reduced,
                                      clopt::subset_sum::Method method, const clopt::Watch& watch) {
  if (method == clopt::subset_sum::Method::meet_in_the_middle) {
    return clopt::subset_sum::meet_in_the_middle(reduced, clopt::test::device(), watch);
  }
  if (method == clopt::subset_sum::Method::sparse) throw clopt::InvalidInput("the oracle keeps no list");
  ++sweeps;
  const auto none = static_cast<std::uint32_t>(reduced.size() + 1);
  std::vector<std::uint32_t> g(reduced.high + 1, none);
  const auto ranges = item_ranges(reduced);
  clopt::subset_sum::Found found;
  for (std::uint32_t i = 1; i < none; ++i) {
    const std::uint64_t weight = reduced.weights[i - 1];
    for (std::uint64_t k = ranges[i - 1].first; k <= ranges[i - 1].last; ++k) {
      if (g[k] > i && (k == weight || g[k - weight] < i)) g[k] = i;
    }
    found.capacities_swept += ranges[i - 1].size();
  }
  const auto best = best_sum(reduced, [&](std::uint64_t k) { return g[k] != none; });
  found.sum = best.value();
  found.positions = recover(reduced, g, found.sum);
  found.complete = true;
  return found;
}

inline clopt::subset_sum::Sweeper sweeper(std::uint64_t memory_bytes = std::uint64_t{1} << 26) {
  return {sweep, [memory_bytes] {
            clopt::subset_sum::Resources resources{{memory_bytes, std::uint64_t{1} << 34}, {}};
            resources.speeds.sweeps["k3-32"] = {0, 0, 0, 1e9};
            return resources;
          }};
}

/// Instances to draw: CLOPT_TEST_LONG=1 asks for many more.
inline std::size_t rounds(std::size_t ordinary, std::size_t many) {
  const char* const wanted = std::getenv("CLOPT_TEST_LONG");
  return wanted != nullptr && std::string(wanted) == "1" ? many : ordinary;
}

/// A fresh seed for each run, so that runs add up; CLOPT_TEST_SEED repeats one.
inline std::uint64_t seed() {
  const char* const wanted = std::getenv("CLOPT_TEST_SEED");
  return wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : std::random_device{}();
}

/// A number from low to high, both included.
inline std::uint64_t draw(std::mt19937_64& random, std::uint64_t low, std::uint64_t high) {
  return std::uniform_int_distribution<std::uint64_t>(low, high)(random);
}

/// \p count weights from 1 to \p largest.
inline std::vector<std::uint64_t> random_weights(std::mt19937_64& random, std::size_t count, std::uint64_t largest) {
  std::vector<std::uint64_t> weights(count);
  for (auto& weight : weights) weight = 1 + random() % largest;
  return weights;
}

}  // namespace oracle
