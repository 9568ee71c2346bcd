/* The single-precision half of elementary.h, which says what these functions promise.
 *
 * Not every device has doubles, so where 24 bits do not suffice a value is an unevaluated sum of two floats (Dekker, "A
 * floating-point technique for extending the available precision", 1971). The polynomials are minimax fits under the
 * relative error of the whole function, with coefficients rounded to float.
 */
#ifndef CLOPT_SHARED_ELEMENTARY_FLOAT_H
#define CLOPT_SHARED_ELEMENTARY_FLOAT_H

#include "shared/language.h"

CLOPT_SHARED_BEGIN

/* ln 2 in two parts. The first has 15 bits, so that its product with any binary exponent is exact. */
#define CLOPT_LN2_HIGH_FLOAT 0x1.62e4p-1f
#define CLOPT_LN2_LOW_FLOAT 0x1.7f7d1cp-20f

#define CLOPT_NAN_FLOAT as_float(0x7fc00000u)
#define CLOPT_INFINITY_FLOAT as_float(0x7f800000u)

/* The unevaluated sum high + low, where low is at most about a unit in the last place of high. */
typedef struct {
  float high;
  float low;
} FloatPair;

/* x = 2^exponent * significand with sqrt(1/2) <= significand < sqrt(2), nearly. */
typedef struct {
  float exponent;
  float significand;
} FloatParts;

/* |x| = quadrant * pi/2 + remainder with |remainder| <= pi/4, nearly; quadrant counts modulo 4. */
typedef struct {
  FloatPair remainder;
  uint quadrant;
} FloatAngle;

/* a + b exactly, given |a| >= |b| or a = 0 (Dekker). */
CLOPT_SHARED FloatPair clopt_fast_two_sum_float(float a, float b) {
  const float sum = a + b;
  const FloatPair pair = {sum, b - (sum - a)};
  return pair;
}

/* a - b exactly, given |a| >= |b|, or that a is a multiple of b's unit in the last place (Boldo, Graillat and Muller
 * 2017). */
CLOPT_SHARED FloatPair clopt_fast_difference_float(float a, float b) {
  const float difference = a - b;
  const FloatPair pair = {difference, (a - difference) - b};
  return pair;
}

/* a + b exactly (Knuth). */
CLOPT_SHARED FloatPair clopt_two_sum_float(float a, float b) {
  const float sum = a + b;
  const float b_in_sum = sum - a;
  const FloatPair pair = {sum, (a - (sum - b_in_sum)) + (b - b_in_sum)};
  return pair;
}

/* The upper 12 bits of x; the rest fits in 12 bits too (Veltkamp). |x| must stay under 2^115. */
CLOPT_SHARED float clopt_upper_half_float(float x) {
  const float scaled = x * 4097.0f;
  return scaled - (scaled - x);
}

/* a * b exactly unless it underflows (Dekker). */
CLOPT_SHARED FloatPair clopt_two_product_float(float a, float b) {
  const float a_upper = clopt_upper_half_float(a);
  const float a_lower = a - a_upper;
  const float b_upper = clopt_upper_half_float(b);
  const float b_lower = b - b_upper;
  const float product = a * b;
  const FloatPair pair = {product,
                          ((a_upper * b_upper - product) + a_upper * b_lower + a_lower * b_upper) + a_lower * b_lower};
  return pair;
}

/* a * b with a relative error of some 2^-46. */
CLOPT_SHARED FloatPair clopt_multiply_pairs_float(FloatPair a, FloatPair b) {
  const FloatPair product = clopt_two_product_float(a.high, b.high);
  return clopt_fast_two_sum_float(product.high, product.low + (a.high * b.low + a.low * b.high));
}

/* 2^exponent for -126 <= exponent <= 127. */
CLOPT_SHARED float clopt_power_of_two_float(int exponent) { return as_float(as_uint(exponent + 127) << 23); }

