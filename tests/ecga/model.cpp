/// \file
/// Models of given populations, against the searches as the formulas say them.
#include "oracle.hpp"

#include <clopt/device.hpp>
#include <clopt/ecga.hpp>
#include <support/device.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace clopt;

std::string text_of(const ecga::Model& model) {
  std::string text;
  for (const auto& group : model) {
    text += '[';
    for (const auto locus : group) text += std::to_string(locus) + ' ';
    text += ']';
  }
  return text;
}

/// The same partition, or one that costs the same but for rounding.
void check_model(const oracle::Population& population, const ecga::Model& model, const oracle::Groups& expected) {
  if (model == expected) return;
  const auto cost = oracle::cost(population, model);
  BOOST_TEST_CONTEXT(text_of(model) << " in place of " << text_of(expected)) {
    BOOST_TEST(cost == oracle::cost(population, expected), boost::test_tools::tolerance(1e-9));
  }
}

ecga::Model model_of(const oracle::Population& population, const ecga::Options& options) {
  return ecga::build_model(oracle::words_of(population), population.size(),
                           static_cast<std::uint32_t>(population[0].size()), options, test::device());
}

constexpr std::size_t population_sizes[] = {1, 7, 31, 33, 49, 200, 511, 513, 1000};
constexpr std::size_t lengths[] = {1, 2, 7, 15, 24, 33};

}  // namespace

BOOST_AUTO_TEST_SUITE(model, *boost::unit_test::label("device"))

BOOST_AUTO_TEST_CASE(greedy_is_the_one_merge_at_a_time_search) {
  const bool quick = test::device().info().launches_are_calls;
  const int rounds = quick || test::long_run() ? 500 : 40;
  for (int round = 0; round < rounds; ++round) {
    std::mt19937_64 random(1000 + static_cast<unsigned>(round));
    BOOST_TEST_INFO_SCOPE("seed " << 1000 + round);
    const auto population = oracle::random_population(random, population_sizes[random() % std::size(population_sizes)],
                                                      lengths[random() % std::size(lengths)]);
    ecga::Options options;
    options.largest_group = 1 + static_cast<std::uint32_t>(random() % 10);
    // 0: predicted, and verified.
    constexpr std::uint32_t guesses[] = {0, 1, 0, 2, 0, 7, 0, 1000};
    const auto guess = guesses[random() % std::size(guesses)];
    if (guess > 0) options.guesses = guess;
    check_model(population, model_of(population, options), oracle::greedy(population, options.largest_group));
  }
}

BOOST_AUTO_TEST_CASE(mating_merges_best_companions) {
  const int rounds = test::device().info().launches_are_calls || test::long_run() ? 100 : 20;
  for (int round = 0; round < rounds; ++round) {
    std::mt19937_64 random(5000 + static_cast<unsigned>(round));
    BOOST_TEST_INFO_SCOPE("seed " << 5000 + round);
    const auto population = oracle::random_population(random, population_sizes[random() % std::size(population_sizes)],
                                                      lengths[random() % std::size(lengths)]);
    ecga::Options options;
    options.search = "mating";
    options.largest_group = 1 + static_cast<std::uint32_t>(random() % 10);
    check_model(population, model_of(population, options), oracle::mating(population, options.largest_group));
  }
}

BOOST_AUTO_TEST_CASE(countings_agree, *boost::unit_test::label("oclgrind")) {
  const bool tiny = test::platform() == "oclgrind";
  for (int round = 0; round < (tiny ? 1 : 8); ++round) {
    std::mt19937_64 random(9000 + static_cast<unsigned>(round));
    BOOST_TEST_INFO_SCOPE("seed " << 9000 + round);
    const auto population =
        oracle::random_population(random, tiny ? 70 : 600 + static_cast<std::size_t>(round), tiny ? 7 : 40);
    ecga::Options options;
    const auto expected = model_of(population, options);
    for (const auto& counting : choices_of<ecga::Options>("counting")) {
      if (tiny && (counting == "auto" || counting == "matrix" || counting == "table-16")) continue;
      options.counting = counting;
      BOOST_TEST_INFO_SCOPE(counting);
      BOOST_TEST(text_of(model_of(population, options)) == text_of(expected));
    }
  }
}

BOOST_AUTO_TEST_CASE(ties_go_to_the_lowest_loci) {
  // Four copies of one locus, and of another: all pairs of a kind gain the same.
  std::mt19937_64 random(3);
  oracle::Population population(100, std::vector<std::uint8_t>(8));
  for (auto& individual : population) {
    const auto one = static_cast<std::uint8_t>(random() & 1);
    const auto other = static_cast<std::uint8_t>(random() & 1);
    for (std::size_t i = 0; i < 8; ++i) individual[i] = i % 2 == 0 ? one : other;
  }
  ecga::Options options;
  options.largest_group = 2;
  for (const char* counting : {"popcount", "table", "histogram"}) {
    options.counting = counting;
    BOOST_TEST(text_of(model_of(population, options)) == "[0 2 ][1 3 ][4 6 ][5 7 ]");
  }
}

BOOST_AUTO_TEST_CASE(large_groups_are_found) {
  // Ten copies: pairs with groups of more than five loci are counted in another way.
  std::mt19937_64 random(4);
  oracle::Population population(30000, std::vector<std::uint8_t>(23));
  for (auto& individual : population)
    for (std::size_t i = 0; i < 23; ++i)
      individual[i] = static_cast<std::uint8_t>(i % 10 == 0 || i > 19 ? random() & 1 : individual[i - 1]);
  for (const char* search : {"greedy", "mating"}) {
    ecga::Options options;
    options.search = search;
    BOOST_TEST(text_of(model_of(population, options)) ==
               "[0 1 2 3 4 5 6 7 8 9 ][10 11 12 13 14 15 16 17 18 19 ][20 ][21 ][22 ]");
  }
}

BOOST_AUTO_TEST_CASE(complexity_is_the_formula_s) {
  std::mt19937_64 random(8);
  const auto population = oracle::random_population(random, 333, 12);
  const ecga::Model model{{0, 3, 5}, {1}, {2, 4, 6, 7, 8}, {9, 10}, {11}};
  BOOST_TEST(ecga::combined_complexity(oracle::words_of(population), population.size(), model) ==
                 oracle::cost(population, model),
             boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_SUITE_END()
