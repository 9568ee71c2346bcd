#include <array>
#include <clopt/error.hpp>

#include <subset_sum/host/balsub.hpp>
#include <subset_sum/host/bbe.hpp>
#include <subset_sum/host/bit_sums.hpp>
#include <subset_sum/host/decomp.hpp>
#include <subset_sum/meet/four_lists.hpp>
#include <subset_sum/meet/meet_in_the_middle.hpp>
#include "reduced_problem_oracle.hpp"

// The methods of the host that are not in reduced_problems.cpp, against all subsets.
using namespace clopt::subset_sum;
using oracle::adds_up;
using oracle::as_number;
using oracle::best_of;
using oracle::draw;
using oracle::expect_optimum;
using oracle::no_limits;
using oracle::random_reduced;
using oracle::text_of;
using oracle::Weights;

namespace {

/// The subset that a walk back over g takes: of all with a sum, the least as a number when item i is bit i.
std::uint32_t first_subset(const ReducedProblem& reduced, std::uint64_t wanted) {
  for (std::uint32_t subset = 1;; ++subset) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < reduced.size(); ++i) sum += (subset >> i & 1) * reduced.weights[i];
    if (sum == wanted) return subset;
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(subset_sum_host_methods)

BOOST_AUTO_TEST_CASE(bbe_decides_whether_the_capacity_is_reached) {
  const std::uint64_t seed = oracle::seed();
  std::mt19937_64 random(seed);
  const clopt::Watch watch(no_limits);
  std::size_t reached = 0;
  std::size_t undecided = 0;
  for (std::size_t round = oracle::rounds(2000, 100'000); round > 0; --round) {
    const ReducedProblem reduced = random_reduced(random, 12);
    const std::uint64_t target = reduced.complement ? reduced.low : reduced.high;
    const std::uint64_t best = best_of(reduced);
    const Found found = bbe(reduced, watch);
    BOOST_TEST_CONTEXT("CLOPT_TEST_SEED=" << seed << ", " << text_of(reduced)) {
      BOOST_REQUIRE_EQUAL(found.complete, best == target);
      BOOST_REQUIRE_EQUAL(found.undecided.empty(), found.complete);
      if (!found.complete) {
        ++undecided;
        continue;
      }
      ++reached;
      BOOST_REQUIRE_EQUAL(found.sum, best);
      BOOST_REQUIRE_EQUAL(as_number(found), first_subset(reduced, best));
      BOOST_REQUIRE(adds_up(reduced, found));
    }
  }
  BOOST_TEST(reached > 300U);
  BOOST_TEST(undecided > 300U);
}

BOOST_AUTO_TEST_CASE(bbe_says_what_it_cannot_decide) {
  Options options;
  options.method = "bbe";
  options.reduce = false;
  const Instance short_of_it{{30, 20, 10, 44}, 55};
  const Result result = solve_with(short_of_it, options, oracle::sweeper());
  BOOST_TEST(!result.optimal);
  BOOST_TEST((result.ending == clopt::Ending::complete));
  BOOST_TEST(result.value == 54U);
  BOOST_TEST(result.method == "bbe");
  BOOST_TEST(result.reason.find("bbe cannot find") != std::string::npos);
  BOOST_TEST(check(short_of_it, result).empty());
  const Instance exact{{20, 14, 14, 13, 1}, 29};
  const Result whole = solve_with(exact, options, oracle::sweeper());
  BOOST_TEST(whole.optimal);
  BOOST_TEST(whole.value == 29U);
  BOOST_CHECK_THROW(bbe({{std::uint64_t{1} << 62, 5}, 1, std::uint64_t{1} << 62, false}, clopt::Watch(no_limits)),
                    clopt::InvalidInput);
}

BOOST_AUTO_TEST_CASE(balsub_finds_the_optimum) {
  expect_optimum([](const ReducedProblem& reduced) { return balsub(reduced, clopt::Watch(no_limits)); });
}

BOOST_AUTO_TEST_CASE(balsub_finds_the_subset_with_a_short_log) {
  // Each step's events pass the log's limit, so nearly every step is a segment of its own.
  BalsubMemory memory;
  for (const std::uint64_t events : {0U, 300U}) {
    memory.events = events;
    expect_optimum([&](const ReducedProblem& reduced) { return balsub(reduced, clopt::Watch(no_limits), memory); });
  }
}

BOOST_AUTO_TEST_CASE(balsub_holds_states_of_more_bytes) {
  // More items before the break item than 16 bits count: 3 is only reached by taking out 2 + 1 for it.
  ReducedProblem reduced{Weights(40'000, 5), 1, 40'000 * 5 - 2, false};
  reduced.weights.insert(reduced.weights.end(), {3, 3});
  const Found found = balsub(reduced, clopt::Watch(no_limits));
  BOOST_TEST(found.sum == 40'000 * 5 - 2U);
  BOOST_TEST(adds_up(reduced, found));
}

BOOST_AUTO_TEST_CASE(balsub_refuses_what_it_cannot_hold) {
  const clopt::Watch watch(no_limits);
  const std::uint64_t huge = std::uint64_t{1} << 62;
  BOOST_CHECK_THROW(balsub({{huge, huge - 5, 7}, 1, huge + 3, false}, watch), clopt::InvalidInput);
  BOOST_CHECK_THROW(balsub({{huge, huge - 5, 7}, 5, huge + 3, true}, watch), clopt::InvalidInput);
  BalsubMemory memory;
  memory.events = 0;
  memory.snapshots = 1;
  const ReducedProblem reduced{{10, 8, 8, 6, 6}, 1, 17, false};
  BOOST_CHECK_THROW(balsub(reduced, watch, memory), clopt::InvalidInput);
  // The break solution alone needs no states.
  BOOST_TEST(balsub({{huge, huge - 5, 7}, 1, huge, false}, watch).sum == huge);
  BOOST_TEST(balsub({{huge, huge - 5, 7}, 1, ~std::uint64_t{0} - 1, false}, watch).sum == 2 * huge + 2);
}

BOOST_AUTO_TEST_CASE(decomp_finds_the_optimum) {
  DecompMemory memory;
  // Bit vectors from the start, in the middle, and never.
  for (const std::uint64_t sparse : {std::uint64_t{1} << 20, std::uint64_t{32}, std::uint64_t{0}}) {
    memory.sparse = sparse;
    expect_optimum([&](const ReducedProblem& reduced) { return decomp(reduced, clopt::Watch(no_limits), memory); });
  }
  expect_optimum([](const ReducedProblem& reduced) { return decomp(reduced, clopt::Watch(no_limits)); });
}

BOOST_AUTO_TEST_CASE(decomp_refuses_what_it_cannot_hold) {
  const clopt::Watch watch(no_limits);
  ReducedProblem wide{{}, 1, ~std::uint64_t{0} >> 1, false};
  for (std::uint64_t i = 0; i < 40; ++i) wide.weights.push_back((std::uint64_t{1} << 60) - i * i * 1'234'567);
  DecompMemory memory;
  memory.each_list = 1000;
  BOOST_CHECK_THROW(decomp(wide, watch, memory), clopt::InvalidInput);
}

BOOST_AUTO_TEST_CASE(every_name_solves_instances) {
  const std::uint64_t seed = oracle::seed();
  std::mt19937_64 random(seed);
  Options options;
  std::size_t undecided = 0;
  for (std::size_t round = oracle::rounds(600, 20'000); round > 0; --round) {
    Instance instance;
    const std::uint64_t n = std::array<std::uint64_t, 4>{1, 7, 49, draw(random, 2, 40)}[draw(random, 0, 3)];
    const std::uint64_t heaviest = draw(random, 1, 400);
    const std::uint64_t unit = draw(random, 1, 3);
    std::uint64_t total = 0;
    for (std::uint64_t i = 0; i < n; ++i) {
      instance.weights.push_back(unit * draw(random, std::max<std::uint64_t>(heaviest / 2, 1), heaviest));
      total += instance.weights.back();
    }
    instance.capacity = std::array<std::uint64_t, 4>{draw(random, 0, total + 2), total / 2, total - 1,
                                                     instance.weights[0]}[draw(random, 0, 3)];
    const std::uint64_t best = oracle::best_sum(instance.weights, instance.capacity);
    for (const char* const method : {"bbe", "balsub", "decomp", "meet-in-the-middle"}) {
      for (const bool reduce : {true, false}) {
        options.method = method;
        options.reduce = reduce;
        const Result result = solve_with(instance, options, oracle::sweeper());
        BOOST_TEST_CONTEXT("CLOPT_TEST_SEED=" << seed << ", " << method << ", capacity " << instance.capacity
                                              << ", weights " << fmt::format("{}", fmt::join(instance.weights, " "))) {
          BOOST_REQUIRE_EQUAL(result.method, method);
          BOOST_REQUIRE(check(instance, result).empty());
          if (options.method == "bbe" && !result.optimal) {
            BOOST_REQUIRE(best < instance.capacity);
            BOOST_REQUIRE(result.value <= best);
            ++undecided;
            continue;
          }
          BOOST_REQUIRE(result.optimal);
          BOOST_REQUIRE_EQUAL(result.value, best);
        }
      }
    }
  }
  BOOST_TEST(undecided > 20U);
}

BOOST_AUTO_TEST_CASE(limits_end_every_method) {
  ReducedProblem reduced{{}, 1, 0, false};
  for (std::uint64_t i = 0; i < 30; ++i) reduced.weights.push_back(2 * (100'000 - 700 * i - i * i));
  reduced.high = 2'000'001;
  ReducedProblem huge = reduced;
  for (std::uint64_t& weight : huge.weights) weight <<= 30;
  huge.high <<= 30;
  clopt::RunControl control;
  control.time_limit = 0;
  const clopt::Watch watch(control);
  for (const Found& found :
       {bbe(reduced, watch), balsub(reduced, watch), decomp(reduced, watch),
        four_lists(huge, clopt::test::device(), watch), meet_in_the_middle(huge, clopt::test::device(), watch)}) {
    BOOST_TEST(!found.complete);
    BOOST_TEST(found.undecided.empty());
    BOOST_TEST(found.positions.empty());
  }
}

BOOST_AUTO_TEST_CASE(bit_sums_agree_with_the_sums_over_many_words) {
  const std::uint64_t seed = oracle::seed();
  BOOST_TEST_MESSAGE("CLOPT_TEST_SEED=" << seed);
  std::mt19937_64 random(seed);
  const clopt::Watch watch(no_limits);
  for (std::size_t round = oracle::rounds(60, 2000); round > 0; --round) {
    // Limits around the ends of words and of blocks, and weights that are whole words.
    const std::uint64_t limit =
        draw(random, 0, 1) == 0 ? 4096 * draw(random, 1, 4) - draw(random, 0, 2) : draw(random, 1, 20'000);
    BitSums sums(limit);
    Weights weights;
    std::vector<std::uint32_t> first(limit + 1, 99);
    first[0] = 0;
    for (std::uint32_t item = 1; item <= 40; ++item) {
      const std::uint64_t unit = draw(random, 0, 2) == 0 ? 64 : 1;
      const std::uint64_t weight =
          unit * draw(random, 1, std::max<std::uint64_t>(limit / unit / draw(random, 2, 50), 1));
      if (weight > limit) continue;
      const clopt::subset_sum::Range range{draw(random, 0, 1) == 0 ? weight : draw(random, weight, limit),
                                           limit - draw(random, 0, 1) * draw(random, 0, limit / 8)};
      for (std::uint64_t k = range.first; k <= range.last; ++k) {
        if (first[k] == 99 && first[k - weight] < item) first[k] = item;
      }
      weights.push_back(weight);
      BOOST_REQUIRE(sums.add_item(weight, range, watch));
      // Items that were left out have no row.
      for (std::uint32_t& each : first) {
        if (each == item) each = static_cast<std::uint32_t>(weights.size());
      }
      item = static_cast<std::uint32_t>(weights.size());
    }
    std::uint64_t count = 0;
    std::uint64_t next = sums.next(0).value();
    for (std::uint64_t k = 0; k <= limit; ++k) {
      const bool expected = first[k] != 99;
      count += expected ? 1 : 0;
      BOOST_REQUIRE_EQUAL(sums.reached(k), expected);
      BOOST_REQUIRE_EQUAL(sums.row_of(k).has_value(), expected && k != 0);
      if (!expected) continue;
      if (k != 0) BOOST_REQUIRE_EQUAL(*sums.row_of(k), first[k] - 1);
      BOOST_REQUIRE_EQUAL(next, k);
      next = sums.next(k + 1).value_or(0);
    }
    BOOST_TEST(sums.count() == count);
    BOOST_TEST(!sums.next(limit + 1));
  }
}

BOOST_AUTO_TEST_SUITE_END()
