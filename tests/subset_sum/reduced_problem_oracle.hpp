/// \file
/// Random reduced problems of the shapes that break solvers, and their answers by trying all subsets.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <functional>

#include <subset_sum/reduction/reduced_problem.hpp>
#include "oracle.hpp"

namespace oracle {

inline const clopt::RunControl no_limits;

/// The subset as a number, of which bit i is item i.
inline std::uint32_t as_number(const clopt::subset_sum::Found& found) {
  std::uint32_t subset = 0;
  for (const std::uint32_t position : found.positions) subset |= 1U << position;
  return subset;
}

/// Items of the weights, the heaviest first.
inline std::vector<clopt::subset_sum::Item> as_items(Weights weights) {
  std::sort(weights.rbegin(), weights.rend());
  std::vector<clopt::subset_sum::Item> items;
  for (const std::uint64_t weight : weights) items.push_back({weight, static_cast<std::uint32_t>(items.size())});
  return items;
}

inline std::string text_of(const clopt::subset_sum::ReducedProblem& reduced) {
  return fmt::format("{} from {} to {}, weights {}", reduced.complement ? "least" : "largest", reduced.low,
                     reduced.high, fmt::join(reduced.weights, " "));
}

/// A reduced problem of one of the shapes that break solvers; some subset reaches its interval.
inline clopt::subset_sum::ReducedProblem random_reduced(std::mt19937_64& random, std::uint64_t most_items) {
  clopt::subset_sum::ReducedProblem reduced;
  std::uint64_t heaviest = draw(random, 1, 60);
  std::uint64_t unit = 1;
  std::uint64_t base = 0;
  std::uint64_t odd = 0;  // how many are no multiples of the unit
  switch (draw(random, 0, 6)) {
    case 0:  // hidden divisor
      unit = draw(random, 2, 9);
      odd = draw(random, 0, 2);
      break;
    case 1:  // equal weights
      heaviest = draw(random, 1, 3);
      unit = draw(random, 1, 30);
      break;
    case 2:  // all about the same
      base = draw(random, 20, 500);
      break;
    case 3: heaviest = draw(random, 100, 1000); break;
    default: break;
  }
  for (std::uint64_t n = draw(random, 1, most_items); n > 0; --n) {
    reduced.weights.push_back(base + unit * draw(random, 1, heaviest));
  }
  for (std::size_t i = 0; i < std::min<std::size_t>(odd, reduced.size()); ++i) ++reduced.weights[i];
  std::sort(reduced.weights.rbegin(), reduced.weights.rend());
  std::uint64_t some = 0;
  for (const std::uint64_t weight : reduced.weights) some += random() % 2 * weight;
  some = std::max(some, reduced.weights.front());
  const std::uint64_t spread = draw(random, 0, 2) == 0 ? 0 : draw(random, 0, unit * heaviest + base);
  reduced.complement = random() % 2 != 0;
  reduced.low = some > spread ? some - spread : 1;
  reduced.high = some + draw(random, 0, spread);
  return reduced;
}

/// The best sum in the reduced problem's interval by trying all subsets.
inline std::uint64_t best_of(const clopt::subset_sum::ReducedProblem& reduced) {
  Uint128 best = 0;
  std::vector<Uint128> sums{0};
  for (const std::uint64_t weight : reduced.weights) {
    const std::size_t before = sums.size();
    for (std::size_t i = 0; i < before; ++i) sums.push_back(sums[i] + weight);
  }
  for (const Uint128 sum : sums) {
    if (sum < reduced.low || sum > reduced.high) continue;
    if (best == 0 || (reduced.complement ? sum < best : sum > best)) best = sum;
  }
  return static_cast<std::uint64_t>(best);
}

/// Whether the positions are different items that sum up to what was found.
inline bool adds_up(const clopt::subset_sum::ReducedProblem& reduced, const clopt::subset_sum::Found& found) {
  const std::set<std::uint32_t> distinct(found.positions.begin(), found.positions.end());
  std::uint64_t sum = 0;
  for (const std::uint32_t position : distinct) sum += reduced.weights.at(position);
  return distinct.size() == found.positions.size() && sum == found.sum;
}

/// Calls a check with many reduced problems and the generator that drew them: of larger ones, and more, where launches
/// of the device are but calls.
template <class Check>
void for_many_on_device(bool launches_are_calls, const Check& check) {
  const std::uint64_t first = seed();
  std::mt19937_64 random(first);
  BOOST_TEST_CONTEXT("CLOPT_TEST_SEED=" << first)
  for (auto round = launches_are_calls ? rounds(1000, 60'000) : rounds(12, 2000); round > 0; --round)
    check(random_reduced(random, launches_are_calls ? 40 : 16), random);
}

/// Tries a method on many reduced problems.
inline void expect_optimum(
    const std::function<clopt::subset_sum::Found(const clopt::subset_sum::ReducedProblem&)>& method,
    std::uint64_t most_items = 12) {
  const std::uint64_t first = seed();
  std::mt19937_64 random(first);
  std::size_t below = 0;  // where the best possible sum is not reached
  for (std::size_t round = rounds(2000, 100'000); round > 0; --round) {
    const clopt::subset_sum::ReducedProblem reduced = random_reduced(random, most_items);
    const std::uint64_t best = best_of(reduced);
    BOOST_TEST_CONTEXT("CLOPT_TEST_SEED=" << first << ", " << text_of(reduced)) {
      const clopt::subset_sum::Found found = method(reduced);
      BOOST_REQUIRE(found.complete);
      BOOST_REQUIRE_EQUAL(found.sum, best);
      BOOST_REQUIRE(adds_up(reduced, found));
      below += reduced.is_best(best) ? 0 : 1;
    }
  }
  BOOST_TEST(below > 300U);
}

}  // namespace oracle
