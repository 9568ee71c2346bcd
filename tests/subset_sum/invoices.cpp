// A payment of some of 400 invoices, and small problems of every question, against enumerations of their own.
#include <boost/test/unit_test.hpp>
#include <clopt/devices.hpp>
#include <clopt/error.hpp>
#include <clopt/subset_sum.hpp>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <random>
#include <set>
#include <stop_token>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "oracle.hpp"

using clopt::InvalidInput;
using namespace clopt::subset_sum;

namespace {

using Subset = std::vector<std::size_t>;

AmountsResult answer_of(const Amounts& amounts, const Options& options, const clopt::RunControl& control = {}) {
  return solve(amounts, options, *clopt::open_device("openmp:0", {.threads = 1, .force = false, .self_test = false}),
               control);
}

/// 400 amounts from 5.00 to 2000.00, and a payment of the first four above 1500: no three have its sum.
Amounts invoices(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Amounts amounts{{}, 0, 2};
  constexpr std::size_t size = 400;
  while (amounts.numbers.size() < size) amounts.numbers.push_back(500 + static_cast<std::int64_t>(random() % 199'501));
  int paid = 0;
  for (const auto number : amounts.numbers)
    if (number > 150'000 && paid < 4) {
      amounts.capacity += number;
      ++paid;
    }
  return amounts;
}

// All sets of four with a sum, by the sums of all pairs: each pair is met by the pairs above it.
std::set<Subset> fours(const Amounts& amounts) {
  const auto& numbers = amounts.numbers;
  std::unordered_multimap<std::int64_t, std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    for (std::size_t j = i + 1; j < numbers.size(); ++j) pairs.emplace(numbers[i] + numbers[j], std::pair(i, j));
  std::set<Subset> found;
  for (const auto& [sum, pair] : pairs) {
    const auto [begin, end] = pairs.equal_range(amounts.capacity - sum);
    for (auto other = begin; other != end; ++other)
      if (pair.second < other->second.first)
        found.insert({pair.first, pair.second, other->second.first, other->second.second});
  }
  return found;
}

/// What a question has for its answer, by all subsets.
struct Expected {
  std::optional<std::int64_t> value;
  std::set<Subset> subsets;  ///< that have it and are listed
};

// Of the subsets that count: the sum is the best, then the fewest numbers.
Expected of_all_subsets(const Amounts& amounts, const Options& options) {
  Expected expected;
  const auto is_better = [&](std::int64_t sum, std::int64_t than) {
    const auto off = [&](std::int64_t each) { return std::abs(each - amounts.capacity); };
    const bool is_within = amounts.tolerance > 0 && off(sum) <= amounts.tolerance;
    const bool was_within = amounts.tolerance > 0 && off(than) <= amounts.tolerance;
    if (is_within != was_within) return is_within;
    if (is_within && off(sum) != off(than)) return off(sum) < off(than);
    return options.at_least || sum > amounts.capacity ? sum < than && (options.at_least || than > amounts.capacity)
                                                      : sum > than || than > amounts.capacity;
  };
  std::vector<std::pair<std::int64_t, Subset>> all;
  for (std::uint32_t mask = 0; mask >> amounts.numbers.size() == 0; ++mask) {
    Subset subset;
    std::int64_t sum = 0;
    bool has_zero = false;
    for (std::size_t i = 0; i < amounts.numbers.size(); ++i) {
      if ((mask >> i & 1) == 0) continue;
      has_zero = has_zero || amounts.numbers[i] == 0;
      sum += amounts.numbers[i];
      subset.push_back(i);
    }
    if (has_zero || (options.count && subset.size() != *options.count)) continue;
    const bool may_count = options.at_least ? sum >= amounts.capacity : sum <= amounts.capacity + amounts.tolerance;
    if (!may_count) continue;
    all.emplace_back(sum, subset);
    if (!expected.value || is_better(sum, *expected.value)) expected.value = sum;
  }
  std::size_t fewest = amounts.numbers.size() + 1;
  for (const auto& [sum, subset] : all)
    if (sum == expected.value) fewest = std::min(fewest, subset.size());
  for (const auto& [sum, subset] : all)
    if (sum == expected.value && (!options.fewest || subset.size() == fewest)) expected.subsets.insert(subset);
  return expected;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(subset_sum_invoices)

BOOST_AUTO_TEST_CASE(four_of_400_invoices_are_found_with_all_others_that_fit) {
  for (const std::uint64_t seed : {1U, 7U, 49U}) {
    const auto amounts = invoices(seed);
    const auto expected = fours(amounts);
    Options options;
    options.exactly = options.fewest = true;
    BOOST_TEST_CONTEXT("seed " << seed << ", " << expected.size() << " sets of four") {
      const auto one = answer_of(amounts, options);
      BOOST_TEST(one.reached);
      BOOST_TEST(one.fewest.value_or(false));
      BOOST_TEST(expected.count(one.indices) == 1U);
      options.all = 100'000;
      const auto all = answer_of(amounts, options);
      BOOST_TEST((std::set<Subset>(all.subsets.begin(), all.subsets.end()) == expected));
      BOOST_TEST(all.subsets.size() == expected.size());
      BOOST_TEST(all.more.has_value());
      BOOST_TEST(!all.more.value_or(true));
      options.all = expected.size() - 1;
      BOOST_TEST(answer_of(amounts, options).more.value_or(false));
    }
  }
}

BOOST_AUTO_TEST_CASE(every_question_agrees_with_all_subsets) {
  const auto seed = oracle::seed();
  std::mt19937_64 random(seed);
  for (int round = 0; round < 300; ++round) {
    const std::int64_t range = random() % 2 == 0 ? 6 : 800;
    const auto draw = [&](bool is_signed) {
      const auto number = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(range + 1));
      return is_signed && random() % 3 == 0 ? -number : number;
    };
    Amounts amounts{{}, 0, static_cast<unsigned>(random() % 3)};
    const bool is_signed = random() % 3 != 0;
    for (auto size = 1 + random() % 10; size > 0; --size) amounts.numbers.push_back(draw(is_signed));
    amounts.capacity = random() % 8 == 0 ? 0 : draw(is_signed) * static_cast<std::int64_t>(1 + random() % 4);
    Options options;
    switch (random() % 4) {
      case 0: options.exactly = true; break;
      case 1: options.at_least = true; break;
      case 2:
        options.exactly = true;
        amounts.tolerance = 1 + draw(false) / 4;
        break;
      default: break;
    }
    options.fewest = random() % 2 == 0;
    if (random() % 2 == 0) options.count = random() % (amounts.numbers.size() + 1);
    if (random() % 2 == 0) options.all = 1 + random() % 5;
    options.unique = random() % 2 == 0;
    BOOST_TEST_CONTEXT("CLOPT_TEST_SEED=" << seed << ", round " << round) {
      const auto expected = of_all_subsets(amounts, options);
      const auto found = answer_of(amounts, options);
      BOOST_TEST_REQUIRE(found.possible == expected.value.has_value());
      BOOST_TEST(found.run.optimal);
      if (!found.possible) continue;
      BOOST_TEST(found.value == *expected.value);
      BOOST_TEST(found.reached == (std::abs(found.value - amounts.capacity) <= amounts.tolerance));
      const bool is_missing = options.exactly && !found.reached;
      if (!is_missing || options.count) {
        const bool asks = asks_for_subsets(options) || options.count;
        auto sets = expected.subsets;
        if (!asks || (is_missing && options.fewest)) {
          Options any = options;
          any.fewest = false;
          sets = of_all_subsets(amounts, any).subsets;
        }
        BOOST_TEST(sets.count(found.indices) == 1U);
      }
      if (!asks_for_subsets(options)) continue;
      const auto number = is_missing ? 0 : expected.subsets.size();
      if (options.all) {
        BOOST_TEST(found.subsets.size() == std::min<std::size_t>(number, *options.all));
        for (const auto& each : found.subsets) BOOST_TEST(expected.subsets.count(each) == 1U);
        BOOST_TEST(std::set<Subset>(found.subsets.begin(), found.subsets.end()).size() == found.subsets.size());
        BOOST_TEST((found.more == (number > *options.all)));
      }
      if (options.unique) BOOST_TEST((found.unique == (number == 1)));
      if (options.fewest && !is_missing) BOOST_TEST(found.fewest.value_or(false));
    }
  }
}

BOOST_AUTO_TEST_CASE(the_number_of_subsets_is_about_as_expected) {
  std::mt19937_64 random(3);
  Amounts amounts{{}, 0, 0};
  for (int i = 0; i < 20; ++i)
    amounts.numbers.push_back(static_cast<std::int64_t>(1 + random() % 50) * (i % 4 == 0 ? -6 : 6));
  std::unordered_map<std::int64_t, double> counts{{0, 1}};
  for (const auto number : amounts.numbers) {
    auto next = counts;
    for (const auto& [sum, count] : counts) next[sum + number] += count;
    counts = next;
  }
  for (const auto& [sum, count] : counts)
    if (count > 1000) BOOST_TEST(std::abs(expected_subsets(amounts, sum) - std::log10(count)) < 0.3, sum);
  BOOST_TEST(expected_subsets(amounts, 1'000'000) < 0);
  // All numbers, and all but one, are one subset each.
  for (const std::int64_t all : {7, 6, 3}) BOOST_TEST(expected_subsets({{1, 2, 4}, 0, 0}, all) < 0.3, all);
}

BOOST_AUTO_TEST_CASE(questions_that_contradict_themselves_are_refused) {
  const auto refused = [](auto change, std::string_view part) {
    Amounts amounts{{3, 5, -2}, 4, 1};
    Options options;
    change(amounts, options);
    BOOST_CHECK_EXCEPTION(check(amounts, options), InvalidInput, [&](const InvalidInput& error) {
      return std::string_view(error.what()).find(part) != std::string_view::npos;
    });
    BOOST_CHECK_THROW(answer_of(amounts, options), InvalidInput);
  };
  refused([](auto&, auto& options) { options.exactly = options.at_least = true; }, "exclude each other");
  refused([](auto& amounts, auto& options) { amounts.tolerance = options.at_least = true; }, "excludes `at_least`");
  refused([](auto& amounts, auto&) { amounts.tolerance = -15; }, "`tolerance` is -1.5");
  refused(
      [](auto&, auto& options) {
        options.count = 2;
        options.method = "balsub";
      },
      "without a `method`");
  refused([](auto&, auto& options) { options.all = 0; }, "`all` is 0");
  refused(
      [](auto&, auto& options) {
        options.range = {0, 1};
        options.method = "meet-in-the-middle";
        options.fewest = true;
      },
      "parts of a run");
  Options options;
  options.fewest = true;
  BOOST_CHECK_THROW(answer_of({{std::int64_t{1} << 61, 1}, 1, 0}, options), InvalidInput);
}

BOOST_AUTO_TEST_CASE(runs_that_end_early_say_what_is_not_proven) {
  auto amounts = invoices(1);
  Options options;
  options.exactly = options.fewest = true;
  options.all = 5;
  options.unique = true;
  clopt::RunControl control;
  control.time_limit = 0;
  auto early = answer_of(amounts, options, control);
  BOOST_TEST((early.run.ending == clopt::Ending::time));
  BOOST_TEST(!early.fewest.has_value());
  BOOST_TEST(!early.more.has_value());
  BOOST_TEST(!early.unique.has_value());
  std::stop_source stop;
  stop.request_stop();
  control = {};
  control.stop = stop.get_token();
  options.count = 4;
  early = answer_of(amounts, options, control);
  BOOST_TEST((early.run.ending == clopt::Ending::interrupted));
  BOOST_TEST(!early.run.optimal);
}

BOOST_AUTO_TEST_SUITE_END()
