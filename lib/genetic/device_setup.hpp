/// \file
/// How a run is begun on a device.
#pragma once

#include <clopt/device.hpp>
#include <clopt/genetic.hpp>

#include <cstdint>
#include <type_traits>

#include <genetic/device/tuning.hpp>
#include "plan.hpp"

namespace clopt::genetic {

/// Refuses what does not fit a device before anything is allocated, and chooses the granularity there.
/// \throws InvalidInput, DeviceError
GranularityChoice choose_on(Device& device, const Problem& problem, const Plan& plan);

/// Calls a function with the types of genes and of costs that a run has, as std::type_identity.
template <class Function>
decltype(auto) with_types(GeneKind kind, bool double_precision, const Function& function) {
  const auto with_real = [&]<class Real>(std::type_identity<Real> real) -> decltype(auto) {
    switch (kind) {
      case GeneKind::reals: return function(std::type_identity<Real>(), real);
      case GeneKind::integers: return function(std::type_identity<std::int32_t>(), real);
      default: return function(std::type_identity<std::uint32_t>(), real);
    }
  };
  if (double_precision) return with_real(std::type_identity<double>());
  return with_real(std::type_identity<float>());
}

}  // namespace clopt::genetic
