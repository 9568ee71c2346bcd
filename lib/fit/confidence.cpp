/// \file
/// Confidence intervals by Student's t distribution.
#include <clopt/error.hpp>
#include <clopt/fit.hpp>

#include <fmt/format.h>
#include <boost/math/distributions/students_t.hpp>

#include <limits>
#include <map>

namespace clopt::fit {

double confidence_reach(double confidence, std::uint64_t degrees_of_freedom) {
  if (!(confidence > 0 && confidence < 1))
    throw InvalidInput(fmt::format("`confidence` is {}; give a number between 0 and 1, such as 0.95", confidence));
  if (degrees_of_freedom == 0) return std::numeric_limits<double>::infinity();
  const boost::math::students_t_distribution<double> student(static_cast<double>(degrees_of_freedom));
  return boost::math::quantile(student, 0.5 + confidence / 2);
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
