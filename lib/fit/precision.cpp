/// \file
/// When floats would lose digits that matter.
#include <clopt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "options.hpp"

namespace clopt::fit {
namespace {

struct Extent {
  double least = std::numeric_limits<double>::infinity();
  double most = -std::numeric_limits<double>::infinity();
  double largest() const { return std::max(std::abs(least), std::abs(most)); }
};

/// Of finite numbers; 0 to 0 where there is none.
Extent extent_of(std::span<const double> numbers) {
  Extent extent;
  for (const double number : numbers) {
    if (!std::isfinite(number)) continue;
    extent.least = std::min(extent.least, number);
    extent.most = std::max(extent.most, number);
  }
  return extent.least <= extent.most ? extent : Extent{0, 0};
}

/// Whether floats distinguish numbers to a part of the whole. A float has 24 bits.
bool is_fine_in_floats(const Extent& extent, double part) {
  return extent.largest() == 0 || extent.most == extent.least ||
         extent.largest() * 0x1p-24 <= (extent.most - extent.least) * part;
}

/// Squares of numbers in this range, times one another, are floats.
bool has_moderate_size(const Extent& extent) {
  const double size = extent.largest();
  return size == 0 || (size > 1e-15 && size < 1e15);
}

}  // namespace

Precision precision_of(const Problem& problem, const Options& options) {
  if (options.precision != "auto") return {options.precision == "double", "precision was chosen"};
  const auto data = extent_of(problem.data);
  const auto places = extent_of(problem.abscissa);
  if (!has_moderate_size(data) || !has_moderate_size(places))
    return {true, "in double: the data's squares are beyond the range of floats"};
  if (!is_fine_in_floats(places, 0x1p-16)) return {true, "in double: floats would not distinguish places"};
  if (!is_fine_in_floats(data, 0x1p-12)) return {true, "in double: floats would not distinguish data"};
  return {false, "in float: it has all digits that matter"};
}

}  // namespace clopt::fit
