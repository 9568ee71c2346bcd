/// \file
/// A backend that was built against other headers: all that clopt may look at is its version.
#include <clopt/backend.hpp>

extern "C" const clopt::BackendEntry* clopt_backend() {
  static constexpr clopt::BackendEntry entry{clopt::backend_interface_version + 1, "other", nullptr};
  return &entry;
}
