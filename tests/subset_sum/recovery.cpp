/// \file
/// Recovery by checkpoints: the same subset as by the paper's table, with little memory and with less.
#include <clopt/clopt.hpp>
#include <subset_sum/sweep/checkpoint_sweep.hpp>
#include <subset_sum/sweep/checkpoints.hpp>
#include <subset_sum/sweep/sweep.hpp>
#include <support/device.hpp>
#include <support/pretended.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "reduced_problem_oracle.hpp"

namespace {

using namespace clopt;
using oracle::draw;
using subset_sum::ReducedProblem;

const Watch& watch_without_limits() {
  static const RunControl control;
  static const Watch watch(control);
  return watch;
}

/// Compares what checkpoints give with the recursion as it stands in the oracle, for words of each size.
void expect_the_table_s_subset(const ReducedProblem& reduced, const subset_sum::CheckpointLimits& limits) {
  auto expected = oracle::sweep(reduced, subset_sum::Method::k1, watch_without_limits());
  std::sort(expected.positions.begin(), expected.positions.end());
  for (const unsigned bits : {16U, 32U, 64U})
    for (const bool in_pieces : {false, true})
      BOOST_TEST_CONTEXT("words of " << bits << " bits, room for " << limits.words.value_or(0) << " words, "
                                     << limits.items_tried << " items tried, " << limits.host_words
                                     << " words on the host, " << (in_pieces ? limits.device_words.value_or(0) : 0)
                                     << " on the device, " << oracle::text_of(reduced)) {
        subset_sum::Found found;
        const auto& sweep = in_pieces ? subset_sum::sweep_in_pieces : subset_sum::sweep_with_checkpoints;
        BOOST_REQUIRE_NO_THROW(found = sweep(reduced, bits, test::device(), watch_without_limits(), limits, nullptr));
        BOOST_REQUIRE(found.complete);
        BOOST_REQUIRE_EQUAL(found.sum, expected.sum);
        std::sort(found.positions.begin(), found.positions.end());
        BOOST_REQUIRE(found.positions == expected.positions);
        BOOST_TEST(found.recovery == (in_pieces ? "host" : "checkpoints"));
      }
}

/// Limits that leave the search for the subset no easy way.
subset_sum::CheckpointLimits random_limits(std::mt19937_64& random) {
  subset_sum::CheckpointLimits limits;
  if (random() % 4 != 0) limits.words = draw(random, 0, 60);
  limits.items_tried = std::vector<std::size_t>{0, 1, 2, 3, 10}[random() % 5];
  limits.host_words = std::vector<std::uint64_t>{0, 0, 3, 30, 300, 1U << 16}[random() % 6];
  limits.device_words = std::vector<std::uint64_t>{4, 5, 7, 49, 1000, 1U << 16}[random() % 6];
  return limits;
}

/// A reduced problem for the search of the capacity from the best that can be known: what a subset of the first items
/// has.
ReducedProblem reduced_for(std::vector<std::uint64_t> weights, std::uint64_t capacity, std::uint64_t slack) {
  ReducedProblem reduced;
  reduced.weights = std::move(weights);
  std::sort(reduced.weights.rbegin(), reduced.weights.rend());
  std::uint64_t known = 0;
  for (const auto weight : reduced.weights)
    if (known + weight <= capacity) known += weight;
  reduced.low = known > slack ? known - slack : 1;
  reduced.high = capacity;
  return reduced;
}

std::vector<std::uint64_t> weights_between(std::mt19937_64& random, std::size_t count, std::uint64_t least,
                                           std::uint64_t largest, std::uint64_t unit = 1) {
  std::vector<std::uint64_t> weights(count);
  for (auto& weight : weights) weight = unit * draw(random, least, largest);
  return weights;
}

std::uint64_t sum_of(const std::vector<std::uint64_t>& weights) {
  return std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
}

}  // namespace

BOOST_AUTO_TEST_SUITE(recovery)

