/// \file
/// Gaps between mutated genes, as OpenCL's kernels find them by the upper halves of probabilities, against those of the
/// whole ones.
#include <shared/genetic/mutation.h>
#include <shared/random.h>
#include <clopt/genetic.hpp>
#include <genetic/plan.hpp>

#include <boost/test/unit_test.hpp>

#include <cstdint>

namespace {

using namespace clopt;
using namespace clopt::shared;

genetic_settings settings_of(double mutation) {
  const genetic::Problem problem{Objective::named("onemax"), 5000, {}, {}};
  genetic::Options options;
  options.population = 10;
  options.generations = 1;
  options.mutation = mutation;
  options = genetic::complete(problem, options);
  return genetic::make_plan(problem, options, {}).settings;
}

// The probability, of 2^64, that a gap of genes is kept, as the search for a gap computes it.
std::uint64_t kept(const genetic_settings& run, std::uint32_t gap) {
  auto chance = ~std::uint64_t{0};
  for (int k = GENETIC_POWERS - 1; k >= 0; --k)
    if ((gap >> k & 1) != 0) chance = mul_hi(chance, run.keep[k]);
  return chance;
}

constexpr double mutations[] = {1e-12, 1e-9, 1e-6, 1e-4, 0.001, 0.0123, 0.03};

}  // namespace

BOOST_AUTO_TEST_SUITE(gaps)

BOOST_AUTO_TEST_CASE(upper_halves_find_the_gaps_of_random_words) {
  constexpr std::uint64_t seed = 20261126;
  BOOST_TEST_MESSAGE("seed " << seed);
  for (const auto mutation : mutations) {
    const auto run = settings_of(mutation);
    BOOST_REQUIRE_EQUAL(run.mutation_way, GENETIC_GAPS);
    std::uint32_t unsure = 0;
    std::uint32_t wrong = 0;
    for (std::uint32_t n = 0; n < 200000; ++n) {
      const auto block = random_at(seed, 1, n, 0, 0);
      const auto word = random_word_64(block.a, block.b);
      const auto found = genetic_gap_roughly(run, word);
      if (found == GENETIC_UNSURE)
        ++unsure;
      else if (found != genetic_gap_within(run, word))
        ++wrong;
    }
    BOOST_TEST(wrong == 0U);
    // The rarer mutation is, the nearer are the probabilities of neighbours.
    if (mutation >= 0.0009) BOOST_TEST(unsure <= 20U);
  }
}

BOOST_AUTO_TEST_CASE(upper_halves_find_gaps_or_say_that_they_cannot_where_words_are_near_the_probabilities) {
  for (const auto mutation : mutations) {
    const auto run = settings_of(mutation);
    std::uint32_t unsure = 0;
    std::uint32_t sure = 0;
    for (std::uint32_t gap = 1; gap < 1U << GENETIC_POWERS; ++gap) {
      const auto chance = kept(run, gap);
      for (std::int64_t units = -30; units <= 30; ++units)
        for (const std::int64_t rest : {-1, 0, 1}) {
          const auto word = chance + static_cast<std::uint64_t>(units * (std::int64_t{1} << 32) + rest);
          const auto found = genetic_gap_roughly(run, word);
          ++(found == GENETIC_UNSURE ? unsure : sure);
          if (found != GENETIC_UNSURE) BOOST_REQUIRE_EQUAL(found, genetic_gap_within(run, word));
        }
    }
    BOOST_TEST(unsure > 0U);
    if (mutation > 1e-7) BOOST_TEST(sure > 0U);
  }
}

BOOST_AUTO_TEST_SUITE_END()
