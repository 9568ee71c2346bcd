#include <boost/test/unit_test.hpp>

#include <clopt/error.hpp>
#include <clopt/subset_sum.hpp>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <device/solver_devices.hpp>
#include <subset_sum/knapsack/core_search.hpp>
#include <subset_sum/knapsack/number_bound.hpp>
#include <subset_sum/knapsack/profit_sweep.hpp>
#include <subset_sum/run/knapsack_run.hpp>
#include <support/failing_device.hpp>
#include "oracle.hpp"

// The 0-1 knapsack, against tables of all capacities and all subsets.
using namespace clopt::subset_sum;
using oracle::draw;

namespace {

/// The most profit within the capacity by a table of all capacities (Bellman 1957), one cell after the other.
std::int64_t most_profit(const Amounts& knapsack) {
  std::vector<std::int64_t> most(static_cast<std::size_t>(knapsack.capacity) + 1);
  for (std::size_t i = 0; i < knapsack.numbers.size(); ++i)
    for (auto k = knapsack.capacity; k >= knapsack.numbers[i]; --k)
      most[static_cast<std::size_t>(k)] =
          std::max(most[static_cast<std::size_t>(k)],
                   most[static_cast<std::size_t>(k - knapsack.numbers[i])] + knapsack.profits[i]);
  return most.back();
}

/// The same of all 2^n subsets, for numbers of any size.
std::int64_t most_of_all_subsets(const Amounts& knapsack) {
  std::int64_t most = 0;
  for (std::uint32_t subset = 0; subset < 1U << knapsack.numbers.size(); ++subset) {
    std::int64_t weight = 0;
    std::int64_t profit = 0;
    for (std::size_t i = 0; i < knapsack.numbers.size(); ++i) {
      if ((subset >> i & 1) == 0) continue;
      weight += knapsack.numbers[i];
      profit += knapsack.profits[i];
    }
    if (weight <= knapsack.capacity) most = std::max(most, profit);
  }
  return most;
}

/// Profits of a kind beside weights: uncorrelated, weakly, strongly and inversely correlated, in proportion, and equal
/// ones; some of the weights and profits are 0.
Amounts draw_knapsack(std::mt19937_64& random, std::size_t n, std::int64_t bound) {
  Amounts knapsack;
  const auto kind = draw(random, 0, 5);
  const auto up_to = [&](std::int64_t most) {
    return static_cast<std::int64_t>(draw(random, 0, static_cast<std::uint64_t>(most)));
  };
  for (std::size_t i = 0; i < n; ++i) {
    auto weight = 1 + up_to(bound - 1);
    auto profit = kind == 0   ? up_to(bound)
                  : kind == 1 ? weight + up_to(bound / 5)
                  : kind == 2 ? weight + bound / 10
                  : kind == 3 ? weight
                  : kind == 4 ? 3 * weight
                              : bound;
    if (kind == 3) weight += bound / 10;
    if (draw(random, 0, 19) == 0) weight = 0;
    if (draw(random, 0, 19) == 0) profit = 0;
    knapsack.numbers.push_back(weight);
    knapsack.profits.push_back(profit);
  }
  knapsack.capacity = up_to(std::accumulate(knapsack.numbers.begin(), knapsack.numbers.end(), std::int64_t{0}));
  return knapsack;
}

void expect_packing(const Amounts& knapsack, const AmountsResult& result) {
  std::int64_t weight = 0;
  std::int64_t profit = 0;
  for (const auto index : result.indices) {
    weight += knapsack.numbers.at(index);
    profit += knapsack.profits.at(index);
  }
  BOOST_TEST(std::is_sorted(result.indices.begin(), result.indices.end(), std::less_equal<>()));
  BOOST_TEST(weight == result.value);
  BOOST_TEST(weight <= knapsack.capacity);
  BOOST_TEST(profit == result.profit);
}

AmountsResult solve_by(const Amounts& knapsack, const char* method, bool reduce = true) {
  Options options;
  options.method = method;
  options.reduce = reduce;
  return solve(knapsack, options, clopt::test::device());
}

/// By the rate of profit, and not all fit: what the methods take.
Knapsack sorted(const Amounts& amounts) {
  Knapsack knapsack{{}, static_cast<std::uint64_t>(amounts.capacity)};
  for (std::uint32_t i = 0; i < amounts.numbers.size(); ++i)
    if (amounts.numbers[i] > 0 && amounts.numbers[i] <= amounts.capacity && amounts.profits[i] > 0)
      knapsack.items.push_back(
          {static_cast<std::uint64_t>(amounts.numbers[i]), static_cast<std::uint64_t>(amounts.profits[i]), i});
  std::stable_sort(knapsack.items.begin(), knapsack.items.end(),
                   [](const ProfitItem& a, const ProfitItem& b) { return a.profit * b.weight > b.profit * a.weight; });
  return knapsack;
}

bool fits_whole(const Knapsack& knapsack) {
  std::uint64_t weight = 0;
  for (const auto& item : knapsack.items) weight += item.weight;
  return weight <= knapsack.capacity;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(subset_sum_knapsack)

BOOST_AUTO_TEST_CASE(profit_is_that_of_a_table) {
  const auto seed = oracle::seed();
  BOOST_TEST_MESSAGE("seed " << seed);
  std::mt19937_64 random(seed);
  for (auto round = clopt::test::rounds(200, 3); round > 0; --round) {
    for (const std::size_t n : {1U, 2U, 7U, 16U, 49U}) {
      const auto knapsack = draw_knapsack(random, n, 1 + static_cast<std::int64_t>(draw(random, 1, 120)));
      BOOST_TEST_CONTEXT("seed " << seed << ", " << n << " items, capacity " << knapsack.capacity) {
        const auto most = most_profit(knapsack);
        for (const auto* method : {"auto", "k1"}) {
          for (const bool reduce : {true, false}) {
            const auto result = solve_by(knapsack, method, reduce);
            expect_packing(knapsack, result);
            BOOST_TEST(result.profit == most);
            BOOST_TEST(result.run.optimal);
          }
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(numbers_may_have_all_their_bits) {
  const auto seed = oracle::seed();
  std::mt19937_64 random(seed);
  for (auto round = clopt::test::rounds(100, 2); round > 0; --round) {
    const auto knapsack = draw_knapsack(random, 12, std::numeric_limits<std::int64_t>::max() / 48);
    BOOST_TEST_CONTEXT("seed " << seed) {
      const auto result = solve_by(knapsack, "auto");
      expect_packing(knapsack, result);
      BOOST_TEST(result.profit == most_of_all_subsets(knapsack));
    }
  }
}

// No packing with more than a known profit breaks the constraint, or has more than the bound.
BOOST_AUTO_TEST_CASE(number_bound_leaves_all_better_packings) {
  const auto seed = oracle::seed();
  BOOST_TEST_MESSAGE("seed " << seed);
  std::mt19937_64 random(seed);
  for (auto round = clopt::test::rounds(300, 100); round > 0; --round) {
    const auto knapsack = sorted(draw_knapsack(random, 12, round % 2 == 0 ? std::int64_t{1} << 58 : 1 + round % 70));
    if (knapsack.items.empty() || fits_whole(knapsack)) continue;
    const auto all = 1U << knapsack.items.size();
    const auto known = draw(random, 0, 1) == 0 ? greedy(knapsack).profit : greedy(knapsack).profit / 2;
    const auto bound = bound_by_number(knapsack, known, clopt::Watch({}));
    for (std::uint32_t subset = 0; subset < all; ++subset) {
      std::uint64_t weight = 0;
      std::uint64_t profit = 0;
      std::int64_t used = 0;
      for (std::size_t i = 0; i < knapsack.items.size(); ++i) {
        if ((subset >> i & 1) == 0) continue;
        weight += knapsack.items[i].weight;
        profit += knapsack.items[i].profit;
        used += bound.surrogate.of(knapsack.items[i]);
      }
      if (weight > knapsack.capacity || profit <= known) continue;
      BOOST_REQUIRE_MESSAGE(used <= bound.surrogate.capacity && profit <= bound.most, "seed " << seed);
    }
  }
}

// Where a core has hardly any states before its number of items bounds it.
BOOST_AUTO_TEST_CASE(bounds_by_the_number_of_items_keep_the_most_profit) {
  const auto seed = oracle::seed();
  BOOST_TEST_MESSAGE("seed " << seed);
  std::mt19937_64 random(seed);
  const auto device = clopt::non_owning(clopt::test::device());
  for (auto round = clopt::test::rounds(400, 40); round > 0; --round) {
    for (const std::size_t n : {2U, 7U, 15U}) {
      const bool is_large = round % 2 == 0;
      const auto knapsack =
          draw_knapsack(random, n, is_large ? std::numeric_limits<std::int64_t>::max() / 48 : 1 + round % 90);
      BOOST_TEST_CONTEXT("seed " << seed << ", " << n << " items, capacity " << knapsack.capacity) {
        const auto result =
            solve_knapsack(knapsack, {}, std::span(&device, 1), {}, {.states_before_bounds = draw(random, 0, 4)});
        expect_packing(knapsack, result);
        BOOST_TEST(result.profit == most_of_all_subsets(knapsack));
        BOOST_TEST(result.run.optimal);
      }
    }
  }
}

/// The most that profits which exceed the weights by a constant can be, by each number of items alone.
std::int64_t most_by_each_number(const Amounts& amounts, std::int64_t excess) {
  auto ascending = amounts.numbers;
  std::sort(ascending.begin(), ascending.end());
  std::int64_t most = 0;
  std::int64_t lightest = 0;
  std::int64_t heaviest = 0;
  for (std::size_t count = 1; count <= ascending.size(); ++count) {
    lightest += ascending[count - 1];
    heaviest += ascending[ascending.size() - count];
    if (lightest > amounts.capacity) break;
    most = std::max(most, std::min(heaviest, amounts.capacity) + excess * static_cast<std::int64_t>(count));
  }
  return most;
}

// Profits that exceed the weights by a constant, or the weights them: no number of states would do.
BOOST_AUTO_TEST_CASE(heavy_correlated_items_are_proved) {
  constexpr int seed = 13;
  BOOST_TEST_MESSAGE("seed " << seed);
  std::mt19937_64 random(seed);
  for (const bool is_inverse : {false, true}) {
    Amounts amounts;
    for (int i = 0; i < 2000; ++i) {
      const auto number = static_cast<std::int64_t>(draw(random, 1, 10'000'000));
      amounts.numbers.push_back(is_inverse ? number + 1'000'000 : number);
      amounts.profits.push_back(is_inverse ? number : number + 1'000'000);
      amounts.capacity += amounts.numbers.back();
    }
    amounts.capacity /= 2;
    const auto result = solve_by(amounts, "auto");
    expect_packing(amounts, result);
    BOOST_TEST(result.run.optimal);
    BOOST_TEST(result.profit == most_by_each_number(amounts, is_inverse ? -1'000'000 : 1'000'000));
  }
}

/// 301 multiple strongly correlated items, whose number does not bound them; with profits beyond 32 bits for a large
/// scale.
Amounts correlated(std::int64_t scale) {
  std::mt19937_64 random(7);
  Amounts amounts;
  for (int i = 0; i < 301; ++i) {
    amounts.numbers.push_back(1 + static_cast<std::int64_t>(draw(random, 0, 1500)));
    amounts.profits.push_back((amounts.numbers.back() + (amounts.numbers.back() % 6 == 0 ? 450 : 300)) * scale);
  }
  amounts.capacity = 80'001;
  return amounts;
}

const std::shared_ptr<clopt::Device> sound = clopt::non_owning(clopt::test::device());

BOOST_AUTO_TEST_CASE(sweep_divides_items_and_capacity) {
  for (const std::int64_t scale : {1, 100'000}) {
    const auto amounts = correlated(scale);
    const auto knapsack = sorted(amounts);
    const auto swept = sweep_profits(knapsack, {}, clopt::test::device(), clopt::Watch({}));
    BOOST_TEST(swept.complete);
    BOOST_TEST(swept.best.profit == static_cast<std::uint64_t>(most_profit(amounts)));
    BOOST_TEST(swept.launches > knapsack.items.size());
    const auto core = search_core(knapsack, greedy(knapsack), {}, clopt::Watch({}));
    BOOST_TEST(core.complete);
    BOOST_TEST(core.best.profit == swept.best.profit);
  }
}

// By few changes a core is cleaned again and again, and by few states it leaves its items to the sweep.
BOOST_AUTO_TEST_CASE(limits_of_methods_do_not_change_the_profit) {
  const auto amounts = correlated(1);
  const auto most = most_profit(amounts);
  const std::span<const std::shared_ptr<clopt::Device>> devices(&sound, 1);
  const auto cleaned = solve_knapsack(amounts, {}, devices, {}, {.changes_before_cleaning = 10});
  expect_packing(amounts, cleaned);
  BOOST_TEST(cleaned.profit == most);
  BOOST_TEST(cleaned.run.solved_by == "core");
  const auto swept = solve_knapsack(amounts, {}, devices, {}, {.most_states = 100, .steps_on_host = 1000});
  expect_packing(amounts, swept);
  BOOST_TEST(swept.profit == most);
  BOOST_TEST(swept.run.solved_by == "k1");
  BOOST_TEST(swept.run.launches > 0U);
}

BOOST_AUTO_TEST_CASE(the_next_device_sweeps_where_one_fails) {
  const auto amounts = correlated(1);
  Options options;
  options.method = "k1";
  options.reduce = false;
  const auto expected = solve(amounts, options, clopt::test::device());
  for (const int launches : {clopt::test::FailingDevice::from_the_start, 0, 7}) {
    const std::vector<std::shared_ptr<clopt::Device>> devices{std::make_shared<clopt::test::FailingDevice>(launches),
                                                              sound};
    const auto result = solve(amounts, options, devices);
    BOOST_TEST(result.run.checksum == expected.run.checksum);
    BOOST_TEST(result.run.failures.size() == 1U);
    BOOST_TEST(result.run.reason.find("one of 2 devices") != std::string::npos);
  }
}

// Sums beyond every method, whose profits are in proportion: the core has a packing.
BOOST_AUTO_TEST_CASE(profits_in_proportion_are_sums) {
  std::mt19937_64 random(5);
  for (const std::int64_t base : {std::int64_t{0}, std::int64_t{1'000'000'000'000'000}}) {
    Amounts amounts;
    for (int i = 0; i < 90; ++i) {
      amounts.numbers.push_back(base + 1 + static_cast<std::int64_t>(draw(random, 0, 1'000'000)));
      amounts.profits.push_back(2 * amounts.numbers.back());
    }
    amounts.capacity = std::accumulate(amounts.numbers.begin(), amounts.numbers.end(), std::int64_t{0}) / 2;
    clopt::RunControl control;
    control.time_limit = 1;
    control.progress_interval = 0;
    double best = 0;
    control.progress = [&](const clopt::Progress& progress) {
      best = std::max(best, progress.best.value_or(0));
      return true;
    };
    const auto result = solve(amounts, {}, clopt::test::device(), control);
    expect_packing(amounts, result);
    BOOST_TEST(result.profit == 2 * result.value);
    BOOST_TEST(result.profit > amounts.capacity);
    BOOST_TEST(best <= static_cast<double>(result.profit));
    if (base == 0) BOOST_TEST(result.run.optimal);
  }
}

// Weights beyond a sweep, whose core has more states than the memory holds.
BOOST_AUTO_TEST_CASE(memory_leaves_a_packing) {
  std::mt19937_64 random(11);
  Amounts amounts;
  for (int i = 0; i < 400; ++i) {
    amounts.numbers.push_back(static_cast<std::int64_t>(draw(random, 1, 1'000'000'000'000)));
    amounts.profits.push_back(amounts.numbers.back() + 100'000'000'000);
    amounts.capacity += amounts.numbers.back() / 2;
  }
  const std::span<const std::shared_ptr<clopt::Device>> devices(&sound, 1);
  const auto result = solve_knapsack(amounts, {}, devices, {}, {.most_bytes = 1 << 20});
  expect_packing(amounts, result);
  BOOST_TEST(result.profit > amounts.capacity);
  BOOST_TEST(!result.run.optimal);
  BOOST_TEST((result.run.ending == clopt::Ending::complete));
  BOOST_TEST(result.run.reason.find("memory") != std::string::npos);
}

// What the bound fixes does not take a better packing away.
BOOST_AUTO_TEST_CASE(remainder_keeps_what_is_better) {
  const auto seed = oracle::seed();
  std::mt19937_64 random(seed);
  for (auto round = clopt::test::rounds(500, 500); round > 0; --round) {
    const auto amounts = draw_knapsack(random, 15, 60);
    const auto knapsack = sorted(amounts);
    if (knapsack.items.empty() || fits_whole(knapsack)) continue;
    Amounts plain{{}, amounts.capacity};
    for (const auto& item : knapsack.items) {
      plain.numbers.push_back(static_cast<std::int64_t>(item.weight));
      plain.profits.push_back(static_cast<std::int64_t>(item.profit));
    }
    const auto most = static_cast<std::uint64_t>(most_profit(plain));
    if (most == 0) continue;
    const auto rest = remainder_of(knapsack, draw(random, most / 2, most - 1));
    Amounts left{{}, static_cast<std::int64_t>(rest.knapsack.capacity)};
    for (const auto& item : rest.knapsack.items) {
      left.numbers.push_back(static_cast<std::int64_t>(item.weight));
      left.profits.push_back(static_cast<std::int64_t>(item.profit));
    }
    BOOST_TEST_CONTEXT("seed " << seed)
    BOOST_TEST(rest.taken.profit + static_cast<std::uint64_t>(most_profit(left)) == most);
  }
}

BOOST_AUTO_TEST_CASE(limits_leave_a_packing) {
  std::mt19937_64 random(3);
  const auto knapsack = draw_knapsack(random, 400, 100'000);
  clopt::RunControl control;
  control.time_limit = 0;
  for (const auto* method : {"auto", "k1"}) {
    Options options;
    options.method = method;
    options.reduce = false;
    std::vector<std::size_t> known;
    options.found = [&](std::int64_t, const std::vector<std::size_t>& indices) { known = indices; };
    const auto result = solve(knapsack, options, clopt::test::device(), control);
    expect_packing(knapsack, result);
    BOOST_TEST(result.profit > 0);
    BOOST_TEST(!result.run.optimal);
    BOOST_TEST((result.run.ending == clopt::Ending::time));
    BOOST_TEST(!known.empty());
  }
}

BOOST_AUTO_TEST_CASE(what_a_knapsack_does_not_have_is_refused) {
  const Amounts knapsack{{5, 4, 6, 3}, 10, 0, 0, {10, 40, 30, 50}};
  BOOST_TEST(solve_by(knapsack, "auto").profit == 90);
  const auto refuses = [](const Amounts& amounts, const Options& options, const std::string& text) {
    BOOST_CHECK_EXCEPTION(check(amounts, options), clopt::InvalidInput, [&](const clopt::InvalidInput& error) {
      return std::string(error.what()).find(text) != std::string::npos;
    });
  };
  const auto with = [&](auto change) {
    Options options;
    change(options);
    return options;
  };
  refuses(knapsack, with([](Options& o) { o.exactly = true; }), "the most profit");
  refuses(knapsack, with([](Options& o) { o.all = 3; }), "the most profit");
  refuses(knapsack, with([](Options& o) { o.method = "k3-32"; }), "auto or k1");
  refuses(knapsack, with([](Options& o) { o.recovery = "table"; }), "`recovery`");
  refuses({{5, 4}, 10, 0, 0, {10}}, {}, "1 `profits` for 2 `numbers`");
  refuses({{5, -4}, 10, 0, 0, {10, 2}}, {}, "-4");
  refuses({{5, 4}, 10, 0, 0, {10, -2}}, {}, "-2");
  refuses({{5, 4}, 10, 0, 0, {std::numeric_limits<std::int64_t>::max(), 1}}, {}, "less than 2^63");
  BOOST_TEST(!solve_by({{5}, -1, 0, 0, {1}}, "auto").possible);
}

BOOST_AUTO_TEST_SUITE_END()
