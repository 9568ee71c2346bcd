/// \file
/// Problems with inequality constraints of CEC 2006 (Liang et al., Problem Definitions and Evaluation Criteria for the
/// CEC 2006 Special Session on Constrained Real-Parameter Optimization), whose texts are examples.
#include <clopt/differential_evolution.hpp>

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

#include "host.hpp"

using namespace clopt;
namespace de = clopt::differential_evolution;

namespace {

struct Known {
  const char* name;
  std::vector<double> lower;
  std::vector<double> upper;
  double value;              ///< the best that is known
  std::vector<double> best;  ///< its vector
};

const std::vector<Known>& known() {
  static const std::vector<Known> all{
      {"g06", {13, 0}, {100, 100}, -6961.81387558015, {14.09500000000000064, 0.8429607892154795668}},
      {"g08", {0, 0}, {10, 10}, -0.0958250414180359, {1.22797135260752599, 4.24537336612274885}},
      {"g09",
       std::vector<double>(7, -10),
       std::vector<double>(7, 10),
       680.630057374402,
       {2.33049935147405174, 1.95137236847114592, -0.477541399510615805, 4.36572624923625874, -0.624486959100388983,
        1.03813099410962173, 1.5942266780671519}},
      {"g10",
       {100, 1000, 1000, 10, 10, 10, 10, 10},
       {10000, 10000, 10000, 1000, 1000, 1000, 1000, 1000},
       7049.24802052867,
       {579.306685017979589, 1359.97067807935605, 5109.97065743133317, 182.01769963061534, 295.601173702746792,
        217.982300369384632, 286.41652592786852, 395.601173702746735}}};
  return all;
}

de::Problem problem_of(const Known& one, std::size_t problems) {
  de::Problem problem{Objective::from_file(CLOPT_TEST_EXAMPLES "/cec2006/" + std::string(one.name) + ".cl")};
  problem.dimensions = one.lower.size();
  problem.problems = problems;
  problem.lower = one.lower;
  problem.upper = one.upper;
  return problem;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cec2006)

BOOST_AUTO_TEST_CASE(the_best_known_vectors_have_the_best_known_values) {
  for (const auto& one : known()) BOOST_TEST_CONTEXT(one.name) {
      de::Options options;
      options.initial = one.best;
      options.generations = 0;
      options.seed = 3;
      // All vectors are this one.
      options.population = 4;
      auto problem = problem_of(one, 1);
      problem.lower = problem.upper = one.best;
      const auto result = de::solve(problem, options, *test::host(1));
      BOOST_TEST(result.values[0] == one.value, boost::test_tools::tolerance(1e-10));
      // The vectors are told to 15 digits or so.
      BOOST_TEST(result.violations[0] <= 1e-6);
    }
}

BOOST_AUTO_TEST_CASE(defaults_come_within_a_ten_thousandth) {
  for (const auto& one : known()) BOOST_TEST_CONTEXT(one.name) {
      de::Options options;
      options.adapt = "shade";
      options.evaluations = 500000;
      options.target = one.value + 1e-4;
      const auto result = de::solve(problem_of(one, 3), options, *test::host(2));
      BOOST_TEST(result.solved == 3U);
      BOOST_TEST(result.feasible == 3U);
    }
}

BOOST_AUTO_TEST_SUITE_END()
