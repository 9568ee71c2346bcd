#include <clopt/device.hpp>
#include <clopt/ecga.hpp>

namespace clopt::ecga {

std::optional<std::string> tune(Device&, const RunControl&) { return "{}"; }

}  // namespace clopt::ecga
