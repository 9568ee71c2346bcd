/// \file
/// Objectives that are functions: of Python, and of other languages by their address.
#pragma once

#include <clopt/objective.hpp>

#include <nanobind/nanobind.h>

#include <cstdint>
#include <string>

namespace clopt::python {

/// A function of a generation: evaluate(genes, rows) returns the values as an array of doubles. It is called by the
/// thread that called the solver.
Objective objective_of_function(nanobind::object evaluate, GeneKind kind, bool maximises, const std::string& name);

/// `double f(int n, double *x)`, or with rows `double f(int n, double *x, int columns, double *row)`, of reals.
Objective objective_of_address(std::uintptr_t address, bool has_rows, const std::string& name);

}  // namespace clopt::python
