/* The double-precision half of elementary.h, which says what these functions promise. The methods are those of
 * elementary_float.h, which explains them; here stand the reasons for what differs.
 */
#ifndef CLOPT_SHARED_ELEMENTARY_DOUBLE_H
#define CLOPT_SHARED_ELEMENTARY_DOUBLE_H

#include "shared/language.h"

CLOPT_SHARED_BEGIN

/* ln 2 in two parts. The first has 41 bits, so that its product with any binary exponent is exact. */
#define CLOPT_LN2_HIGH_DOUBLE 0x1.62e42fefa3p-1
#define CLOPT_LN2_LOW_DOUBLE 0x1.3de6af278ece6p-42

#define CLOPT_NAN_DOUBLE as_double(0x7ff8000000000000UL)
#define CLOPT_INFINITY_DOUBLE as_double(0x7ff0000000000000UL)

/* The unevaluated sum high + low, where low is at most about a unit in the last place of high. */
typedef struct {
  double high;
  double low;
} DoublePair;

/* x = 2^exponent * significand with sqrt(1/2) <= significand < sqrt(2), nearly. */
typedef struct {
  double exponent;
  double significand;
} DoubleParts;

/* |x| = quadrant * pi/2 + remainder with |remainder| <= pi/4, nearly; quadrant counts modulo 4. */
typedef struct {
  DoublePair remainder;
  ulong quadrant;
} DoubleAngle;

/* a + b exactly, given |a| >= |b| or a = 0 (Dekker). */
CLOPT_SHARED DoublePair clopt_fast_two_sum_double(double a, double b) {
  const double sum = a + b;
  const DoublePair pair = {sum, b - (sum - a)};
  return pair;
}

/* a - b exactly, given |a| >= |b|, or that a is a multiple of b's unit in the last place (Boldo, Graillat and Muller
 * 2017). */
CLOPT_SHARED DoublePair clopt_fast_difference_double(double a, double b) {
  const double difference = a - b;
  const DoublePair pair = {difference, (a - difference) - b};
  return pair;
}

/* a + b exactly (Knuth). */
CLOPT_SHARED DoublePair clopt_two_sum_double(double a, double b) {
  const double sum = a + b;
  const double b_in_sum = sum - a;
  const DoublePair pair = {sum, (a - (sum - b_in_sum)) + (b - b_in_sum)};
  return pair;
}

/* The upper 26 bits of x; the rest fits in 26 bits too (Veltkamp). |x| must stay under 2^996. */
CLOPT_SHARED double clopt_upper_half_double(double x) {
  const double scaled = x * 134217729.0;
  return scaled - (scaled - x);
}

/* a * b exactly unless it underflows (Dekker). */
CLOPT_SHARED DoublePair clopt_two_product_double(double a, double b) {
  const double a_upper = clopt_upper_half_double(a);
  const double a_lower = a - a_upper;
  const double b_upper = clopt_upper_half_double(b);
  const double b_lower = b - b_upper;
  const double product = a * b;
  const DoublePair pair = {product,
                           ((a_upper * b_upper - product) + a_upper * b_lower + a_lower * b_upper) + a_lower * b_lower};
  return pair;
}

/* a * b with a relative error of some 2^-104. */
CLOPT_SHARED DoublePair clopt_multiply_pairs_double(DoublePair a, DoublePair b) {
  const DoublePair product = clopt_two_product_double(a.high, b.high);
  return clopt_fast_two_sum_double(product.high, product.low + (a.high * b.low + a.low * b.high));
}

/* 2^exponent for -1022 <= exponent <= 1023. */
CLOPT_SHARED double clopt_power_of_two_double(int exponent) { return as_double(convert_ulong(exponent + 1023) << 52); }

CLOPT_SHARED DoubleParts clopt_split_double(double x) {
  const int subnormal = x < 0x1p-1022;
  const ulong sqrt_half = 0x3fe6a09e667f3bcdUL;
  /* Counting from sqrt(1/2) makes the exponent step there instead of at the powers of two. */
  const ulong offset = as_ulong(subnormal ? x * 0x1p54 : x) - sqrt_half;
  const int exponent = convert_int(as_long(offset) >> 52) - (subnormal ? 54 : 0);
  const DoubleParts parts = {convert_double(exponent), as_double((offset & 0xfffffffffffffUL) + sqrt_half)};
  return parts;
}

