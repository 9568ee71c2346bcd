#include <clopt/error.hpp>
#include <clopt/objective.hpp>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "control.hpp"
#include "functions.hpp"

namespace clopt::python {
namespace {

GeneKind kind_of(const std::string& name) {
  for (const auto kind : {GeneKind::bits, GeneKind::reals, GeneKind::integers, GeneKind::permutation})
    if (name == name_of(kind)) return kind;
  throw InvalidInput("there is no kind of genes '" + printable(name) +
                     "'; choose bits, reals, integers or permutation");
}

PythonFunction function_of(nb::object evaluate, const std::string& form, nb::tuple args) {
  using Form = PythonFunction::Form;
  const auto of_form = form == "individual"   ? Form::individual
                       : form == "vectorised" ? Form::vectorised
                                              : Form::generation;
  auto number = of_form == Form::individual ? nb::module_::import_("clopt._objective").attr("number_of") : nb::none();
  return {std::move(evaluate), of_form, std::move(args), std::move(number)};
}

Objective of_function(nb::object evaluate, const std::string& kind, bool maximises, const std::string& name,
                      const std::string& form, nb::tuple args) {
  return objective_of_function(function_of(std::move(evaluate), form, std::move(args)), kind_of(kind), maximises, name);
}

Objective of_pointer(const CPointer& pointer, bool maximises, const std::string& name, const Control& control) {
  return objective_of_pointer(pointer, maximises, name, control.caller);
}

Direction direction_of(const std::string& name) {
  for (const auto direction : {Direction::minimise, Direction::maximise})
    if (name == name_of(direction)) return direction;
  throw InvalidInput("there is no direction '" + printable(name) + "'; choose minimise or maximise");
}

std::optional<std::string> direction_name(const Objective& objective) {
  if (!objective.direction()) return std::nullopt;
  return std::string(name_of(*objective.direction()));
}

std::optional<std::pair<double, double>> bounds_of(const Objective& objective) {
  if (!objective.usual_bounds()) return std::nullopt;
  return std::pair(objective.usual_bounds()->lower, objective.usual_bounds()->upper);
}

}  // namespace

void bind_objectives(nb::module_& module) {
  nb::class_<CPointer>(module, "CPointer")
      .def(
          "__init__",
          [](CPointer* pointer, std::uintptr_t address, bool has_rows, std::optional<std::uintptr_t> user_data,
             nb::object owner) {
            new (pointer) CPointer{address, has_rows, user_data, std::move(owner)};
          },
          nb::arg("address"), nb::arg("has_rows"), nb::arg("user_data").none(), nb::arg("owner").none());
  nb::class_<Objective>(module, "Objective")
      .def_static("named", &Objective::named)
      .def_static("names", &Objective::names)
      .def_static("from_text", &Objective::from_text, nb::arg("text"), nb::arg("name"))
      .def_static("from_file", [](const std::string& file) { return Objective::from_file(file); })
      .def_static("from_function", of_function, nb::arg("evaluate"), nb::arg("kind"), nb::arg("maximises"),
                  nb::arg("name"), nb::arg("form"), nb::arg("args"))
      .def_static("from_pointer", of_pointer, nb::arg("pointer"), nb::arg("maximises"), nb::arg("name"),
                  nb::arg("control"))
      .def(
          "set_violation_function",
          [](Objective& objective, nb::object evaluate, const std::string& form, nb::tuple args) {
            set_violation_function(objective, function_of(std::move(evaluate), form, std::move(args)));
          },
          nb::arg("evaluate"), nb::arg("form"), nb::arg("args"))
      .def(
          "set_violation_pointer",
          [](Objective& objective, const CPointer& pointer, const Control& control) {
            set_violation_pointer(objective, pointer, control.caller);
          },
          nb::arg("pointer"), nb::arg("control"))
      .def("constant",
           [](Objective& objective, const std::string& name, double value) { objective.constant(name, value); })
      .def("table", [](Objective& objective, const std::string& name,
                       const Numbers<double>& values) { objective.table(name, vector_of(values)); })
      .def("set_kind", [](Objective& objective, const std::string& name) { objective.set_kind(kind_of(name)); })
      .def("set_direction",
           [](Objective& objective, const std::string& name) { objective.set_direction(direction_of(name)); })
      .def("set_bounds",
           [](Objective& objective, double lower, double upper) {
             objective.set_usual_bounds({lower, upper});
           })
      .def("set_optimum", [](Objective& objective, double value) { objective.set_optimum(value); })
      .def_prop_ro("name", &Objective::name)
      .def_prop_ro("text", &Objective::text)
      .def_prop_ro("says_kind", &Objective::says_kind)
      .def_prop_ro("kind", [](const Objective& objective) { return name_of(objective.kind()); })
      .def_prop_ro("direction", direction_name)
      .def_prop_ro("bounds", bounds_of)
      .def_prop_ro("optimum", &Objective::optimum)
      .def_prop_ro("warning", &Objective::warning)
      .def("warning_of_tables", &Objective::warning_of_tables)
      .def_prop_ro("has_violation", &Objective::has_violation)
      .def_prop_ro("reads_rows", &Objective::reads_rows);
}

}  // namespace clopt::python
