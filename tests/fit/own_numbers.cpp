// Rows with places, standard deviations, guesses and bounds of their own.
#include <clopt/clopt.hpp>
#include <clopt/fit.hpp>
#include <support/device.hpp>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace {

namespace fit = clopt::fit;
using clopt::test::device;

constexpr std::size_t columns = 17, parameters = 3;

/// UnlikeDecays, of which each row has what another one has not.
struct UnlikeDecays {
  fit::Problem whole{fit::Model::named("exponential"), {}, columns};
  std::vector<fit::Problem> alone;

  explicit UnlikeDecays(std::size_t rows) {
    std::mt19937 random(11);
    const auto between = [&](double low, double high) {
      return std::uniform_real_distribution<double>(low, high)(random);
    };
    std::vector<double> data, places, sigma, guess, lower, upper;
    for (std::size_t row = 0; row < rows; ++row) {
      const double a = between(2, 5), rate = between(0.3, 1), rest = between(-1, 1);
      for (std::size_t j = 0; j < columns; ++j) {
        places.push_back(between(0, 6));
        sigma.push_back(between(0.01, 0.2));
        data.push_back(a * std::exp(-rate * places.back()) + rest +
                       sigma.back() * std::normal_distribution<double>()(random));
      }
      for (const double each : {a, rate, rest}) guess.push_back(each * between(0.8, 1.2));
      // Of every other row the rate is less than its bounds allow.
      const std::vector<double> low = {0, row % 2 == 0 ? 0.1 : rate + 0.2, -2}, high = {9, rate + 0.4, 2};
      lower.insert(lower.end(), low.begin(), low.end());
      upper.insert(upper.end(), high.begin(), high.end());
    }
    const auto part = [&](const std::vector<double>& all, std::size_t row, std::size_t width) {
      const auto begin = all.begin() + static_cast<std::ptrdiff_t>(row * width);
      return std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(width));
    };
    for (std::size_t row = 0; row < rows; ++row) {
      fit::Problem one{whole.model, part(data, row, columns), columns};
      one.parameters = parameters;
      one.abscissa = part(places, row, columns);
      one.sigma = part(sigma, row, columns);
      one.guess = part(guess, row, parameters);
      one.lower = part(lower, row, parameters);
      one.upper = part(upper, row, parameters);
      alone.push_back(std::move(one));
    }
    whole.parameters = parameters;
    whole.data = std::move(data);
    whole.abscissa = std::move(places);
    whole.sigma = std::move(sigma);
    whole.guess = std::move(guess);
    whole.lower = std::move(lower);
    whole.upper = std::move(upper);
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(own_numbers)

BOOST_AUTO_TEST_CASE(each_row_is_fitted_as_if_it_were_alone, *boost::unit_test::label("device")) {
  const UnlikeDecays decays(7);
  const fit::Options options{.precision = "float", .covariance = true};
  const auto all = fit::solve(decays.whole, options, device());
  for (std::size_t row = 0; row < decays.alone.size(); ++row) {
    const auto one = fit::solve(decays.alone[row], options, device());
    BOOST_TEST_CONTEXT("row " << row) {
      BOOST_TEST(fit::name_of(all.statuses[row]) == fit::name_of(one.statuses[0]));
      BOOST_TEST((fit::name_of(one.statuses[0]) == "bound") == (row % 2 == 1));
      BOOST_TEST(std::abs(all.chi_squared[row] / one.chi_squared[0] - 1) < 1e-4);
      for (std::size_t k = 0; k < parameters; ++k) {
        const auto at = row * parameters + k;
        BOOST_TEST(std::abs(all.parameters[at] - one.parameters[k]) < 0.01 * one.errors[k]);
        BOOST_TEST(std::abs(all.errors[at] / one.errors[k] - 1) < 0.01);
        for (std::size_t other = 0; other < parameters; ++other) {
          const double scale = one.errors[k] * one.errors[other];
          BOOST_TEST(std::abs(all.covariance[at * parameters + other] - one.covariance[k * parameters + other]) <
                     0.02 * scale);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(fewer_data_than_parameters_leave_no_degree_of_freedom, *boost::unit_test::label("device")) {
  constexpr double absent = std::numeric_limits<double>::quiet_NaN();
  fit::Problem problem{fit::Model::named("line"), {1, 2, 3, 1, absent, 2, absent, 5, absent}, 3};
  problem.parameters = 2;
  problem.guess = {1, 1};
  const auto result = fit::solve(problem, {.precision = "float"}, device());
  BOOST_TEST(result.degrees_of_freedom[0] == 1U);
  BOOST_TEST(result.degrees_of_freedom[1] == 0U);
  BOOST_TEST(result.degrees_of_freedom[2] == 0U);
}

// What is fixed varies with nothing, not even with what the data do not determine.
BOOST_AUTO_TEST_CASE(what_is_fixed_has_no_covariance, *boost::unit_test::label("device")) {
  fit::Problem problem{
      fit::Model::from_text("real model(individual x, real t) { return gene(x, 0) + t * 0 + gene(x, 2); }\n", "m.cl"),
      {1, 2, 3, 5},
      4};
  problem.parameters = 3;
  problem.guess = {1, 1, 0.5};
  problem.fixed = {2};
  const auto result = fit::solve(problem, {.precision = "float", .covariance = true}, device());
  BOOST_TEST(std::isinf(result.errors[1]));
  for (const std::size_t at : {2U, 5U, 6U, 7U, 8U}) BOOST_TEST(result.covariance[at] == 0);
}

BOOST_AUTO_TEST_CASE(a_search_ends_near_the_fit, *boost::unit_test::label("device")) {
  auto problem = UnlikeDecays(5).whole;
  problem.guess = {};
  problem.lower = {0, 0.05, -3};
  problem.upper = {9, 2, 3};
  const auto fits = fit::solve(problem, {.precision = "float"}, device());
  // One evaluation more leaves what the search found, which is near.
  const auto found = fit::solve(problem, {.precision = "float", .iterations = 1}, device());
  for (std::size_t i = 0; i < found.parameters.size(); ++i)
    BOOST_TEST(std::abs(found.parameters[i] - fits.parameters[i]) < 3 * fits.errors[i]);
}

BOOST_AUTO_TEST_SUITE_END()
