/* The double-precision half of elementary.h, which says what these functions promise; functions.h has them. */
#ifndef CLOPT_SHARED_ELEMENTARY_DOUBLE_H
#define CLOPT_SHARED_ELEMENTARY_DOUBLE_H

#include "shared/language.h"

CLOPT_SHARED_BEGIN

#define CLOPT_NAN_DOUBLE as_double(0x7ff8000000000000UL)
#define CLOPT_INFINITY_DOUBLE as_double(0x7ff0000000000000UL)
#define CLOPT_SIGN_DOUBLE 0x8000000000000000UL
#define CLOPT_TWO_TO_SIGN_DOUBLE 62
#define CLOPT_BIAS_DOUBLE 1023
#define CLOPT_FRACTION_BITS_DOUBLE 52
#define CLOPT_LEAST_NORMAL_DOUBLE 0x1p-1022
#define CLOPT_HALF_DOUBLE 0.5
#define CLOPT_SPLITTER_DOUBLE 134217729.0 /* leaves 26 bits */
#define CLOPT_ROUNDER_DOUBLE 0x1.8p52
#define CLOPT_BITS_OF_SQRT_HALF_DOUBLE 0x3fe6a09e667f3bcdUL
/* The first part has 41 bits. */
#define CLOPT_LN2_HIGH_DOUBLE 0x1.62e42fefa3p-1
#define CLOPT_LN2_LOW_DOUBLE 0x1.3de6af278ece6p-42
#define CLOPT_ONE_OVER_LN2_DOUBLE 0x1.71547652b82fep+0
#define CLOPT_EXP_OVERFLOWS_DOUBLE 710.0
#define CLOPT_EXP_UNDERFLOWS_DOUBLE -746.0
#define CLOPT_LARGEST_POWER_DOUBLE 0x1p64
#define CLOPT_THIRD_HIGH_DOUBLE 0x1.5555555555555p-2
#define CLOPT_THIRD_LOW_DOUBLE 0x1.5555555555555p-56
#define CLOPT_TWO_OVER_PI_DOUBLE 0x1.45f306dc9c883p-1
#define CLOPT_HALF_PI_DOUBLE 0x1.921fb54442d18p+0
/* The first three parts have 33 bits. */
#define CLOPT_HALF_PI_1_DOUBLE 0x1.921fb544p+0
#define CLOPT_HALF_PI_2_DOUBLE 0x1.0b4611a6p-34
#define CLOPT_HALF_PI_3_DOUBLE 0x1.3198a2ep-69
#define CLOPT_HALF_PI_4_DOUBLE 0x1.b839a252049c1p-104
/* Up to here a quadrant's number has 20 bits. */
#define CLOPT_MODERATE_DOUBLE 0x1p20

CLOPT_SHARED double clopt_exp_polynomial_double(double r) {
  return 0x1.0000000000001p-1 +
         r * (0x1.555555555555cp-3 +
              r * (0x1.5555555554f57p-5 +
                   r * (0x1.111111110e9cp-7 +
                        r * (0x1.6c16c16da679ap-10 +
                             r * (0x1.a01a01b468dbep-13 +
                                  r * (0x1.a019fbbca3204p-16 +
                                       r * (0x1.71ddee0254e9fp-19 +
                                            r * (0x1.27ef40951a632p-22 +
                                                 r * (0x1.af6f5fdbe434ap-26 + r * 0x1.11a52312523bp-29)))))))));
}

CLOPT_SHARED double clopt_log_polynomial_double(double z) {
  return z * (0x1.5555555555555p-1 +
              z * (0x1.9999999999d1p-2 +
                   z * (0x1.249249243988ap-2 +
                        z * (0x1.c71c724b704f8p-3 +
                             z * (0x1.745ce1bf79acbp-3 +
                                  z * (0x1.3b2027187551ep-3 +
                                       z * (0x1.0f66f5655d1eap-3 + z * 0x1.0f1144b183c9fp-3)))))));
}

CLOPT_SHARED double clopt_log_tail_double(double z) {
  return z * (0x1.9999999999996p-3 +
              z * (0x1.2492492492f51p-3 +
                   z * (0x1.c71c71c596643p-4 +
                        z * (0x1.745d182985acfp-4 +
                             z * (0x1.3b1364b59a6ap-4 +
                                  z * (0x1.11207325d4db7p-4 +
                                       z * (0x1.de3ca9d11b46dp-5 + z * 0x1.eacd52ec72094p-5)))))));
}

CLOPT_SHARED double clopt_sin_polynomial_double(double z) {
  return -0x1.5555555555548p-3 +
         z * (0x1.111111110f75ep-7 +
              z * (-0x1.a01a019bf2583p-13 +
                   z * (0x1.71de355f414e6p-19 + z * (-0x1.ae5e54a96fba7p-26 + z * 0x1.5d8e47357eb3cp-33))));
}

CLOPT_SHARED double clopt_cos_polynomial_double(double z) {
  return 0x1.555555555554bp-5 +
         z * (-0x1.6c16c16c15017p-10 +
              z * (0x1.a01a019c8f698p-16 +
                   z * (-0x1.27e4f7f1c5c5dp-22 + z * (0x1.1ee9dbf1a38b8p-29 + z * -0x1.8fa695257fafdp-37))));
}

