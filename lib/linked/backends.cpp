/// \file
/// The list of linked backends of a static library. The build defines CLOPT_HELPERS, a folder of the library's
/// programs.
#include <device/registry.hpp>
#include <support/process/helper_program.hpp>

#include <array>

namespace clopt {

#define CLOPT_LINKED(name) const BackendEntry* name##_backend();
#include <generated/linked_backends.inc>
#undef CLOPT_LINKED

std::span<const BackendEntry* const> linked_backends() {
  static const auto all = [] {
    add_helper_folder(CLOPT_HELPERS);
    return std::array{
#define CLOPT_LINKED(name) name##_backend(),
#include <generated/linked_backends.inc>
#undef CLOPT_LINKED
    };
  }();
  return all;
}

}  // namespace clopt
