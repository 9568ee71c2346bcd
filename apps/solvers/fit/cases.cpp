/// \file
/// What `clopt validate` runs of fits: a model with and without derivative, bounds, and data that are missing.
#include <clopt/device.hpp>

#include <cmath>
#include <limits>

#include "solver.hpp"

namespace clopt::apps::fit {
namespace {

namespace solver = clopt::fit;

/// Peaks that need no functions to be made, and lie near Lorentz's.
solver::Problem peaks(const solver::Model& model) {
  constexpr std::size_t columns = 17;
  constexpr std::size_t rows = 67;
  std::vector<double> data;
  for (std::size_t k = 0; k < rows; ++k)
    for (std::size_t j = 0; j < columns; ++j) {
      const double place = (static_cast<double>(j) - 7 - 0.03125 * static_cast<double>(k % 32)) / 3;
      data.push_back(40 / (1 + place * place) + 5 + 0.125 * static_cast<double>((k * 31 + j * 17) % 13));
    }
  data[5] = std::numeric_limits<double>::quiet_NaN();
  solver::Problem problem{model, std::move(data), columns};
  problem.parameters = 4;
  problem.guess = {35, 8, 2.5, 4};
  problem.lower = {0, 0, 0.5, 0};
  problem.upper = {100, 16, 10, 5.5};
  return problem;
}

ValidationCase case_of(const std::string& name, const solver::Model& model, const std::string& precision) {
  const auto run = [=](Device& device, const RunControl& control) -> ValidationOutcome {
    if (precision == "double" && !device.info().has_double) return {0, {}, "no double precision"};
    const auto result = solver::solve(peaks(model), {.precision = precision}, device, control);
    ValidationOutcome outcome;
    outcome.checksum = result.checksum;
    if (result.converged != result.statuses.size()) outcome.wrong = "a row has not converged";
    if (!(std::abs(result.parameters[1] - 7) < 0.2)) outcome.wrong = "the first peak is not at 7";
    return outcome;
  };
  return {"fit/" + name, true, run};
}

}  // namespace

std::vector<ValidationCase> validation_cases(bool) {
  const auto differences = solver::Model::from_text(
      "real model(individual x, real t) {\n"
      "  const real z = (t - gene(x, 1)) / gene(x, 2);\n"
      "  return gene(x, 0) * exp(-z * z / 2) + gene(x, 3);\n}\n",
      "peak.cl");
  return {case_of("lorentz", solver::Model::named("lorentz"), "float"), case_of("differences", differences, "float"),
          case_of("double", solver::Model::named("lorentz"), "double")};
}

}  // namespace clopt::apps::fit
