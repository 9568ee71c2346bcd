/// \file
/// Objectives in messages.
#pragma once

#include <clopt/objective.hpp>

#include "bytes.hpp"

namespace clopt::cluster {

/// \param objective a text: a C++ function is of one process.
void add_objective(Writer& message, const Objective& objective);
Objective take_objective(Reader& message);

}  // namespace clopt::cluster
