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

/// A function of a generation: evaluate(genes, rows) returns the values as an array of doubles. It is called by the
/// thread that called the solver. By the layout, a row of the arrays is an individual or a gene.
Objective objective_of_function(nanobind::object evaluate, GeneKind kind, bool maximises, const std::string& name,
                                Objective::BatchLayout layout);
/// Gives it the function of its violation, of the same form.
void set_violation_function(Objective& objective, nanobind::object evaluate, Objective::BatchLayout layout);

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