/* exp(high + low). The caller handles NaN. */
CLOPT_SHARED double clopt_exp_pair_double(double high, double low) {
  const double shifted = high * 0x1.71547652b82fep+0 + 0x1.8p52;
  const double exponent = shifted - 0x1.8p52;
  /* The remainder of the division by ln 2 in two parts, the upper one exact (Cody and Waite 1980). */
  const double r_high = high - exponent * CLOPT_LN2_HIGH_DOUBLE;
  const double less = exponent * CLOPT_LN2_LOW_DOUBLE - low;
  const double r = r_high - less;
  const double p =
      0x1.0000000000001p-1 +
      r * (0x1.555555555555cp-3 +
           r * (0x1.5555555554f57p-5 +
                r * (0x1.111111110e9cp-7 +
                     r * (0x1.6c16c16da679ap-10 +
                          r * (0x1.a01a01b468dbep-13 +
                               r * (0x1.a019fbbca3204p-16 +
                                    r * (0x1.71ddee0254e9fp-19 +
                                         r * (0x1.27ef40951a632p-22 +
                                              r * (0x1.af6f5fdbe434ap-26 + r * 0x1.11a52312523bp-29)))))))));
  const double value = 1.0 + (r_high + (r * r * p - less));
  /* Two factors, since 2^exponent itself may be out of range. The first goes to the bits of a value that is near 1, and
   * only the product with the second rounds. Both are taken from the lower bits of `shifted`, which are the exponent. */
  const ulong scale = as_ulong(shifted);
  const ulong half_scale = scale >> 1;
  const double half_scaled = as_double(as_ulong(value) + (half_scale << 52));
  const double scaled = half_scaled * as_double(((scale - half_scale) << 52) + 0x3ff0000000000000UL);
  /* Beyond these bounds, where the above means nothing, the result is infinite or rounds to 0. */
  const double below = high > 710.0 ? CLOPT_INFINITY_DOUBLE : scaled;
  return high < -746.0 ? 0.0 : below;
}

CLOPT_SHARED double clopt_exp_double(double x) { return x != x ? CLOPT_NAN_DOUBLE : clopt_exp_pair_double(x, 0.0); }

CLOPT_SHARED double clopt_log_double(double x) {
  const DoubleParts parts = clopt_split_double(x);
  /* log(1 + f) = 2 artanh(s) = 2 s + s p = f - s (f - p), where f is exact and carries most of the sum. */
  const double f = parts.significand - 1.0;
  const double s = f / (2.0 + f);
  const double z = s * s;
  const double p =
      z * (0x1.5555555555555p-1 +
           z * (0x1.9999999999d1p-2 +
                z * (0x1.249249243988ap-2 +
                     z * (0x1.c71c724b704f8p-3 +
                          z * (0x1.745ce1bf79acbp-3 +
                               z * (0x1.3b2027187551ep-3 + z * (0x1.0f66f5655d1eap-3 + z * 0x1.0f1144b183c9fp-3)))))));
  const double value =
      parts.exponent * CLOPT_LN2_HIGH_DOUBLE + (f - (s * (f - p) - parts.exponent * CLOPT_LN2_LOW_DOUBLE));
  const double finite = x > 0.0 ? value : (x == 0.0 ? -CLOPT_INFINITY_DOUBLE : CLOPT_NAN_DOUBLE);
  return x == CLOPT_INFINITY_DOUBLE ? x : finite;
}

