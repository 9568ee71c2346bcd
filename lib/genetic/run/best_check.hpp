/// \file
/// The best individuals, evaluated again on the host.
#pragma once

#include <clopt/detail/run_times.hpp>
#include <objective/host_check.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <genetic/launch/engine.hpp>
#include <genetic/plan.hpp>
#include <genetic/problems/permutation_objectives.hpp>
#include <genetic/problems/start_tour.hpp>
#include "island_state.hpp"
#include "run_status.hpp"

namespace clopt::genetic {

/// \throws DeviceError where the host finds another value.
template <class Real>
void require_cost(const Objective& objective, const Device& device, const Settings& settings, Real cost,
                  double on_host) {
  const auto found = static_cast<double>(cost);
  objective::require_host_value(objective, device, settings.maximise != 0 ? -found : found, on_host);
}

// A table of distances may be gigabytes, so that it is read where it is.
template <class Element, class Real>
void check_tours(const Objective& objective, const Device& device, const Settings& settings,
                 RunStatus<Element, Real>& status) {
  if constexpr (std::is_same_v<Element, std::uint32_t>)
    for (std::size_t island = 0; island < settings.islands; ++island)
      require_cost(objective, device, settings, status.cost_of(island),
                   static_cast<double>(static_cast<Real>(tour_length(objective, status.kept_row(island)))));
}

/// Checks the best of each island, and one of infinite cost where the island is said to have no better one.
/// \param unchecked gets the reason where the host cannot. \throws DeviceError where it finds another value.
template <class Element, class Real>
void check_on_host(const Objective& objective, const Device& device, const Settings& settings,
                   Engine<Element, Real>& engine, RunStatus<Element, Real>& status, std::string& unchecked) {
  constexpr auto infinity = std::numeric_limits<Real>::infinity();
  if (is_tour_objective(objective)) return check_tours(objective, device, settings, status);
  const TimedPart building(TimePart::build);
  auto rows = status.kept_rows();
  for (std::size_t island = 0; island < settings.islands; ++island)
    if (!(status.cost_of(island) < infinity))
      engine.queue().read(engine.population(), std::span(rows).subspan(island * settings.row, settings.row),
                          island * settings.population * settings.row);
  const auto values = objective::values_on_host<Element, Real>(
      objective, {.elements = rows, .count = settings.islands, .genes = settings.genes}, unchecked);
  for (std::size_t island = 0; island < values.size(); ++island) {
    const auto on_host = !std::isnan(values[island]) ? static_cast<double>(values[island])
                         : settings.maximise != 0    ? -std::numeric_limits<double>::infinity()
                                                     : std::numeric_limits<double>::infinity();
    require_cost(objective, device, settings, status.cost_of(island), on_host);
  }
}

/// Of a run that was resumed, after check_on_host() has found another value. \throws InvalidInput where the checkpoint
/// had it already.
template <class Element, class Real>
void require_kept_costs(const Checkpoint& checkpoint, const Objective& objective, const Plan& plan) {
  const auto& settings = plan.settings;
  const auto state = IslandStateFile<Element, Real>(plan).read(checkpoint);
  const auto require = [&](const std::vector<Element>& rows, std::vector<Real> values, std::string_view field) {
    for (auto& value : values)
      if (settings.maximise != 0) value = -value;
    objective::require_kept_values<Element, Real>(
        checkpoint, objective, {.elements = rows, .count = values.size(), .genes = settings.genes}, values, field);
  };
  require(state.best_rows(), state.best_costs(), "limits");
  require(state.population, state.costs, "costs");
}

}  // namespace clopt::genetic
