#include "fields.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <type_traits>
#include <variant>

#include "arrays.hpp"
#include "bindings.hpp"
#include "solvers.hpp"

namespace clopt::python {
namespace {

// None where the value is of another type than the field.
std::optional<FieldValue> value_of(const Field& field, nb::handle value) {
  if (field.is_list()) return vector_of(nb::cast<Numbers<double>>(value));
  if (field.is_text())
    return nb::isinstance<nb::str>(value) ? std::optional(nb::cast<std::string>(value)) : std::nullopt;
  if (field.is_flag()) return nb::isinstance<nb::bool_>(value) ? std::optional(nb::cast<bool>(value)) : std::nullopt;
  std::optional<FieldValue> number;
  if (field.is_real()) {
    const double real = PyFloat_AsDouble(value.ptr());
    if (!PyErr_Occurred()) number = real;
  } else if (PyIndex_Check(value.ptr())) {
    const auto index = nb::steal(PyNumber_Index(value.ptr()));
    const std::uint64_t whole = PyLong_AsUnsignedLongLong(index.ptr());
    if (!PyErr_Occurred()) number = whole;
  }
  PyErr_Clear();
  return number;
}

void set_field(Field& field, nb::handle value) {
  const auto converted = value_of(field, value);
  if (!converted) throw InvalidInput(field.refusal(printable(nb::repr(value).c_str())));
  field.set(*converted);
}

nb::object object_of(const FieldValue& value) {
  return std::visit(
      [](const auto& each) -> nb::object {
        if constexpr (std::is_same_v<std::decay_t<decltype(each)>, std::monostate>)
          return nb::none();
        else
          return nb::cast(each);
      },
      value);
}

template <class Options>
nb::list described(const Options& options) {
  const auto names = names_of(options);
  nb::list list;
  for (const auto& field : fields_of(options)) {
    nb::dict description;
    description["name"] = field.name;
    description["argument"] = argument_name(field);
    description["is_keyword"] = is_keyword(field);
    description["takes_names"] = takes_names(field);
    description["type"] = field.type();
    description["default"] = field.unset.empty() ? object_of(field.usual()) : nb::none();
    description["usual"] = !field.unset.empty() ? with_names(field.unset, names)
                           : field.is_flag()    ? std::string()
                                                : text_of(field.usual());
    description["choices"] = field.choices;
    description["range"] = field.range_text();
    description["help"] = help_of(field, names);
    description["affects"] = name_of(field.effect);
    description["group"] = field.group;
    description["needs"] = field.need ? nb::cast(argument_name(fields_of(options).at(field.need->field))) : nb::none();
    list.append(description);
  }
  return list;
}

// Calls a function with default options of a solver.
template <class Work>
void with_options_of(const std::string& solver, Work work) {
  bool is_known = false;
  for_each_solver([&](std::string_view name, const auto& options) {
    if (name != solver) return;
    is_known = true;
    work(options);
  });
  if (!is_known) throw InternalError("there is no solver " + solver);
}

nb::list fields_of_solver(const std::string& solver) {
  nb::list list;
  with_options_of(solver, [&](const auto& options) { list = described(options); });
  return list;
}

std::vector<std::string> names_of_solvers() {
  std::vector<std::string> names;
  for_each_solver([&](const char* name, const auto&) { names.emplace_back(name); });
  return names;
}

}  // namespace

std::vector<std::string> set_fields(FieldTable table, const nb::dict& options) {
  std::vector<std::string> given;
  for (auto [key, value] : options) {
    auto& field = table.at(nb::cast<std::string>(key));
    if (!value.is_none()) {
      set_field(field, value);
      given.push_back(field.name);
    } else if (field.is_optional()) {
      field.set({});
    }
  }
  return given;
}

nb::dict settings_of(const FieldTable& table) {
  nb::dict settings;
  for (const auto& field : table) {
    const bool is_setting = field.effect == FieldEffect::result || field.effect == FieldEffect::defaults;
    const auto value = field.value();
    if (is_setting && is_keyword(field) && table.applies(field) && !std::holds_alternative<std::monostate>(value))
      settings[field.name.c_str()] = object_of(value);
  }
  return settings;
}

void bind_fields(nb::module_& module) {
  module.def("solvers", names_of_solvers);
  module.def("fields", fields_of_solver);
}

}  // namespace clopt::python
