// Confidence intervals beside the density of Student's t, integrated.
#include <clopt/error.hpp>
#include <clopt/fit.hpp>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstdint>
#include <numbers>

namespace fit = clopt::fit;

namespace {

// Of a t up to a place on either side of 0, by Simpson's rule over the angle whose tangent is t / sqrt(degrees).
long double probability_within(long double place, long double degrees) {
  const auto unit =
      std::exp(std::lgamma((degrees + 1) / 2) - std::lgamma(degrees / 2)) / std::sqrt(std::numbers::pi_v<long double>);
  const auto end = std::atan(place / std::sqrt(degrees));
  constexpr int steps = 20'000;
  long double sum = 0;
  for (int i = 0; i <= steps; ++i) {
    const int weight = i == 0 || i == steps ? 1 : i % 2 == 1 ? 4 : 2;
    sum += weight * std::pow(std::cos(end * i / steps), degrees - 1);
  }
  return 2 * unit * sum * end / steps / 3;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(fit_confidence)

BOOST_AUTO_TEST_CASE(reaches_have_their_probability) {
  for (const std::uint64_t degrees : {1ULL, 2ULL, 3ULL, 7ULL, 8ULL, 49ULL, 1'000ULL, 9'999ULL, 10'001ULL, 100'000ULL})
    for (const double confidence : {1e-6, 0.5, 0.6827, 0.95, 0.999999}) {
      const double reach = fit::confidence_reach(confidence, degrees);
      const auto found = probability_within(reach, static_cast<long double>(degrees));
      BOOST_TEST_CONTEXT(degrees << " degrees of freedom, " << confidence << ": " << reach)
      BOOST_TEST(std::abs(static_cast<double>(found / confidence - 1)) < 1e-9);
    }
  // As many are those of the normal distribution.
  BOOST_TEST(std::abs(std::erf(fit::confidence_reach(0.95, 1ULL << 60) / std::numbers::sqrt2) - 0.95) < 1e-12);
  BOOST_TEST(std::isinf(fit::confidence_reach(0.95, 0)));
  for (const double confidence : {0.0, 1.0, -0.5, std::nan("")})
    BOOST_CHECK_THROW(fit::confidence_reach(confidence, 7), clopt::InvalidInput);
}

BOOST_AUTO_TEST_CASE(intervals_have_each_rows_degrees) {
  fit::Result result;
  result.parameters = {1, 2, 3, 4, 5, 6};
  result.errors = {0.1, 0, 0.2, 0.3, 0.4, 0};
  result.degrees_of_freedom = {1, 30, 0};
  const auto intervals = fit::confidence_intervals(result, 0.95);
  const auto half = [&](std::size_t i) { return (intervals.upper[i] - intervals.lower[i]) / 2; };
  BOOST_TEST(std::abs(half(0) / (0.1 * fit::confidence_reach(0.95, 1)) - 1) < 1e-12);
  BOOST_TEST(std::abs(half(3) / (0.3 * fit::confidence_reach(0.95, 30)) - 1) < 1e-12);
  // What is fixed is known; without degrees of freedom nothing else is.
  BOOST_TEST(
      (intervals.lower[1] == 2 && intervals.upper[1] == 2 && intervals.lower[5] == 6 && intervals.upper[5] == 6));
  BOOST_TEST((intervals.lower[4] == -INFINITY && intervals.upper[4] == INFINITY));
  result.errors.clear();
  BOOST_CHECK_THROW(fit::confidence_intervals(result, 0.95), clopt::InvalidInput);
}

BOOST_AUTO_TEST_SUITE_END()
