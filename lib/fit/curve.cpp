/// \file
/// The values of models, by the residuals of differential evolution's fits.
#include <clopt/device.hpp>
#include <clopt/differential_evolution.hpp>
#include <clopt/error.hpp>
#include <clopt/fit.hpp>

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace clopt::fit {
namespace {

differential_evolution::Problem fit_of(const Problem& problem, std::size_t rows) {
  differential_evolution::Problem fit{problem.model.residuals, problem.parameters, rows};
  // Nothing is searched for between these.
  fit.lower.assign(problem.parameters, 0);
  fit.upper.assign(problem.parameters, 1);
  fit.columns = problem.columns;
  return fit;
}

}  // namespace

std::vector<double> model_values(const Problem& problem, std::span<const double> parameters,
                                 const std::string& precision, Device& device) {
  if (!problem.model.has_curve)
    throw InvalidInput(
        fmt::format("{} has residuals and no curve; give a text that defines `real model(individual x, real t)`",
                    problem.model.residuals.name()));
  if (const auto named = problem.model.names.size(); named != 0 && named != problem.parameters)
    throw InvalidInput(fmt::format("the model {} has {} parameters, and `parameters` has {}; give a number for each",
                                   problem.model.residuals.name(), named, problem.parameters));
  auto fit = fit_of(problem, problem.rows());
  // The model less 0.
  fit.data.assign(problem.data.size(), 0);
  fit.abscissa = problem.abscissa.doubles();
  for (double& place : fit.abscissa)
    if (!std::isfinite(place)) place = 0;
  auto values = differential_evolution::residuals(fit, parameters, precision, device);
  for (std::size_t n = 0; n < values.size() && !problem.abscissa.empty(); ++n)
    if (!std::isfinite(problem.abscissa[n % problem.abscissa.size()]))
      values[n] = std::numeric_limits<double>::quiet_NaN();
  return values;
}

differential_evolution::FitCurve fit_curve(const Problem& problem, std::size_t row, std::span<const double> parameters,
                                           const std::string& precision, Device& device) {
  if (row >= problem.rows())
    throw InvalidInput(fmt::format("there is no `row` {} among {}; they count from 0", row, problem.rows()));
  const auto columns = problem.columns;
  const auto part_of_row = [&](const SharedNumbers& numbers) {
    if (numbers.empty()) return std::vector<double>();
    return numbers.doubles(numbers.size() == columns ? 0 : row * columns, columns);
  };
  auto fit = fit_of(problem, 1);
  fit.data = part_of_row(problem.data);
  fit.abscissa = part_of_row(problem.abscissa);
  fit.sigma = part_of_row(problem.sigma);
  return differential_evolution::fit_curve(fit, 0, parameters, precision, device);
}

}  // namespace clopt::fit
