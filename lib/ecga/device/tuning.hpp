/// \file
/// How many merges to predict in a pass: a wrong one costs time on a processor, a pass elsewhere.
#pragma once

#include <cstdint>

namespace clopt {
class Device;
}

namespace clopt::ecga {

/// The number that tune() found to be quickest on a device, or the usual one for its kind.
std::uint32_t usual_guesses(const Device& device);

}  // namespace clopt::ecga
