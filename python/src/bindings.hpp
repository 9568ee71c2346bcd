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
void bind_differential_evolution(nanobind::module_& module);
void bind_genetic(nanobind::module_& module);
void bind_ecga(nanobind::module_& module);
void bind_subset_sum(nanobind::module_& module);
void bind_exchange(nanobind::module_& module);
void bind_fit(nanobind::module_& module);
void bind_cluster(nanobind::module_& module);

}  // namespace clopt::python
