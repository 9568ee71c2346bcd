/* Floating-point sums in one order: the binary tree over neighbours, ((v0+v1)+(v2+v3))+..., in which an absent value
 * leaves the other operand as it is. Any part of 2^k values at a multiple of 2^k is a subtree, so that the result does
 * not depend on how many values a work-item or a work-group takes.
 */
#ifndef CLOPT_SHARED_ORDERED_SUM_H
#define CLOPT_SHARED_ORDERED_SUM_H

#include "language.h"

CLOPT_SHARED_BEGIN

/* Values that a work-item adds before its work-group meets: a power of two. */
#define ORDERED_SUM_VALUES 8

/* An absent value: adding it changes nothing, not even a negative zero. */
#define ORDERED_SUM_ABSENT (-0.0f)

CLOPT_SHARED_TEMPLATE(number) number sum_of_four(number a, number b, number c, number d) { return (a + b) + (c + d); }

CLOPT_SHARED_END

#endif
