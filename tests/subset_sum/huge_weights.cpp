#include <subset_sum/host/decomp.hpp>
#include <subset_sum/meet/four_lists.hpp>
#include <subset_sum/meet/meet_in_the_middle.hpp>
#include <subset_sum/meet/value_filter.hpp>
#include "reduced_problem_oracle.hpp"

// The methods that take weights of any size.
using namespace clopt::subset_sum;
using oracle::adds_up;
using oracle::best_of;
using oracle::draw;
using oracle::expect_optimum;
using oracle::no_limits;
using oracle::text_of;

namespace {

/// four_lists on OpenMP's device, with slices of about that many sums.
Found four_lists_by(std::uint32_t sums_a_slice, const ReducedProblem& reduced) {
  FourListsShape shape = four_lists_shape(clopt::test::device());
  shape.sums_a_slice = sums_a_slice;
  return four_lists(reduced, clopt::test::device(), clopt::Watch(no_limits), shape);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(subset_sum_huge_weights)

BOOST_AUTO_TEST_CASE(four_lists_find_the_optimum) {
  for (const std::uint32_t sums : {1U, 10U, 1U << 10}) {
    expect_optimum([&](const ReducedProblem& reduced) { return four_lists_by(sums, reduced); });
  }
}

BOOST_AUTO_TEST_CASE(huge_weights) {
  const std::uint64_t seed = oracle::seed();
  std::mt19937_64 random(seed);
  const clopt::Watch watch(no_limits);
  std::size_t below = 0;
  for (std::size_t round = oracle::rounds(2000, 100'000); round > 0; --round) {
    ReducedProblem reduced;
    reduced.complement = random() % 2 != 0;
    const std::uint64_t n = draw(random, 1, 11);
    // The weights of a complement's reduced problem sum up to less than 2^64; the others are below 2^63 each.
    const std::uint64_t base = draw(random, 0, 1) == 0 ? 0
                               : reduced.complement    ? (1ULL << 63) / n
                                                       : (1ULL << 63) - 1000;
    const std::uint64_t spread = draw(random, 0, 1) == 0 ? 900 : reduced.complement ? (1ULL << 62) / n : 1ULL << 61;
    for (std::uint64_t i = 0; i < n; ++i) {
      const std::uint64_t part = draw(random, 1, spread);
      reduced.weights.push_back(base < spread || base + part < 1ULL << 63 ? base + part : base - part);
    }
    std::sort(reduced.weights.rbegin(), reduced.weights.rend());
    std::vector<oracle::Uint128> sums{0};
    for (const std::uint64_t weight : reduced.weights) {
      const std::size_t before = sums.size();
      for (std::size_t i = 0; i < before; ++i) sums.push_back(sums[i] + weight);
    }
    std::sort(sums.begin(), sums.end());
    const oracle::Uint128 most = reduced.complement ? sums.back() : oracle::Uint128{1ULL << 63} - 1;
    const auto place = std::upper_bound(sums.begin(), sums.end(), most) - sums.begin();
    const auto some = static_cast<std::uint64_t>(sums[draw(random, 1, static_cast<std::uint64_t>(place) - 1)]);
    const std::uint64_t gap = random() % 4 == 0 ? 0 : draw(random, 0, spread);
    reduced.low = some - std::min(some - 1, draw(random, 0, gap));
    reduced.high = static_cast<std::uint64_t>(std::min<oracle::Uint128>(oracle::Uint128{some} + gap, most));
    reduced.weights.erase(reduced.weights.begin(),
                          std::find_if(reduced.weights.begin(), reduced.weights.end(),
                                       [&](std::uint64_t weight) { return weight <= reduced.high; }));
    const std::uint64_t best = best_of(reduced);
    below += reduced.is_best(best) ? 0 : 1;
    BOOST_TEST_CONTEXT("CLOPT_TEST_SEED=" << seed << ", " << text_of(reduced)) {
      for (const Found& found : {decomp(reduced, watch), four_lists_by(16, reduced), four_lists_by(1, reduced)}) {
        BOOST_REQUIRE(found.complete);
        BOOST_REQUIRE_EQUAL(found.sum, best);
        BOOST_REQUIRE(adds_up(reduced, found));
      }
    }
  }
  BOOST_TEST(below > 300U);
}

BOOST_AUTO_TEST_CASE(the_filter_keeps_every_partner) {
  std::mt19937_64 random(oracle::seed());
  ValueFilter filter;
  std::size_t dropped = 0;
  for (std::size_t round = oracle::rounds(500, 20'000); round > 0; --round) {
    const std::uint64_t span = std::uint64_t{1} << draw(random, 0, 62);
    const std::uint64_t width =
        draw(random, 0, 3) == 0 ? draw(random, 0, ~std::uint64_t{0} - 1) : draw(random, 0, span) >> draw(random, 0, 40);
    const std::size_t values = draw(random, 1, 100);
    std::vector<std::uint64_t> xs;
    std::vector<std::uint64_t> us;
    for (std::size_t i = 0; i < values; ++i) {
      const std::uint64_t most = std::min(width, span - 1);
      xs.push_back(draw(random, 0, span - 1 - most));
      // Partners as far away as they may be are the ones that get lost.
      us.push_back(xs.back() + (random() % 2 == 0 ? most : draw(random, 0, most)));
    }
    filter.reset(values, width, span);
    for (const std::uint64_t x : xs) filter.mark_x(x);
    for (const std::uint64_t u : us) BOOST_REQUIRE(filter.may_have_x(u));
    for (std::size_t i = 0; i < 100; ++i) dropped += filter.may_have_x(draw(random, 0, span - 1)) ? 0 : 1;
    filter.reset(values, width, span);
    for (const std::uint64_t u : us) filter.mark_u(u);
    for (const std::uint64_t x : xs) BOOST_REQUIRE(filter.may_have_u(x));
  }
  BOOST_TEST(dropped > 1000U);
}

BOOST_AUTO_TEST_CASE(four_lists_agree_with_two) {
  std::mt19937_64 random(oracle::seed());
  const clopt::Watch watch(no_limits);
  for (std::size_t round = oracle::rounds(12, 300); round > 0; --round) {
    ReducedProblem reduced;
    std::uint64_t total = 0;
    const std::uint64_t unit = draw(random, 1, 2) == 1 ? 1 : draw(random, 2, 1000);
    for (std::uint64_t n = draw(random, 26, 31); n > 0; --n) {
      reduced.weights.push_back(unit * draw(random, 1, 6'000'000'000 / unit));
      total += reduced.weights.back();
    }
    std::sort(reduced.weights.rbegin(), reduced.weights.rend());
    reduced.complement = random() % 2 != 0;
    // About the middle of all sums, with as good a bound as the trivial solution's, and with none.
    reduced.low = total / 2 - draw(random, 0, 1) * (reduced.weights.back() + 1);
    reduced.high = total / 2 + 2 * reduced.weights[0];
    if (!reduced.complement) reduced.high = std::max(total / 2 + reduced.weights.back(), reduced.weights[0]);
    const Found two = meet_in_the_middle(reduced, clopt::test::device(), watch);
    for (const std::uint32_t sums : {100U, 4096U, 1U << 18}) {
      const Found four = four_lists_by(sums, reduced);
      BOOST_REQUIRE_EQUAL(four.sum, two.sum);
      BOOST_REQUIRE(adds_up(reduced, four));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
