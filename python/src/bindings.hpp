/// \file
/// The parts of the module `clopt._core`.
#pragma once

#include <nanobind/nanobind.h>

namespace clopt::python {

void bind_errors(nanobind::module_& module);
void bind_devices(nanobind::module_& module);
void bind_fields(nanobind::module_& module);
void bind_objectives(nanobind::module_& module);
void bind_control(nanobind::module_& module);
void bind_cluster(nanobind::module_& module);
#define CLOPT_SOLVER(name) void bind_##name(nanobind::module_& module);
#include <python_solvers.inc>
#undef CLOPT_SOLVER

}  // namespace clopt::python
