/// \file
/// The built-in objectives as code of the host's.
#pragma once

#include <objective/batch.hpp>

#include <string_view>

namespace clopt::openmp {

using ObjectiveFunction = void (*)(const ObjectiveBatch&);

/// \returns a null pointer for another name.
ObjectiveFunction find_builtin_objective(std::string_view name, bool double_precision);

}  // namespace clopt::openmp