/* log(x) for finite x > 0 with a relative error of some 2^-65, for pow, which multiplies the error by up to 2^10. */
CLOPT_SHARED DoublePair clopt_log_pair_double(double x) {
  const DoubleParts parts = clopt_split_double(x);
  /* s = (m - 1) / (m + 1) as a pair: the quotient and what its remainder adds. */
  const double numerator = parts.significand - 1.0;
  const DoublePair denominator = clopt_two_sum_double(parts.significand, 1.0);
  const double quotient = numerator / denominator.high;
  const DoublePair product = clopt_two_product_double(quotient, denominator.high);
  const double remainder = ((numerator - product.high) - product.low) - quotient * denominator.low;
  const DoublePair s = {quotient, remainder / denominator.high};
  const DoublePair z = clopt_multiply_pairs_double(s, s);
  /* log m = 2 s (1 + z (1/3 + tail)); the tail is small enough for one double. */
  const double tail =
      z.high * (0x1.9999999999996p-3 +
                z.high * (0x1.2492492492f51p-3 +
                          z.high * (0x1.c71c71c596643p-4 +
                                    z.high * (0x1.745d182985acfp-4 +
                                              z.high * (0x1.3b1364b59a6ap-4 +
                                                        z.high * (0x1.11207325d4db7p-4 +
                                                                  z.high * (0x1.de3ca9d11b46dp-5 +
                                                                            z.high * 0x1.eacd52ec72094p-5)))))));
  const DoublePair coefficient = clopt_fast_two_sum_double(0x1.5555555555555p-2, tail + 0x1.5555555555555p-56);
  const DoublePair correction = clopt_multiply_pairs_double(s, clopt_multiply_pairs_double(z, coefficient));
  const DoublePair half_log = clopt_fast_two_sum_double(s.high, correction.high);
  const DoublePair sum = clopt_fast_two_sum_double(parts.exponent * CLOPT_LN2_HIGH_DOUBLE, 2.0 * half_log.high);
  const double low = 2.0 * (half_log.low + (s.low + correction.low)) + parts.exponent * CLOPT_LN2_LOW_DOUBLE;
  return clopt_fast_two_sum_double(sum.high, sum.low + low);
}

CLOPT_SHARED double clopt_pow_double(double x, double y) {
  const double base = fabs(x);
  const DoublePair logarithm = clopt_log_pair_double(base);
  /* |log| >= 2^-54 unless it is 0, so that larger |y| change nothing; bounded ones cannot overflow in the product. */
  const double below = y < 0x1p64 ? y : 0x1p64;
  const double bounded = below > -0x1p64 ? below : -0x1p64;
  const DoublePair product = clopt_two_product_double(bounded, logarithm.high);
  const double low = product.low + bounded * logarithm.low;
  const double power = clopt_exp_pair_double(product.high, low);

  const double edge = (base == 0.0) == (y < 0.0) ? CLOPT_INFINITY_DOUBLE : 0.0;
  const double magnitude = base == 0.0 || base == CLOPT_INFINITY_DOUBLE ? edge : power;
  const int integer = floor(y) == y;
  const double half_y = 0.5 * y;
  const int odd = integer && floor(half_y) != half_y;
  const double result = odd ? as_double(as_ulong(magnitude) | (as_ulong(x) & 0x8000000000000000UL)) : magnitude;
  const int undefined = x != x || y != y || (x < 0.0 && base != CLOPT_INFINITY_DOUBLE && !integer);
  return x == 1.0 || y == 0.0 ? 1.0 : (undefined ? CLOPT_NAN_DOUBLE : result);
}

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
  const DoublePair turned = clopt_two_product_double(upper, 0x1.921fb54442d18p+0);
  const DoublePair scaled = clopt_fast_two_sum_double(
      turned.high, turned.low + (lower * 0x1.921fb54442d18p+0 + upper * 0x1.1a62633145c07p-54));
  const double scale = clopt_power_of_two_double(-convert_int(zeros)) * (negative ? -1.0 : 1.0);
  const DoubleAngle angle = {{scaled.high * scale, scaled.low * scale},
                             (high >> 62) + (negative ? 1UL : 0UL)};
  return angle;
}

/* Up to here a quadrant's number is small enough for the products with the parts of pi/2 to be exact. */
#define CLOPT_MODERATE_DOUBLE 0x1p20

/* Reduces |x| up to CLOPT_MODERATE_DOUBLE to a quadrant and a remainder, without a branch. */
CLOPT_SHARED DoubleAngle clopt_reduce_moderate_double(double magnitude) {
  /* The first three parts of pi/2 have 33 bits for quadrant numbers of up to 20; doubles lie as near as 2^-61 to
   * multiples of pi/2. */
  const double shifted = magnitude * 0x1.45f306dc9c883p-1 + 0x1.8p52;
  const double quadrants = shifted - 0x1.8p52;
  const double first = magnitude - quadrants * 0x1.921fb544p+0;
  const DoublePair second = clopt_fast_difference_double(first, quadrants * 0x1.0b4611a6p-34);
  const DoublePair third = clopt_fast_difference_double(second.high, quadrants * 0x1.3198a2ep-69);
  const double low = third.low + (second.low - quadrants * 0x1.b839a252049c1p-104);
  const DoubleAngle angle = {clopt_fast_two_sum_double(third.high, low), as_ulong(shifted)};
  return angle;
}

