/// \file
/// Options of the program from the table of a solver's fields.
#pragma once

#include <clopt/fields.hpp>

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include <frame/output/output.hpp>
#include "options.hpp"

namespace clopt::apps {

/// Sets the fields whose options were given. \param without the names of fields that the solver reads itself.
/// \returns the names of those that were given. \throws InvalidInput for a text that is not of the field's type or
/// range.
std::vector<std::string> read_fields(const Options& options, FieldTable& table,
                                     std::initializer_list<std::string_view> without = {});
inline std::vector<std::string> read_fields(const Options& options, FieldTable&& table,
                                            std::initializer_list<std::string_view> without = {}) {
  return read_fields(options, table, without);
}

/// The values that a run has a use for, by the names of the fields.
Json settings_json(const FieldTable& table);
/// The same as a checkpoint keeps them: by the names of the options, and null where nothing is chosen.
void add_parameters(const FieldTable& table, Json& parameters);
/// The limits that a run has.
Json limits_json(const FieldTable& table);

/// All values by the names of the fields, null where nothing is chosen.
Json values_json(const FieldTable& table);
/// Sets all fields from what values_json() made. \throws InvalidInput, and what Json throws.
void read_values(FieldTable table, const Json& values);

}  // namespace clopt::apps
