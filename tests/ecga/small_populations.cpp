/// \file
/// Runs of so few individuals that each of their generations can be checked against the definitions.
#include "oracle.hpp"
#include "runs.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

namespace {

using namespace clopt;
using test::bit;

oracle::Population individuals_of(const test::RunState& state, std::size_t individuals, std::size_t length) {
  oracle::Population population(individuals, std::vector<std::uint8_t>(length));
  for (std::size_t i = 0; i < individuals; ++i)
    for (std::size_t locus = 0; locus < length; ++locus)
      population[i][locus] = static_cast<std::uint8_t>(bit(state.population, individuals, i, locus));
  return population;
}

std::size_t ones_of(const std::vector<std::uint8_t>& individual) {
  return static_cast<std::size_t>(std::count(individual.begin(), individual.end(), 1));
}

// Patterns of a group, sorted: mixing only deals them out anew.
std::vector<std::vector<std::uint8_t>> patterns_of(const oracle::Population& population,
                                                   const std::vector<std::uint32_t>& group) {
  std::vector<std::vector<std::uint8_t>> patterns;
  for (const auto& individual : population) {
    auto& pattern = patterns.emplace_back();
    for (const auto locus : group) pattern.push_back(individual[locus]);
  }
  std::sort(patterns.begin(), patterns.end());
  return patterns;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(run, *boost::unit_test::label("device"))

// Tournaments of one select everyone once, so that a generation has the model of the population before and its
// patterns.
BOOST_AUTO_TEST_CASE(small_populations_are_mixed_by_the_model_of_the_definition) {
  for (const std::size_t individuals : {1U, 2U, 3U, 7U, 8U, 33U})
    for (const std::uint32_t length : {1U, 7U, 33U}) {
      BOOST_TEST_INFO_SCOPE(individuals << " individuals, " << length << " loci");
      const auto problem = test::problem_of("onemax", length);
      auto options = test::options_of(individuals);
      options.tournament = 1;
      options.generations = 3;
      const auto result = ecga::solve(problem, options, test::device());
      options.generations = result.generations;
      const auto states = test::states_of(problem, options);

      std::size_t best = 0;
      std::vector<oracle::Population> populations;
      for (const auto& state : states) {
        const auto& population = populations.emplace_back(individuals_of(state, individuals, length));
        for (std::size_t i = 0; i < individuals; ++i) {
          BOOST_TEST(state.fitness[i] == static_cast<float>(ones_of(population[i])));
          best = std::max(best, ones_of(population[i]));
        }
      }
      // The ones of a locus stay, so that only a population of equal individuals ends.
      const bool all_equal = std::set(populations[0].begin(), populations[0].end()).size() == 1;
      BOOST_TEST(result.converged == all_equal);
      BOOST_TEST((result.ending == (all_equal ? Ending::complete : Ending::generations)));
      BOOST_TEST(result.generations == (all_equal ? 0U : 3U));
      BOOST_TEST(result.evaluations == individuals * (result.generations + 1));
      BOOST_TEST(result.best_fitness == static_cast<double>(best));
      BOOST_TEST(ones_of(result.best_genes) == best);
      BOOST_TEST(result.best_genes.size() == length);

      for (std::size_t generation = 1; generation < states.size(); ++generation) {
        const auto& before = populations[generation - 1];
        const auto& after = populations[generation];
        const auto model = states[generation].model();
        BOOST_TEST(oracle::cost(before, model) == oracle::cost(before, oracle::greedy(before, 10)),
                   boost::test_tools::tolerance(1e-9));
        std::size_t loci = 0;
        for (const auto& group : model) {
          loci += group.size();
          BOOST_TEST((std::size_t{1} << group.size()) <= std::max<std::size_t>(individuals, 2));
          BOOST_TEST((patterns_of(before, group) == patterns_of(after, group)));
        }
        BOOST_TEST(loci == length);
      }
    }
}

// With tournaments of two out of two, both individuals of the next generation are the better one.
BOOST_AUTO_TEST_CASE(two_individuals_become_the_better_one) {
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U}) {
    BOOST_TEST_INFO_SCOPE("seed " << seed);
    const auto problem = test::problem_of("onemax", 40);
    auto options = test::options_of(2);
    options.tournament = 2;
    options.seed = seed;
    options.generations = 1;
    const auto states = test::states_of(problem, options);
    const auto before = individuals_of(states[0], 2, 40);
    const auto after = individuals_of(states[1], 2, 40);
    if (ones_of(before[0]) == ones_of(before[1])) {
      // Each of two equally good ones may win both tournaments, or each one.
      for (const auto& individual : after) BOOST_TEST(ones_of(individual) == ones_of(before[0]));
      continue;
    }
    const auto& better = ones_of(before[0]) > ones_of(before[1]) ? before[0] : before[1];
    BOOST_TEST((after[0] == better));
    BOOST_TEST((after[1] == better));
    options.generations.reset();
    const auto result = ecga::solve(problem, options, test::device());
    BOOST_TEST((result.ending == Ending::complete));
    BOOST_TEST((result.best_genes == better));
  }
}

BOOST_AUTO_TEST_SUITE_END()
