/// \file
/// Whether a device has 1-bit matrix units that work.
#pragma once

namespace clopt {
class Device;
}

namespace clopt::ecga {

/// Whether count_pairs_matrix builds on a device and counts right there; tried once for each driver.
bool has_matrix_units(Device& device);
/// Whether it is worth a try: false where the answer is certain to be no.
bool may_have_matrix_units(Device& device);

}  // namespace clopt::ecga
