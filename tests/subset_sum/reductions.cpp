/// \file
/// Equal weights in one go, cores, and the search around the break item.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <clopt/error.hpp>
#include <cmath>
#include <numeric>

#include <subset_sum/device/cost.hpp>
#include <subset_sum/reduction/binary_splitting.hpp>
#include <subset_sum/reduction/break_search.hpp>
#include <subset_sum/reduction/core.hpp>
#include "reduced_problem_oracle.hpp"

using namespace clopt::subset_sum;
using oracle::as_items;
using oracle::draw;
using oracle::no_limits;
using oracle::Weights;

namespace {

Result solved_by(const Instance& instance, const std::string& method, bool reduce) {
  Options options;
  options.method = method;
  options.reduce = reduce;
  return solve_with(instance, options, oracle::sweeper());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(subset_sum_reductions)

BOOST_AUTO_TEST_CASE(bundles_reach_what_single_items_reach) {
  std::mt19937_64 random(oracle::seed());
  for (int round = 0; round < 300; ++round) {
    Weights weights;
    const std::uint64_t different = draw(random, 1, 3);
    for (std::uint64_t n = draw(random, 1, 40); n > 0; --n) weights.push_back(draw(random, 1, different) * 7 + n % 2);
    const auto items = as_items(weights);
    const std::uint64_t most = draw(random, items.front().weight, 400);
    const auto bundles = bundle_equal_weights(items, 5, most);
    Weights sums;
    std::uint64_t stands_for = 0;
    for (const Bundle& bundle : bundles) {
      sums.push_back(bundle.weight);
      stands_for += bundle.count;
      BOOST_REQUIRE(bundle.weight == bundle.count * items[bundle.first - 5].weight);
      BOOST_REQUIRE(bundle.weight <= most);
    }
    BOOST_TEST(stands_for <= items.size());
    BOOST_TEST(std::is_sorted(sums.rbegin(), sums.rend()));
    BOOST_TEST((oracle::reachable_sums(sums, most) == oracle::reachable_sums(weights, most)));
    // Any choice of bundles is a choice of different items with the same sum, the first ones of each weight.
    std::vector<std::uint32_t> chosen;
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < bundles.size(); ++i) {
      if (random() % 2 == 0) continue;
      chosen.push_back(i);
      sum += bundles[i].weight;
    }
    const auto positions = items_of(bundles, chosen);
    std::uint64_t sum_of_items = 0;
    for (std::size_t i = 0; i < positions.size(); ++i) {
      BOOST_REQUIRE(positions[i] >= 5);
      BOOST_REQUIRE(positions[i] < 5 + items.size());
      if (i > 0) BOOST_REQUIRE(positions[i] > positions[i - 1]);
      const std::size_t item = positions[i] - 5;
      sum_of_items += items[item].weight;
      const bool is_first = item == 0 || items[item - 1].weight != items[item].weight;
      if (!is_first) BOOST_TEST((i > 0 && positions[i - 1] == positions[i] - 1));
    }
    BOOST_TEST(sum_of_items == sum);
  }
}

BOOST_AUTO_TEST_CASE(bundles_are_few) {
  const auto items = as_items(Weights(1000, 3));
  BOOST_TEST(bundle_equal_weights(items, 0, 1'000'000).size() == 10U);
  BOOST_TEST(bundle_equal_weights(items, 0, 30).size() == 4U);  // 1, 2, 4 and a rest of 3
  BOOST_TEST(single_items(items, 0).size() == 1000U);
  BOOST_TEST(bundle_equal_weights(as_items({9, 8, 7}), 0, 30).size() == 3U);
}

BOOST_AUTO_TEST_CASE(duplicates_agree_with_all_subsets_and_without_reductions) {
  const std::uint64_t seed = oracle::seed();
  BOOST_TEST_MESSAGE("CLOPT_TEST_SEED=" << seed);
  std::mt19937_64 random(seed);
  oracle::sweeps = 0;
  std::size_t joined = 0;
  for (std::size_t round = oracle::rounds(400, 20'000); round > 0; --round) {
    Instance instance;
    Weights kinds;
    for (std::uint64_t i = draw(random, 1, 4); i > 0; --i) kinds.push_back(draw(random, 20, 90));
    std::uint64_t total = 0;
    for (std::uint64_t n = draw(random, 3, 60); n > 0; --n) {
      instance.weights.push_back(kinds[draw(random, 0, kinds.size() - 1)]);
      total += instance.weights.back();
    }
    instance.capacity = draw(random, 20, total);
    const std::uint64_t expected = oracle::best_sum(instance.weights, instance.capacity);
    BOOST_TEST_CONTEXT("CLOPT_TEST_SEED=" << seed << ", capacity " << instance.capacity) {
      std::uint64_t checksum = 0;
      for (const char* method : {"k3-32", "bellman", "yanasse-soma", "balsub", "decomp", "auto"}) {
        const Result result = solved_by(instance, method, true);
        BOOST_REQUIRE_EQUAL(result.value, expected);
        BOOST_REQUIRE_EQUAL(check(instance, result), "");
        BOOST_REQUIRE_EQUAL(solved_by(instance, method, false).value, expected);
        const bool canonical = method[0] != 'd' && std::string_view(method) != "balsub" && method[0] != 'a';
        if (canonical && checksum != 0) BOOST_REQUIRE_EQUAL(result.checksum, checksum);
        if (canonical) checksum = result.checksum;
        joined += result.reason == "asked for" ? 1 : 0;
      }
    }
  }
  BOOST_TEST(joined > 20U);  // not everything was decided before a method ran
}

BOOST_AUTO_TEST_CASE(ten_different_weights_are_few_items, *boost::unit_test::label("slow")) {
  std::mt19937_64 random(7);
  Weights kinds;
  for (int i = 0; i < 10; ++i) kinds.push_back(1'000'003 * draw(random, 1, 1'000'000) * 2);
  Instance instance;
  for (int i = 0; i < 100'000; ++i) instance.weights.push_back(kinds[static_cast<std::size_t>(i) % 10]);
  instance.capacity = kinds[3] * 5000 + kinds[8] * 777 + kinds[0] * 3;
  const Result result = solved_by(instance, "auto", true);
  BOOST_TEST(result.value == instance.capacity);
  BOOST_TEST(check(instance, result) == "");
}

BOOST_AUTO_TEST_CASE(cores_add_up) {
  std::mt19937_64 random(oracle::seed());
  for (int round = 0; round < 300; ++round) {
    Weights weights;
    for (std::uint64_t n = draw(random, 2, 300); n > 0; --n) weights.push_back(draw(random, 1, 1'000'000));
    const auto items = as_items(weights);
    const std::uint64_t sum = std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
    const std::uint64_t target = draw(random, 1, sum - 1);
    const Break broken = break_of(items, target);
    BOOST_REQUIRE(broken.item < items.size());
    const std::size_t size = draw(random, 1, items.size());
    const Core core = best_core(items, broken, size);
    BOOST_REQUIRE(core.positions.size() == size);
    std::set<std::uint32_t> in_core(core.positions.begin(), core.positions.end());
    BOOST_TEST(in_core.size() == size);
    BOOST_TEST(*in_core.rbegin() < items.size());
    std::uint64_t fixed = core.rest;
    for (std::size_t i = 0; i < core.taken; ++i)
      fixed += in_core.count(static_cast<std::uint32_t>(i)) != 0 ? 0 : items[i].weight;
    BOOST_TEST(fixed == target);
    BOOST_TEST(std::isfinite(core.solutions));
  }
}

BOOST_AUTO_TEST_CASE(lighter_items_are_searched_where_few_of_the_heaviest_fit) {
  const auto core_of = [](const Weights& weights, std::uint64_t target, std::size_t size) {
    const auto items = as_items(weights);
    return best_core(items, break_of(items, target), size).positions;
  };
  // Five of the heaviest fit, which are less than half of twelve.
  const Weights alike{217, 217, 216, 216, 216, 216, 216, 216, 216, 215,
                      215, 215, 215, 215, 215, 214, 213, 213, 213, 49};
  const std::vector<std::uint32_t> lightest{8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19};
  BOOST_TEST(core_of(alike, 1240, 12) == lightest, boost::test_tools::per_element());
  // Two of five are as many as lie before the break item in a core around it.
  const Weights two_fit{129, 129, 129, 128, 128, 126, 126, 126, 126, 125, 125, 125, 87, 48, 28};
  BOOST_TEST(core_of(two_fit, 265, 5) == (std::vector<std::uint32_t>{0, 2, 4, 6, 8}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(searches_around_the_break_item_hit) {
  const std::uint64_t seed = oracle::seed();
  BOOST_TEST_MESSAGE("CLOPT_TEST_SEED=" << seed);
  std::mt19937_64 random(seed);
  const clopt::Watch watch(no_limits);
  std::size_t found = 0;
  constexpr std::size_t rounds = 60;
  for (std::size_t round = 0; round < rounds; ++round) {
    Weights weights;
    const std::uint64_t heaviest = std::uint64_t{1} << draw(random, 10, 36);
    for (std::uint64_t n = draw(random, 70, 2000); n > 0; --n) weights.push_back(draw(random, 1, heaviest));
    const auto items = as_items(weights);
    std::uint64_t target = 0;
    for (const std::uint64_t weight : weights) target += draw(random, 0, 3) == 0 ? 0 : weight;
    const auto positions = reach_around_break(items, target, BreakSearchEffort::of_seconds(0.02), watch);
    if (!positions) continue;
    ++found;
    std::uint64_t sum = 0;
    for (const std::uint32_t position : *positions) sum += items.at(position).weight;
    BOOST_TEST(std::set<std::uint32_t>(positions->begin(), positions->end()).size() == positions->size());
    BOOST_TEST(sum == target);
    BOOST_TEST((reach_around_break(items, target, BreakSearchEffort::of_seconds(0.02), watch) == positions));
  }
  BOOST_TEST(found > rounds / 2);
}

BOOST_AUTO_TEST_CASE(searches_around_the_break_item_give_up) {
  const clopt::Watch watch(no_limits);
  const auto effort = BreakSearchEffort::of_seconds(0.01);
  // Even weights and an odd target; all weights alike; no solutions to be expected; too few items.
  Weights even;
  for (std::uint64_t i = 0; i < 100; ++i) even.push_back(1'000'000 + 2 * i * i);
  BOOST_TEST(!reach_around_break(as_items(even), 50'000'001, effort, watch));
  BOOST_TEST(!reach_around_break(as_items(Weights(100, 1'000'003)), 50'000'000, effort, watch));
  Weights large;
  for (std::uint64_t i = 1; i <= 40; ++i) large.push_back((std::uint64_t{1} << 56) + i * i * i * i * 1'000'003);
  BOOST_TEST(!reach_around_break(as_items(large), (std::uint64_t{1} << 60) + 12345, effort, watch));
  BOOST_TEST(!reach_around_break(as_items({9, 8, 7}), 15, effort, watch));
  clopt::RunControl out_of_time;
  out_of_time.time_limit = 0;
  const clopt::Watch late(out_of_time);
  BOOST_TEST(!reach_around_break(as_items(make_instance("random:100:1e9", 1).weights), 20'000'000'000, effort, late));
}

BOOST_AUTO_TEST_CASE(hard_random_instances_are_decided_around_the_break_item) {
  const std::vector<std::pair<const char*, std::uint64_t>> kept{{"random:60:1e12", 0xd675c9dc0a1df5c6},
                                                                {"random:1000:1e12", 0xe886374a64f25d2b},
                                                                {"random:10000:1e12", 0xbdc2abcbe5a53c38},
                                                                {"random:100:1e15", 0x6edff6f7cb762d84}};
  for (const auto& [name, checksum] : kept) {
    BOOST_TEST_CONTEXT(name) {
      const Instance instance = make_instance(name, 1);
      oracle::sweeps = 0;
      const Result result = solved_by(instance, "auto", true);
      BOOST_TEST(result.value == instance.capacity);
      BOOST_TEST(result.checksum == checksum);
      BOOST_TEST(result.reason == "search around the break item");
      BOOST_TEST(check(instance, result) == "");
      BOOST_TEST(oracle::sweeps == 0U);
    }
  }
}

BOOST_AUTO_TEST_CASE(predictions_are_in_order_and_keep_to_the_memory) {
  ReducedProblem reduced;
  reduced.weights = {900'000, 700'001, 500'003, 300'007, 100'009};
  reduced.low = 1'000'000;
  reduced.high = 1'200'000;
  const auto all = predict(reduced, reduced, true, usual_speeds(), {1ULL << 40, 1ULL << 40});
  BOOST_TEST(all.size() == 10U);
  BOOST_TEST(all.front().fits);
  for (std::size_t i = 2; i < all.size(); ++i) {
    // The first may be there for its subset's sake.
    if (all[i].fits && all[i - 1].fits) BOOST_TEST(all[i - 1].seconds <= all[i].seconds);
    BOOST_TEST((all[i - 1].fits || !all[i].fits));
  }
  for (const Prediction& each : all) {
    BOOST_TEST(each.seconds >= 0);
    BOOST_TEST((each.bytes > 0 || each.method == Method::decomp));
  }
  for (const Prediction& each : predict(reduced, reduced, true, usual_speeds(), {0, 0})) BOOST_TEST(!each.fits);
}

BOOST_AUTO_TEST_CASE(the_next_method_is_tried_when_one_does_not_fit) {
  const Instance instance{{70, 70, 80, 90, 90}, 133};
  std::vector<std::string> tried;
  const Sweeper small{[&](const ReducedProblem& reduced, Method method, const clopt::Watch& watch) {
                        tried.emplace_back(name_of(method));
                        if (method == Method::k3_32) throw clopt::InvalidInput("it does not fit after all");
                        return oracle::sweep(reduced, method, watch);
                      },
                      [] {
                        Resources resources{{1U << 20, 0}, {}};
                        resources.speeds.sweeps["k3-32"] = {0, 0, 0, 1e12};
                        resources.speeds.sweeps["k1"] = {1, 0, 0, 1e9};
                        return resources;
                      }};
  Options options;
  options.reduce = false;
  const Result result = solve_with(instance, options, small);
  BOOST_TEST((tried == std::vector<std::string>{"k3-32", "k1"}));
  BOOST_TEST(result.method == "k1");
  BOOST_TEST(result.value == 90U);
  BOOST_TEST(result.candidates.size() == 7U);
  BOOST_TEST(result.candidates.front().method == "k3-32");
}

BOOST_AUTO_TEST_SUITE_END()
