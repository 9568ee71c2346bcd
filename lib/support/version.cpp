#include <clopt/version.hpp>

namespace clopt {

std::string_view version() { return CLOPT_VERSION_STRING; }

}  // namespace clopt
