/// \file
/// Runs whose objective is a C++ function of a whole generation.
#include <clopt/checkpoint.hpp>
#include <clopt/differential_evolution.hpp>
#include <clopt/error.hpp>
#include <support/batch_function.hpp>
#include <support/folder.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace clopt;
using test::BatchCalls;
namespace de = clopt::differential_evolution;

constexpr std::size_t problems = 5;

// With a row of data for each problem, which is where its best parameters lie.
de::Problem problem_of(Objective objective, bool has_data) {
  de::Problem problem{std::move(objective)};
  problem.dimensions = 2;
  problem.problems = problems;
  problem.lower = {-5};
  problem.upper = {5};
  if (!has_data) return problem;
  problem.columns = 3;
  for (std::size_t n = 0; n < problems * problem.columns; ++n) problem.data.push_back(static_cast<double>(n) / 4);
  return problem;
}

double distance(std::span<const double> genes, std::span<const double> row) {
  return (genes[0] - row[0]) * (genes[0] - row[0]) + (genes[1] - row[2]) * (genes[1] - row[2]) + row[1];
}

de::Options some_options() {
  de::Options options;
  options.population = 21;
  options.generations = 12;
  options.adapt = "none";
  return options;
}

de::Result solved(const Objective& objective, const de::Options& options, bool has_data = true,
                  const RunControl& control = {}) {
  return de::solve(problem_of(objective, has_data), options, *test::host_of_three_threads(), control);
}

