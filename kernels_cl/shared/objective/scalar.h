/* What C++ alone needs for texts of objectives: conversions of one number, and the range of the short forms of sin and
 * cos. Compiled into the backend, and at run time.
 */
#ifndef CLOPT_SHARED_OBJECTIVE_SCALAR_H
#define CLOPT_SHARED_OBJECTIVE_SCALAR_H

#include "shared/elementary/elementary.h"
#include "shared/language.h"

#include <limits>

CLOPT_SHARED_BEGIN

/* The nearest whole number of the type towards 0, and 0 for NaN: a cast means nothing beyond the type's numbers. */
template <typename Whole, typename Real>
constexpr Whole saturated(Real x) {
  constexpr Whole least = std::numeric_limits<Whole>::min();
  constexpr Whole most = std::numeric_limits<Whole>::max();
  constexpr Real above = 2 * static_cast<Real>(most / 2 + 1);
  return x >= above ? most : x < static_cast<Real>(least) ? least : x == x ? static_cast<Whole>(x) : Whole{};
}

/* The largest argument that the short forms of sin and cos serve. */
template <class Real>
inline constexpr Real most_moderate =
    sizeof(Real) == sizeof(float) ? static_cast<Real>(CLOPT_MODERATE_FLOAT) : static_cast<Real>(CLOPT_MODERATE_DOUBLE);

CLOPT_SHARED_END

#endif
