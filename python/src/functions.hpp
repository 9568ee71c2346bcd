/// \file
/// Objectives that are functions: of Python, and of other languages by their address; and those of their violations.
#pragma once

#include <clopt/objective.hpp>

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "caller.hpp"

namespace clopt::python {

/// How a function of Python is called. It is called by the thread that called the solver. Once the run is to end, the
/// individuals that are not evaluated yet are left out, and with them their generation, unless it is the first one.
struct PythonFunction {
  enum class Form {
    individual,  ///< function(genes, *args), with a row of data before args where there are some: a number
    generation,  ///< function(genes, rows), a row of the arrays for each individual: an array of doubles, or a pair of
                 ///< it and flags of those that were evaluated, where some were left out
    vectorised   ///< the same with a row of the arrays for each gene
  };
  nanobind::object function;
  Form form;
  nanobind::tuple args;     ///< of an individual's
  nanobind::object number;  ///< of what is no float: the number that it stands for
};

Objective objective_of_function(PythonFunction function, GeneKind kind, bool maximises, const std::string& name);
/// Gives it the function of its violation, of the same form.
void set_violation_function(Objective& objective, PythonFunction function);

/// A function of reals, `double f(int n, double *x)`; with user data `double f(int n, double *x, void *data)`; with
/// rows `double f(int n, double *x, int columns, double *row)`.
struct CPointer {
  std::uintptr_t address;
  bool has_rows;
  std::optional<std::uintptr_t> user_data;
  nanobind::object owner;  ///< what keeps the function's code; it lives as long as the objective does
};
/// \param caller of the run, which calls the function no more once it is to end; at most one call is awaited then.
/// \throws InvalidInput for the address 0, and for rows together with user data.
Objective objective_of_pointer(CPointer pointer, bool maximises, const std::string& name,
                               std::shared_ptr<Caller> caller);
/// Gives it the function of its violation, of the same form.
void set_violation_pointer(Objective& objective, CPointer pointer, std::shared_ptr<Caller> caller);

}  // namespace clopt::python
