/// \file
/// Whole runs: the same state however they are counted, stopped or resumed; perfect mixing; bad input.
#include "runs.hpp"

#include <clopt/clopt.hpp>
#include <support/device.hpp>
#include <support/folder.hpp>
#include <support/skip.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace {

using namespace clopt;
using test::bit;
using test::options_of;
using test::problem_of;
using test::states_of;

double trap_fitness(const std::vector<std::uint32_t>& population, std::size_t individuals, std::size_t i,
                    std::size_t length, std::size_t order) {
  double sum = 0;
  for (std::size_t block = 0; block < length; block += order) {
    std::size_t ones = 0;
    for (std::size_t s = 0; s < order; ++s) ones += bit(population, individuals, i, block + s);
    sum += static_cast<double>(ones == order ? order : order - 1 - ones);
  }
  return sum;
}

bool refused(const ecga::Problem& problem, const ecga::Options& options, const std::string& with,
             const RunControl& control = {}) {
  try {
    ecga::solve(problem, options, test::device(), control);
  } catch (const InvalidInput& error) {
    return std::string(error.what()).find(with) != std::string::npos;
  }
  return false;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(run, *boost::unit_test::label("device"))

BOOST_AUTO_TEST_CASE(traps_are_solved) {
  const auto problem = problem_of("trap5", 20);
  const auto result = ecga::solve(problem, options_of(1200), test::device());
  BOOST_TEST(result.best_fitness == 20);
  BOOST_TEST(std::count(result.best_genes.begin(), result.best_genes.end(), 1) == 20);
  BOOST_TEST(result.converged);
  BOOST_TEST((result.ending == Ending::complete));
  BOOST_TEST(result.method == "greedy");
  BOOST_TEST(result.population == 1200U);
  BOOST_TEST(result.evaluations == 1200 * (result.generations + 1));
}

BOOST_AUTO_TEST_CASE(the_model_that_is_shown_has_all_blocks) {
  for (const std::uint32_t order : {5U, 4U}) {
    const std::uint32_t length = 10 * order;
    const auto result = ecga::solve(problem_of("trap" + std::to_string(order), length), {}, test::device());
    ecga::Model blocks;
    for (std::uint32_t locus = 0; locus < length; ++locus) {
      if (locus % order == 0) blocks.emplace_back();
      blocks.back().push_back(locus);
    }
    BOOST_TEST((result.model == blocks));
    BOOST_TEST(result.converged);
    BOOST_TEST(result.model_generation < result.generations);
  }
}

BOOST_AUTO_TEST_CASE(runs_end_in_the_same_state_however_pairs_are_counted) {
  const auto problem = problem_of("trap5", 35);
  for (const char* search : {"greedy", "mating"}) {
    auto options = options_of(777);
    options.search = search;
    // Where launches cost something, fewer of them.
    const bool quick = test::tries_all();
    options.generations = quick ? 4 : 2;
    const auto expected = ecga::solve(problem, options, test::device());
    for (const auto& counting : choices_of<ecga::Options>("counting"))
      for (const std::uint32_t guesses : {1U, 6U, 1000U}) {
        if (!quick && guesses == 1) continue;
        options.counting = counting;
        options.guesses = guesses;
        const auto result = ecga::solve(problem, options, test::device());
        BOOST_TEST_CONTEXT(search << " " << counting << " " << guesses) {
          BOOST_TEST(result.checksum == expected.checksum);
          BOOST_TEST((result.model == expected.model));
        }
      }
  }
}

BOOST_AUTO_TEST_CASE(the_state_does_not_depend_on_the_device) {
  // Found on OpenMP; every platform must come to the same.
  auto options = options_of(777);
  options.generations = 3;
  options.seed = 7;
  options.crossover = 0.75;
  BOOST_TEST(ecga::solve(problem_of("trap5", 35), options, test::device()).checksum == 0xc20f3fe7c62d3288U);
}

BOOST_AUTO_TEST_CASE(fitness_is_the_objective_s) {
  for (const std::size_t order : {1U, 3U, 5U}) {
    const std::size_t individuals = 97;
    const std::size_t length = 45;
    auto options = options_of(individuals);
    options.generations = 2;
    const auto states = states_of(problem_of(order == 1 ? "onemax" : "trap" + std::to_string(order), 45), options);
    for (const auto& state : states)
      for (std::size_t i = 0; i < individuals; ++i) {
        double expected = trap_fitness(state.population, individuals, i, length, order);
        if (order == 1) {
          expected = 0;
          for (std::size_t locus = 0; locus < length; ++locus) expected += bit(state.population, individuals, i, locus);
        }
        BOOST_REQUIRE(state.fitness[i] == expected);
      }
  }
}

BOOST_AUTO_TEST_CASE(mixing_keeps_the_numbers_of_each_group_s_patterns) {
  // Tournaments of one select everyone, each once: a generation then only mixes.
  const auto problem = problem_of("trap5", 40);
  for (const std::size_t individuals : {49U, 1500U})
    for (const double crossover : {1.0, 0.6, 0.0}) {
      auto options = options_of(individuals);
      options.tournament = 1;
      options.generations = 3;
      options.crossover = crossover;
      const auto states = states_of(problem, options);
      std::size_t changed = 0;
      for (std::size_t g = 1; g < states.size(); ++g) {
        const auto& before = states[g - 1].population;
        const auto& after = states[g].population;
        const auto* locus = states[g].model_loci.data();
        for (const auto size : states[g].model_sizes) {
          std::map<std::vector<unsigned>, int> patterns;
          for (std::size_t i = 0; i < individuals; ++i) {
            std::vector<unsigned> one;
            std::vector<unsigned> other;
            for (std::uint32_t s = 0; s < size; ++s) {
              one.push_back(bit(before, individuals, i, locus[s]));
              other.push_back(bit(after, individuals, i, locus[s]));
            }
            ++patterns[one];
            --patterns[other];
          }
          for (const auto& [pattern, difference] : patterns) BOOST_REQUIRE(difference == 0);
          locus += size;
        }
        for (std::size_t x = 0; x < before.size(); ++x) changed += before[x] != after[x];
      }
      BOOST_TEST(changed > 0U);
    }
}

BOOST_AUTO_TEST_CASE(tournaments_take_everyone_as_often) {
  // In tournaments of s without replacement the best wins each of its s matches, the worst none.
  const std::size_t individuals = 128;
  auto options = options_of(individuals);
  options.crossover = 0;
  options.generations = 1;
  const auto states = states_of(problem_of("onemax", 60), options);
  const auto& before = states.at(0);
  const auto& after = states.at(1);
  const auto best = std::max_element(before.fitness.begin(), before.fitness.end());
  const auto many_best = std::count(before.fitness.begin(), before.fitness.end(), *best);
  const auto many_after = std::count(after.fitness.begin(), after.fitness.end(), *best);
  BOOST_TEST(many_after >= 8);
  BOOST_TEST(many_after <= 8 * many_best);
  std::vector<float> sorted = before.fitness;
  std::sort(sorted.begin(), sorted.end());
  // Seven are worse than the winner of a match of eight.
  BOOST_TEST(*std::min_element(after.fitness.begin(), after.fitness.end()) >= sorted[7]);
}

BOOST_AUTO_TEST_CASE(bad_input_is_refused) {
  const auto problem = problem_of("trap5", 50);
  BOOST_TEST(refused(problem_of("trap5", 52), options_of(100), "`length` is 52, which is not a multiple of 5"));
  BOOST_TEST(refused(problem_of("trap5", 0), options_of(100), "`length` is 0"));
  BOOST_TEST(refused(problem_of("sphere", 50), options_of(100), "the `objective` sphere is one of reals"));
  for (const char* name : {"trap1", "trapx", "trap", "trap33"})
    BOOST_CHECK_EXCEPTION(problem_of(name, 50), InvalidInput, [&](const InvalidInput& error) {
      return std::string(error.what()).find("there is no `objective` '" + std::string(name) + "'") == 0;
    });
  BOOST_TEST(refused({Objective::named("trap"), 50}, options_of(100), "no order"));
  BOOST_TEST(refused(problem, options_of(7), "`tournament` is 8, and `population` has only 7"));
  BOOST_TEST(refused(problem, options_of(std::uint64_t{1} << 31), "`population` is 2147483648"));
  BOOST_TEST(refused(problem_of("onemax", 1 << 20), options_of((std::uint64_t{1} << 31) - 512),
                     "choose a smaller `population`"));
  auto options = options_of(100);
  options.tournament = 0;
  BOOST_TEST(refused(problem, options, "`tournament` is 0"));
  options = options_of(100);
  options.crossover = std::numeric_limits<double>::quiet_NaN();
  BOOST_TEST(refused(problem, options, "`crossover` is nan"));
  options = options_of(100);
  options.search = "random";
  BOOST_TEST(refused(problem, options, "there is no `search` 'random'; choose one of greedy, mating"));
  options = options_of(100);
  options.counting = "fingers";
  BOOST_TEST(refused(problem, options, "there is no `counting` 'fingers'; choose one of auto, popcount"));
  options = options_of(100);
  options.largest_group = 11;
  BOOST_TEST(refused(problem, options, "`largest_group` is 11"));
  options = options_of(100);
  options.least_shared = -1;
  BOOST_TEST(refused(problem, options, "`least_shared` is -1"));
  options = options_of(100);
  options.target = std::numeric_limits<double>::infinity();
  BOOST_TEST(refused(problem, options, "`target` is inf"));
  RunControl control;
  control.time_limit = -1;
  BOOST_TEST(refused(problem, options_of(100), "`time_limit` is -1", control));
  BOOST_CHECK_EXCEPTION(
      ecga::solve(problem, options_of(100), std::span<const std::shared_ptr<Device>>()), InvalidInput,
      [](const auto& error) { return std::string(error.what()).find("`devices` is empty") != std::string::npos; });
}

BOOST_AUTO_TEST_SUITE_END()
