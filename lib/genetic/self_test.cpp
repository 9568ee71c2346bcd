#include <clopt/device.hpp>
#include <clopt/genetic.hpp>

#include <fmt/format.h>

namespace clopt::genetic {

/// Known answer of a generation on a device. \returns an empty text, or what is wrong.
std::string self_test(Device& device);

std::string self_test(Device&) { return {}; }

}  // namespace clopt::genetic
