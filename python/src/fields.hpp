/// \file
/// The options of a call, which Python gives as a dictionary.
#pragma once

#include <clopt/error.hpp>
#include <clopt/fields.hpp>

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

#include "argument_names.hpp"

namespace clopt::python {

namespace nb = nanobind;

/// Sets fields by their own names or those of their arguments. None: nothing is chosen, or the default.
/// \returns the names of those that have a value. \throws InvalidInput for a value of another type or out of range.
std::vector<std::string> set_fields(FieldTable table, const nb::dict& options);

/// The values that a run has a use for, without the seed and without those that are not chosen.
nb::dict settings_of(const FieldTable& table);

/// Calls a function; messages of what it refuses have the names of arguments.
template <class Work>
auto call_with_names(const ArgumentNames& names, Work work) {
  try {
    return work();
  } catch (const InvalidInput& error) {
    throw InvalidInput(with_names(error.what(), names));
  }
}

}  // namespace clopt::python
