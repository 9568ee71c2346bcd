/// \file
/// Fits that are done on the host. Also compiled with the texts of users, so it stands alone.
#pragma once

#include "shared/fit/fit.h"

#include <cstdint>

namespace clopt {

/// Fits as the operations of kernels_cl/fit take them. The types are the program's: reals of its precision.
struct FitBatch {
  const void* rows;
  const void* tables;
  const void* guesses;
  const void* lower;
  const void* upper;
  void* parameters;
  void* values;
  std::uint32_t* states;
  void* errors;  ///< where errors are to be found at `guesses`, and nothing else; null: the fits are to be done
  shared::fit_rows_settings settings;
};

}  // namespace clopt
