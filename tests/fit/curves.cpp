#include <clopt/differential_evolution.hpp>
#include <clopt/error.hpp>
#include <clopt/fit.hpp>
#include <support/device.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace {

namespace fit = clopt::fit;
using clopt::test::device;

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

fit::Problem lines() {
  fit::Problem problem{fit::Model::named("line"), {1, no_number, 5, 7.5, 2, 1, 0, -1}, 4};
  problem.abscissa = {0, 1, 2, 3};
  problem.parameters = 2;
  return problem;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(fit_curves)

BOOST_AUTO_TEST_CASE(values_are_those_of_the_model, *boost::unit_test::label("device")) {
  auto problem = lines();
  const std::vector<double> parameters{1, 2, 2, -1};
  BOOST_TEST(
      fit::model_values(problem, parameters, "float", device()) == (std::vector<double>{1, 3, 5, 7, 2, 1, 0, -1}),
      boost::test_tools::per_element());
  problem.abscissa = {0, 1, no_number, 3};
  const auto gap = fit::model_values(problem, parameters, "float", device());
  BOOST_TEST((std::isnan(gap[2]) && std::isnan(gap[6]) && gap[3] == 7));
  problem.parameters = 3;
  BOOST_CHECK_THROW(fit::model_values(problem, {{1, 2, 3, 4, 5, 6}}, "float", device()), clopt::InvalidInput);
  problem.model = fit::Model::from_text("real residual(individual x, uint j) { return gene(x, 0) - row(x, j); }");
  BOOST_CHECK_THROW(fit::model_values(problem, {{1, 2, 3, 4, 5, 6}}, "float", device()), clopt::InvalidInput);
}

BOOST_AUTO_TEST_CASE(a_curve_runs_between_the_data, *boost::unit_test::label("device")) {
  const auto problem = lines();
  const auto found = fit::fit_curve(problem, 0, {{1, 2}}, "float", device());
  BOOST_TEST(found.places.size() == 3U * 8 + 1);
  BOOST_TEST(std::is_sorted(found.places.begin(), found.places.end()));
  for (std::size_t i = 0; i < found.places.size(); ++i)
    BOOST_TEST(std::abs(found.curve[i] - 1 - 2 * found.places[i]) < 1e-4);
  BOOST_TEST((std::isnan(found.residuals[1]) && std::abs(found.residuals[3] - 0.5) < 1e-4));
  // Without an answer there is neither.
  const auto none = fit::fit_curve(problem, 1, {{no_number, no_number}}, "float", device());
  BOOST_TEST((none.curve.empty() && std::isnan(none.residuals[0]) && none.abscissa.size() == 4));
  BOOST_CHECK_THROW(fit::fit_curve(problem, 2, {{1, 2}}, "float", device()), clopt::InvalidInput);
  clopt::differential_evolution::Problem searched{problem.model.residuals, 2, 2};
  searched.data = problem.data.doubles();
  searched.columns = 4;
  BOOST_CHECK_THROW(clopt::differential_evolution::fit_curve(searched, 2, {{1, 2}}, "float", device()),
                    clopt::InvalidInput);
}

BOOST_AUTO_TEST_CASE(without_a_curve_residuals_are_as_they_are, *boost::unit_test::label("device")) {
  auto problem = lines();
  problem.model = fit::Model::from_text(
      "real residual(individual x, uint j) { const real d = gene(x, 0) + abscissa(x, j) - row(x, j); return 1 + d * d; "
      "}");
  problem.parameters = 1;
  const auto found = fit::fit_curve(problem, 0, {{1}}, "float", device());
  BOOST_TEST((found.curve.empty() && std::isnan(found.residuals[1])));
  BOOST_TEST(found.residuals[2] == 5);
}

BOOST_AUTO_TEST_SUITE_END()
