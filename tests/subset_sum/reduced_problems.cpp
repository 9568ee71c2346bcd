#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <clopt/error.hpp>

#include <subset_sum/host/bellman.hpp>
#include <subset_sum/host/yanasse_soma.hpp>
#include <subset_sum/meet/meet_in_the_middle.hpp>
#include <subset_sum/reduction/certificate.hpp>
#include <subset_sum/reduction/items.hpp>
#include <subset_sum/reduction/near_divisor.hpp>
#include "reduced_problem_oracle.hpp"

using namespace clopt::subset_sum;
using oracle::as_items;
using oracle::as_number;
using oracle::draw;
using oracle::no_limits;
using oracle::Weights;

namespace {

ReducedProblem small_reduced(std::mt19937_64& random) {
  ReducedProblem reduced;
  const std::uint64_t heaviest = draw(random, 1, 60);
  for (std::uint64_t n = draw(random, 1, 12); n > 0; --n) reduced.weights.push_back(draw(random, 1, heaviest));
  std::sort(reduced.weights.rbegin(), reduced.weights.rend());
  // An interval that some subset reaches, as a reduced problem promises.
  std::uint64_t some = 0;
  for (const std::uint64_t weight : reduced.weights) some += random() % 2 * weight;
  some = std::max(some, reduced.weights.front());
  reduced.complement = random() % 2 != 0;
  reduced.low = draw(random, 1, some);
  reduced.high = draw(random, some, some + heaviest);
  return reduced;
}

/// The subset that chapter 3.5.1 walks back to, by its meaning: the best sum's subset whose number is the least when
/// item i is bit i.
std::uint32_t first_best_subset(const ReducedProblem& reduced) {
  std::uint64_t best_sum = 0;
  std::uint32_t best = 0;
  for (std::uint32_t subset = 1; subset < 1U << reduced.size(); ++subset) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < reduced.size(); ++i) sum += (subset >> i & 1) * reduced.weights[i];
    if (sum < reduced.low || sum > reduced.high) continue;
    if (best == 0 || (reduced.complement ? sum < best_sum : sum > best_sum)) {
      best_sum = sum;
      best = subset;
    }
  }
  return best;
}

