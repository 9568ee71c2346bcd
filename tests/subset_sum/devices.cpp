/// \file
/// Whole solutions on the device under test.
#include "oracle.hpp"

#include <clopt/clopt.hpp>
#include <support/device.hpp>
#include <support/skip.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

using namespace clopt;

BOOST_AUTO_TEST_SUITE(devices, *boost::unit_test::label("device"))

BOOST_AUTO_TEST_CASE(solutions_are_optimal_and_the_same_everywhere) {
  std::mt19937_64 random(4);
  // Where launches cost nothing, as many as in the host's own tests.
  const bool quick = test::device().info().launches_are_calls;
  const bool thorough = std::getenv("CLOPT_TEST_LONG") != nullptr;
  for (int round = 0; round < (quick ? (thorough ? 20'000 : 2'000) : (thorough ? 400 : 40)); ++round) {
    BOOST_TEST_INFO("seed 4, round " << round);
    const auto count = std::vector<std::size_t>{1, 7, 15, 18}[static_cast<std::size_t>(round) % 4];
    subset_sum::Instance instance{oracle::random_weights(random, count, 5000), 0};
    std::uint64_t sum = 0;
    for (const auto weight : instance.weights) sum += weight;
    instance.capacity = random() % (sum + 1);
    subset_sum::Options options;
    options.method =
        std::vector<std::string>{"k3-32", "k1", "k3-16", "k3-64", "k2"}[static_cast<std::size_t>(round) % 5];
    options.reduce = round % 2 == 0;
    const auto result = subset_sum::solve(instance, options, test::device());
    BOOST_TEST(result.value == oracle::best_of_all_subsets(instance.weights, instance.capacity));
    BOOST_TEST(result.optimal);
    BOOST_TEST(subset_sum::check(instance, result).empty());
    // The recursion as it stands in the tests, by way of the same preprocessing, takes the same subset.
    const auto reference = subset_sum::solve_with(instance, options, oracle::sweeper());
    BOOST_TEST(result.indices == reference.indices);
    BOOST_TEST(result.checksum == reference.checksum);
  }
}

BOOST_AUTO_TEST_CASE(blocks_of_capacities_take_heavy_items_first) {
  // Weights on both sides of a block's capacities, whichever they are on the device.
  std::mt19937_64 random(6);
  for (const char* barrier : {"xiao-feng", "cyclic"}) {
    for (int round = 0; round < 3; ++round) {
      subset_sum::Instance instance{oracle::random_weights(random, 9, 40000), 90001};
      const auto light = oracle::random_weights(random, 6, 500);
      instance.weights.insert(instance.weights.end(), light.begin(), light.end());
      subset_sum::Options options;
      options.method = "k2";
      options.barrier = barrier;
      options.reduce = false;
      const auto result = subset_sum::solve(instance, options, test::device());
      BOOST_TEST(result.value == oracle::best_of_all_subsets(instance.weights, instance.capacity));
      BOOST_TEST(result.checksum == subset_sum::solve_with(instance, options, oracle::sweeper()).checksum);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_limit_at_once_ends_a_sweep_of_many_items) {
  // What was on its way to the device when the run ended must still be there.
  subset_sum::Instance instance{std::vector<std::uint64_t>(1'000'000, 2), 1'000'001};
  subset_sum::Options options;
  options.method = "k3-64";
  options.reduce = false;
  instance.weights.front() = 3;
  RunControl control;
  control.time_limit = 0;
  const auto result = subset_sum::solve(instance, options, test::device(), control);
  BOOST_TEST(subset_sum::check(instance, result).empty());
}

BOOST_AUTO_TEST_CASE(limits_end_a_sweep_with_the_best_so_far) {
  const auto instance = subset_sum::make_instance("p:100", 1);
  subset_sum::Options options;
  options.method = "k3-32";
  options.reduce = false;
  RunControl control;
  control.time_limit = 0;
  const auto result = subset_sum::solve(instance, options, test::device(), control);
  BOOST_TEST(!result.optimal);
  BOOST_TEST(result.value > 0U);
  BOOST_TEST(subset_sum::check(instance, result).empty());
}

BOOST_AUTO_TEST_CASE(a_sweep_that_does_not_fit_is_refused_with_the_sizes) {
  std::mt19937_64 random(5);
  const subset_sum::Instance instance{oracle::random_weights(random, 30, std::uint64_t{1} << 58),
                                      std::uint64_t{1} << 61};
  subset_sum::Options options;
  options.method = "k3-32";
  options.reduce = false;
  BOOST_CHECK_EXCEPTION(subset_sum::solve(instance, options, test::device()), InvalidInput,
                        [](const auto& error) { return std::string(error.what()).find("bytes") != std::string::npos; });
}

BOOST_AUTO_TEST_CASE(work_groups_do_not_matter) {
  const auto instance = subset_sum::make_instance("half-small:40", 5);
  subset_sum::Options options;
  options.reduce = false;
  for (const char* method : {"k3-16", "k3-32", "k3-64"}) {
    options.method = method;
    options.work_groups.reset();
    const auto expected = subset_sum::solve(instance, options, test::device()).checksum;
    for (const std::uint32_t groups : {1U, 7U, 49U, 1'000'000U}) BOOST_TEST_CONTEXT(method << " by " << groups) {
        options.work_groups = groups;
        if (test::device().info().launches_are_calls)
          BOOST_CHECK_THROW(subset_sum::solve(instance, options, test::device()), InvalidInput);
        else
          BOOST_TEST(subset_sum::solve(instance, options, test::device()).checksum == expected);
      }
  }
}

BOOST_AUTO_TEST_CASE(threads_do_not_matter) {
  if (test::device().info().backend != "openmp") return test::skip("it has no threads of ours");
  const auto instance = subset_sum::make_instance("half-small:60", 5);
  subset_sum::Options options;
  options.method = "k3-32";
  options.reduce = false;
  std::vector<std::uint64_t> checksums;
  for (const unsigned threads : {1U, 2U, 3U, 7U}) {
    DeviceOptions device_options;
    device_options.threads = threads;
    const auto device = open_device("openmp:0", device_options);
    checksums.push_back(subset_sum::solve(instance, options, *device).checksum);
  }
  BOOST_TEST(std::count(checksums.begin(), checksums.end(), checksums.front()) == std::ssize(checksums));
}

BOOST_AUTO_TEST_SUITE_END()