Objective distances(BatchCalls& calls, std::function<void(std::size_t)> before = {}) {
  return test::batch_function(calls, GeneKind::reals, 2, 3, distance, std::move(before));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(batch_function)

BOOST_AUTO_TEST_CASE(one_call_evaluates_each_generation_of_all_problems) {
  BatchCalls calls;
  const auto result = solved(distances(calls), some_options());
  BOOST_TEST(result.method == "fused");
  BOOST_TEST(calls.individuals == std::vector<std::size_t>(13, 21 * problems), boost::test_tools::per_element());
  BOOST_TEST(calls.are_on_the_callers_thread);
  BOOST_TEST(calls.have_the_right_shape);
}

BOOST_AUTO_TEST_CASE(its_run_is_that_of_a_function_of_one) {
  // The populations are around those whose ranks are found by comparing each with all others, and by selection.
  for (const char* adapt : {"none", "jde", "shade", "lshade", "shade6"})
    for (const char* precision : {"float", "double"})
      for (const std::uint32_t population : {7U, 21U, 513U}) {
        auto options = some_options();
        options.adapt = adapt;
        options.precision = precision;
        options.population = population;
        const auto expected = solved(Objective::from_real_function(distance), options);
        for (const char* method : {"fused", "staged"}) {
          options.method = method;
          BatchCalls calls;
          const auto result = solved(distances(calls), options);
          BOOST_TEST(result.checksum == expected.checksum, adapt << " " << precision << " " << method << population);
          BOOST_TEST(result.total_evaluations == expected.total_evaluations);
          BOOST_TEST(calls.individuals.size() == 13U);
          // No vector is evaluated that the run does not count.
          BOOST_TEST(std::accumulate(calls.individuals.begin(), calls.individuals.end(), std::size_t{0}) ==
                     result.total_evaluations);
        }
      }
}

BOOST_AUTO_TEST_CASE(gene_by_gene_it_gets_the_same) {
  const auto batch = Objective::from_batch_function(
      [](std::span<const double> genes, std::span<const double> rows, std::span<double> values) {
        const auto size = values.size();
        for (std::size_t i = 0; i < size; ++i) {
          const double own[] = {genes[i], genes[size + i]};
          const double row[] = {rows[i], rows[size + i], rows[2 * size + i]};
          values[i] = distance(own, row);
        }
      },
      GeneKind::reals, "by genes", Objective::BatchLayout::genes);
  for (const char* method : {"fused", "staged"})
    for (const char* precision : {"float", "double"}) {
      auto options = some_options();
      options.method = method;
      options.precision = precision;
      BOOST_TEST(solved(batch, options).checksum == solved(Objective::from_real_function(distance), options).checksum,
                 method << " " << precision);
    }
}

BOOST_AUTO_TEST_CASE(trials_that_are_too_many_to_be_held_twice_are_made_by_stages) {
  auto options = some_options();
  options.generations = 1;
  for (const bool is_more : {false, true}) {
    options.population = (1U << 23) / (2 * problems) + (is_more ? 1 : 0);
    BatchCalls calls;
    BOOST_TEST(solved(distances(calls), options).method == (is_more ? "staged" : "fused"));
  }
}

BOOST_AUTO_TEST_CASE(its_run_is_that_of_the_built_in_objective) {
  for (const char* precision : {"float", "double"}) {
    auto options = some_options();
    options.precision = precision;
    const bool is_double = options.precision == "double";
    BatchCalls calls;
    const auto batch = test::batch_function(calls, GeneKind::reals, 2, 0, [=](auto genes, auto) {
      return is_double ? test::sphere_of_two<double>(genes) : test::sphere_of_two<float>(genes);
    });
    BOOST_TEST(solved(batch, options, false).checksum == solved(Objective::named("sphere"), options, false).checksum,
               precision);
    BOOST_TEST(calls.have_the_right_shape);
  }
}

BOOST_AUTO_TEST_CASE(problems_that_have_stopped_are_not_evaluated) {
  auto options = some_options();
  options.generations = 200;
  // Problem k can reach no less than its row[1], (3 k + 1) / 4.
  options.target = 0.3;
  for (const char* method : {"fused", "staged"}) {
    options.method = method;
    BatchCalls calls;
    const auto result = solved(distances(calls), options);
    BOOST_TEST(result.solved == 1U);
    BOOST_TEST(calls.individuals.front() == 21 * problems);
    BOOST_TEST(calls.individuals.back() == 21 * (problems - 1));
    BOOST_TEST(std::accumulate(calls.individuals.begin(), calls.individuals.end(), std::size_t{0}) ==
               result.total_evaluations);
  }
}

BOOST_AUTO_TEST_CASE(values_that_are_left_out_are_the_worst) {
  const auto value = [](std::span<const double> genes, std::span<const double> row) {
    return genes[0] < 0 ? std::numeric_limits<double>::quiet_NaN() : distance(genes, row);
  };
  const auto batch = Objective::from_batch_function(
      [](std::span<const double> genes, std::span<const double> rows, std::span<double> values) {
        for (std::size_t i = 0; i < values.size(); ++i)
          if (genes[2 * i] >= 0) values[i] = distance(genes.subspan(2 * i, 2), rows.subspan(3 * i, 3));
      },
      GeneKind::reals);
  const auto expected = solved(Objective::from_real_function(value), some_options());
  const auto result = solved(batch, some_options());
  BOOST_TEST(result.checksum == expected.checksum);
  BOOST_TEST(result.invalid == expected.invalid, boost::test_tools::per_element());
  BOOST_TEST(std::accumulate(result.invalid.begin(), result.invalid.end(), 0ULL) > 0U);
}

BOOST_AUTO_TEST_CASE(a_run_is_stopped_within_one_call) {
  for (const bool has_statistics : {false, true})
    // By the last one a launch has many generations.
    for (const std::size_t last : {0U, 1U, 6U, 700U}) {
      std::stop_source source;
      BatchCalls calls;
      RunControl control;
      control.stop = source.get_token();
      auto options = some_options();
      options.generations = 1000;
      if (has_statistics) options.statistics = [](const de::Statistics&) {};
      const auto batch = distances(calls, [&](std::size_t call) {
        if (call == last) source.request_stop();
      });
      const auto result = solved(batch, options, true, control);
      BOOST_TEST(calls.individuals.size() == last + 1);
      BOOST_TEST(result.generations.front() == last);
    }
}

// By then a launch has many generations: cheap ones take less than a launch is wanted to.
BOOST_AUTO_TEST_CASE(launches_have_many_generations) {
  BatchCalls calls;
  auto options = some_options();
  options.generations = 2000;
  const auto result = solved(distances(calls), options);
  BOOST_TEST(calls.individuals.size() == 2001U);
  BOOST_TEST(result.launches < 1900U);
}

BOOST_AUTO_TEST_CASE(a_launch_that_is_ended_leaves_whole_generations) {
  const test::Folder folder;
  const auto file = folder.path() / "checkpoint";
  for (const char* adapt : {"none", "jde", "shade", "lshade", "shade6"})
    for (const char* precision : {"float", "double"})
      for (const char* strategy : {"rand1bin", "rand1exp"})
        BOOST_TEST_CONTEXT(adapt << ", " << precision << ", " << strategy) {
          auto options = some_options();
          options.generations = 500;
          options.adapt = adapt;
          options.precision = precision;
          const bool remembers = std::string_view(adapt).find("shade") != std::string_view::npos;
          if (remembers && std::string_view(strategy) == "rand1exp") continue;
          if (!remembers) options.strategy = strategy;
          BatchCalls none;
          const auto expected = solved(distances(none), options);
          std::stop_source source;
          RunControl control;
          control.stop = source.get_token();
          BatchCalls calls;
          const auto stopping = distances(calls, [&](std::size_t call) {
            if (call == 301) source.request_stop();
          });
          options.checkpoint = std::make_shared<CheckpointWriter>(file);
          const auto stopped = solved(stopping, options, true, control);
          BOOST_TEST(stopped.interrupted());
          BOOST_TEST(stopped.generations.front() == 301U);
          options.checkpoint.reset();
          options.resume = std::make_shared<const Checkpoint>(Checkpoint::read(file, ""));
          BatchCalls rest;
          const auto resumed = solved(distances(rest), options);
          BOOST_TEST(resumed.checksum == expected.checksum);
          BOOST_TEST(resumed.total_evaluations == expected.total_evaluations);
          BOOST_TEST(rest.individuals.size() == 199U);
        }
}

BOOST_AUTO_TEST_CASE(a_generation_that_it_leaves_is_dropped) {
  const test::Folder folder;
  const auto file = folder.path() / "checkpoint";
  for (const char* adapt : {"none", "jde", "shade", "lshade", "shade6"})
    for (const bool has_statistics : {false, true})
      for (const std::size_t last : {1U, 17U}) BOOST_TEST_CONTEXT(adapt << ", " << has_statistics << ", " << last) {
          auto options = some_options();
          options.generations = 40;
          options.adapt = adapt;
          std::uint64_t rows = 0;
          if (has_statistics) options.statistics = [&](const auto&) { ++rows; };
          BatchCalls none;
          const auto expected = solved(distances(none), options);
          BatchCalls calls;
          const auto leaving = distances(calls, [&](std::size_t call) {
            if (call == last) throw Cancelled("enough");
          });
          rows = 0;
          options.checkpoint = std::make_shared<CheckpointWriter>(file);
          const auto stopped = solved(leaving, options);
          BOOST_TEST(stopped.generations.front() == last - 1);
          BOOST_TEST(rows == (has_statistics ? last : 0));
          options.checkpoint.reset();
          options.resume = std::make_shared<const Checkpoint>(Checkpoint::read(file, ""));
          BatchCalls rest;
          const auto resumed = solved(distances(rest), options);
          BOOST_TEST(resumed.checksum == expected.checksum);
          BOOST_TEST(resumed.total_evaluations == expected.total_evaluations);
        }
}

// A generation in which some problems restart is two calls: of these, and of the others.
BOOST_AUTO_TEST_CASE(a_restart_that_it_leaves_is_repeated) {
  const test::Folder folder;
  const auto file = folder.path() / "checkpoint";
  de::Options options;
  options.population = 7;
  options.generations = 400;
  options.adapt = "shade6";
  options.restarts = true;
  const auto solve = [&](const Objective& objective, const RunControl& control = {}) {
    auto problem = problem_of(objective, true);
    // Its values come ever nearer to 0, and never near to each other.
    problem.data[1] = 0;
    return de::solve(problem, options, *test::host_of_three_threads(), control);
  };
  BatchCalls all;
  const auto expected = solve(distances(all));
  BOOST_TEST(all.individuals.size() > 401U);
  BOOST_TEST(expected.total_evaluations == 401U * 7 * problems);
  const auto alone = solve(Objective::from_real_function(distance));
  BOOST_TEST(alone.checksum == expected.checksum);
  bool is_first = false;
  for (std::size_t last = 1; last < all.individuals.size(); ++last) {
    if (all.individuals[last] == 7 * problems) continue;
    BOOST_TEST_CONTEXT("call " << last) {
      BatchCalls calls;
      const auto leaving = distances(calls, [&](std::size_t call) {
        if (call == last) throw Cancelled("enough");
      });
      options.resume.reset();
      options.checkpoint = std::make_shared<CheckpointWriter>(file);
      const auto stopped = solve(leaving);
      BOOST_TEST(stopped.generations.back() % 64 == 0U);
      BOOST_TEST((stopped.stops.back() == de::Stop::limit));
      for (std::size_t k = 0; k < problems; ++k) {
        const auto row = problem_of(Objective::from_real_function(distance), true).data;
        const auto own = std::span(row).subspan(3 * k, 3);
        const auto at = std::span(stopped.parameters).subspan(2 * k, 2);
        const double value = k == 0 ? distance(at, std::vector{own[0], 0.0, own[2]}) : distance(at, own);
        BOOST_TEST(value == stopped.values[k]);
      }
      options.checkpoint.reset();
      options.resume = std::make_shared<const Checkpoint>(Checkpoint::read(file, ""));
      BatchCalls rest;
      const auto resumed = solve(distances(rest));
      BOOST_TEST(resumed.checksum == expected.checksum);
      BOOST_TEST(resumed.values == expected.values, boost::test_tools::per_element());
      BOOST_TEST(resumed.total_evaluations == expected.total_evaluations);
      options.resume.reset();
      std::stop_source source;
      BatchCalls some;
      const auto stopping = distances(some, [&](std::size_t call) {
        if (call == last) source.request_stop();
      });
      const auto ended_between = solve(stopping, {.stop = source.get_token()});
      BOOST_TEST(some.individuals.size() == last + 1);
      // Where it is the first of both calls, the second one is dropped.
      is_first = !is_first;
      if (is_first) BOOST_TEST(ended_between.values == stopped.values, boost::test_tools::per_element());
      options.resume = std::make_shared<const Checkpoint>(Checkpoint::read(file, ""));
      // Problems in the middle of a restart have ended where what they keep reaches a target.
      options.target = *std::max_element(stopped.values.begin(), stopped.values.end());
      const auto ended = solve(distances(rest));
      options.target.reset();
      BOOST_TEST(ended.solved == problems);
      for (std::size_t k = 0; k < problems; ++k) BOOST_TEST(ended.generations[k] <= stopped.generations[k] + 1);
    }
  }
}

BOOST_AUTO_TEST_CASE(what_it_throws_reaches_the_caller) {
  for (const std::size_t last : {0U, 3U}) {
    BatchCalls calls;
    const auto batch = distances(calls, [&](std::size_t call) {
      if (call == last) throw std::domain_error("not today");
    });
    BOOST_CHECK_EXCEPTION(solved(batch, some_options()), std::domain_error,
                          [](const auto& error) { return std::string(error.what()) == "not today"; });
    BOOST_TEST(calls.individuals.size() == last);
  }
}

BOOST_AUTO_TEST_CASE(other_methods_and_several_devices_refuse_it) {
  BatchCalls calls;
  const auto refuses = [](const std::string& part) {
    return [part](const InvalidInput& error) { return std::string(error.what()).find(part) != std::string::npos; };
  };
  auto options = some_options();
  for (const char* method : {"merged", "offloaded"}) {
    options.method = method;
    BOOST_CHECK_EXCEPTION(solved(distances(calls), options), InvalidInput,
                          refuses("choose fused, staged, ahead or auto"));
  }
  const std::vector devices{test::host_of_three_threads(), test::host_of_three_threads()};
  BOOST_CHECK_EXCEPTION(de::solve(problem_of(distances(calls), true), some_options(), devices), InvalidInput,
                        refuses("give one device"));
  BOOST_TEST(calls.individuals.empty());
}

BOOST_AUTO_TEST_SUITE_END()
