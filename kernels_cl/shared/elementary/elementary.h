/* exp, log, sin, cos and pow that give the same bits on every platform.
 *
 * The built-in functions of OpenCL and of C++ differ in their last bits from platform to platform, and so would every
 * run that uses them. These use only what IEEE 754 rounds exactly (+ - * /, floor, comparisons), integers and bit
 * casts, and never fma, which some devices get wrong for subnormals. The compiler must not contract a*b+c either:
 * -ffp-contract=off in C++, `#pragma OPENCL FP_CONTRACT OFF` in OpenCL, and single-precision division must be the
 * exactly rounded one (-cl-fp32-correctly-rounded-divide-sqrt).
 *
 * Every function takes every argument, subnormals, infinities and NaN included, as Annex F of C99 says; the argument of
 * sin and cos may be any finite number. A NaN result has always the same bits. The errors stay under 1 unit in the last
 * place: so measured for every float argument of exp, log, sin and cos, and for millions of random ones of the others.
 * tests/measure/elementary.cpp measures them.
 *
 * The double functions exist where the device has doubles.
 */
#ifndef CLOPT_SHARED_ELEMENTARY_H
#define CLOPT_SHARED_ELEMENTARY_H

#include "float.h"
#include "pi.h"

#if !defined(__OPENCL_VERSION__) || defined(cl_khr_fp64) || defined(CLOPT_FP64)
#include "double.h"
#endif

#ifndef __OPENCL_VERSION__

namespace clopt::shared {

/* For templates over the floating-point type. */
CLOPT_SHARED float clopt_exp(float x) { return clopt_exp_float(x); }
CLOPT_SHARED float clopt_log(float x) { return clopt_log_float(x); }
CLOPT_SHARED float clopt_sin(float x) { return clopt_sin_float(x); }
CLOPT_SHARED float clopt_cos(float x) { return clopt_cos_float(x); }
CLOPT_SHARED float clopt_sin_moderate(float x) { return clopt_sin_moderate_float(x); }
CLOPT_SHARED float clopt_cos_moderate(float x) { return clopt_cos_moderate_float(x); }
CLOPT_SHARED float clopt_pow(float x, float y) { return clopt_pow_float(x, y); }
CLOPT_SHARED double clopt_exp(double x) { return clopt_exp_double(x); }
CLOPT_SHARED double clopt_log(double x) { return clopt_log_double(x); }
CLOPT_SHARED double clopt_sin(double x) { return clopt_sin_double(x); }
CLOPT_SHARED double clopt_cos(double x) { return clopt_cos_double(x); }
CLOPT_SHARED double clopt_sin_moderate(double x) { return clopt_sin_moderate_double(x); }
CLOPT_SHARED double clopt_cos_moderate(double x) { return clopt_cos_moderate_double(x); }
CLOPT_SHARED double clopt_pow(double x, double y) { return clopt_pow_double(x, y); }

}  // namespace clopt::shared

#endif
#endif