bool adds_up(const std::vector<Item>& items, const std::vector<std::uint32_t>& positions, std::uint64_t target) {
  const std::set<std::uint32_t> distinct(positions.begin(), positions.end());
  std::uint64_t sum = 0;
  for (const std::uint32_t position : distinct) sum += items.at(position).weight;
  return distinct.size() == positions.size() && sum == target;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(subset_sum_reduced_problems)

BOOST_AUTO_TEST_CASE(every_method_takes_the_same_subset) {
  const std::uint64_t seed = oracle::seed();
  BOOST_TEST_MESSAGE("CLOPT_TEST_SEED=" << seed);
  BOOST_TEST_CONTEXT("CLOPT_TEST_SEED=" << seed) {
    std::mt19937_64 random(seed);
    const clopt::Watch watch(no_limits);
    for (std::size_t round = oracle::rounds(1000, 50'000); round > 0; --round) {
      const ReducedProblem reduced = small_reduced(random);
      const std::uint32_t expected = first_best_subset(reduced);
      for (const Found& found :
           {oracle::sweep(reduced, Method::k1, watch), bellman(reduced, watch),
            meet_in_the_middle(reduced, clopt::test::device(), watch), yanasse_soma(reduced, watch)}) {
        BOOST_REQUIRE(found.complete);
        BOOST_REQUIRE_EQUAL(as_number(found), expected);
        BOOST_REQUIRE_EQUAL(found.positions.size(), static_cast<std::size_t>(__builtin_popcount(expected)));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(yanasse_and_soma_keep_to_the_capacities_that_matter) {
  const clopt::Watch watch(no_limits);
  const Found found = yanasse_soma({{9, 7, 5, 3}, 17, 20, false}, watch);
  BOOST_TEST(found.sum == 19U);  // 9 + 7 + 3
  BOOST_TEST(as_number(found) == 0b1011U);
  BOOST_TEST(found.capacities_swept <= 1U + 8 + 7 + 4);
  // One item; and a reduced problem whose capacities do not fit.
  BOOST_TEST(yanasse_soma({{5}, 1, 5, false}, watch).sum == 5U);
  BOOST_CHECK_THROW(yanasse_soma({{5, 3}, 1, std::uint64_t{1} << 40, false}, watch), clopt::InvalidInput);
  clopt::RunControl none_left;
  none_left.time_limit = 0;
  std::vector<std::uint64_t> weights;
  for (std::uint64_t i = 100; i-- > 0;) weights.push_back(100'000 + 7 * i);
  BOOST_TEST(!yanasse_soma({weights, 4'000'000, 5'000'000, false}, clopt::Watch(none_left)).complete);
}

BOOST_AUTO_TEST_CASE(ranges_are_the_paper_s) {
  // By hand: weights 9 7 5 3, [17, 20]; later items weigh 15 8 3 0.
  const ReducedProblem reduced{{9, 7, 5, 3}, 17, 20, false};
  const auto ranges = item_ranges(reduced);
  const std::vector<std::pair<std::uint64_t, std::uint64_t>> expected{{9, 9}, {9, 16}, {14, 20}, {17, 20}};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    BOOST_TEST(ranges[i].first == expected[i].first);
    BOOST_TEST(ranges[i].last == expected[i].second);
  }
  BOOST_CHECK(capacities_to_sweep(reduced) == 1U + 8 + 7 + 4);
}

BOOST_AUTO_TEST_CASE(a_broken_g_is_noticed) {
  const ReducedProblem reduced{{5, 3, 2}, 1, 10, false};
  std::vector<std::uint32_t> g(11, 4);
  g[5] = 1;
  g[8] = 2;
  BOOST_TEST(recover(reduced, g, 8) == (std::vector<std::uint32_t>{1, 0}), boost::test_tools::per_element());
  BOOST_CHECK_THROW(recover(reduced, g, 9), clopt::InternalError);  // not reached
  g[2] = 3;
  g[4] = 3;
  BOOST_CHECK_THROW(recover(reduced, g, 4), clopt::InternalError);  // takes item 3 twice
  g[4] = 1;
  BOOST_CHECK_THROW(recover(reduced, g, 4), clopt::InternalError);  // heavier than the sum
  g[4] = 0;
  BOOST_CHECK_THROW(recover(reduced, g, 4), clopt::InternalError);
}

BOOST_AUTO_TEST_CASE(items_sort_heaviest_first_and_equal_ones_by_index) {
  std::mt19937_64 random(1);
  for (const std::size_t n : {1U, 2U, 100U, 511U, 512U, 513U, 5000U}) {
    for (const std::uint64_t heaviest :
         {std::uint64_t{1}, std::uint64_t{30}, std::uint64_t{1} << 22, ~std::uint64_t{0} >> 1}) {
      std::vector<Item> items;
      for (std::uint32_t i = 0; i < n; ++i) items.push_back({draw(random, 1, heaviest), i});
      std::vector<Item> expected = items;
      std::stable_sort(expected.begin(), expected.end(), [](Item a, Item b) { return a.weight > b.weight; });
      sort_descending(items);
      BOOST_TEST(std::equal(items.begin(), items.end(), expected.begin(), expected.end(),
                            [](Item a, Item b) { return a.weight == b.weight && a.index == b.index; }));
    }
  }
}

BOOST_AUTO_TEST_CASE(interval_certificate_agrees_with_the_sums) {
  const std::uint64_t seed = oracle::seed();
  BOOST_TEST_MESSAGE("CLOPT_TEST_SEED=" << seed);
  std::mt19937_64 random(seed);
  std::size_t reachable = 0;
  std::size_t decided = 0;
  for (std::size_t round = oracle::rounds(100, 3000); round > 0; --round) {
    const std::uint64_t heaviest = draw(random, 1, 150);
    Weights weights(draw(random, 1, 30));
    for (std::uint64_t& weight : weights) weight = draw(random, 1, heaviest);
    const auto items = as_items(weights);
    std::uint64_t total = 0;
    for (const std::uint64_t weight : weights) total += weight;
    const auto sums = oracle::reachable_sums(weights, total);
    for (std::uint64_t target = 1; target <= total; ++target) {
      const auto positions = reach_by_interval(items, target);
      reachable += sums.contains(target) ? 1 : 0;
      if (!positions) continue;
      ++decided;
      BOOST_REQUIRE_MESSAGE(sums.contains(target), "CLOPT_TEST_SEED=" << seed);
      BOOST_REQUIRE_MESSAGE(adds_up(items, *positions, target), "CLOPT_TEST_SEED=" << seed);
    }
  }
  // So few sums are always held as a whole.
  BOOST_TEST(decided == reachable);
}

BOOST_AUTO_TEST_CASE(interval_certificate_carries_large_sums) {
  // Dense light items, then heavier ones that each lengthen the run: doubling up to 2^40.
  Weights weights(64, 1);
  for (int bit = 5; bit < 41; ++bit) weights.push_back(std::uint64_t{1} << bit);
  const auto items = as_items(weights);
  for (const std::uint64_t target :
       {std::uint64_t{1}, std::uint64_t{95}, (std::uint64_t{1} << 40) + 12345, std::uint64_t{777'777'777'777}}) {
    const auto positions = reach_by_interval(items, target);
    BOOST_REQUIRE(positions);
    BOOST_TEST(adds_up(items, *positions, target));
  }
  // A gap: 2 and heavier even numbers never make an odd sum.
  BOOST_TEST(!reach_by_interval(as_items(Weights(100, 2)), 51));
  BOOST_TEST(!reach_by_interval(as_items({1, 3}), 2));
}

BOOST_AUTO_TEST_CASE(near_divisors_agree_with_the_sums) {
  const std::uint64_t seed = oracle::seed();
  std::mt19937_64 random(seed);
  std::size_t decided = 0;
  std::size_t short_of_capacity = 0;
  for (std::size_t round = oracle::rounds(1000, 30'000); round > 0; --round) {
    const std::uint64_t divisor = draw(random, 2, 12);
    Weights weights;
    for (std::uint64_t n = draw(random, 2, 14); n > 0; --n) weights.push_back(divisor * draw(random, 1, 12));
    for (std::uint64_t n = draw(random, 0, 3); n > 0; --n) weights.push_back(draw(random, 1, 100));
    SortedProblem problem;
    problem.items = as_items(weights);
    problem.total = total_weight(problem.items);
    problem.capacity = draw(random, problem.items[0].weight, static_cast<std::uint64_t>(problem.total));
    const auto answer = solve_by_near_divisor(problem);
    if (!answer) continue;
    ++decided;
    const std::uint64_t best = oracle::best_sum(weights, problem.capacity);
    BOOST_REQUIRE_MESSAGE(answer->selection.sum == best, "CLOPT_TEST_SEED=" << seed);
    BOOST_REQUIRE_MESSAGE(adds_up(problem.items, answer->selection.positions, best), "CLOPT_TEST_SEED=" << seed);
    short_of_capacity += best < problem.capacity ? 1 : 0;
  }
  BOOST_TEST(decided > 300U);
  BOOST_TEST(short_of_capacity > 100U);
}

BOOST_AUTO_TEST_CASE(methods_refuse_what_they_cannot_hold) {
  const clopt::Watch watch(no_limits);
  const ReducedProblem tall{Weights(10, 1'000'000'000), 1, 5'000'000'000, false};
  BOOST_CHECK_THROW(bellman(tall, watch), clopt::InvalidInput);
  ReducedProblem wide{{}, 1, ~std::uint64_t{0} >> 1, false};
  for (std::uint64_t i = 0; i < 70; ++i) wide.weights.push_back((std::uint64_t{1} << 50) - i * i);
  BOOST_CHECK_THROW(meet_in_the_middle(wide, clopt::test::device(), watch), clopt::InvalidInput);
  wide.weights.resize(60);
  BOOST_CHECK(meet_in_the_middle_need(wide).sums == clopt::Uint128{2} << 30);
  BOOST_CHECK(meet_in_the_middle_need(wide).bytes < 64U << 20);
  // Sums that could be swept are listed as a whole, for the subset that a sweep gives.
  ReducedProblem low{{}, 1, std::uint64_t{1} << 37, false};
  for (std::uint64_t i = 0; i < 60; ++i) low.weights.push_back((std::uint64_t{1} << 36) - i * i);
  BOOST_CHECK_THROW(meet_in_the_middle(low, clopt::test::device(), watch), clopt::InvalidInput);
  // 64 items are held where their sums are few.
  const ReducedProblem few{Weights(64, 7), 1, 100, false};
  const Found found = meet_in_the_middle(few, clopt::test::device(), watch);
  BOOST_TEST(found.sum == 98U);
  BOOST_TEST(found.positions.size() == 14U);
}

BOOST_AUTO_TEST_SUITE_END()