BOOST_AUTO_TEST_CASE(a_stretch_knows_what_matters) {
  const std::vector<std::uint64_t> weights{9, 7, 5, 3, 1};
  // From after the first item, up to the fourth, towards 16.
  const subset_sum::Stretch stretch(weights, 1, 9, 4, {16, 16});
  const std::vector<std::pair<std::uint64_t, std::uint64_t>> expected{{1, 9}, {8, 16}, {13, 16}, {16, 16}};
  for (std::size_t item = 1; item <= 4; ++item) {
    BOOST_TEST(stretch.after(item).first == expected[item - 1].first);
    BOOST_TEST(stretch.after(item).last == expected[item - 1].second);
  }
  BOOST_TEST(stretch.work() == 9U + 4U + 1U);
  BOOST_TEST(stretch.places(64, 0, 1).empty());
  BOOST_TEST(stretch.places(64, 1, 1).size() == 1U);
  BOOST_TEST(stretch.places(64, 100, 1) == (std::vector<std::size_t>{2, 3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(work_that_passes_64_bits_is_the_most_that_there_is) {
  const std::vector<std::uint64_t> weights(8, std::uint64_t{1} << 61);
  const subset_sum::Stretch stretch(weights, 0, 0, 8, {1, ~std::uint64_t{0} - 1});
  BOOST_TEST(stretch.work() == ~std::uint64_t{0});
  const subset_sum::Stretch shorter(weights, 0, 0, 3, {1, ~std::uint64_t{0} - 1});
  BOOST_TEST(shorter.work() == 3 * (std::uint64_t{1} << 61) + 3);
}

BOOST_AUTO_TEST_CASE(checkpoints_stand_on_each_other) {
  subset_sum::CheckpointStack stack;
  stack.add_pool(10);
  stack.add_pool(20);
  stack.begin_pool_at(1, 5);
  BOOST_TEST(stack.room() == 25U);
  BOOST_TEST(stack.push(1, {0, 63}, 4));
  BOOST_TEST(stack.push(2, {0, 63}, 7));  // does not fit the first any more
  BOOST_TEST(stack.back().pool == 1U);
  BOOST_TEST(stack.back().offset == 5U);
  BOOST_TEST(stack.push(3, {0, 63}, 6));
  BOOST_TEST(stack.back().pool == 0U);
  BOOST_TEST(stack.back().offset == 4U);
  BOOST_TEST(!stack.push(4, {0, 63}, 9));
  BOOST_CHECK_THROW(stack.begin_pool_at(1, 6), InternalError);
  stack.begin_pool_at(1, 4);  // stays where it is
  BOOST_TEST(stack.largest_room() == 8U);
  stack.pop();
  stack.pop();
  BOOST_TEST(stack.room() == 6U + 15U);
  stack.begin_pool_at(1, 30);
  BOOST_TEST(stack.room() == 6U);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(recovery_on_devices, *boost::unit_test::label("device"))

BOOST_AUTO_TEST_CASE(any_plan_with_any_room) {
  oracle::for_many_on_device(test::device().info().launches_are_calls, [](const ReducedProblem& reduced, auto& random) {
    expect_the_table_s_subset(reduced, random_limits(random));
  });
}

BOOST_AUTO_TEST_CASE(words_and_blocks_begin_and_end_anywhere) {
  std::mt19937_64 random(7);
  const bool quick = test::device().info().launches_are_calls;
  std::vector<std::uint64_t> capacities{16, 31, 63, 64, 65, 512, 4095, 4096, 4097};
  if (quick) capacities.insert(capacities.end(), {32767, 32768, 32769, 65536, 98304});
  for (const auto capacity : capacities)
    for (const std::uint64_t largest : {capacity, capacity / 3 + 1}) {
      const auto weights = weights_between(random, 24, 1, largest);
      expect_the_table_s_subset(reduced_for(weights, std::min(capacity, sum_of(weights)), 0), random_limits(random));
    }
}

BOOST_AUTO_TEST_CASE(few_items) {
  for (const std::size_t count : {1U, 2U, 7U}) {
    std::mt19937_64 random(count);
    for (int round = 0; round < 5; ++round) {
      const auto weights = weights_between(random, count, 1, 300);
      const auto heaviest = *std::max_element(weights.begin(), weights.end());
      expect_the_table_s_subset(reduced_for(weights, std::max(heaviest, draw(random, 1, sum_of(weights))), 5),
                                random_limits(random));
    }
  }
}

BOOST_AUTO_TEST_CASE(stretches_within_stretches) {
  // Large enough that a first sweep's checkpoints are far apart, with room for few.
  std::mt19937_64 random(8);
  const bool quick = test::device().info().launches_are_calls;
  const std::size_t count = quick ? 300 : 49;
  for (const std::uint64_t unit : {1U, 2U, 10U}) {
    auto weights = weights_between(random, count, 1, quick ? 900 : 200, unit);
    std::sort(weights.rbegin(), weights.rend());
    // Some bring the last digits that the capacity asks for, at any place in the order.
    for (const auto i : {count / 7, count / 2, count * 9 / 10}) ++weights[i];
    for (const std::uint64_t part : {2U, 5U}) {
      const auto capacity = sum_of(weights) / part / 10 * 10 + 3;
      for (const std::size_t room : {0U, 5U, 100U, 3000U}) {
        subset_sum::CheckpointLimits limits;
        limits.words = room;
        limits.host_words = room == 3000 ? 500 : 0;
        limits.items_tried = room % 2 == 0 ? 10 : 2;
        expect_the_table_s_subset(reduced_for(weights, capacity, 0), limits);
      }
      expect_the_table_s_subset(reduced_for(weights, capacity, 0), {});
    }
  }
}

BOOST_AUTO_TEST_CASE(few_heavy_items) {
  std::mt19937_64 random(9);
  const bool quick = test::device().info().launches_are_calls;
  const auto weights = weights_between(random, 30, 1000, quick ? 300'000 : 20'000);
  expect_the_table_s_subset(reduced_for(weights, sum_of(weights) / 2, 0), {});
  expect_the_table_s_subset(reduced_for(weights, sum_of(weights) / 2, 0), {std::nullopt, 2});
  expect_the_table_s_subset(reduced_for(weights, sum_of(weights) / 3, 0), {40, 4});
}

BOOST_AUTO_TEST_CASE(both_recoveries_give_the_same_answer) {
  const bool quick = test::device().info().launches_are_calls;
  for (const char* method : {"k3-16", "k3-32", "k3-64"})
    for (const char* name : {"half-small:40", "p:12", "uniform:25", "half-small:100"}) {
      if (!quick && std::string(name) == "half-small:100") continue;
      const auto instance = subset_sum::make_instance(name, 3);
      subset_sum::Options options;
      options.method = method;
      options.reduce = false;
      BOOST_TEST_CONTEXT(method << " on " << name) {
        options.recovery = "table";
        const auto by_table = subset_sum::solve(instance, options, test::device());
        options.recovery = "checkpoints";
        const auto by_checkpoints = subset_sum::solve(instance, options, test::device());
        BOOST_TEST(by_table.optimal);
        BOOST_TEST(by_checkpoints.optimal);
        BOOST_TEST(by_table.indices == by_checkpoints.indices, boost::test_tools::per_element());
        BOOST_TEST(by_table.checksum == by_checkpoints.checksum);
        BOOST_TEST(by_table.recovery == "table");
        BOOST_TEST(by_checkpoints.recovery == "checkpoints");
        // 3 bits a capacity, and what tiny instances take at least, in place of 32 and two.
        BOOST_TEST(by_checkpoints.recovery_bytes <= instance.capacity / 8 * 3 + 3 * 65536);
        if (by_table.recovery_bytes > 4'000'000)
          BOOST_TEST(by_checkpoints.recovery_bytes * 10 < by_table.recovery_bytes);
      }
    }
}

BOOST_AUTO_TEST_CASE(a_vector_beyond_the_device_s_memory_visits_it_in_pieces) {
  auto info = test::device().info();
  info.global_memory_bytes = info.max_allocation_bytes = 100'000;
  for (const char* method : {"k3-16", "k3-32", "k3-64"})
    for (const char* name : {"p:12", "uniform:25", "random:7:400000"}) {
      const auto instance = subset_sum::make_instance(name, 3);
      subset_sum::Options options;
      options.method = method;
      options.reduce = false;
      BOOST_TEST_CONTEXT(method << " on " << name) {
        const auto expected = subset_sum::solve(instance, options, test::device());
        test::Pretended small(test::device(), info);
        RunControl control;
        control.progress_interval = 0;
        double done = 0;
        control.progress = [&](const Progress& progress) {
          if (progress.phase != "sweep") return true;
          BOOST_TEST(progress.done >= done);
          done = progress.done;
          return done <= 1;
        };
        const auto result = subset_sum::solve(instance, options, small, control);
        BOOST_TEST(result.optimal);
        BOOST_TEST(result.checksum == expected.checksum);
        BOOST_TEST(result.recovery == "host");
        options.recovery = "checkpoints";
        BOOST_CHECK_EXCEPTION(subset_sum::solve(instance, options, small), InvalidInput, [](const auto& error) {
          return std::string(error.what()).find("`recovery` host") != std::string::npos;
        });
      }
    }
}

BOOST_AUTO_TEST_CASE(a_limit_ends_the_recovery_too) {
  const auto instance = subset_sum::make_instance("half-small:300", 1);
  subset_sum::Options options;
  options.method = "k3-64";
  options.recovery = "checkpoints";
  options.reduce = false;
  RunControl control;
  bool recovering = false;
  control.progress_interval = 0;
  control.progress = [&](const Progress& progress) {
    if (progress.phase != "recovery") return true;
    recovering = true;
    return false;
  };
  const auto result = subset_sum::solve(instance, options, test::device(), control);
  BOOST_TEST(recovering);
  BOOST_TEST((result.ending == Ending::interrupted));
  BOOST_TEST(!result.optimal);
  BOOST_TEST(subset_sum::check(instance, result).empty());
}

BOOST_AUTO_TEST_SUITE_END()
