/// \file
/// The residuals of vectors, to show a fit.
#include <shared/differential_evolution/least_squares.h>
#include <clopt/error.hpp>
#include <objective/program.hpp>

#include <fmt/format.h>

#include <span>

#include <differential_evolution/launch/launcher.hpp>
#include <differential_evolution/options.hpp>

namespace clopt::differential_evolution {
namespace {

template <class Real>
std::vector<double> residuals_of(const Plan& plan, std::span<const double> parameters, Device& device) {
  Builder builder(device, plan);
  const auto queue = device.queue();
  const auto find = builder.with_objective<operations::FindResiduals<Real>>();
  const shared::fit_settings settings{static_cast<std::uint32_t>(plan.problem.problems),
                                      1,
                                      plan.settings.dimensions,
                                      static_cast<std::uint32_t>(plan.problem.columns),
                                      plan.settings.columns,
                                      0};
  const auto count = plan.problem.problems * plan.problem.columns;
  const auto points = device.buffer<Real>("vectors of fits", parameters.size());
  const auto rows = device.buffer<Real>("data", plan.rows().size());
  const auto states = device.buffer<shared::fit_state>("states of fits", settings.fits);
  const auto residuals = device.buffer<Real>("residuals", count);
  const auto tables = objective::upload_tables<Real>(device, *queue, plan.objective);
  queue->write(points, std::span<const Real>(std::vector<Real>(parameters.begin(), parameters.end())));
  queue->write(rows, std::span<const Real>(std::vector<Real>(plan.rows().begin(), plan.rows().end())));
  queue->write(states, std::span<const shared::fit_state>(
                           std::vector<shared::fit_state>(settings.fits, shared::fit_state{FIT_MOVED, 0})));
  queue->launch(find, Range::of_items(count),
                {.points = points,
                 .rows = rows,
                 .tables = tables,
                 .states = states,
                 .residuals = residuals,
                 .settings = settings,
                 .each = 1,
                 .taken = FIT_TAKES_ALL});
  const auto found = queue->read_all(residuals);
  return {found.begin(), found.end()};
}

}  // namespace

std::vector<double> residuals(const Problem& problem, std::span<const double> parameters, const std::string& precision,
                              Device& device) {
  Options options;
  options.precision = precision;
  // No search, so that nothing keeps a search from being polished.
  options.polish = false;
  const auto plan = make_plan(problem, options, {});
  if (!problem.objective.is_fit())
    throw InvalidInput(fmt::format("the objective {} has no residuals; give a text that defines `residual`",
                                   problem.objective.name()));
  if (parameters.size() != problem.problems * problem.dimensions)
    throw InvalidInput(
        fmt::format("there are {} `parameters` for {} `problems` of {} `dimensions`; give a vector for each",
                    parameters.size(), problem.problems, problem.dimensions));
  objective::require_device(device, plan.objective, plan.is_double());
  return plan.is_double() ? residuals_of<double>(plan, parameters, device)
                          : residuals_of<float>(plan, parameters, device);
}

}  // namespace clopt::differential_evolution
