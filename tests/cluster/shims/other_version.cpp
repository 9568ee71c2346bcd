/// \file
/// Put before the library (LD_PRELOAD): a rank of another version.
#include <clopt/version.hpp>

namespace clopt {

std::string_view version() { return "0.0.1"; }

}  // namespace clopt
