/// \file
/// The operators on reals, integers and permutations against the published formulas: one generation at a time, from a
/// population that is the oracle's.
#include "operator_oracle.hpp"

#include <clopt/clopt.hpp>
#include <clopt/genetic.hpp>
#include <support/device.hpp>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace {

using namespace clopt;

constexpr const char* squares_of_integers =
    "// clopt: integers, lower -9, upper 12\n"
    "int objective_count(individual x, uint i) { return gene(x, i) * gene(x, i); }\n";
constexpr const char* weighted_places =
    "// clopt: permutation\n"
    "real objective_term(individual x, uint i) { return (real)gene(x, i) * (real)(i % 7u); }\n";

genetic::Options options_of(const oracle::NumberSetting& s, const std::vector<oracle::Genes>& population,
                            std::uint64_t generations, const std::string& granularity) {
  genetic::Options options;
  options.preset = "paper";
  options.seed = s.seed;
  options.population = s.population;
  options.selection = "tournament";
  options.tournament = 1;
  options.crossover_kind = s.crossover_kind;
  options.crossover = s.crossover;
  options.line_extension = s.line_extension;
  options.distribution_index = s.distribution_index;
  options.mutation_kind = s.mutation_kind;
  options.mutation = s.mutation;
  options.step = s.step;
  options.mutation_index = s.mutation_index;
  options.precision = s.doubles ? "double" : "float";
  options.generations = generations;
  options.granularity = granularity;
  options.keep_population = true;
  for (const auto& individual : population)
    options.initial.insert(options.initial.end(), individual.begin(), individual.end());
  return options;
}

// Genes that differ by more than an allowance, and by how much they differ at most.
struct Difference {
  std::size_t wrong = 0;
  double largest = 0;
};

Difference difference(const std::vector<oracle::Genes>& expected, const genetic::Result& result, double allowance) {
  Difference found;
  const auto genes = expected[0].size();
  BOOST_TEST_REQUIRE(result.population.size() == expected.size() * genes);
  for (std::size_t i = 0; i < expected.size(); ++i)
    for (std::size_t gene = 0; gene < genes; ++gene) {
      const double distance = std::abs(result.population[i * genes + gene] - expected[i][gene]);
      found.largest = std::max(found.largest, distance);
      if (!(distance <= allowance)) ++found.wrong;
    }
  return found;
}

// How many genes are none of their place's in the parents' generation: a test of an operator that does nothing would
// show nothing.
std::size_t changed(const std::vector<oracle::Genes>& expected, const std::vector<oracle::Genes>& before) {
  std::size_t count = 0;
  for (const auto& individual : expected)
    for (std::size_t gene = 0; gene < individual.size(); ++gene) {
      bool is_old = false;
      for (const auto& old : before) is_old = is_old || old[gene] == individual[gene];
      count += is_old ? 0 : 1;
    }
  return count;
}

std::vector<std::string> granularities() {
  if (test::tries_all()) return {"thread", "group", "fused"};
  return {"fused"};
}

double allowance_of(const oracle::NumberSetting& s) {
  if (s.integers) return 0;
  // Some operations on floats or doubles within the bounds.
  const double range = s.upper - s.lower;
  return range * (s.doubles ? 1e-14 : 4e-6);
}

void check_numbers(const oracle::NumberSetting& s, const genetic::Problem& problem) {
  auto population = oracle::start_numbers(s);
  if (!s.doubles)
    for (auto& individual : population)
      for (auto& gene : individual) gene = static_cast<float>(gene);
  const auto expected = oracle::breed_numbers(s, 1, population);
  for (const auto& granularity : granularities()) {
    BOOST_TEST_CONTEXT(s.crossover_kind << " " << s.crossover << ", " << s.mutation_kind << " " << s.mutation << ", "
                                        << granularity) {
      const auto result = genetic::solve(problem, options_of(s, population, 1, granularity), test::device());
      const auto found = difference(expected, result, allowance_of(s));
      BOOST_TEST(found.wrong == 0U, found.wrong << " genes are wrong, by " << found.largest << " at most");
    }
  }
}

