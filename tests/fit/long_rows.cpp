#include <clopt/clopt.hpp>
#include <clopt/fit.hpp>
#include <support/device.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "oracle.hpp"

namespace {

namespace fit = clopt::fit;
using clopt::test::device;

constexpr double missing_datum = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t least_columns = std::size_t{1} << 15;

/// How a text has its data: all are the same decay.
enum class Form { library, model, residual, picture };

fit::Model decay(Form form, std::size_t columns) {
  const std::string head = "// clopt: parameters a, b, c\n";
  const std::string curve = "gene(x, 0) * exp(-gene(x, 1) * t) + gene(x, 2)";
  if (form == Form::library) return fit::Model::named("exponential");
  if (form == Form::model)
    return fit::Model::from_text(head + "real model(individual x, real t) { return " + curve + "; }\n");
  if (form == Form::residual)
    return fit::Model::from_text(head +
                                 "real residual(individual x, uint j) {\n  const real t = abscissa(x, j);\n  return " +
                                 curve + " - row(x, j);\n}\n");
  // Its rows are half of the data wide, and 2 high.
  return fit::Model::from_text(
      head + "real model(individual x, real t, real u) { return u > 0 ? gene(x, 2) : " + curve + "; }\n", "picture",
      columns / 2);
}

/// Rows of a decay with noise.
struct Decays {
  fit::Problem problem;

  Decays(Form form, std::size_t rows, std::size_t columns, bool weighted = false)
      : problem{decay(form, columns), {}, columns} {
    std::mt19937 random(static_cast<unsigned>(columns));
    std::normal_distribution<double> noise(0, 0.1);
    problem.parameters = 3;
    const auto width = static_cast<double>(columns);
    std::vector<double> places;
    std::vector<double> sigma;
    std::vector<double> data;
    if (form != Form::picture)
      for (std::size_t j = 0; j < columns; ++j) places.push_back(4 * static_cast<double>(j) / width);
    if (weighted)
      for (std::size_t j = 0; j < columns; ++j) sigma.push_back(j % 3 == 0 ? 0.5 : 0.125);
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t j = 0; j < columns; ++j) {
        const double rate = 1.25 + 0.1 * static_cast<double>(row);
        const double t = 4 * static_cast<double>(j) / width;
        const bool is_level = form == Form::picture && j >= columns / 2;
        data.push_back((is_level ? 0 : 2 * std::exp(-rate * t)) + 0.5 + noise(random));
      }
    problem.abscissa = std::move(places);
    problem.sigma = std::move(sigma);
    problem.data = std::move(data);
    problem.guess = {1.7, (form == Form::picture ? 4 / width : 1) * 1.1, 0.6};
  }

  void require_right(const fit::Result& result, std::size_t row) const {
    const auto right = clopt::test::fit_slowly(
        [&](const std::vector<long double>& at) {
          std::vector<long double> found;
          for (std::size_t j = 0; j < problem.columns; ++j) {
            const long double datum = problem.data[row * problem.columns + j];
            if (std::isnan(datum)) continue;
            const long double t = problem.abscissa.empty() ? static_cast<long double>(j) : problem.abscissa[j];
            const bool is_level = problem.abscissa.empty() && j >= problem.columns / 2;
            const auto curve = (is_level ? 0 : at[0] * std::exp(-at[1] * t)) + at[2];
            found.push_back((curve - datum) / (problem.sigma.empty() ? 1 : static_cast<long double>(problem.sigma[j])));
          }
          return found;
        },
        {problem.guess[0], problem.guess[1], problem.guess[2]}, {1, problem.guess[1], 1}, 12);
    BOOST_TEST_CONTEXT("row " << row << " of " << problem.columns) {
      BOOST_TEST(fit::is_converged(result.statuses[row]));
      BOOST_TEST(std::abs(result.chi_squared[row] / static_cast<double>(right.chi_squared) - 1) < 1e-5);
      const auto variance =
          problem.sigma.empty() ? right.chi_squared / static_cast<long double>(result.degrees_of_freedom[row]) : 1;
      for (std::size_t k = 0; k < 3; ++k) {
        const auto error = static_cast<double>(right.errors[k] * std::sqrt(variance));
        BOOST_TEST(std::abs(result.errors[row * 3 + k] / error - 1) < 0.005);
        BOOST_TEST(std::abs(result.parameters[row * 3 + k] - static_cast<double>(right.parameters[k])) < 0.05 * error);
      }
    }
  }
};

