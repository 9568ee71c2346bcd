/// \file
/// The list of linked backends of a shared library, whose backends are modules.
#include <device/registry.hpp>

namespace clopt {

std::span<const BackendEntry* const> linked_backends() { return {}; }

}  // namespace clopt
