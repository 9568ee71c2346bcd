/// \file
/// Runs whose objective is a C++ function of a whole generation.
#include <clopt/error.hpp>
#include <support/batch_function.hpp>
#include "runs.hpp"

#include <boost/test/unit_test.hpp>

#include <bit>
#include <limits>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

namespace {

using namespace clopt;
using test::BatchCalls;

// More individuals than a thread takes at a time, and no multiple of 32; a locus beyond whole words.
constexpr std::uint32_t length = 49;
constexpr std::uint64_t population = 1301;

ecga::Options some_options() {
  auto options = test::options_of(population);
  options.generations = 4;
  return options;
}

ecga::Result solved(const Objective& objective, const ecga::Options& options, const RunControl& control = {}) {
  return ecga::solve({objective, length}, options, *test::host_of_three_threads(), control);
}

Objective ones_of_batch(BatchCalls& calls, std::function<void(std::size_t)> before = {}) {
  return test::batch_function(
      calls, GeneKind::bits, length, 0, [](auto genes, auto) { return test::sum_of(genes); }, std::move(before));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(ecga_batch_function)

BOOST_AUTO_TEST_CASE(one_call_evaluates_each_generation) {
  BatchCalls calls;
  const auto result = solved(ones_of_batch(calls), some_options());
  BOOST_TEST(result.generations == 4U);
  BOOST_TEST(calls.individuals == std::vector<std::size_t>(5, population), boost::test_tools::per_element());
  BOOST_TEST(calls.are_on_the_callers_thread);
  BOOST_TEST(calls.have_the_right_shape);
}

BOOST_AUTO_TEST_CASE(its_run_is_that_of_the_built_in_objective_and_of_a_function_of_one) {
  BatchCalls calls;
  auto named = Objective::named("onemax");
  named.set_direction(Direction::maximise);
  auto options = some_options();
  options.precision = "double";
  const auto expected = solved(named, options).checksum;
  const auto one = Objective::from_bit_function([](std::span<const std::uint32_t> words, std::size_t) {
    int ones = 0;
    for (const auto word : words) ones += std::popcount(word);
    return static_cast<double>(ones);
  });
  // Which way is better is not left to a default.
  auto maximised = one;
  maximised.set_direction(Direction::maximise);
  auto batch = ones_of_batch(calls);
  batch.set_direction(Direction::maximise);
  BOOST_TEST(solved(batch, some_options()).checksum == expected);
  BOOST_TEST(solved(maximised, some_options()).checksum == expected);
}

BOOST_AUTO_TEST_CASE(a_value_that_is_left_out_is_the_worst) {
  auto batch = Objective::from_batch_function([](auto, auto, auto) {}, GeneKind::bits, "nothing");
  BOOST_TEST(solved(batch, some_options()).best_fitness == -std::numeric_limits<double>::infinity());
  batch.set_direction(Direction::minimise);
  BOOST_TEST(solved(batch, some_options()).best_fitness == std::numeric_limits<double>::infinity());
}

BOOST_AUTO_TEST_CASE(a_run_is_stopped_within_one_call) {
  for (const std::size_t last : {0U, 2U}) {
    std::stop_source source;
    BatchCalls calls;
    RunControl control;
    control.stop = source.get_token();
    const auto result = solved(ones_of_batch(calls,
                                             [&](std::size_t call) {
                                               if (call == last) source.request_stop();
                                             }),
                               some_options(), control);
    BOOST_TEST(calls.individuals.size() == last + 1);
    BOOST_TEST(result.generations == last);
  }
}

BOOST_AUTO_TEST_CASE(a_generation_that_it_leaves_is_dropped) {
  for (const std::size_t last : {1U, 3U}) {
    auto options = some_options();
    BatchCalls calls;
    const auto left = solved(ones_of_batch(calls,
                                           [&](std::size_t call) {
                                             if (call == last) throw Cancelled("enough");
                                           }),
                             options);
    options.generations = last - 1;
    BatchCalls all;
    const auto expected = solved(ones_of_batch(all), options);
    BOOST_TEST(left.generations == last - 1);
    BOOST_TEST(left.checksum == expected.checksum);
    BOOST_TEST(left.evaluations == expected.evaluations);
    BOOST_TEST(left.merges == expected.merges);
    BOOST_TEST((left.ending == Ending::time));
  }
}

BOOST_AUTO_TEST_CASE(what_it_throws_reaches_the_caller) {
  BatchCalls calls;
  const auto batch = ones_of_batch(calls, [](std::size_t call) {
    if (call == 2) throw std::domain_error("not today");
  });
  BOOST_CHECK_EXCEPTION(solved(batch, some_options()), std::domain_error,
                        [](const auto& error) { return std::string(error.what()) == "not today"; });
  BOOST_TEST(calls.individuals.size() == 2U);
}

BOOST_AUTO_TEST_SUITE_END()
