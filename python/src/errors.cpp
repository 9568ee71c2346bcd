/// \file
/// The library's exceptions become those of clopt/errors.py, which have their names.
#include <clopt/error.hpp>

#include <exception>
#include <new>

#include "bindings.hpp"

namespace clopt::python {
namespace nb = nanobind;
namespace {

void raise(const char* name, const char* message) {
  PyErr_SetString(nb::module_::import_("clopt.errors").attr(name).ptr(), message);
}

void translate(const std::exception_ptr& error, void*) {
  try {
    std::rethrow_exception(error);
  } catch (const InvalidInput& each) {
    raise("InvalidInput", each.what());
  } catch (const NoDevice& each) {
    raise("NoDevice", each.what());
  } catch (const BuildError& each) {
    raise("BuildError", each.what());
  } catch (const OutOfMemory& each) {
    raise("OutOfMemory", each.what());
  } catch (const DeviceError& each) {
    raise("DeviceError", each.what());
  } catch (const InternalError& each) {
    raise("InternalError", each.what());
  } catch (const Cancelled& each) {
    raise("Cancelled", each.what());
  } catch (const Error& each) {
    raise("Error", each.what());
  } catch (const std::bad_alloc&) {
    raise("OutOfMemory", "this process has no memory left");
  }
}

}  // namespace

void bind_errors(nb::module_&) { nb::register_exception_translator(translate); }

}  // namespace clopt::python
