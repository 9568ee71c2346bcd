/* Functions that a text may call beside exp, log, sin, cos and pow: made of those and of what is rounded exactly, so
 * that they too have the same bits everywhere. Included by objective_individual.h.
 */
#ifdef __OPENCL_VERSION__
#define OBJECTIVE_WORD(name) objective_##name
#undef tan
#undef sinh
#undef cosh
#undef tanh
#undef exp2
#undef log2
#undef log10
#undef hypot
#undef fmin
#undef fmax
#undef mad
#define tan objective_tan
#define sinh objective_sinh
#define cosh objective_cosh
#define tanh objective_tanh
#define exp2 objective_exp2
#define log2 objective_log2
#define log10 objective_log10
#define hypot objective_hypot
#define fmin objective_fmin
#define fmax objective_fmax
#define mad objective_mad
#else
#define OBJECTIVE_WORD(name) name
using clopt::shared::max;
using clopt::shared::min;
using std::ceil;
using std::copysign;
using std::fmod;
using std::isfinite;
using std::isinf;
using std::isnan;
using std::round;
using std::trunc;
OBJECTIVE_FUNCTION uint abs(int x) { return static_cast<uint>(x < 0 ? -x : x); }
template <class Number>
OBJECTIVE_FUNCTION Number clamp(Number x, Number lower, Number upper) {
  return min(max(x, lower), upper);
}
#endif

/* One of two reals; where a real stands for those of many individuals, each has its own choice. */
#ifndef OBJECTIVE_SELECT
#define OBJECTIVE_SELECT(condition, a, b) ((condition) ? (a) : (b))
#endif

OBJECTIVE_FUNCTION real OBJECTIVE_WORD(tan)(real x) { return sin(x) / cos(x); }
OBJECTIVE_FUNCTION real OBJECTIVE_WORD(sinh)(real x) { return (exp(x) - exp(-x)) / 2; }
OBJECTIVE_FUNCTION real OBJECTIVE_WORD(cosh)(real x) { return (exp(x) + exp(-x)) / 2; }
/* Of -|x|, where exp cannot overflow. */
OBJECTIVE_FUNCTION real OBJECTIVE_WORD(tanh)(real x) {
  const real e = exp(-2 * fabs(x));
  const real value = (1 - e) / (1 + e);
  return OBJECTIVE_SELECT(x < 0, -value, value);
}
OBJECTIVE_FUNCTION real OBJECTIVE_WORD(exp2)(real x) { return pow((real)2, x); }
OBJECTIVE_FUNCTION real OBJECTIVE_WORD(log2)(real x) { return log(x) * OBJECTIVE_REAL(1.44269504088896340736); }
OBJECTIVE_FUNCTION real OBJECTIVE_WORD(log10)(real x) { return log(x) * OBJECTIVE_REAL(0.43429448190325182765); }
OBJECTIVE_FUNCTION real OBJECTIVE_WORD(hypot)(real x, real y) { return sqrt(x * x + y * y); }
/* The other one of a NaN and a number. */
OBJECTIVE_FUNCTION real OBJECTIVE_WORD(fmin)(real x, real y) { return OBJECTIVE_SELECT((y < x) | (x != x), y, x); }
OBJECTIVE_FUNCTION real OBJECTIVE_WORD(fmax)(real x, real y) { return OBJECTIVE_SELECT((x < y) | (x != x), y, x); }
/* The same for a violation, where a NaN is no constraint that is kept: it comes through. What a violation calls
 * has it for its first argument, see lib/objective/violation_calls.hpp; elsewhere the name is this one. */
enum { objective_for_violation = 0 };
OBJECTIVE_FUNCTION real objective_fmin_for(int violation, real x, real y) {
  return OBJECTIVE_SELECT((y < x) | (violation ? y != y : x != x), y, x);
}
OBJECTIVE_FUNCTION real objective_fmax_for(int violation, real x, real y) {
  return OBJECTIVE_SELECT((x < y) | (violation ? y != y : x != x), y, x);
}
#define objective_fmin_of_violation(x, y) objective_fmin_for(objective_for_violation, x, y)
#define objective_fmax_of_violation(x, y) objective_fmax_for(objective_for_violation, x, y)
OBJECTIVE_FUNCTION real OBJECTIVE_WORD(mad)(real a, real b, real c) { return a * b + c; }

#include "whole.h"
