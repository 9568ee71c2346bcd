/// \file
/// The operations of differential evolution, documented in kernels_cl/differential_evolution, and what they share.
#pragma once

#include <generated/operations/differential_evolution.hpp>

namespace clopt::differential_evolution {

using Settings = shared::evolution_settings;
using State = shared::evolution_state;

}  // namespace clopt::differential_evolution
