#pragma once

#include <clopt/fit.hpp>

namespace clopt::fit {

/// Of all that rows have.
void set_checksum(Result& result);

}  // namespace clopt::fit
