/// \file
/// Objectives and options in messages.
#pragma once

#include <clopt/fields.hpp>
#include <clopt/objective.hpp>

namespace clopt {

/// \param objective built in, or a text: a C++ function is of one process.
template <class Archive>
void fields(Archive& archive, Objective& objective) {
  auto& o = objective;
  archive("name", o.name_)("text", o.text_)("kind", o.kind_)("says_kind", o.says_kind_)("form", o.form_);
  archive("has_finish", o.has_finish_)("has_violation", o.has_violation_)("builtin", o.builtin_);
  archive("direction", o.direction_)("bounds", o.bounds_)("optimum", o.optimum_)("constants", o.constants_);
  archive("tables", o.tables_)("table_values", o.table_values_)("row_parts", o.row_parts_);
}

namespace group {

/// Writes or reads options, for their fields().
template <class Archive>
void option_fields(Archive& archive, FieldTable&& table) {
  for (auto& field : table) {
    auto value = field.value();
    archive(field.name.c_str(), value);
    if constexpr (Archive::is_reader) field.set(value);
  }
}

}  // namespace group
}  // namespace clopt