bool have_same_bits(std::span<const double> one, std::span<const double> other) {
  return one.size() == other.size() && std::memcmp(one.data(), other.data(), one.size() * sizeof(double)) == 0;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(long_rows)

BOOST_AUTO_TEST_CASE(they_are_those_of_long_doubles, *boost::unit_test::label("device")) {
  for (const auto form : {Form::library, Form::model, Form::residual, Form::picture})
    for (const std::size_t columns : {least_columns, least_columns + 8193}) {
      if (form == Form::picture && columns % 2 != 0) continue;
      if (!clopt::test::tries_all() && form != Form::library && form != Form::picture) continue;
      BOOST_TEST_CONTEXT("form " << static_cast<int>(form)) {
        const Decays decays(form, 1, columns);
        decays.require_right(fit::solve(decays.problem, {.precision = "float"}, device()), 0);
      }
    }
}

BOOST_AUTO_TEST_CASE(they_have_the_same_bits_everywhere, *boost::unit_test::label("device")) {
  const auto host = clopt::open_device("openmp:0", {.threads = 1});
  for (const auto form : {Form::library, Form::model, Form::residual})
    for (const std::string loss : {"linear", "soft-l1"}) {
      if (!clopt::test::tries_all() && (form == Form::library) != (loss == "linear")) continue;
      const Decays decays(form, 2, least_columns + 49, true);
      const fit::Options options{.precision = "float", .loss = loss};
      BOOST_TEST(fit::solve(decays.problem, options, device()).checksum ==
                 fit::solve(decays.problem, options, *host).checksum);
    }
}

// A text that reads a datum by its number is taken one datum at a time.
BOOST_AUTO_TEST_CASE(lanes_have_the_bits_of_single_data) {
  const auto host = clopt::open_device("openmp:0");
  const Decays in_lanes(Form::library, 1, least_columns + 1009);
  auto apart = in_lanes;
  apart.problem.model = fit::Model::from_text(
      "real unused(individual x) { return row(x, 0u); }\n"
      "real model(individual x, real t) { const real e = exp(-gene(x, 1) * t); return gene(x, 0) * e + gene(x, 2); }\n"
      "real derivative(individual x, uint j, uint k) {\n"
      "  const real t = abscissa(x, j);\n  const real e = exp(-gene(x, 1) * t);\n"
      "  if (k == 0u) return e;\n  if (k == 1u) return -gene(x, 0) * t * e;\n  return (real)1;\n}\n");
  for (const auto* const precision : {"float", "double"}) {
    const auto one = fit::solve(in_lanes.problem, {.precision = precision, .covariance = true}, *host);
    const auto other = fit::solve(apart.problem, {.precision = precision, .covariance = true}, *host);
    BOOST_TEST(have_same_bits(one.parameters, other.parameters));
    BOOST_TEST(have_same_bits(one.covariance, other.covariance));
  }
}

BOOST_AUTO_TEST_CASE(a_text_may_number_its_data, *boost::unit_test::label("device")) {
  // Every second datum is 3 higher than the curve.
  fit::Problem problem{
      fit::Model::from_text("real residual(individual x, uint j) {\n"
                            "  return gene(x, 0) + gene(x, 1) * (j % 2u == 0u ? 0 : 1) - row(x, j);\n}\n"),
      {},
      least_columns};
  problem.parameters = 2;
  problem.guess = {0, 0};
  std::vector<double> data;
  for (std::size_t j = 0; j < problem.columns; ++j) data.push_back(j % 2 == 0 ? 1 : 4);
  problem.data = std::move(data);
  const auto result = fit::solve(problem, {.precision = "float"}, device());
  BOOST_TEST(std::abs(result.parameters[0] - 1) < 1e-5);
  BOOST_TEST(std::abs(result.parameters[1] - 3) < 1e-5);
}

BOOST_AUTO_TEST_CASE(a_bad_long_row_spoils_no_other, *boost::unit_test::label("device")) {
  Decays decays(Form::model, 4, least_columns + 7);
  auto data = decays.problem.data.doubles();
  const auto columns = decays.problem.columns;
  std::fill_n(data.begin() + static_cast<std::ptrdiff_t>(columns), columns, missing_datum);
  data[2 * columns + 8191] = std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < columns; j += 3) data[3 * columns + j] = missing_datum;
  decays.problem.data = std::move(data);
  const auto result = fit::solve(decays.problem, {.precision = "float"}, device());
  decays.require_right(result, 0);
  BOOST_TEST((result.statuses[1] == fit::Status::no_data));
  BOOST_TEST((result.statuses[2] == fit::Status::not_finite));
  BOOST_TEST(result.degrees_of_freedom[3] == columns - (columns + 2) / 3 - 3);
  decays.require_right(result, 3);
}

BOOST_AUTO_TEST_CASE(bounds_and_fixed_parameters_hold_in_long_rows, *boost::unit_test::label("device")) {
  Decays decays(Form::model, 2, least_columns);
  decays.problem.lower = {0, 0, 0.5625};
  decays.problem.upper = {9, 9, 9};
  decays.problem.fixed = {0};
  const auto result = fit::solve(decays.problem, {.precision = "float"}, device());
  for (std::size_t row = 0; row < 2; ++row) {
    BOOST_TEST(result.parameters[row * 3] == static_cast<double>(1.7F));
    BOOST_TEST(result.errors[row * 3] == 0);
    BOOST_TEST(result.parameters[row * 3 + 2] == 0.5625);
    BOOST_TEST((result.statuses[row] == fit::Status::at_bound));
  }
}

BOOST_AUTO_TEST_CASE(without_time_they_stay_at_their_guesses, *boost::unit_test::label("device")) {
  const Decays decays(Form::library, 1, least_columns);
  clopt::RunControl control;
  control.time_limit = 0;
  const auto result = fit::solve(decays.problem, {.precision = "float"}, device(), control);
  BOOST_TEST((result.ending == clopt::Ending::time));
  BOOST_TEST((result.statuses[0] == fit::Status::limit));
  BOOST_TEST(result.parameters == decays.problem.guess.doubles(), boost::test_tools::per_element());
  BOOST_TEST(std::isnan(result.errors[0]));
}

BOOST_AUTO_TEST_SUITE_END()
