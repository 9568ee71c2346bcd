/// \file
/// Random numbers steer every search: a device must give those of the definition.
#pragma once

#include <clopt/device.hpp>

#include <string>

namespace clopt::random_numbers {

/// The known answer of the generator on a device. \returns an empty text, or what is wrong.
std::string self_test(Device& device);

}  // namespace clopt::random_numbers
