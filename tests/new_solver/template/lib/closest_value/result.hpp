#pragma once

#include <clopt/closest_value.hpp>

namespace clopt::closest_value {

/// Of index and distance.
void set_checksum(Result& result);

}  // namespace clopt::closest_value
