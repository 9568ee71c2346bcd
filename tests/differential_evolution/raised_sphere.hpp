/// \file
/// A sum of squares that is not zero at its least, so that values come to lie within a part of their size.
#pragma once

#include <vector>

#include "oracle_words.hpp"

namespace clopt::test {

inline constexpr const char* raised_sphere =
    "real objective(individual x) {\n"
    "  real sum = 0;\n"
    "  for (uint j = 0; j < genes(x); ++j) sum += gene(x, j) * gene(x, j);\n"
    "  return sum + 1;\n"
    "}\n";

/// The same in up to three dimensions, where the order of a sum is one.
template <class Real>
Real raised(const std::vector<Real>& x) {
  return oracle::sphere<Real>(x) + 1;
}

}  // namespace clopt::test
