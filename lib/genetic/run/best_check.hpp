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
#include <type_traits>

#include <genetic/launch/engine.hpp>
#include <genetic/plan.hpp>
#include <genetic/problems/permutation_objectives.hpp>
#include <genetic/problems/start_tour.hpp>
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

/// Checks the best of each island, and one that has no finite cost where the island is said to have none.
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
    const auto on_host = std::isfinite(values[island]) ? static_cast<double>(values[island])
                         : settings.maximise != 0      ? -std::numeric_limits<double>::infinity()
                                                       : std::numeric_limits<double>::infinity();
    require_cost(objective, device, settings, status.cost_of(island), on_host);
  }
}

}  // namespace clopt::genetic
