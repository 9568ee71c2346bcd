/* sin(pi x) and cos(pi x), which promise what elementary.h says of sin and cos but are far cheaper: an argument in half
 * turns is reduced exactly by a subtraction. The errors stay under 2 units in the last place. The polynomials are
 * Chebyshev fits of sin(pi r) / r in r^2.
 */
#ifndef CLOPT_SHARED_ELEMENTARY_PI_H
#define CLOPT_SHARED_ELEMENTARY_PI_H

#include "shared/language.h"

CLOPT_SHARED_BEGIN

/* sin(pi r) for |r| <= 1/2. */
CLOPT_SHARED float clopt_sinpi_fraction_float(float r) {
  const float z = r * r;
  const float p =
      z * (-0x1.4abbc4p+2f + z * (0x1.4668fp+1f + z * (-0x1.32531ep-1f + z * 0x1.3e142p-4f))) - 0x1.b1839cp-24f;
  return r * (0x1.921fb6p+1f + p);
}

/* Whether a whole number is odd. */
CLOPT_SHARED uint clopt_is_odd_float(float whole) {
  const float half_whole = 0.5f * whole;
  return floor(half_whole) != half_whole ? 1u : 0u;
}

CLOPT_SHARED float clopt_sinpi_float(float x) {
  const float whole = rint(x);
  const float sine = clopt_sinpi_fraction_float(x - whole);
  return clopt_is_odd_float(whole) != 0u ? -sine : sine;
}

CLOPT_SHARED float clopt_cospi_float(float x) {
  const float whole = rint(x);
  const float cosine = clopt_sinpi_fraction_float(0.5f - fabs(x - whole));
  return clopt_is_odd_float(whole) != 0u ? -cosine : cosine;
}

#if !defined(__OPENCL_VERSION__) || defined(CLOPT_FP64)

CLOPT_SHARED double clopt_sinpi_fraction_double(double r) {
  const double z = r * r;
  const double p =
      z * (-0x1.4abbce625be53p+2 +
           z * (0x1.466bc6775aae2p+1 +
                z * (-0x1.32d2cce62bd57p-1 +
                     z * (0x1.50783487ec19ap-4 +
                          z * (-0x1.e3074fdc520eap-8 +
                               z * (0x1.e8f4338e03a66p-12 +
                                    z * (-0x1.6fad488852625p-16 +
                                         z * (0x1.aabbe3815eb6p-21 - z * 0x1.7ed4cd7222586p-26)))))))) +
      0x1.1a61d288209a9p-53;
  return r * (0x1.921fb54442d18p+1 + p);
}

CLOPT_SHARED uint clopt_is_odd_double(double whole) {
  const double half_whole = 0.5 * whole;
  return floor(half_whole) != half_whole ? 1u : 0u;
}

CLOPT_SHARED double clopt_sinpi_double(double x) {
  const double whole = rint(x);
  const double sine = clopt_sinpi_fraction_double(x - whole);
  return clopt_is_odd_double(whole) != 0u ? -sine : sine;
}

CLOPT_SHARED double clopt_cospi_double(double x) {
  const double whole = rint(x);
  const double cosine = clopt_sinpi_fraction_double(0.5 - fabs(x - whole));
  return clopt_is_odd_double(whole) != 0u ? -cosine : cosine;
}

#endif

#ifndef __OPENCL_VERSION__
/* For templates over the floating-point type. */
CLOPT_SHARED float clopt_sinpi_fraction(float r) { return clopt_sinpi_fraction_float(r); }
CLOPT_SHARED float clopt_sinpi(float x) { return clopt_sinpi_float(x); }
CLOPT_SHARED float clopt_cospi(float x) { return clopt_cospi_float(x); }
CLOPT_SHARED double clopt_sinpi_fraction(double r) { return clopt_sinpi_fraction_double(r); }
CLOPT_SHARED double clopt_sinpi(double x) { return clopt_sinpi_double(x); }
CLOPT_SHARED double clopt_cospi(double x) { return clopt_cospi_double(x); }
#endif

CLOPT_SHARED_END

#endif
