/// \file
/// Measurements of a device, kept between runs for the choices of `auto`.
#pragma once

#include <clopt/export.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace clopt {

class Device;

/// What a solver's tune() found on this device, driver, number of compute units and version of clopt: a JSON value.
/// None where it was not tuned, or where the record is damaged.
/// \param solver the solver's name as the program has it: "subset-sum".
CLOPT_API std::optional<std::string> find_tuning(const Device& device, std::string_view solver);

/// Remembers it in the cache, by rename; where there is no cache, nothing is remembered.
CLOPT_API void remember_tuning(const Device& device, std::string_view solver, std::string_view json);

}  // namespace clopt
