// How fast the ones of OneMax go: the means of many runs against those of a textbook's algorithm (plain.hpp), which the
// test computes.
#include "plain.hpp"

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

/// The best of a generation, over runs.
struct Moments {
  double sum = 0;
  double squares = 0;
  int count = 0;

  void add(double value) {
    sum += value;
    squares += value * value;
    ++count;
  }
  double mean() const { return sum / count; }
  /// Of the mean.
  double variance() const { return (squares / count - mean() * mean()) / (count - 1); }
};
using Course = std::map<std::uint64_t, Moments>;

Course plain_course(std::size_t population, const std::vector<std::uint64_t>& generations, int runs) {
  Course course;
  for (int seed = 1; seed <= runs; ++seed) {
    oracle::PlainOneMax plain(static_cast<std::uint64_t>(seed), population);
    std::uint64_t here = 0;
    for (const auto generation : generations) {
      for (; here < generation; ++here) plain.breed();
      course[generation].add(plain.best());
    }
  }
  return course;
}

Course course_of(std::uint64_t population, std::uint64_t generations, const std::string& granularity, int runs,
                 const std::string& selection = "roulette") {
  Course course;
  for (int seed = 1; seed <= runs; ++seed) {
    genetic::Options options;
    options.preset = "paper";
    options.seed = static_cast<std::uint64_t>(seed);
    options.population = population;
    options.generations = generations;
    options.granularity = granularity;
    options.selection = selection;
    options.statistics = [&](const genetic::Statistics& row) { course[row.generation].add(row.best); };
    genetic::solve({clopt::Objective::named("onemax"), 1024, {}, {}}, options, clopt::test::device());
  }
  return course;
}

// The means differ by less than what 99 % of pairs of means do.
void compare(Course& plain, Course& found, const std::string& granularity) {
  for (auto& [generation, expected] : plain) {
    const auto& here = found[generation];
    const double band = 2.576 * std::sqrt(expected.variance() + here.variance());
    BOOST_TEST_MESSAGE(granularity << " generation " << generation << ": " << here.mean() << " against "
                                   << expected.mean() << " +- " << band);
    BOOST_TEST(std::abs(here.mean() - expected.mean()) <= band, "generation " << generation << ": the mean is "
                                                                              << here.mean() << ", not "
                                                                              << expected.mean() << " +- " << band);
    // A band as wide as this would show nothing.
    BOOST_TEST(band < 0.1 * expected.mean());
  }
}

// All forms have the same bits; a long run counts with each of them.
void converges(std::uint64_t population, const std::vector<std::uint64_t>& generations, int plain_runs, int runs) {
  auto plain = plain_course(population, generations, plain_runs);
  for (const auto& granularity : clopt::test::long_run() ? clopt::choices_of<genetic::Options>("granularity")
                                                         : std::vector<std::string>{"fused"}) {
    if (granularity == "auto") continue;
    auto found = course_of(population, generations.back(), granularity, runs);
    compare(plain, found, granularity);
  }
  auto walked = course_of(population, generations.back(), "group", runs, "roulette-walk");
  compare(plain, walked, "roulette-walk");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(genetic_convergence)

// Minutes with sanitizers.
BOOST_AUTO_TEST_CASE(of_128_individuals, *boost::unit_test::label("slow")) {
  converges(128, {20, 100, 200, 400}, 30, 100);
}

BOOST_AUTO_TEST_CASE(of_512_individuals, *boost::unit_test::label("slow")) { converges(512, {20, 50, 100}, 15, 50); }

BOOST_AUTO_TEST_SUITE_END()
