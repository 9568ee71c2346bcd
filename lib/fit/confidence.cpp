/// \file
/// Confidence intervals by Student's t distribution (Abramowitz and Stegun 1964).
#include <clopt/error.hpp>
#include <clopt/fit.hpp>

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <map>
#include <numbers>

namespace clopt::fit {
namespace {

// Beyond it the expansion about the normal distribution has all digits.
constexpr std::uint64_t most_summed_degrees = 10'000;

/// The probability to lie on either side of 0 up to a place, and its derivative.
struct Central {
  double probability;
  double slope;
};

/// Where a rising function from 0 whose slope falls has a value: Newton's method, which comes from below then.
template <class Function>
double place_of(double probability, const Function& function) {
  double place = 0;
  for (int round = 0; round < 200; ++round) {
    const auto at = function(place);
    const double step = (probability - at.probability) / at.slope;
    if (!(step > 1e-16 * place)) break;
    place += step;
  }
  return place;
}

/// Of t, given by the angle whose tangent is t over the root of the degrees of freedom: (26.7.3), (26.7.4).
Central student_at(double angle, std::uint64_t degrees) {
  const double sine = std::sin(angle);
  const double cosine = std::cos(angle);
  const bool is_odd = degrees % 2 == 1;
  double term = is_odd ? cosine : 1;
  double sum = 0;
  for (std::uint64_t power = is_odd ? 1 : 0; power < degrees; power += 2) {
    sum += term;
    term *= static_cast<double>(power + 1) / static_cast<double>(power + 2) * cosine * cosine;
  }
  const double unit = is_odd ? 2 / std::numbers::pi : 1;
  return {unit * ((is_odd ? angle : 0) + sine * sum), unit * term * static_cast<double>(degrees) / cosine};
}

Central normal_at(double place) {
  return {std::erf(place / std::numbers::sqrt2), std::sqrt(2 / std::numbers::pi) * std::exp(-place * place / 2)};
}

/// (26.7.5).
double student_near_normal(double z, double degrees) {
  const double square = z * z;
  const double first = z * (square + 1) / 4;
  const double second = z * (square * (5 * square + 16) + 3) / 96;
  const double third = z * (square * (square * (3 * square + 19) + 17) - 15) / 384;
  return z + (first + (second + third / degrees) / degrees) / degrees;
}

}  // namespace

double confidence_reach(double confidence, std::uint64_t degrees_of_freedom) {
  if (!(confidence > 0 && confidence < 1))
    throw InvalidInput(fmt::format("`confidence` is {}; give a number between 0 and 1, such as 0.95", confidence));
  if (degrees_of_freedom == 0) return std::numeric_limits<double>::infinity();
  const auto degrees = static_cast<double>(degrees_of_freedom);
  if (degrees_of_freedom > most_summed_degrees) return student_near_normal(place_of(confidence, normal_at), degrees);
  const double angle = place_of(confidence, [&](double at) { return student_at(at, degrees_of_freedom); });
  return std::tan(angle) * std::sqrt(degrees);
}

ConfidenceIntervals confidence_intervals(const Result& result, double confidence) {
  if (result.errors.empty() != result.parameters.empty())
    throw InvalidInput("the result has no `errors`, of which confidence intervals are made; fit with them");
  ConfidenceIntervals intervals;
  std::map<std::uint64_t, double> reaches;
  const auto rows = result.degrees_of_freedom.size();
  for (std::size_t i = 0; i < result.parameters.size(); ++i) {
    const auto degrees = result.degrees_of_freedom[i / (result.parameters.size() / rows)];
    const auto [reach, is_new] = reaches.try_emplace(degrees);
    if (is_new) reach->second = confidence_reach(confidence, degrees);
    // What is fixed is known.
    const double half = result.errors[i] == 0 ? 0 : reach->second * result.errors[i];
    intervals.lower.push_back(result.parameters[i] - half);
    intervals.upper.push_back(result.parameters[i] + half);
  }
  return intervals;
}

}  // namespace clopt::fit
