/* Lengths of ways between cities that have places, so that a tour of many needs no table of all distances. `real` is
 * the type of the table: GENETIC_PLACES, how lengths are made whole; two coordinates of each city, in units; the lists
 * of near cities.
 */
#ifndef CLOPT_SHARED_GENETIC_PLACES_H
#define CLOPT_SHARED_GENETIC_PLACES_H

#include "shared/language.h"

/* What the first number of such a table says; that of a table of distances is 0. */
#define GENETIC_ROUNDED 1u
#define GENETIC_ROUNDED_UP 2u
/* Where the coordinates begin. */
#define GENETIC_PLACES 1u

CLOPT_SHARED_BEGIN

/* The length of a way that goes so far in both directions. */
CLOPT_SHARED_TEMPLATE(real) int genetic_straight_way(uint metric, real x, real y) {
  const real length = sqrt(x * x + y * y);
  return convert_int(metric == GENETIC_ROUNDED_UP ? ceil(length) : floor(length + (real)0.5));
}

CLOPT_SHARED_END

#endif
