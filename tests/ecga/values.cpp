/// \file
/// Values that floats do not hold, that are infinite, and that are no numbers.
#include "runs.hpp"

#include <clopt/clopt.hpp>
#include <support/skip.hpp>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace {

using namespace clopt;
using test::options_of;

constexpr double infinity = std::numeric_limits<double>::infinity();

Objective objective_of(const std::string& term, const std::string& direction = "maximise") {
  return Objective::from_text("// clopt: bits, " + direction + "\n" + term);
}

// Of 64 weights that differ by less than floats of their sums do.
const std::string weighted =
    "real objective_term(individual x, uint i) { return gene(x, i) != 0 ? 90000001 + (int)i : 0; }";

double weight_of(const std::vector<std::uint32_t>& population, std::size_t individuals, std::size_t i) {
  std::int64_t sum = 0;
  for (std::size_t locus = 0; locus < 40; ++locus)
    if (test::bit(population, individuals, i, locus) != 0) sum += 90000001 + static_cast<std::int64_t>(locus);
  return static_cast<double>(sum);
}

double ones_of(const ecga::Result& result) {
  return std::accumulate(result.best_genes.begin(), result.best_genes.end(), 0.0);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(ecga_values, *boost::unit_test::label("device"))

BOOST_AUTO_TEST_CASE(whole_numbers_are_exact) {
  if (!test::device().info().has_double) return test::skip("no double precision");
  for (const std::string direction : {"maximise", "minimise"}) {
    const test::Folder folder;
    const auto file = folder.path() / "state";
    auto options = options_of(300);
    options.generations = 3;
    options.checkpoint = std::make_shared<CheckpointWriter>(file);
    const auto result = ecga::solve({objective_of(weighted, direction), 40}, options, test::device());
    const auto state = Checkpoint::read(file, "ecga");
    const auto fitness = state.array<double>("fitness_double");
    const auto population = state.array<std::uint32_t>("population");
    const double sign = direction == "maximise" ? 1 : -1;
    BOOST_TEST_REQUIRE(fitness.size() == 300U);
    for (std::size_t i = 0; i < 300; ++i)
      BOOST_REQUIRE(fitness[i] == sign * weight_of({population.begin(), population.end()}, 300, i));
    std::int64_t best = 0;
    for (std::size_t locus = 0; locus < 40; ++locus)
      if (result.best_genes[locus] != 0) best += 90000001 + static_cast<std::int64_t>(locus);
    BOOST_TEST(result.best_fitness == static_cast<double>(best));
    // Resumed, it comes to the same.
    options.generations = 6;
    options.checkpoint = nullptr;
    const auto whole = ecga::solve({objective_of(weighted, direction), 40}, options, test::device());
    options.resume = std::make_shared<const Checkpoint>(Checkpoint::read(file, "ecga"));
    BOOST_TEST(ecga::solve({objective_of(weighted, direction), 40}, options, test::device()).checksum ==
               whole.checksum);
    options.precision = "float";
    BOOST_CHECK_THROW(ecga::solve({objective_of(weighted, direction), 40}, options, test::device()), InvalidInput);
  }
}

BOOST_AUTO_TEST_CASE(both_precisions_come_to_the_same_where_both_are_exact) {
  if (!test::device().info().has_double) return test::skip("no double precision");
  const auto problem = test::problem_of("trap5", 35);
  auto options = options_of(2500);
  options.statistics = [](const ecga::Statistics&) {};
  const auto floats = ecga::solve(problem, options, test::device());
  std::vector<double> means;
  options.statistics = [&](const ecga::Statistics& row) { means.push_back(row.mean); };
  options.precision = "double";
  const auto doubles = ecga::solve(problem, options, test::device());
  BOOST_TEST((floats.best_genes == doubles.best_genes));
  BOOST_TEST((floats.model == doubles.model));
  BOOST_TEST(floats.generations == doubles.generations);
  BOOST_TEST(means.size() == doubles.generations + 1);
}

// The same on every platform; found on OpenMP.
BOOST_AUTO_TEST_CASE(the_state_of_doubles_does_not_depend_on_the_device) {
  if (!test::device().info().has_double) return test::skip("no double precision");
  auto options = options_of(777);
  options.generations = 3;
  options.seed = 7;
  options.precision = "double";
  BOOST_TEST(ecga::solve({objective_of(weighted), 40}, options, test::device()).checksum == 9960279665917280169U);
}

BOOST_AUTO_TEST_CASE(infinities_have_their_places) {
  for (const bool maximises : {false, true}) {
    const std::string direction = maximises ? "maximise" : "minimise";
    const double sign = maximises ? -1 : 1;
    const auto with = [&](const std::string& special) {
      return objective_of(
          "real objective(individual x) {\n  real ones = 0;\n"
          "  for (uint i = 0; i < genes(x); ++i) ones += gene(x, i);\n"
          "  return gene(x, 0) != 0 ? " +
              special + " : ones;\n}\n",
          direction);
    };
    for (const bool observes : {false, true}) {
      auto options = options_of(200);
      options.generations = 4;
      double mean = 0;
      if (observes)
        options.statistics = [&](const ecga::Statistics& row) { mean = row.mean; };
      else
        options.stagnation = 0;
      BOOST_TEST_CONTEXT(direction << ", observed " << observes) {
        for (const std::string worst : {maximises ? "-INFINITY" : "INFINITY", "NAN"}) {
          const auto result = ecga::solve({with(worst), 9}, options, test::device());
          BOOST_TEST(result.best_genes[0] == 0);
          BOOST_TEST(result.best_fitness == ones_of(result));
          BOOST_TEST(std::isfinite(mean));
        }
        const auto best = ecga::solve({with(maximises ? "INFINITY" : "-INFINITY"), 9}, options, test::device());
        BOOST_TEST(best.best_fitness == -sign * infinity);
        BOOST_TEST(best.best_genes[0] == 1);
        const auto none = objective_of("real objective(individual x) { return gene(x, 0) != 0 ? NAN : " +
                                           std::string(maximises ? "-INFINITY" : "INFINITY") + "; }",
                                       direction);
        BOOST_TEST(ecga::solve({none, 9}, options, test::device()).best_fitness == sign * infinity);
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