oracle::NumberSetting reals() {
  oracle::NumberSetting s;
  s.population = 29;
  s.genes = 70;
  s.lower = -5.12;
  s.upper = 5.12;
  s.step = 0.7;
  return s;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(genetic_operators)

BOOST_AUTO_TEST_CASE(crossover_of_reals, *boost::unit_test::label("device")) {
  for (const char* kind : {"line", "simulated-binary", "one-point", "two-point", "uniform"})
    for (const bool doubles : {false, true}) {
      if (doubles && (!test::device().info().has_double || !test::tries_all())) continue;
      auto s = reals();
      s.seed = 17;
      s.doubles = doubles;
      s.crossover_kind = kind;
      s.crossover = 0.75;
      s.distribution_index = 2.5;
      s.mutation = 0;
      check_numbers(s, {Objective::named("rastrigin"), s.genes, {s.lower}, {s.upper}});
      const bool makes_new_genes = s.crossover_kind == "line" || s.crossover_kind == "simulated-binary";
      const auto before = oracle::start_numbers(s);
      BOOST_TEST((changed(oracle::breed_numbers(s, 1, before), before) > 300) == makes_new_genes);
    }
}

BOOST_AUTO_TEST_CASE(mutation_of_reals, *boost::unit_test::label("device")) {
  for (const char* kind : {"step", "gaussian", "polynomial"})
    for (const double probability : {0.03, 0.3}) {
      auto s = reals();
      s.seed = 23;
      s.crossover_kind = "uniform";
      s.crossover = 0;
      s.mutation_kind = kind;
      s.mutation = probability;
      s.mutation_index = 4;
      check_numbers(s, {Objective::named("rastrigin"), s.genes, {s.lower}, {s.upper}});
      const auto before = oracle::start_numbers(s);
      const auto changes = changed(oracle::breed_numbers(s, 1, before), before);
      // The mean of changed genes, and five standard deviations; clamping leaves a few as they are.
      const double mean = 29 * 70 * probability;
      BOOST_TEST(std::abs(static_cast<double>(changes) - mean) < 5 * std::sqrt(mean));
    }
}

BOOST_AUTO_TEST_CASE(the_usual_step_is_a_hundredth_of_the_range) {
  auto s = reals();
  s.crossover_kind = "uniform";
  s.crossover = 0;
  s.mutation = 0.5;
  s.step = 0.01 * (s.upper - s.lower);
  const auto population = oracle::start_numbers(s);
  auto options = options_of(s, population, 1, "fused");
  for (auto& gene : options.initial) gene = static_cast<float>(gene);
  options.step.reset();
  const auto result =
      genetic::solve({Objective::named("rastrigin"), s.genes, {s.lower}, {s.upper}}, options, test::device());
  BOOST_TEST(difference(oracle::breed_numbers(s, 1, population), result, allowance_of(s)).wrong == 0U);
}

BOOST_AUTO_TEST_CASE(integers, *boost::unit_test::label("device")) {
  for (const char* crossover : {"one-point", "two-point", "uniform"})
    for (const char* mutation : {"step", "gaussian", "polynomial"}) {
      oracle::NumberSetting s;
      s.seed = 31;
      s.population = 28;
      s.genes = 67;
      s.integers = true;
      s.lower = -9;
      s.upper = 12;
      s.crossover_kind = crossover;
      s.mutation_kind = mutation;
      s.mutation = 0.2;
      s.step = 3;
      s.mutation_index = 1.5;
      check_numbers(s, {Objective::from_text(squares_of_integers), s.genes, {}, {}});
    }
}

BOOST_AUTO_TEST_CASE(permutations, *boost::unit_test::label("device")) {
  for (const char* mutation : {"swap", "inversion"})
    for (const double crossover : {1.0, 0.6}) {
      oracle::NumberSetting s;
      s.seed = 41;
      s.population = 27;
      s.genes = 70;
      s.crossover_kind = "order";
      s.crossover = crossover;
      s.mutation_kind = mutation;
      s.mutation = crossover == 1 ? 0.0 : 0.02;
      const auto population = oracle::start_permutations(s);
      const auto expected = oracle::breed_permutations(s, 1, population);
      for (const auto& granularity : granularities()) {
        BOOST_TEST_CONTEXT(mutation << ", crossover " << crossover << ", " << granularity) {
          const auto result = genetic::solve({Objective::from_text(weighted_places), s.genes, {}, {}},
                                             options_of(s, population, 1, granularity), test::device());
          BOOST_TEST(difference(expected, result, 0).wrong == 0U);
        }
      }
    }
}

// Start populations are drawn where none is given.
BOOST_AUTO_TEST_CASE(start_populations) {
  auto s = reals();
  s.crossover_kind = "auto";
  s.mutation_kind = "auto";
  auto options = options_of(s, {}, 0, "fused");
  options.step.reset();
  for (const bool doubles : {false, true}) {
    if (doubles && !test::device().info().has_double) continue;
    s.doubles = doubles;
    options.precision = doubles ? "double" : "float";
    const auto result =
        genetic::solve({Objective::named("rastrigin"), s.genes, {s.lower}, {s.upper}}, options, test::device());
    BOOST_TEST(difference(oracle::start_numbers(s), result, allowance_of(s)).wrong == 0U);
  }
  s.doubles = false;
  options.precision = "float";
  s.integers = true;
  s.lower = -9;
  s.upper = 12;
  auto result = genetic::solve({Objective::from_text(squares_of_integers), s.genes, {}, {}}, options, test::device());
  BOOST_TEST(difference(oracle::start_numbers(s), result, 0).wrong == 0U);
  result = genetic::solve({Objective::from_text(weighted_places), s.genes, {}, {}}, options, test::device());
  BOOST_TEST(difference(oracle::start_permutations(s), result, 0).wrong == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
