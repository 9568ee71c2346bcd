/// \file
/// Which models' texts a number may stand in for consecutive data of.
#pragma once

#include <clopt/fit.hpp>

namespace clopt::fit {

/// Whether all that a model's text has of a datum is its place, abscissa(x, j), so that vectors may have consecutive
/// data in their lanes. O(size of the text).
bool takes_consecutive_data(const Model& model);

}  // namespace clopt::fit
