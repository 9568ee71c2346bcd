/// \file
/// The choice of `auto`.
#pragma once

#include <clopt/device.hpp>

#include <string>

#include <differential_evolution/plan.hpp>

namespace clopt::differential_evolution {

/// A method, and why.
struct MethodChoice {
  Method method;
  std::string reason;
};

/// The method asked for, or the one that should be quickest on a device.
MethodChoice choose_method(const Plan& plan, const Device& device);

}  // namespace clopt::differential_evolution
