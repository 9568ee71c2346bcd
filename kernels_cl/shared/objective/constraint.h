/* How individuals are compared where an objective has constraints: Deb's rules (An efficient constraint handling method
 * for genetic algorithms, Computer Methods in Applied Mechanics and Engineering 186, 2000, section 3). A feasible
 * individual is better than an infeasible one; of two feasible ones, the better value; else the lesser violation.
 *
 * One number stands for an individual: its cost. Selection, elites, limits and reductions need not know of
 * constraints. Costs up to the bound, 2^120 of a float and 2^1016 of a double, are values. Above are violations: the
 * word of a positive number rises with the number, so that it may lie, with its last bits cut off, in the last eight
 * exponents of the type. All are finite. A violation counts to 18 bits of a float, and to 44 of a double.
 */
#ifndef CLOPT_SHARED_OBJECTIVE_CONSTRAINT_H
#define CLOPT_SHARED_OBJECTIVE_CONSTRAINT_H

#include "shared/language.h"

CLOPT_SHARED_BEGIN

/* The bound, and the greatest number below it. */
#define CONSTRAINT_BOUND_FLOAT 0x1p120f
#define CONSTRAINT_BOUND_FLOAT_WORD 0x7b800000u
#define CONSTRAINT_MOST_FLOAT 0x1.fffffep119f
#define CONSTRAINT_BOUND_DOUBLE 0x1p1016
#define CONSTRAINT_BOUND_DOUBLE_WORD (ulong)0x7f70000000000000UL
#define CONSTRAINT_MOST_DOUBLE 0x1.fffffffffffffp1015

/* What is less than the least normal number is not a violation, since some devices take it for 0. */
#define CONSTRAINT_LEAST_FLOAT 0x1p-126f
#define CONSTRAINT_LEAST_DOUBLE 0x1p-1022

/* What stands for an individual, in the objective's own direction: of one that is maximised the cost is the negative.
 * A violation that is NaN gives NaN; the value of an infeasible individual may be NaN. */
CLOPT_SHARED float constrained_float(float value, float violation, uint maximise) {
  const float most = CONSTRAINT_MOST_FLOAT;
  const float above = value > most ? most : value;
  const float kept = above < -most ? -most : above;
  const float broken = as_float(CONSTRAINT_BOUND_FLOAT_WORD + (as_uint(violation) >> 5));
  const float worse = maximise != 0u ? -broken : broken;
  const float either = violation >= CONSTRAINT_LEAST_FLOAT ? worse : kept;
  return violation == violation ? either : violation;
}

/* The violation that a cost stands for, but for the bits that were cut off; 0 of one that is a value. */
CLOPT_SHARED float violation_of_cost_float(float cost) {
  return cost >= CONSTRAINT_BOUND_FLOAT ? as_float((as_uint(cost) - CONSTRAINT_BOUND_FLOAT_WORD) << 5) : 0.0f;
}

#if !defined(__OPENCL_VERSION__) || defined(CLOPT_FP64)
CLOPT_SHARED double constrained_double(double value, double violation, uint maximise) {
  const double most = CONSTRAINT_MOST_DOUBLE;
  const double above = value > most ? most : value;
  const double kept = above < -most ? -most : above;
  const double broken = as_double(CONSTRAINT_BOUND_DOUBLE_WORD + (as_ulong(violation) >> 8));
  const double worse = maximise != 0u ? -broken : broken;
  const double either = violation >= CONSTRAINT_LEAST_DOUBLE ? worse : kept;
  return violation == violation ? either : violation;
}

CLOPT_SHARED double violation_of_cost_double(double cost) {
  return cost >= CONSTRAINT_BOUND_DOUBLE ? as_double((as_ulong(cost) - CONSTRAINT_BOUND_DOUBLE_WORD) << 8) : 0.0;
}
#endif

#ifndef __OPENCL_VERSION__
CLOPT_SHARED float constrained(float value, float violation, uint maximise) {
  return constrained_float(value, violation, maximise);
}
CLOPT_SHARED double constrained(double value, double violation, uint maximise) {
  return constrained_double(value, violation, maximise);
}
CLOPT_SHARED float violation_of_cost(float cost) { return violation_of_cost_float(cost); }
CLOPT_SHARED double violation_of_cost(double cost) { return violation_of_cost_double(cost); }
CLOPT_SHARED bool is_feasible_cost(float cost) { return cost < CONSTRAINT_BOUND_FLOAT; }
CLOPT_SHARED bool is_feasible_cost(double cost) { return cost < CONSTRAINT_BOUND_DOUBLE; }
#endif

CLOPT_SHARED_END

#endif
