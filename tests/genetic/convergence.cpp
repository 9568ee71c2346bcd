// How fast the ones of OneMax go, over 100 seeds, against means that were had from two programs of another making.
#include <clopt/genetic.hpp>
#include <support/device.hpp>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace genetic = clopt::genetic;

namespace {

constexpr int seeds = 100;

/// The best of a generation: mean and standard deviation of a run.
struct Expected {
  std::uint64_t generation;
  double mean;
  double deviation;
};

// The means are means of runs themselves; their own error is left out, so that the band is the narrower one.
void converges(std::uint64_t population, const std::vector<Expected>& expected, const std::string& granularity) {
  std::map<std::uint64_t, double> sums;
  for (int seed = 1; seed <= seeds; ++seed) {
    genetic::Options options;
    options.seed = static_cast<std::uint64_t>(seed);
    options.population = population;
    options.generations = expected.back().generation;
    options.granularity = granularity;
    options.statistics = [&](const genetic::Statistics& row) { sums[row.generation] += row.best; };
    genetic::solve({clopt::Objective::named("onemax"), 1024, {}, {}}, options, clopt::test::device());
  }
  for (const auto& [generation, mean, deviation] : expected) {
    const double found = sums[generation] / seeds;
    const double band = 2.576 * deviation * std::sqrt(1.0 / seeds);
    BOOST_TEST_MESSAGE(granularity << " P " << population << " generation " << generation << ": " << found
                                   << " against " << mean << " +- " << band);
    BOOST_TEST(std::abs(found - mean) <= band,
               "generation " << generation << ": the mean is " << found << ", not " << mean << " +- " << band);
  }
}

// All forms have the same bits; a long run counts with each of them.
void converges(std::uint64_t population, const std::vector<Expected>& expected) {
  for (const auto& granularity : clopt::test::long_run() ? genetic::granularities() : std::vector<std::string>{"fused"})
    if (granularity != "auto") converges(population, expected, granularity);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(genetic_convergence)

// Minutes with sanitizers.
BOOST_AUTO_TEST_CASE(of_128_individuals, *boost::unit_test::label("slow")) {
  converges(128, {{100, 182.4, 10.4}, {200, 121.9, 11.3}, {400, 54.3, 8.1}, {800, 4.2, 2.2}});
}

BOOST_AUTO_TEST_CASE(of_512_individuals, *boost::unit_test::label("slow")) {
  converges(512, {{50, 257.2, 7.2}, {100, 111.4, 6.1}, {200, 11.5, 3.8}});
}

BOOST_AUTO_TEST_SUITE_END()