CLOPT_SHARED FloatParts clopt_split_float(float x) {
  const int subnormal = x < 0x1p-126f;
  const uint sqrt_half = 0x3f3504f3u;
  /* Counting from sqrt(1/2) makes the exponent step there instead of at the powers of two. */
  const uint offset = as_uint(subnormal ? x * 0x1p24f : x) - sqrt_half;
  const int exponent = (as_int(offset) >> 23) - (subnormal ? 24 : 0);
  const FloatParts parts = {convert_float(exponent), as_float((offset & 0x7fffffu) + sqrt_half)};
  return parts;
}

/* exp(high + low). The caller handles NaN. */
CLOPT_SHARED float clopt_exp_pair_float(float high, float low) {
  const float shifted = high * 0x1.715476p+0f + 0x1.8p23f;
  const float exponent = shifted - 0x1.8p23f;
  /* The remainder of the division by ln 2 in two parts, the upper one exact (Cody and Waite 1980). */
  const float r_high = high - exponent * CLOPT_LN2_HIGH_FLOAT;
  const float less = exponent * CLOPT_LN2_LOW_FLOAT - low;
  const float r = r_high - less;
  const float p =
      0.5f +
      r * (0x1.555556p-3f + r * (0x1.5554e2p-5f + r * (0x1.110feep-7f + r * (0x1.6d53dcp-10f + r * 0x1.a273d4p-13f))));
  const float value = 1.0f + (r_high + (r * r * p - less));
  /* Two factors, since 2^exponent itself may be out of range. The first goes to the bits of a value that is near 1, and
   * only the product with the second rounds. Both are taken from the lower bits of `shifted`, which are the exponent. */
  const uint scale = as_uint(shifted);
  const uint half_scale = scale >> 1;
  const float half_scaled = as_float(as_uint(value) + (half_scale << 23));
  const float scaled = half_scaled * as_float(((scale - half_scale) << 23) + 0x3f800000u);
  /* Beyond these bounds, where the above means nothing, the result is infinite or rounds to 0. */
  const float below = high > 89.0f ? CLOPT_INFINITY_FLOAT : scaled;
  return high < -105.0f ? 0.0f : below;
}

CLOPT_SHARED float clopt_exp_float(float x) { return x != x ? CLOPT_NAN_FLOAT : clopt_exp_pair_float(x, 0.0f); }

CLOPT_SHARED float clopt_log_float(float x) {
  const FloatParts parts = clopt_split_float(x);
  /* log(1 + f) = 2 artanh(s) = 2 s + s p = f - s (f - p), where f is exact and carries most of the sum. */
  const float f = parts.significand - 1.0f;
  const float s = f / (2.0f + f);
  const float z = s * s;
  const float p = z * (0x1.555554p-1f + z * (0x1.999bd2p-2f + z * (0x1.23f25p-2f + z * 0x1.ec01p-3f)));
  const float value =
      parts.exponent * CLOPT_LN2_HIGH_FLOAT + (f - (s * (f - p) - parts.exponent * CLOPT_LN2_LOW_FLOAT));
  const float finite = x > 0.0f ? value : (x == 0.0f ? -CLOPT_INFINITY_FLOAT : CLOPT_NAN_FLOAT);
  return x == CLOPT_INFINITY_FLOAT ? x : finite;
}