CLOPT_SHARED double clopt_sinpi_polynomial_double(double z) {
  return z * (-0x1.4abbce625be53p+2 +
              z * (0x1.466bc6775aae2p+1 +
                   z * (-0x1.32d2cce62bd57p-1 +
                        z * (0x1.50783487ec19ap-4 +
                             z * (-0x1.e3074fdc520eap-8 +
                                  z * (0x1.e8f4338e03a66p-12 +
                                       z * (-0x1.6fad488852625p-16 +
                                            z * (0x1.aabbe3815eb6p-21 - z * 0x1.7ed4cd7222586p-26)))))))) +
         0x1.1a61d288209a9p-53;
}

#define CLOPT_REAL double
#define CLOPT_WORD ulong
#define CLOPT_PAIR DoublePair
#define CLOPT_PARTS DoubleParts
#define CLOPT_ANGLE DoubleAngle
#define CLOPT_AS_REAL as_double
#define CLOPT_AS_WORD as_ulong
#define CLOPT_AS_SIGNED as_long
#define CLOPT_CONVERT_REAL convert_double
#define CLOPT_CONVERT_WORD convert_ulong
#define CLOPT_NAME(name) clopt_##name##_double
#define CLOPT_CONSTANT(name) CLOPT_##name##_DOUBLE
#include "functions.h"

/* The bits of 2/pi after the binary point, behind 64 zeros. */
CLOPT_SHARED_TABLE ulong clopt_two_over_pi_double[20] = {
    0x0000000000000000UL, 0xa2f9836e4e441529UL, 0xfc2757d1f534ddc0UL, 0xdb6295993c439041UL, 0xfe5163abdebbc561UL,
    0xb7246e3a424dd2e0UL, 0x06492eea09d1921cUL, 0xfe1deb1cb129a73eUL, 0xe88235f52ebb4484UL, 0xe99c7026b45f7e41UL,
    0x3991d639835339f4UL, 0x9c845f8bbdf9283bUL, 0x1ff897ffde05980fUL, 0xef2f118b5a0a6d1fUL, 0x6d367ecf27cb09b7UL,
    0x4f463f669e5fea2dUL, 0x7527bac7ebe5f17bUL, 0x3d0739f78a5292eaUL, 0x6bfb5fb11f8d5d08UL, 0x56033046fc7b6babUL};

/* For finite |x| >= 2^19. A window of 192 bits leaves enough after the 61 zeros that the worst argument may bring. */
CLOPT_SHARED DoubleAngle clopt_reduce_large_double(double magnitude) {
  const ulong bits = as_ulong(magnitude);
  const ulong significand = (bits & 0xfffffffffffffUL) | 0x10000000000000UL;
  const int exponent = convert_int(bits >> 52) - 1075;
  const uint start = as_uint(exponent - 2 + 64);
  const uint word = start >> 6;
  const uint shift = start & 63u;
  ulong window[3];
  for (uint i = 0; i < 3u; ++i) {
    /* Two shifts, because a shift by 64 is undefined. */
    const ulong from_next = (clopt_two_over_pi_double[word + i + 1u] >> 1) >> (63u - shift);
    window[i] = (clopt_two_over_pi_double[word + i] << shift) | from_next;
  }
  const ulong low = significand * window[2];
  const ulong carried = mul_hi(significand, window[2]);
  const ulong middle = significand * window[1] + carried;
  const ulong carry = middle < carried ? 1UL : 0UL;
  const ulong high = significand * window[0] + mul_hi(significand, window[1]) + carry;
  const ulong fraction_high = (high << 2) | (middle >> 62);
  const ulong fraction_low = (middle << 2) | (low >> 62);
  const int negative = (fraction_high >> 63) != 0;
  /* The complement is off the negation by 2^-128, which is nothing beside the least remainder, some 2^-62. */
  const ulong distance_high = negative ? ~fraction_high : fraction_high;
  const ulong distance_low = negative ? ~fraction_low : fraction_low;
  const uint zeros = convert_uint(clz(distance_high | 1UL)); /* at least 1 */
  const ulong normalised_high = (distance_high << zeros) | (distance_low >> (64u - zeros));
  const ulong normalised_low = distance_low << zeros;
  const double upper = convert_double(normalised_high >> 11) * 0x1p-53;
  const double lower = convert_double(((normalised_high & 0x7ffUL) << 42) | (normalised_low >> 22)) * 0x1p-106;
  const DoublePair turned = clopt_two_product_double(upper, CLOPT_HALF_PI_DOUBLE);
  const DoublePair scaled = clopt_fast_two_sum_double(
      turned.high, turned.low + (lower * CLOPT_HALF_PI_DOUBLE + upper * 0x1.1a62633145c07p-54));
  const double scale = clopt_power_of_two_double(-convert_int(zeros)) * (negative ? -1.0 : 1.0);
  const DoubleAngle angle = {{scaled.high * scale, scaled.low * scale},
                             (high >> 62) + (negative ? 1UL : 0UL)};
  return angle;
}

CLOPT_SHARED_END

#endif
