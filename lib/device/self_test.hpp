/// \file
/// The self-test of a device, before its first use.
#pragma once

#include <clopt/device.hpp>

#include <string>

namespace clopt {

/// Runs the known-answer tests of the random numbers that steer a search, and of every solver. About a second at most.
/// \returns an empty text, or what the device did wrong.
std::string self_test(Device& device);

/// Runs the self-test unless this device and driver passed it before.
/// \throws NoDevice with the reason where it fails, unless \p force.
void require_self_test(Device& device, bool force);

}  // namespace clopt
