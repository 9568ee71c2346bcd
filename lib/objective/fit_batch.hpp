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

/// Rows that are long, likewise: an operation of kernels_cl/fit/long_rows.cl.
struct LongRowsBatch {
  enum class Work { begin, evaluate, advance, find_errors };
  Work work;
  const void* rows = nullptr;
  const void* tables = nullptr;
  const void* numbers = nullptr;  ///< extents, or sums
  void* fits = nullptr;           ///< those under way
  const void* guesses = nullptr;
  const void* lower = nullptr;
  const void* upper = nullptr;
  void* parts = nullptr;
  void* parameters = nullptr;
  void* values = nullptr;
  void* errors = nullptr;
  std::uint32_t* states = nullptr;
  std::uint32_t* running = nullptr;
  shared::fit_rows_settings begin{};
  shared::long_rows_settings settings{};
};

}  // namespace clopt
