/* The single-precision half of elementary.h, which says what these functions promise; functions.h has them. */
#ifndef CLOPT_SHARED_ELEMENTARY_FLOAT_H
#define CLOPT_SHARED_ELEMENTARY_FLOAT_H

#include "shared/language.h"

CLOPT_SHARED_BEGIN

#define CLOPT_NAN_FLOAT as_float(0x7fc00000u)
#define CLOPT_INFINITY_FLOAT as_float(0x7f800000u)
#define CLOPT_SIGN_FLOAT 0x80000000u
#define CLOPT_TWO_TO_SIGN_FLOAT 30 /* moves a 2 to the sign */
#define CLOPT_BIAS_FLOAT 127
#define CLOPT_FRACTION_BITS_FLOAT 23
#define CLOPT_LEAST_NORMAL_FLOAT 0x1p-126f
#define CLOPT_HALF_FLOAT 0.5f
#define CLOPT_SPLITTER_FLOAT 4097.0f /* leaves 12 bits */
#define CLOPT_ROUNDER_FLOAT 0x1.8p23f /* added, rounds to a whole number, which stands in the lower bits */
#define CLOPT_BITS_OF_SQRT_HALF_FLOAT 0x3f3504f3u
/* ln 2 in two parts. The first has 15 bits, so that its product with any binary exponent is exact. */
#define CLOPT_LN2_HIGH_FLOAT 0x1.62e4p-1f
#define CLOPT_LN2_LOW_FLOAT 0x1.7f7d1cp-20f
#define CLOPT_ONE_OVER_LN2_FLOAT 0x1.715476p+0f
#define CLOPT_EXP_OVERFLOWS_FLOAT 89.0f
#define CLOPT_EXP_UNDERFLOWS_FLOAT -105.0f
#define CLOPT_LARGEST_POWER_FLOAT 0x1p40f
#define CLOPT_THIRD_HIGH_FLOAT 0x1.555556p-2f
#define CLOPT_THIRD_LOW_FLOAT -0x1.555556p-27f
#define CLOPT_TWO_OVER_PI_FLOAT 0x1.45f306p-1f
#define CLOPT_HALF_PI_FLOAT 0x1.921fb6p+0f
/* The first three parts of pi/2 have 14 bits. */
#define CLOPT_HALF_PI_1_FLOAT 0x1.9218p+0f
#define CLOPT_HALF_PI_2_FLOAT 0x1.ed5p-14f
#define CLOPT_HALF_PI_3_FLOAT 0x1.10bp-30f
#define CLOPT_HALF_PI_4_FLOAT 0x1.184698p-44f
/* Up to here a quadrant's number has 10 bits. */
#define CLOPT_MODERATE_FLOAT 1600.0f

CLOPT_SHARED float clopt_exp_polynomial_float(float r) {
  return 0.5f +
         r * (0x1.555556p-3f +
              r * (0x1.5554e2p-5f + r * (0x1.110feep-7f + r * (0x1.6d53dcp-10f + r * 0x1.a273d4p-13f))));
}

CLOPT_SHARED float clopt_log_polynomial_float(float z) {
  return z * (0x1.555554p-1f + z * (0x1.999bd2p-2f + z * (0x1.23f25p-2f + z * 0x1.ec01p-3f)));
}

CLOPT_SHARED float clopt_log_tail_float(float z) {
  return z * (0x1.999ap-3f + z * (0x1.245278p-3f + z * 0x1.dfa3b4p-4f));
}

CLOPT_SHARED float clopt_sin_polynomial_float(float z) {
  return -0x1.555556p-3f + z * (0x1.111164p-7f + z * (-0x1.a04866p-13f + z * 0x1.77e204p-19f));
}

CLOPT_SHARED float clopt_cos_polynomial_float(float z) {
  return 0x1.55554ap-5f + z * (-0x1.6c0c2ap-10f + z * 0x1.99e912p-16f);
}

CLOPT_SHARED float clopt_sinpi_polynomial_float(float z) {
  return z * (-0x1.4abbc4p+2f + z * (0x1.4668fp+1f + z * (-0x1.32531ep-1f + z * 0x1.3e142p-4f))) - 0x1.b1839cp-24f;
}

#define CLOPT_REAL float
#define CLOPT_WORD uint
#define CLOPT_PAIR FloatPair
#define CLOPT_PARTS FloatParts
#define CLOPT_ANGLE FloatAngle
#define CLOPT_AS_REAL as_float
#define CLOPT_AS_WORD as_uint
#define CLOPT_AS_SIGNED as_int
#define CLOPT_CONVERT_REAL convert_float
#define CLOPT_CONVERT_WORD convert_uint
#define CLOPT_NAME(name) clopt_##name##_float
#define CLOPT_CONSTANT(name) CLOPT_##name##_FLOAT
#include "functions.h"

/* The bits of 2/pi after the binary point, behind 32 zeros. */
CLOPT_SHARED_TABLE uint clopt_two_over_pi_float[8] = {0x00000000u, 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u,
                                                      0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu};

/* For finite |x| >= 2^9: multiplies by those bits of 2/pi that matter modulo 4, in integers (Payne and Hanek 1983). */
CLOPT_SHARED FloatAngle clopt_reduce_large_float(float magnitude) {
  const uint bits = as_uint(magnitude);
  const ulong significand = (bits & 0x7fffffu) | 0x800000u;
  /* magnitude = significand * 2^exponent. The bits of 2/pi with weight 2^(2 - exponent) and above yield multiples of 4,
   * so the window of 96 bits starts with weight 2^(1 - exponent). */
  const int exponent = convert_int(bits >> 23) - 150;
  const uint start = as_uint(exponent - 2 + 32);
  const uint word = start >> 5;
  const uint shift = start & 31u;
  uint window[3];
  for (uint i = 0; i < 3u; ++i) {
    const ulong two_words =
        (convert_ulong(clopt_two_over_pi_float[word + i]) << 32) | clopt_two_over_pi_float[word + i + 1u];
    window[i] = convert_uint((two_words << shift) >> 32);
  }
  const ulong low = significand * window[2];
  const ulong middle = significand * window[1] + (low >> 32);
  const ulong high = significand * window[0] + (middle >> 32);
  /* The product modulo 4: two integer bits, then the fraction of a quadrant, here with 64 bits. */
  const ulong product = (high << 32) | (middle & 0xffffffffUL);
  const ulong fraction = (product << 2) | ((low & 0xffffffffUL) >> 30);
  const int negative = (fraction >> 63) != 0;
  /* The complement is off the negation by 2^-64, which is nothing beside the least remainder, some 2^-30. */
  const ulong distance = negative ? ~fraction : fraction;
  const uint zeros = convert_uint(clz(distance | 1UL));
  const ulong normalised = distance << zeros;
  const float upper = convert_float(convert_uint(normalised >> 40)) * 0x1p-24f;
  const float lower = convert_float(convert_uint(normalised >> 16) & 0xffffffu) * 0x1p-48f;
  const FloatPair turned = clopt_two_product_float(upper, CLOPT_HALF_PI_FLOAT);
  const FloatPair scaled =
      clopt_fast_two_sum_float(turned.high, turned.low + (lower * CLOPT_HALF_PI_FLOAT - upper * 0x1.777a5cp-25f));
  const float scale = clopt_power_of_two_float(-convert_int(zeros)) * (negative ? -1.0f : 1.0f);
  const FloatAngle angle = {{scaled.high * scale, scaled.low * scale},
                            convert_uint(product >> 62) + (negative ? 1u : 0u)};
  return angle;
}

CLOPT_SHARED_END

#endif
