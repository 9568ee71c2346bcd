/// \file
/// A 128-bit unsigned integer for sums of 64-bit ones.
#pragma once

namespace clopt {

__extension__ typedef unsigned __int128 Uint128;

}  // namespace clopt
