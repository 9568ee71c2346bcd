/// \file
/// Values that are infinite, and that are no numbers.
#include <clopt/differential_evolution.hpp>
#include <clopt/objective.hpp>
#include <support/device.hpp>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>
#include <string>

namespace {

using namespace clopt;

constexpr double infinity = std::numeric_limits<double>::infinity();

differential_evolution::Result solved(const std::string& value, bool maximises) {
  differential_evolution::Problem problem{
      Objective::from_text(std::string("// clopt: reals, lower -1, upper 1, ") + (maximises ? "maximise" : "minimise") +
                           "\nreal objective(individual x) { return " + value + "; }\n")};
  problem.dimensions = 2;
  differential_evolution::Options options;
  options.generations = 30;
  return differential_evolution::solve(problem, options, test::device());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(evolution_values, *boost::unit_test::label("device"))

// NaN and the worse infinity lose to every number, and the better infinity wins.
BOOST_AUTO_TEST_CASE(infinities_have_their_places, *boost::unit_test::label("long")) {
  for (const bool maximises : {false, true}) BOOST_TEST_CONTEXT(maximises) {
      const std::string worse = maximises ? "-INFINITY" : "INFINITY";
      const std::string better = maximises ? "INFINITY" : "-INFINITY";
      const double sign = maximises ? -1 : 1;
      for (const std::string& worst : {worse, std::string("NAN")}) {
        const auto result = solved("gene(x, 0) > 0 ? " + worst + " : gene(x, 1)", maximises);
        BOOST_TEST(std::isfinite(result.values[0]));
        BOOST_TEST(result.parameters[0] <= 0);
      }
      const auto best = solved("gene(x, 0) > 0 ? " + better + " : gene(x, 1)", maximises);
      BOOST_TEST(best.values[0] == -sign * infinity);
      BOOST_TEST(best.parameters[0] > 0);
      BOOST_TEST(solved("gene(x, 0) > 0 ? NAN : " + worse, maximises).values[0] == sign * infinity);
    }
}

BOOST_AUTO_TEST_SUITE_END()