/* log(x) for finite x > 0 with a relative error of some 2^-36, for pow, which multiplies the error by up to 2^7. */
CLOPT_SHARED FloatPair clopt_log_pair_float(float x) {
  const FloatParts parts = clopt_split_float(x);
  /* s = (m - 1) / (m + 1) as a pair: the quotient and what its remainder adds. */
  const float numerator = parts.significand - 1.0f;
  const FloatPair denominator = clopt_two_sum_float(parts.significand, 1.0f);
  const float quotient = numerator / denominator.high;
  const FloatPair product = clopt_two_product_float(quotient, denominator.high);
  const float remainder = ((numerator - product.high) - product.low) - quotient * denominator.low;
  const FloatPair s = {quotient, remainder / denominator.high};
  const FloatPair z = clopt_multiply_pairs_float(s, s);
  /* log m = 2 s (1 + z (1/3 + tail)); the tail is small enough for one float. */
  const float tail = z.high * (0x1.999ap-3f + z.high * (0x1.245278p-3f + z.high * 0x1.dfa3b4p-4f));
  const FloatPair coefficient = clopt_fast_two_sum_float(0x1.555556p-2f, tail - 0x1.555556p-27f);
  const FloatPair correction = clopt_multiply_pairs_float(s, clopt_multiply_pairs_float(z, coefficient));
  const FloatPair half_log = clopt_fast_two_sum_float(s.high, correction.high);
  const FloatPair sum = clopt_fast_two_sum_float(parts.exponent * CLOPT_LN2_HIGH_FLOAT, 2.0f * half_log.high);
  const float low = 2.0f * (half_log.low + (s.low + correction.low)) + parts.exponent * CLOPT_LN2_LOW_FLOAT;
  return clopt_fast_two_sum_float(sum.high, sum.low + low);
}

CLOPT_SHARED float clopt_pow_float(float x, float y) {
  const float base = fabs(x);
  const FloatPair logarithm = clopt_log_pair_float(base);
  /* |log| >= 2^-25 unless it is 0, so that larger |y| change nothing; bounded ones cannot overflow in the product. */
  const float below = y < 0x1p40f ? y : 0x1p40f;
  const float bounded = below > -0x1p40f ? below : -0x1p40f;
  const FloatPair product = clopt_two_product_float(bounded, logarithm.high);
  const float low = product.low + bounded * logarithm.low;
  const float power = clopt_exp_pair_float(product.high, low);

  const float edge = (base == 0.0f) == (y < 0.0f) ? CLOPT_INFINITY_FLOAT : 0.0f;
  const float magnitude = base == 0.0f || base == CLOPT_INFINITY_FLOAT ? edge : power;
  const int integer = floor(y) == y;
  const float half_y = 0.5f * y;
  const int odd = integer && floor(half_y) != half_y;
  const float result = odd ? as_float(as_uint(magnitude) | (as_uint(x) & 0x80000000u)) : magnitude;
  const int undefined = x != x || y != y || (x < 0.0f && base != CLOPT_INFINITY_FLOAT && !integer);
  return x == 1.0f || y == 0.0f ? 1.0f : (undefined ? CLOPT_NAN_FLOAT : result);
}

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
  const FloatPair turned = clopt_two_product_float(upper, 0x1.921fb6p+0f);
  const FloatPair scaled =
      clopt_fast_two_sum_float(turned.high, turned.low + (lower * 0x1.921fb6p+0f - upper * 0x1.777a5cp-25f));
  const float scale = clopt_power_of_two_float(-convert_int(zeros)) * (negative ? -1.0f : 1.0f);
  const FloatAngle angle = {{scaled.high * scale, scaled.low * scale},
                            convert_uint(product >> 62) + (negative ? 1u : 0u)};
  return angle;
}

/* Up to here a quadrant's number is small enough for the products with the parts of pi/2 to be exact. */
#define CLOPT_MODERATE_FLOAT 1600.0f

/* Reduces |x| up to CLOPT_MODERATE_FLOAT to a quadrant and a remainder, without a branch. */
CLOPT_SHARED FloatAngle clopt_reduce_moderate_float(float magnitude) {
  /* pi/2 in four parts (Cody and Waite 1980). The first three have 14 bits, so that their products with a quadrant
   * number of up to 10 bits are exact, and so is the first difference: floats lie as near as 2^-30 to multiples of pi/2.
   * Each sum's first number is a multiple of the second one's unit in the last place, which Dekker's method needs. */
  const float shifted = magnitude * 0x1.45f306p-1f + 0x1.8p23f;
  const float quadrants = shifted - 0x1.8p23f;
  const float first = magnitude - quadrants * 0x1.9218p+0f;
  const FloatPair second = clopt_fast_difference_float(first, quadrants * 0x1.ed5p-14f);
  const FloatPair third = clopt_fast_difference_float(second.high, quadrants * 0x1.10bp-30f);
  const float low = third.low + (second.low - quadrants * 0x1.184698p-44f);
  /* The lower bits are the quadrant's number. */
  const FloatAngle angle = {clopt_fast_two_sum_float(third.high, low), as_uint(shifted)};
  return angle;
}

