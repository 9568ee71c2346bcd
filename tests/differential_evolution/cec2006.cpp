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
  /// Of a few problems, how many may end in another minimum: docs/designs/objectives.md says how often they do.
  std::size_t may_miss = 0;
};

const std::vector<Known>& known() {
  static const std::vector<Known> all{
      {"g01",
       std::vector<double>(13, 0),
       {1, 1, 1, 1, 1, 1, 1, 1, 1, 100, 100, 100, 1},
       -15,
       {1, 1, 1, 1, 1, 1, 1, 1, 1, 3, 3, 3, 1},
       1},
      {"g02",
       std::vector<double>(20, 0),
       std::vector<double>(20, 10),
       -0.80361910412559,
       {3.16246061572185, 3.12833142812967, 3.09479212988791, 3.06145059523469, 3.02792915885555,
        2.9938260670173,  2.95866871765285, 2.9218422731245,  0.49482511456933, 0.4883571100549,
        0.48231642711865, 0.47664475092742, 0.47129550835493, 0.46623099264167, 0.46142004984199,
        0.45683664767217, 0.45245876903267, 0.44826762241853, 0.4442470095876,  0.44038285956317},
       2},
      {"g04",
       {78, 33, 27, 27, 27},
       {102, 45, 45, 45, 45},
       -30665.53867178332,
       {78, 33, 29.9952560256815985, 45, 36.7758129057882073}},
      {"g06", {13, 0}, {100, 100}, -6961.81387558015, {14.09500000000000064, 0.8429607892154795668}},
      {"g07",
       std::vector<double>(10, -10),
       std::vector<double>(10, 10),
       24.30620906818,
       {2.17199634142692, 2.3636830416034, 8.77392573913157, 5.09598443745173, 0.990654756560493, 1.43057392853463,
        1.32164415364306, 9.82872576524495, 8.2800915887356, 8.3759266477347}},
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
        217.982300369384632, 286.41652592786852, 395.601173702746735}},
      {"g12", {0, 0, 0}, {10, 10, 10}, -1, {5, 5, 5}},
      {"g24", {0, 0}, {3, 4}, -5.50801327159536, {2.32952019747762, 3.17849307411774}}};
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

BOOST_AUTO_TEST_CASE(the_best_known_vectors_have_the_best_known_values, *boost::unit_test::label("long")) {
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
      // The vectors are known to 15 digits or so.
      BOOST_TEST(result.violations[0] <= 1e-6);
    }
}

BOOST_AUTO_TEST_CASE(defaults_come_within_a_ten_thousandth) {
  constexpr std::size_t problems = 5;
  constexpr std::uint64_t seed = 1;
  for (const auto& one : known()) BOOST_TEST_CONTEXT(one.name << ", seed " << seed) {
      de::Options options;
      options.seed = seed;
      options.evaluations = 500000;
      options.target = one.value + 1e-4;
      const auto result = de::solve(problem_of(one, problems), options, *test::host(2));
      BOOST_TEST(result.feasible == problems);
      BOOST_TEST(result.solved + one.may_miss >= problems);
    }
}

// Who asks for another treatment of bounds, or another population, gets it.
BOOST_AUTO_TEST_CASE(a_violation_changes_what_is_usual) {
  const auto& corner = known().front();
  auto constrained = problem_of(corner, 1);
  const de::Options usual;
  BOOST_TEST(de::complete(constrained, usual).bounds == "reflect");
  BOOST_TEST(de::complete(test::problem_of("sphere", 13, 1), usual).bounds == "clip");
  BOOST_TEST(de::complete(constrained, usual).population == 130U);
  constrained.dimensions = 10;
  BOOST_TEST(de::complete(constrained, usual).population == 50U);
  constrained.dimensions = 99;
  BOOST_TEST(de::complete(constrained, usual).population == 150U);
  BOOST_TEST(de::complete(test::problem_of("sphere", 13, 1), usual).population == 58U);
  de::Options given;
  given.bounds = "clip";
  BOOST_TEST(de::complete(constrained, given).bounds == "clip");
  const auto checksum = [&](const char* bounds) {
    de::Options options;
    options.generations = 20;
    options.bounds = bounds;
    return de::solve(problem_of(corner, 1), options, *test::host(1)).checksum;
  };
  BOOST_TEST(checksum("auto") == checksum("reflect"));
  BOOST_TEST(checksum("auto") != checksum("clip"));
}

BOOST_AUTO_TEST_SUITE_END()
