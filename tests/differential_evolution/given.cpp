/// \file
/// What a run is given besides its objective: start vectors, whole numbers, a limit of stagnation, and constraints.
#include <clopt/differential_evolution.hpp>
#include <clopt/error.hpp>
#include <support/device.hpp>
#include <support/skip.hpp>

#include <shared/elementary/float.h>
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "oracle.hpp"

using namespace clopt;
namespace de = clopt::differential_evolution;

namespace {

// A valley of whole slopes, so that every device and the oracle add up the same.
constexpr const char* valley =
    "real objective(individual x) {\n"
    "  real sum = 0;\n"
    "  for (uint i = 0; i < genes(x); ++i) sum += gene(x, i) * gene(x, i);\n"
    "  return sum;\n"
    "}\n";
constexpr const char* valley_beyond_a_line =
    "real violation(individual x) { return 2 - gene(x, 0) - gene(x, genes(x) - 1); }\n";

template <class Real>
Real value_of_valley(const std::vector<Real>& x) {
  Real sum = 0;
  for (const Real number : x) sum += number * number;
  return sum;
}
template <class Real>
Real violation_of_valley(const std::vector<Real>& x) {
  return 2 - x.front() - x.back();
}

/// A run of the oracle, and the same of the library.
struct Given {
  oracle::Run run;
  std::size_t problems = 2;
  bool is_constrained = false;
};

de::Problem problem_of_valley(const Given& given, const char* direction = "// clopt: reals, minimise\n") {
  const auto text = std::string(direction) + valley + (given.is_constrained ? valley_beyond_a_line : "");
  de::Problem problem{Objective::from_text(text, "valley.cl")};
  problem.dimensions = given.run.dimensions;
  problem.problems = given.problems;
  problem.lower = {given.run.lower};
  problem.upper = {given.run.upper};
  problem.integer = {given.run.whole.begin(), given.run.whole.end()};
  return problem;
}

template <class Real>
de::Options options_of(const Given& given, const std::string& method) {
  const auto& run = given.run;
  de::Options options;
  options.method = method;
  options.precision = sizeof(Real) == 4 ? "float" : "double";
  options.strategy = run.strategy + (run.exponential ? "exp" : "bin");
  options.adapt = run.adapt;
  options.bounds = run.bounds;
  options.population = run.population;
  options.weight = run.weight;
  options.crossover = run.crossover;
  options.seed = run.seed;
  options.generations = run.generations;
  if (run.stagnation != 0) options.stagnation = run.stagnation;
  for (const auto& vector : run.initial) options.initial.insert(options.initial.end(), vector.begin(), vector.end());
  return options;
}

template <class Real>
void check_given(const Given& given,
                 const std::vector<const char*>& methods = {"offloaded", "staged", "ahead", "merged", "fused"}) {
  constexpr int bits = sizeof(Real) == 4 ? 18 : 44;
  const auto problem = problem_of_valley(given);
  for (const auto* method : methods) {
    BOOST_TEST_CONTEXT(method << ", " << given.run.strategy << (given.run.exponential ? "exp" : "bin") << ", "
                              << given.run.adapt << ", " << given.run.bounds << ", population " << given.run.population
                              << ", dimensions " << given.run.dimensions << ", seed " << given.run.seed) {
      const auto result = de::solve(problem, options_of<Real>(given, method), test::device());
      for (std::size_t k = 0; k < given.problems; ++k) {
        auto run = given.run;
        run.problem = static_cast<std::uint32_t>(k);
        run.functions = {shared::clopt_log_float, shared::clopt_sinpi_float, shared::clopt_cospi_float};
        oracle::Evolution<Real> evolution(run, value_of_valley<Real>,
                                          given.is_constrained ? violation_of_valley<Real> : nullptr, bits);
        const auto expected = evolution.run();
        std::size_t best = 0;
        for (std::size_t i = 1; i < expected.values.size(); ++i) {
          const bool less_violation = expected.violations[i] < expected.violations[best];
          const bool as_feasible = expected.violations[i] == 0 && expected.violations[best] == 0;
          if (less_violation || (as_feasible && expected.values[i] < expected.values[best])) best = i;
        }
        BOOST_TEST(result.values[k] == static_cast<double>(expected.values[best]));
        BOOST_TEST(result.generations[k] == expected.generations);
        for (std::size_t j = 0; j < run.dimensions; ++j)
          BOOST_TEST(result.parameters[k * run.dimensions + j] == static_cast<double>(expected.vectors[best][j]));
        if (!given.is_constrained) continue;
        // To the last bit, where selection counts fewer.
        const Real violation = violation_of_valley<Real>(expected.vectors[best]);
        BOOST_TEST(result.violations[k] == static_cast<double>(violation > 0 ? violation : 0));
      }
    }
  }
}

Given random_given(std::mt19937_64& random) {
  constexpr const char* strategies[] = {"rand1", "best1", "currenttobest1", "currenttopbest1"};
  constexpr const char* adaptations[] = {"none", "jde", "shade", "lshade"};
  constexpr const char* bounds[] = {"clip", "reflect", "resample", "none"};
  Given given;
  auto& run = given.run;
  run.strategy = strategies[random() % std::size(strategies)];
  run.adapt = adaptations[random() % std::size(adaptations)];
  run.bounds = bounds[random() % std::size(bounds)];
  run.exponential = random() % 3 == 0;
  run.population = 6 + random() % 40;
  run.dimensions = 1 + random() % 19;
  run.lower = -3;
  run.upper = 1 + static_cast<double>(random() % 3);
  run.generations = 1 + static_cast<std::uint32_t>(random() % 30);
  run.seed = random();
  const auto whole = random() % 3 == 0 ? run.dimensions : random() % run.dimensions;
  for (std::size_t n = 0; n < whole; ++n) run.whole.insert(random() % run.dimensions);
  const auto vectors = random() % 4;
  for (std::size_t n = 0; n < vectors; ++n) {
    auto& vector = run.initial.emplace_back();
    for (std::size_t j = 0; j < run.dimensions; ++j) vector.push_back(static_cast<double>(random() % 4) - 3);
  }
  if (random() % 3 == 0) run.stagnation = 1 + static_cast<std::uint32_t>(random() % 4);
  given.is_constrained = random() % 2 == 0;
  given.problems = 1 + random() % 3;
  return given;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(given, *boost::unit_test::label("device"))

BOOST_AUTO_TEST_CASE(random_runs_that_are_given_much, *boost::unit_test::label("long")) {
  const auto seed = 30;
  std::mt19937_64 random(seed);
  for (int round = 0; round < test::rounds(30, 2); ++round) {
    BOOST_TEST_INFO("seed " << seed << ", round " << round);
    const auto given = random_given(random);
    if (round % 2 == 0 || !test::device().info().has_double)
      check_given<float>(given, test::tries_all() ? std::vector{"offloaded", "staged", "ahead", "merged", "fused"}
                                                  : std::vector{"fused"});
    else
      check_given<double>(given);
  }
}

BOOST_AUTO_TEST_CASE(each_problem_begins_with_its_own_vectors) {
  Given given;
  given.problems = 3;
  given.run.dimensions = 2;
  given.run.generations = 0;
  auto options = options_of<float>(given, test::tries_all() ? "staged" : "fused");
  options.initial = {0.5, 0.5, 1, 1, 0.25, 0.25, 2, 2, 0.125, 0.125, 3, 3};
  options.initial_of_problem = 2;
  const auto result = de::solve(problem_of_valley(given), options, test::device());
  BOOST_TEST(result.values == (std::vector<double>{0.5, 0.125, 0.03125}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_target_counts_only_where_constraints_are_kept) {
  Given given;
  given.is_constrained = true;
  given.problems = 1;
  given.run.dimensions = 2;
  given.run.adapt = "shade";
  given.run.strategy = "currenttopbest1";
  given.run.generations = 300;
  auto options = options_of<float>(given, "fused");
  // Nothing that is feasible is below 2.
  options.target = 1.9;
  const auto problem = problem_of_valley(given);
  const auto missed = de::solve(problem, options, test::device());
  BOOST_TEST(missed.solved == 0U);
  BOOST_TEST(missed.feasible == 1U);
  BOOST_TEST(missed.values[0] == 2, boost::test_tools::tolerance(1e-4));
  options.target = 2.01;
  BOOST_TEST(de::solve(problem, options, test::device()).solved == 1U);
}

BOOST_AUTO_TEST_CASE(an_objective_that_is_maximised_has_constraints_too) {
  Given given;
  given.is_constrained = true;
  given.problems = 2;
  given.run.dimensions = 3;
  given.run.generations = 3;
  given.run.lower = -4;
  given.run.upper = 0.5;
  const auto problem = problem_of_valley(given, "// clopt: reals, maximise\n");
  const auto result = de::solve(problem, options_of<float>(given, "fused"), test::device());
  // No vector is feasible: violation and value are reported, and feasible ones counted.
  BOOST_TEST(result.feasible == 0U);
  for (std::size_t k = 0; k < 2; ++k) {
    const std::vector<float> vector{static_cast<float>(result.parameters[3 * k]),
                                    static_cast<float>(result.parameters[3 * k + 1]),
                                    static_cast<float>(result.parameters[3 * k + 2])};
    BOOST_TEST(result.values[k] == static_cast<double>(value_of_valley(vector)));
    BOOST_TEST(result.violations[k] == static_cast<double>(violation_of_valley(vector)));
  }
}

BOOST_AUTO_TEST_SUITE_END()
