/// \file
/// Runs whose objective is a C++ function of a whole generation.
#include <clopt/error.hpp>
#include <clopt/genetic.hpp>
#include <support/batch_function.hpp>

#include <boost/test/unit_test.hpp>

#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

namespace {

using namespace clopt;
using test::BatchCalls;

genetic::Problem problem_of(Objective objective, std::uint32_t genes) {
  const bool bounded = objective.kind() == GeneKind::reals || objective.kind() == GeneKind::integers;
  return {std::move(objective), genes, bounded ? std::vector{-5.0} : std::vector<double>{},
          bounded ? std::vector{5.0} : std::vector<double>{}};
}

// An odd population on islands with elites and migration; more individuals than a thread takes at a time.
genetic::Options batch_options() {
  genetic::Options options;
  options.preset = "paper";
  options.population = 301;
  options.islands = 3;
  options.elites = 2;
  options.migrate_every = 2;
  options.generations = 7;
  return options;
}

std::uint64_t checksum_of(const Objective& objective, std::uint32_t genes, const genetic::Options& options) {
  return genetic::solve(problem_of(objective, genes), options, *test::host_of_three_threads()).checksum;
}

double ones_of(std::span<const std::uint32_t> words) {
  int ones = 0;
  for (const auto word : words) ones += std::popcount(word);
  return ones;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(genetic_batch_function)

BOOST_AUTO_TEST_CASE(one_call_evaluates_each_generation) {
  for (const std::uint64_t elites : {0U, 2U}) {
    auto options = batch_options();
    options.elites = elites;
    BatchCalls calls;
    checksum_of(
        test::batch_function(calls, GeneKind::bits, 70, 0, [](auto genes, auto) { return test::sum_of(genes); }), 70,
        options);
    std::vector<std::size_t> expected(8, (301 - elites) * 3);
    expected[0] = 301 * 3;
    BOOST_TEST(calls.individuals == expected, boost::test_tools::per_element());
    BOOST_TEST(calls.are_on_the_callers_thread);
    BOOST_TEST(calls.have_the_right_shape);
  }
}

BOOST_AUTO_TEST_CASE(bits_are_those_of_the_built_in_objective_and_of_a_function_of_one) {
  // "fused" is served too, by launches of their own.
  for (const char* granularity : {"auto", "thread", "gene", "fused"})
    for (const std::uint32_t islands : {1U, 3U}) {
      auto options = batch_options();
      options.precision = "double";
      options.granularity = granularity;
      options.islands = islands;
      if (islands == 1) options.elites = options.migrate_every = 0;
      BatchCalls calls;
      const auto batch =
          test::batch_function(calls, GeneKind::bits, 70, 0, [](auto genes, auto) { return test::sum_of(genes); });
      const auto expected = checksum_of(Objective::named("onemax"), 70, options);
      BOOST_TEST(checksum_of(batch, 70, options) == expected, granularity);
      BOOST_TEST(checksum_of(Objective::from_bit_function([](auto words, std::size_t) { return ones_of(words); }), 70,
                             options) == expected,
                 granularity);
    }
}

BOOST_AUTO_TEST_CASE(reals_are_those_of_the_built_in_objective_and_of_a_function_of_one) {
  for (const char* precision : {"float", "double"}) {
    auto options = batch_options();
    options.precision = precision;
    const auto sphere = [is_double = options.precision == "double"](std::span<const double> genes) {
      return is_double ? test::sphere_of_two<double>(genes) : test::sphere_of_two<float>(genes);
    };
    BatchCalls calls;
    const auto batch =
        test::batch_function(calls, GeneKind::reals, 2, 0, [=](auto genes, auto) { return sphere(genes); });
    const auto expected = checksum_of(Objective::named("sphere"), 2, options);
    BOOST_TEST(checksum_of(batch, 2, options) == expected, precision);
    BOOST_TEST(checksum_of(Objective::from_real_function(sphere), 2, options) == expected, precision);
  }
}

BOOST_AUTO_TEST_CASE(integers_and_permutations_are_those_of_a_function_of_one) {
  const auto weighed = [](const auto& genes) {
    double sum = 0;
    for (std::size_t i = 0; i < genes.size(); ++i) sum += static_cast<double>(genes[i]) * static_cast<double>(i * i);
    return sum;
  };
  BatchCalls calls;
  const auto options = batch_options();
  const auto batch = [&](GeneKind kind) {
    return test::batch_function(calls, kind, 9, 0, [=](auto genes, auto) { return weighed(genes); });
  };
  BOOST_TEST(checksum_of(batch(GeneKind::integers), 9, options) ==
             checksum_of(Objective::from_integer_function(weighed), 9, options));
  BOOST_TEST(checksum_of(batch(GeneKind::permutation), 9, options) ==
             checksum_of(Objective::from_permutation_function(weighed), 9, options));
  BOOST_TEST(calls.have_the_right_shape);
}

BOOST_AUTO_TEST_CASE(the_direction_is_honoured) {
  BatchCalls calls;
  auto batch = test::batch_function(calls, GeneKind::bits, 40, 0, [](auto genes, auto) { return test::sum_of(genes); });
  auto one = Objective::from_bit_function([](auto words, std::size_t) { return ones_of(words); });
  batch.set_direction(Direction::maximise);
  one.set_direction(Direction::maximise);
  const auto options = batch_options();
  const auto result = genetic::solve(problem_of(batch, 40), options, *test::host_of_three_threads());
  BOOST_TEST(result.fitness > 25);
  BOOST_TEST(result.checksum == checksum_of(one, 40, options));
}

BOOST_AUTO_TEST_CASE(values_that_are_left_out_are_the_worst) {
  const auto value = [](double ones) { return ones < 30 ? std::numeric_limits<double>::quiet_NaN() : ones; };
  const auto batch = Objective::from_batch_function(
      [](std::span<const double> genes, std::span<const double>, std::span<double> values) {
        for (std::size_t i = 0; i < values.size(); ++i)
          if (const double ones = test::sum_of(genes.subspan(i * 70, 70)); ones >= 30) values[i] = ones;
      },
      GeneKind::bits);
  const auto options = batch_options();
  const auto result = genetic::solve(problem_of(batch, 70), options, *test::host_of_three_threads());
  BOOST_TEST(result.fitness >= 30);
  BOOST_TEST(result.checksum ==
             checksum_of(Objective::from_bit_function([=](auto words, std::size_t) { return value(ones_of(words)); }),
                         70, options));
}

BOOST_AUTO_TEST_CASE(a_run_is_stopped_within_one_call) {
  for (const std::size_t last : {0U, 1U, 4U}) {
    std::stop_source source;
    BatchCalls calls;
    const auto batch = test::batch_function(
        calls, GeneKind::bits, 70, 0, [](auto genes, auto) { return test::sum_of(genes); },
        [&](std::size_t call) {
          if (call == last) source.request_stop();
        });
    auto options = batch_options();
    options.generations = 1000;
    RunControl control;
    control.stop = source.get_token();
    const auto result = genetic::solve(problem_of(batch, 70), options, *test::host_of_three_threads(), control);
    BOOST_TEST(calls.individuals.size() == last + 1);
    BOOST_TEST(result.generations == last);
    BOOST_TEST((result.ending == decltype(result.ending)::interrupted));
  }
}

BOOST_AUTO_TEST_CASE(a_generation_that_it_leaves_is_dropped) {
  for (const std::uint64_t restart : {0U, 2U})
    for (const std::size_t last : {1U, 3U, 4U, 5U}) BOOST_TEST_CONTEXT(restart << ", " << last) {
        auto options = batch_options();
        options.restart = restart;
        BatchCalls calls;
        const auto solved = [&](std::size_t leaves) {
          const auto batch = test::batch_function(
              calls, GeneKind::bits, 70, 0, [](auto genes, auto) { return std::fabs(test::sum_of(genes) - 35); },
              [&, first = calls.individuals.size(), leaves](std::size_t call) {
                if (call - first == leaves) throw Cancelled("enough");
              });
          return genetic::solve(problem_of(batch, 70), options, *test::host_of_three_threads());
        };
        const auto left = solved(last);
        BOOST_TEST(left.generations == last - 1);
        BOOST_TEST((left.ending == Ending::time));
        options.generations = last - 1;
        const auto expected = solved(100);
        BOOST_TEST(left.checksum == expected.checksum);
        BOOST_TEST(left.evaluations == expected.evaluations);
        BOOST_TEST(left.restarts == expected.restarts);
      }
}

BOOST_AUTO_TEST_CASE(what_it_throws_reaches_the_caller) {
  for (const std::size_t last : {0U, 3U}) {
    BatchCalls calls;
    const auto batch = test::batch_function(
        calls, GeneKind::bits, 70, 0, [](auto genes, auto) { return test::sum_of(genes); },
        [&](std::size_t call) {
          if (call == last) throw std::domain_error("not today");
        });
    BOOST_CHECK_EXCEPTION(checksum_of(batch, 70, batch_options()), std::domain_error,
                          [](const auto& error) { return std::string(error.what()) == "not today"; });
    BOOST_TEST(calls.individuals.size() == last);
  }
}

BOOST_AUTO_TEST_SUITE_END()
