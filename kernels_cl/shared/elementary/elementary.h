/* exp, log, sin, cos, pow, sinpi and cospi that give the same bits on every platform.
 *
 * The built-in functions of OpenCL and of C++ differ in their last bits from platform to platform, and so would every
 * run that uses them. These use only what IEEE 754 rounds exactly (+ - * /, floor, comparisons), integers and bit
 * casts, and never fma, which some devices get wrong for subnormals. The compiler must not contract a*b+c either:
 * -ffp-contract=off in C++, `#pragma OPENCL FP_CONTRACT OFF` in OpenCL, and single-precision division must be the
 * exactly rounded one (-cl-fp32-correctly-rounded-divide-sqrt).
 *
 * Every function takes every argument, subnormals, infinities and NaN included, as Annex F of C99 says; the argument of
 * sin and cos may be any finite number. A NaN result has always the same bits. The errors stay under 1 unit in the last
 * place (of sinpi and cospi under 2): so measured for every float argument of exp, log, sin and cos, and for millions of
 * random ones of the others.
 * tests/measure/elementary.cpp measures them.
 *
 * The double functions exist where the device has doubles.
 */
#ifndef CLOPT_SHARED_ELEMENTARY_H
#define CLOPT_SHARED_ELEMENTARY_H

#include "float.h"

#if !defined(__OPENCL_VERSION__) || defined(cl_khr_fp64) || defined(CLOPT_FP64)
#include "double.h"
#endif

#endif