/* Reduces |x| to a quadrant and a remainder. */
CLOPT_SHARED FloatAngle clopt_reduce_float(float magnitude) {
  if (magnitude > CLOPT_MODERATE_FLOAT) return clopt_reduce_large_float(magnitude);
  return clopt_reduce_moderate_float(magnitude);
}

/* sin(r) near 0: r + r^3 p(r^2); the lower part of r counts by the derivative, 1 - r^2/2. */
CLOPT_SHARED float clopt_sin_near_zero_float(FloatPair r) {
  const float z = r.high * r.high;
  const float p = -0x1.555556p-3f + z * (0x1.111164p-7f + z * (-0x1.a04866p-13f + z * 0x1.77e204p-19f));
  return r.high + (r.high * z * p + r.low * (1.0f - 0.5f * z));
}

/* cos(r) near 0: 1 - r^2/2 + r^4 p(r^2), with what rounding takes from 1 - r^2/2 added again. */
CLOPT_SHARED float clopt_cos_near_zero_float(FloatPair r) {
  const float z = r.high * r.high;
  const float p = 0x1.55554ap-5f + z * (-0x1.6c0c2ap-10f + z * 0x1.99e912p-16f);
  const FloatPair leading = clopt_fast_two_sum_float(1.0f, -0.5f * z);
  return leading.high + (leading.low + (z * z * p - r.high * r.low));
}

/* sin(angle + shift * pi/2). */
CLOPT_SHARED float clopt_sin_of_angle_float(FloatAngle angle, uint shift) {
  const uint quadrant = angle.quadrant + shift;
  const float sine = clopt_sin_near_zero_float(angle.remainder);
  const float cosine = clopt_cos_near_zero_float(angle.remainder);
  const float value = (quadrant & 1u) != 0u ? cosine : sine;
  return as_float(as_uint(value) ^ ((quadrant & 2u) << 30));
}

CLOPT_SHARED float clopt_sin_float(float x) {
  const float magnitude = fabs(x);
  if (!(magnitude < CLOPT_INFINITY_FLOAT)) return CLOPT_NAN_FLOAT;
  /* The sign goes through the bits, so that -0 keeps it. */
  return as_float(as_uint(clopt_sin_of_angle_float(clopt_reduce_float(magnitude), 0u)) ^ (as_uint(x) & 0x80000000u));
}

CLOPT_SHARED float clopt_cos_float(float x) {
  const float magnitude = fabs(x);
  if (!(magnitude < CLOPT_INFINITY_FLOAT)) return CLOPT_NAN_FLOAT;
  return clopt_sin_of_angle_float(clopt_reduce_float(magnitude), 1u);
}

/* sin and cos without a branch, for loops over many arguments: NaN where |x| is beyond CLOPT_MODERATE_FLOAT. */
CLOPT_SHARED float clopt_sin_moderate_float(float x) {
  const float magnitude = fabs(x);
  const float value = clopt_sin_of_angle_float(clopt_reduce_moderate_float(magnitude), 0u);
  return magnitude <= CLOPT_MODERATE_FLOAT ? as_float(as_uint(value) ^ (as_uint(x) & 0x80000000u)) : CLOPT_NAN_FLOAT;
}

CLOPT_SHARED float clopt_cos_moderate_float(float x) {
  const float magnitude = fabs(x);
  const float value = clopt_sin_of_angle_float(clopt_reduce_moderate_float(magnitude), 1u);
  return magnitude <= CLOPT_MODERATE_FLOAT ? value : CLOPT_NAN_FLOAT;
}

CLOPT_SHARED_END

#endif