/* Reduces |x| to a quadrant and a remainder. */
CLOPT_SHARED DoubleAngle clopt_reduce_double(double magnitude) {
  if (magnitude > CLOPT_MODERATE_DOUBLE) return clopt_reduce_large_double(magnitude);
  return clopt_reduce_moderate_double(magnitude);
}

/* sin(r) near 0: r + r^3 p(r^2); the lower part of r counts by the derivative, 1 - r^2/2. */
CLOPT_SHARED double clopt_sin_near_zero_double(DoublePair r) {
  const double z = r.high * r.high;
  const double p = -0x1.5555555555548p-3 +
                   z * (0x1.111111110f75ep-7 +
                        z * (-0x1.a01a019bf2583p-13 +
                             z * (0x1.71de355f414e6p-19 + z * (-0x1.ae5e54a96fba7p-26 + z * 0x1.5d8e47357eb3cp-33))));
  return r.high + (r.high * z * p + r.low * (1.0 - 0.5 * z));
}

/* cos(r) near 0: 1 - r^2/2 + r^4 p(r^2), with what rounding takes from 1 - r^2/2 added again. */
CLOPT_SHARED double clopt_cos_near_zero_double(DoublePair r) {
  const double z = r.high * r.high;
  const double p = 0x1.555555555554bp-5 +
                   z * (-0x1.6c16c16c15017p-10 +
                        z * (0x1.a01a019c8f698p-16 +
                             z * (-0x1.27e4f7f1c5c5dp-22 + z * (0x1.1ee9dbf1a38b8p-29 + z * -0x1.8fa695257fafdp-37))));
  const DoublePair leading = clopt_fast_two_sum_double(1.0, -0.5 * z);
  return leading.high + (leading.low + (z * z * p - r.high * r.low));
}

/* sin(angle + shift * pi/2). */
CLOPT_SHARED double clopt_sin_of_angle_double(DoubleAngle angle, ulong shift) {
  const ulong quadrant = angle.quadrant + shift;
  const double sine = clopt_sin_near_zero_double(angle.remainder);
  const double cosine = clopt_cos_near_zero_double(angle.remainder);
  const double value = (quadrant & 1UL) != 0UL ? cosine : sine;
  return as_double(as_ulong(value) ^ ((quadrant & 2UL) << 62));
}

CLOPT_SHARED double clopt_sin_double(double x) {
  const double magnitude = fabs(x);
  if (!(magnitude < CLOPT_INFINITY_DOUBLE)) return CLOPT_NAN_DOUBLE;
  /* The sign goes through the bits, so that -0 keeps it. */
  return as_double(as_ulong(clopt_sin_of_angle_double(clopt_reduce_double(magnitude), 0UL)) ^ (as_ulong(x) & 0x8000000000000000UL));
}

CLOPT_SHARED double clopt_cos_double(double x) {
  const double magnitude = fabs(x);
  if (!(magnitude < CLOPT_INFINITY_DOUBLE)) return CLOPT_NAN_DOUBLE;
  return clopt_sin_of_angle_double(clopt_reduce_double(magnitude), 1UL);
}

/* sin and cos without a branch, for loops over many arguments: NaN where |x| is beyond CLOPT_MODERATE_DOUBLE. */
CLOPT_SHARED double clopt_sin_moderate_double(double x) {
  const double magnitude = fabs(x);
  const double value = clopt_sin_of_angle_double(clopt_reduce_moderate_double(magnitude), 0UL);
  return magnitude <= CLOPT_MODERATE_DOUBLE ? as_double(as_ulong(value) ^ (as_ulong(x) & 0x8000000000000000UL)) : CLOPT_NAN_DOUBLE;
}

CLOPT_SHARED double clopt_cos_moderate_double(double x) {
  const double magnitude = fabs(x);
  const double value = clopt_sin_of_angle_double(clopt_reduce_moderate_double(magnitude), 1UL);
  return magnitude <= CLOPT_MODERATE_DOUBLE ? value : CLOPT_NAN_DOUBLE;
}

CLOPT_SHARED_END

#endif
