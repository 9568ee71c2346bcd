/// \file
/// A backend that was built against other headers: clopt may read nothing but its version.
#include <clopt/backend.hpp>

extern "C" const clopt::BackendEntry* clopt_backend() {
  static constexpr clopt::BackendEntry entry{clopt::backend_interface_version + 1, "other", nullptr};
  return &entry;
}
