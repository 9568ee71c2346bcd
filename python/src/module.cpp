#include <clopt/version.hpp>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string_view.h>

#include "bindings.hpp"

NB_MODULE(_core, module) {
  namespace nb = nanobind;
  using namespace clopt::python;
  // nanobind's calls from other threads enter the main interpreter, where a run of another one would wait for ever.
  if (PyInterpreterState_GetID(PyInterpreterState_Get()) != 0)
    throw nb::import_error("clopt cannot be used in a sub-interpreter of Python: use a thread or a process");
  // What lives when Python ends is not lost: an exception that is kept has the frames of a call, and all it had.
  nb::set_leak_warnings(false);
  module.attr("version") = clopt::version();
  bind_errors(module);
  bind_devices(module);
  bind_fields(module);
  bind_objectives(module);
  bind_control(module);
  bind_cluster(module);
#define CLOPT_SOLVER(name) bind_##name(module);
#include <python_solvers.inc>
#undef CLOPT_SOLVER
}
