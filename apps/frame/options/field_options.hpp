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

/// Sets the fields whose options were given. \param given_fields their names are added. \param without the names of
/// fields that the solver reads itself. \throws InvalidInput for a text that is not of the field's type or range.
void read_fields(const Options& options, FieldTable& table, std::vector<std::string>& given_fields,
                 std::initializer_list<std::string_view> without = {});

/// The values that a run has a use for, by the names of the fields.
Json settings_json(const FieldTable& table);
/// The same as a checkpoint keeps them: by the names of the options, and null where nothing is chosen.
void add_parameters(const FieldTable& table, Json& parameters);
/// The limits that a run has.
Json limits_json(const FieldTable& table);

}  // namespace clopt::apps
