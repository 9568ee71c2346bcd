/// \file
/// Fits: residuals, their data, and what Levenberg and Marquardt's method makes of them.
#include <clopt/devices.hpp>
#include <clopt/differential_evolution.hpp>
#include <clopt/error.hpp>
#include <support/device.hpp>
#include <support/failing_device.hpp>

#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "host.hpp"

namespace {

using namespace clopt;
namespace de = clopt::differential_evolution;

constexpr double absent = std::numeric_limits<double>::quiet_NaN();

const char* const parabola =
    "real residual(individual x, uint j) {\n"
    "  const real t = abscissa(x, j);\n"
    "  return gene(x, 0) + gene(x, 1) * t + gene(x, 2) * t * t - row(x, j);\n"
    "}\n";

// Rows of a noisy parabola, and what is known of them.
struct Measured {
  std::size_t problems;
  std::size_t columns;
  std::vector<double> data;
  std::vector<double> abscissa;  // of each row
  std::vector<double> sigma;
};

Measured measured(std::size_t problems, std::size_t columns, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> parameter(-2, 2);
  std::uniform_real_distribution<double> place(-1, 1);
  std::uniform_real_distribution<double> deviation(0.01, 0.1);
  std::normal_distribution<double> noise(0, 1);
  Measured all{problems, columns, {}, {}, {}};
  for (std::size_t k = 0; k < problems; ++k) {
    const double a = parameter(random), b = parameter(random), c = parameter(random);
    for (std::size_t j = 0; j < columns; ++j) {
      const double t = place(random);
      const double sigma = deviation(random);
      all.abscissa.push_back(t);
      all.sigma.push_back(sigma);
      all.data.push_back(a + b * t + c * t * t + sigma * noise(random));
    }
  }
  return all;
}

de::Problem problem_of(const Objective& objective, const Measured& measured) {
  de::Problem problem{objective};
  problem.dimensions = 3;
  problem.problems = measured.problems;
  problem.lower = {-10};
  problem.upper = {10};
  problem.data = measured.data;
  problem.columns = measured.columns;
  problem.abscissa = measured.abscissa;
  problem.sigma = measured.sigma;
  return problem;
}

/// A parabola's exact least squares, by Cramer's rule on the normal equations.
struct Exact {
  std::array<double, 3> parameters;
  std::array<double, 3> errors;
  double chi_squared;
};

double determinant(const std::array<std::array<double, 3>, 3>& m) {
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/// \param abscissa, sigma of all rows, or empty as in a problem.
Exact exact(const Measured& measured, const std::vector<double>& abscissa, const std::vector<double>& sigma,
            std::size_t k) {
  std::array<std::array<double, 3>, 3> normal{};
  std::array<double, 3> right{};
  const auto number = [&](const std::vector<double>& side, std::size_t j, double otherwise) {
    if (side.empty()) return otherwise;
    return side.size() == measured.columns ? side[j] : side[k * measured.columns + j];
  };
  std::size_t present = 0;
  const auto each = [&](const auto& function) {
    for (std::size_t j = 0; j < measured.columns; ++j) {
      const double datum = measured.data[k * measured.columns + j];
      if (std::isnan(datum)) continue;
      const double t = number(abscissa, j, static_cast<double>(j));
      const double weight = 1 / number(sigma, j, 1);
      function(std::array<double, 3>{weight, weight * t, weight * t * t}, weight * datum);
    }
  };
  each([&](const auto& slope, double datum) {
    ++present;
    for (std::size_t a = 0; a < 3; ++a) {
      right[a] += slope[a] * datum;
      for (std::size_t b = 0; b < 3; ++b) normal[a][b] += slope[a] * slope[b];
    }
  });
  Exact result{};
  for (std::size_t a = 0; a < 3; ++a) {
    auto replaced = normal;
    for (std::size_t b = 0; b < 3; ++b) replaced[b][a] = right[b];
    result.parameters[a] = determinant(replaced) / determinant(normal);
  }
  each([&](const auto& slope, double datum) {
    double off = -datum;
    for (std::size_t a = 0; a < 3; ++a) off += slope[a] * result.parameters[a];
    result.chi_squared += off * off;
  });
  const double variance = sigma.empty() ? result.chi_squared / static_cast<double>(present - 3) : 1;
  for (std::size_t a = 0; a < 3; ++a) {
    const auto b = (a + 1) % 3, c = (a + 2) % 3;
    const double minor = normal[b][b] * normal[c][c] - normal[b][c] * normal[c][b];
    result.errors[a] = std::sqrt(minor / determinant(normal) * variance);
  }
  return result;
}

void require_exact(const de::Problem& problem, const de::Result& result, const Measured& measured, double tolerance) {
  BOOST_REQUIRE(result.errors.size() == 3 * measured.problems);
  BOOST_REQUIRE(result.chi_squared.size() == measured.problems);
  for (std::size_t k = 0; k < measured.problems; ++k) {
    const auto expected = exact(measured, problem.abscissa, problem.sigma, k);
    BOOST_TEST_CONTEXT("problem " << k) {
      BOOST_TEST(result.converged[k] == 1);
      BOOST_TEST(std::abs(result.chi_squared[k] / expected.chi_squared - 1) < tolerance);
      for (std::size_t a = 0; a < 3; ++a) {
        BOOST_TEST(std::abs(result.parameters[3 * k + a] - expected.parameters[a]) <
                   30 * tolerance * expected.errors[a]);
        BOOST_TEST(std::abs(result.errors[3 * k + a] / expected.errors[a] - 1) < 10 * tolerance);
      }
    }
  }
}

double tolerance_of(const std::string& precision) { return precision == "double" ? 1e-7 : 1e-3; }

Measured with_gaps(Measured measured) {
  for (std::size_t n = 0; n < measured.data.size(); n += 5) measured.data[n] = absent;
  return measured;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(fits)

BOOST_AUTO_TEST_CASE(parabolas_are_fitted_as_they_are_solved, *boost::unit_test::label("device")) {
  const auto& device = test::device();
  for (const std::string precision : {"float", "double"}) {
    if (precision == "double" && !device.info().has_double) continue;
    for (const std::size_t columns : {7U, 49U}) {
      if (!test::tries_all() && (columns == 7) != (precision == "float")) continue;
      const auto all = with_gaps(measured(7, columns, 5));
      auto options = test::classical();
      options.precision = precision;
      options.generations = 10;
      auto problem = problem_of(Objective::from_text(parabola), all);
      // Rows of their own, one row for all, none.
      for (int form = 0; form < 3; ++form) {
        // Each is a program of its own, which takes a compiler long.
        if (!test::tries_all() && precision == "double" && form == 1) break;
        if (form == 1) problem.abscissa.resize(columns), problem.sigma.resize(columns);
        if (form == 2) problem.abscissa.clear(), problem.sigma.clear();
        // Where the place is 0, 1, 2, ... the parameters are smaller, and less well known.
        BOOST_TEST_CONTEXT(precision << ", " << columns << " columns, form " << form)
        require_exact(problem, de::solve(problem, options, test::device()), all, tolerance_of(precision));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(methods_and_devices_end_with_the_same_bits, *boost::unit_test::label("device")) {
  const auto all = with_gaps(measured(7, 12, 3));
  const auto problem = problem_of(Objective::from_text(parabola), all);
  auto options = test::classical();
  options.generations = 5;
  const auto expected = de::solve(problem, options, *test::host(1));
  for (const char* method : {"offloaded", "staged", "ahead", "merged", "fused"}) {
    options.method = method;
    const auto result = de::solve(problem, options, test::device());
    BOOST_TEST(result.checksum == expected.checksum);
    BOOST_TEST(result.parameters == expected.parameters, boost::test_tools::per_element());
    BOOST_TEST(result.errors == expected.errors, boost::test_tools::per_element());
    BOOST_TEST(result.total_evaluations == expected.total_evaluations);
  }
}

BOOST_AUTO_TEST_CASE(a_text_that_reads_sigma_weights_by_itself) {
  auto all = measured(3, 12, 4);
  std::string own = parabola;
  own.replace(own.find("return ") + 7, 0, "(");
  own.replace(own.find("row(x, j)") + 9, 0, ") / sigma(x, j)");
  auto options = test::classical();
  options.generations = 5;
  const auto left = de::solve(problem_of(Objective::from_text(parabola), all), options, *test::host(1));
  const auto itself = de::solve(problem_of(Objective::from_text(own), all), options, *test::host(1));
  BOOST_TEST(left.values == itself.values, boost::test_tools::per_element());
  BOOST_TEST(left.parameters == itself.parameters, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_function_gives_residuals_too) {
  auto all = with_gaps(measured(5, 12, 6));
  const auto function = Objective::from_residual_function(
      [](std::span<const double> genes, std::span<const double> row, std::span<const double> abscissa,
         std::span<const double> sigma, std::span<double> residuals) {
        for (std::size_t j = 0; j < row.size(); ++j) {
          const double t = abscissa[j];
          residuals[j] = (genes[0] + genes[1] * t + genes[2] * t * t - row[j]) / sigma[j];
        }
      });
  auto options = test::classical();
  options.precision = "double";
  auto problem = problem_of(function, all);
  require_exact(problem, de::solve(problem, options, *test::host(3)), all, tolerance_of("double"));
  problem.abscissa.clear();
  problem.sigma.clear();
  require_exact(problem, de::solve(problem, options, *test::host(3)), all, tolerance_of("double"));
}

BOOST_AUTO_TEST_CASE(vectors_stay_within_their_bounds) {
  const auto all = measured(7, 12, 8);
  auto problem = problem_of(Objective::from_text(parabola), all);
  problem.lower = {-0.5};
  problem.upper = {0.5};
  const auto result = de::solve(problem, {}, *test::host(1));
  std::size_t at_bounds = 0;
  for (const double parameter : result.parameters) {
    BOOST_TEST(std::abs(parameter) <= 0.5);
    at_bounds += std::abs(parameter) == 0.5 ? 1 : 0;
  }
  BOOST_TEST(at_bounds > 0U);
  for (const auto converged : result.converged) BOOST_TEST(converged == 1);
  // Without the local search, the search alone comes to nearly the same.
  auto options = test::classical();
  options.polish = false;
  options.generations = 400;
  const auto searched = de::solve(problem, options, *test::host(1));
  BOOST_TEST(searched.polish == "none");
  BOOST_TEST(searched.converged.empty());
  for (std::size_t k = 0; k < all.problems; ++k)
    BOOST_TEST(result.values[k] <= searched.values[k] * (1 + 1e-4), k << ": " << result.values[k]);
}

BOOST_AUTO_TEST_CASE(errors_are_those_of_the_vector_also_without_a_local_search) {
  const auto all = measured(3, 49, 9);
  const auto problem = problem_of(Objective::from_text(parabola), all);
  auto options = test::classical();
  options.polish = false;
  options.precision = "double";
  const auto result = de::solve(problem, options, *test::host(1));
  for (std::size_t k = 0; k < all.problems; ++k) {
    const auto expected = exact(all, problem.abscissa, problem.sigma, k);
    for (std::size_t a = 0; a < 3; ++a) BOOST_TEST(std::abs(result.errors[3 * k + a] / expected.errors[a] - 1) < 1e-6);
  }
}

BOOST_AUTO_TEST_CASE(what_the_data_leave_open_has_an_infinite_error) {
  auto all = measured(1, 7, 10);
  auto problem = problem_of(Objective::from_text("real residual(individual x, uint j) {\n"
                                                 "  return gene(x, 0) + gene(x, 1) - row(x, j);\n}\n"),
                            all);
  problem.abscissa.clear();
  const auto result = de::solve(problem, {}, *test::host(1));
  for (const double error : result.errors) BOOST_TEST(std::isinf(error));
  // As many parameters as data.
  auto few = measured(1, 3, 11);
  problem = problem_of(Objective::from_text(parabola), few);
  problem.sigma.clear();
  const auto exact_fit = de::solve(problem, {}, *test::host(1));
  BOOST_TEST(exact_fit.chi_squared[0] < 1e-9);
  for (const double error : exact_fit.errors) BOOST_TEST(std::isinf(error));
}

BOOST_AUTO_TEST_CASE(a_limit_of_evaluations_is_kept) {
  const auto all = measured(3, 12, 12);
  const auto problem = problem_of(Objective::from_text(parabola), all);
  for (const std::uint64_t limit : {70U, 200U, 1000U, 5000U}) {
    auto options = test::classical();
    options.evaluations = limit;
    const auto result = de::solve(problem, options, *test::host(1));
    BOOST_TEST(result.total_evaluations <= 3 * limit);
    BOOST_TEST(result.total_evaluations == 3 * 40 + 40 * result.total_generations + result.polish_evaluations);
  }
}

BOOST_AUTO_TEST_CASE(a_run_that_is_ended_has_no_local_search) {
  const auto all = measured(3, 12, 13);
  const auto problem = problem_of(Objective::from_text(parabola), all);
  RunControl control;
  control.time_limit = 0;
  const auto result = de::solve(problem, {}, *test::host(1), control);
  BOOST_TEST(result.polish_evaluations == 0U);
  for (const auto converged : result.converged) BOOST_TEST(converged == 0);
}

BOOST_AUTO_TEST_CASE(several_devices_share_the_fits) {
  const auto all = measured(49, 12, 14);
  const auto problem = problem_of(Objective::from_text(parabola), all);
  const auto one = de::solve(problem, {}, *test::host(1));
  const std::vector<std::shared_ptr<Device>> three{test::host(1), test::host(2), test::host(1)};
  const auto shared = de::solve(problem, {}, three);
  BOOST_TEST(shared.checksum == one.checksum);
  BOOST_TEST(shared.errors == one.errors, boost::test_tools::per_element());
  BOOST_TEST(shared.polished == one.polished);
}

// The device of some pieces is lost before, within and after their local searches.
BOOST_AUTO_TEST_CASE(another_device_takes_over_local_searches) {
  const auto all = measured(7, 12, 16);
  const auto problem = problem_of(Objective::from_text(parabola), all);
  auto options = test::classical();
  options.generations = 3;
  const auto expected = de::solve(problem, options, *test::host(1));
  for (const int launches : {1, 5, 9, 20, 50}) {
    const std::vector<std::shared_ptr<Device>> both{std::make_shared<test::FailingDevice>(launches), test::host(1)};
    const auto result = de::solve(problem, options, both);
    BOOST_TEST_CONTEXT(launches << " launches") {
      BOOST_TEST(result.checksum == expected.checksum);
      BOOST_TEST(result.errors == expected.errors, boost::test_tools::per_element());
      BOOST_TEST(result.total_evaluations == expected.total_evaluations);
    }
  }
}

BOOST_AUTO_TEST_CASE(what_is_no_fit_is_refused) {
  const auto all = measured(3, 7, 15);
  const auto refused = [&](const auto& change, const char* naming) {
    auto problem = problem_of(Objective::from_text(parabola), all);
    change(problem);
    BOOST_CHECK_EXCEPTION(de::check(problem, {}), InvalidInput, [&](const InvalidInput& error) {
      BOOST_TEST_MESSAGE(error.what());
      return std::string(error.what()).find(naming) != std::string::npos;
    });
  };
  refused([](auto& problem) { problem.abscissa.pop_back(); }, "`abscissa`");
  refused([](auto& problem) { problem.abscissa[8] = absent; }, "row 2, column 2");
  refused([](auto& problem) { problem.sigma.pop_back(); }, "`sigma`");
  refused([](auto& problem) { problem.sigma[20] = 0; }, "row 3, column 7");
  refused([](auto& problem) { problem.sigma[0] = -1; }, "above 0");
  refused([](auto& problem) { std::fill_n(problem.data.begin() + 7, 7, absent); }, "row 2");
  refused([](auto& problem) { problem.data[0] = std::numeric_limits<double>::infinity(); }, "row 1, column 1");
  refused([](auto& problem) { problem.data.clear(), problem.columns = 0; }, "`data`");
  refused([](auto& problem) { problem.objective = Objective::named("sphere"); }, "");
  BOOST_CHECK_THROW(Objective::from_text("// clopt: maximise\n" + std::string(parabola)), InvalidInput);
  BOOST_CHECK_THROW(Objective::from_text("// clopt: bits\n" + std::string(parabola)), InvalidInput);
  BOOST_CHECK_THROW(
      Objective::from_text(std::string(parabola) + "real objective_finish(individual x, real sum) { return sum; }\n"),
      InvalidInput);
  // A helper of that name is none of the library's business.
  const auto general = Objective::from_text(
      "real residual(individual x, uint j) { return gene(x, j); }\n"
      "real objective(individual x) { return residual(x, 0) * residual(x, 0); }\n");
  BOOST_TEST(!general.is_fit());
}

BOOST_AUTO_TEST_SUITE_END()
