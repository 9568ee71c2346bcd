/* The functions of elementary.h in one precision: float.h and double.h include this text with their words, constants and
 * polynomials. CLOPT_NAME(exp) is clopt_exp_float or clopt_exp_double, CLOPT_CONSTANT(NAN) is CLOPT_NAN_FLOAT or
 * CLOPT_NAN_DOUBLE. Numbers that both precisions hold stand as integers, so that a single-precision text has no double.
 *
 * Not every device has doubles, so where the precision does not suffice a value is an unevaluated sum of two numbers
 * (Dekker, "A floating-point technique for extending the available precision", 1971). The polynomials are minimax fits
 * under the relative error of the whole function, with coefficients rounded to the precision; those of sinpi are
 * Chebyshev fits.
 */

/* The unevaluated sum high + low, where low is at most about a unit in the last place of high. */
typedef struct {
  CLOPT_REAL high;
  CLOPT_REAL low;
} CLOPT_PAIR;

/* x = 2^exponent * significand with sqrt(1/2) <= significand < sqrt(2), nearly. */
typedef struct {
  CLOPT_REAL exponent;
  CLOPT_REAL significand;
} CLOPT_PARTS;

/* |x| = quadrant * pi/2 + remainder with |remainder| <= pi/4, nearly; quadrant counts modulo 4. */
typedef struct {
  CLOPT_PAIR remainder;
  CLOPT_WORD quadrant;
} CLOPT_ANGLE;

/* a + b exactly, given |a| >= |b| or a = 0 (Dekker). */
CLOPT_SHARED CLOPT_PAIR CLOPT_NAME(fast_two_sum)(CLOPT_REAL a, CLOPT_REAL b) {
  const CLOPT_REAL sum = a + b;
  const CLOPT_PAIR pair = {sum, b - (sum - a)};
  return pair;
}

/* a - b exactly, given |a| >= |b|, or that a is a multiple of b's unit in the last place (Boldo, Graillat and Muller
 * 2017). */
CLOPT_SHARED CLOPT_PAIR CLOPT_NAME(fast_difference)(CLOPT_REAL a, CLOPT_REAL b) {
  const CLOPT_REAL difference = a - b;
  const CLOPT_PAIR pair = {difference, (a - difference) - b};
  return pair;
}

/* a + b exactly (Knuth). */
CLOPT_SHARED CLOPT_PAIR CLOPT_NAME(two_sum)(CLOPT_REAL a, CLOPT_REAL b) {
  const CLOPT_REAL sum = a + b;
  const CLOPT_REAL b_in_sum = sum - a;
  const CLOPT_PAIR pair = {sum, (a - (sum - b_in_sum)) + (b - b_in_sum)};
  return pair;
}

/* The upper half of the bits of x; the rest fits in as many bits too (Veltkamp). |x| must stay under the largest number
 * divided by the splitter. */
CLOPT_SHARED CLOPT_REAL CLOPT_NAME(upper_half)(CLOPT_REAL x) {
  const CLOPT_REAL scaled = x * CLOPT_CONSTANT(SPLITTER);
  return scaled - (scaled - x);
}

/* a * b exactly unless it underflows (Dekker). */
CLOPT_SHARED CLOPT_PAIR CLOPT_NAME(two_product)(CLOPT_REAL a, CLOPT_REAL b) {
  const CLOPT_REAL a_upper = CLOPT_NAME(upper_half)(a);
  const CLOPT_REAL a_lower = a - a_upper;
  const CLOPT_REAL b_upper = CLOPT_NAME(upper_half)(b);
  const CLOPT_REAL b_lower = b - b_upper;
  const CLOPT_REAL product = a * b;
  const CLOPT_PAIR pair = {product,
                           ((a_upper * b_upper - product) + a_upper * b_lower + a_lower * b_upper) + a_lower * b_lower};
  return pair;
}

/* a * b with a relative error of some 2^-46, in double precision 2^-104. */
CLOPT_SHARED CLOPT_PAIR CLOPT_NAME(multiply_pairs)(CLOPT_PAIR a, CLOPT_PAIR b) {
  const CLOPT_PAIR product = CLOPT_NAME(two_product)(a.high, b.high);
  return CLOPT_NAME(fast_two_sum)(product.high, product.low + (a.high * b.low + a.low * b.high));
}

/* 2^exponent, where that is a normal number. */
CLOPT_SHARED CLOPT_REAL CLOPT_NAME(power_of_two)(int exponent) {
  return CLOPT_AS_REAL(CLOPT_CONVERT_WORD(exponent + CLOPT_CONSTANT(BIAS)) << CLOPT_CONSTANT(FRACTION_BITS));
}

CLOPT_SHARED CLOPT_PARTS CLOPT_NAME(split)(CLOPT_REAL x) {
  const int subnormal = x < CLOPT_CONSTANT(LEAST_NORMAL);
  const int scale = CLOPT_CONSTANT(FRACTION_BITS) + 1;
  const CLOPT_WORD fraction = ((CLOPT_WORD)1 << CLOPT_CONSTANT(FRACTION_BITS)) - 1u;
  /* Counting from sqrt(1/2) makes the exponent step there instead of at the powers of two. */
  const CLOPT_WORD sqrt_half = CLOPT_CONSTANT(BITS_OF_SQRT_HALF);
  const CLOPT_WORD offset = CLOPT_AS_WORD(subnormal ? x * CLOPT_NAME(power_of_two)(scale) : x) - sqrt_half;
  const int exponent = convert_int(CLOPT_AS_SIGNED(offset) >> CLOPT_CONSTANT(FRACTION_BITS)) - (subnormal ? scale : 0);
  const CLOPT_PARTS parts = {CLOPT_CONVERT_REAL(exponent), CLOPT_AS_REAL((offset & fraction) + sqrt_half)};
  return parts;
}

/* exp(high + low). A NaN does not come through: the caller sees to it. */
CLOPT_SHARED CLOPT_REAL CLOPT_NAME(exp_pair)(CLOPT_REAL high, CLOPT_REAL low) {
  const CLOPT_REAL shifted = high * CLOPT_CONSTANT(ONE_OVER_LN2) + CLOPT_CONSTANT(ROUNDER);
  const CLOPT_REAL exponent = shifted - CLOPT_CONSTANT(ROUNDER);
  /* The remainder of the division by ln 2 in two parts, the upper one exact (Cody and Waite 1980). */
  const CLOPT_REAL r_high = high - exponent * CLOPT_CONSTANT(LN2_HIGH);
  const CLOPT_REAL less = exponent * CLOPT_CONSTANT(LN2_LOW) - low;
  const CLOPT_REAL r = r_high - less;
  const CLOPT_REAL value = 1 + (r_high + (r * r * CLOPT_NAME(exp_polynomial)(r) - less));
  /* Two factors, since 2^exponent itself may be out of range. The first goes to the bits of a value that is near 1, and
   * only the product with the second rounds. Both are taken from the lower bits of `shifted`, which are the exponent. */
  const CLOPT_WORD scale = CLOPT_AS_WORD(shifted);
  const CLOPT_WORD half_scale = scale >> 1;
  const CLOPT_WORD bits_of_one = (CLOPT_WORD)CLOPT_CONSTANT(BIAS) << CLOPT_CONSTANT(FRACTION_BITS);
  const CLOPT_REAL half_scaled =
      CLOPT_AS_REAL(CLOPT_AS_WORD(value) + (half_scale << CLOPT_CONSTANT(FRACTION_BITS)));
  const CLOPT_REAL scaled =
      half_scaled * CLOPT_AS_REAL(((scale - half_scale) << CLOPT_CONSTANT(FRACTION_BITS)) + bits_of_one);
  /* Beyond these bounds, where the above means nothing, the result is infinite or rounds to 0. */
  const CLOPT_REAL below = high > CLOPT_CONSTANT(EXP_OVERFLOWS) ? CLOPT_CONSTANT(INFINITY) : scaled;
  return high < CLOPT_CONSTANT(EXP_UNDERFLOWS) ? 0 : below;
}

CLOPT_SHARED CLOPT_REAL CLOPT_NAME(exp)(CLOPT_REAL x) {
  return x != x ? CLOPT_CONSTANT(NAN) : CLOPT_NAME(exp_pair)(x, 0);
}

CLOPT_SHARED CLOPT_REAL CLOPT_NAME(log)(CLOPT_REAL x) {
  const CLOPT_PARTS parts = CLOPT_NAME(split)(x);
  /* log(1 + f) = 2 artanh(s) = 2 s + s p = f - s (f - p), where f is exact and carries most of the sum. */
  const CLOPT_REAL f = parts.significand - 1;
  const CLOPT_REAL s = f / (2 + f);
  const CLOPT_REAL p = CLOPT_NAME(log_polynomial)(s * s);
  const CLOPT_REAL value = parts.exponent * CLOPT_CONSTANT(LN2_HIGH) +
                           (f - (s * (f - p) - parts.exponent * CLOPT_CONSTANT(LN2_LOW)));
  const CLOPT_REAL finite = x > 0 ? value : (x == 0 ? -CLOPT_CONSTANT(INFINITY) : CLOPT_CONSTANT(NAN));
  return x == CLOPT_CONSTANT(INFINITY) ? x : finite;
}

/* log(x) for finite x > 0 with a relative error of some 2^-36, in double precision 2^-65, for pow, which multiplies the
 * error by up to 2^7 or 2^10. */
CLOPT_SHARED CLOPT_PAIR CLOPT_NAME(log_pair)(CLOPT_REAL x) {
  const CLOPT_PARTS parts = CLOPT_NAME(split)(x);
  /* s = (m - 1) / (m + 1) as a pair: the quotient and what its remainder adds. */
  const CLOPT_REAL numerator = parts.significand - 1;
  const CLOPT_PAIR denominator = CLOPT_NAME(two_sum)(parts.significand, 1);
  const CLOPT_REAL quotient = numerator / denominator.high;
  const CLOPT_PAIR product = CLOPT_NAME(two_product)(quotient, denominator.high);
  const CLOPT_REAL remainder = ((numerator - product.high) - product.low) - quotient * denominator.low;
  const CLOPT_PAIR s = {quotient, remainder / denominator.high};
  const CLOPT_PAIR z = CLOPT_NAME(multiply_pairs)(s, s);
  /* log m = 2 s (1 + z (1/3 + tail)); the tail is small enough for one number. */
  const CLOPT_REAL tail = CLOPT_NAME(log_tail)(z.high);
  const CLOPT_PAIR coefficient =
      CLOPT_NAME(fast_two_sum)(CLOPT_CONSTANT(THIRD_HIGH), tail + CLOPT_CONSTANT(THIRD_LOW));
  const CLOPT_PAIR correction = CLOPT_NAME(multiply_pairs)(s, CLOPT_NAME(multiply_pairs)(z, coefficient));
  const CLOPT_PAIR half_log = CLOPT_NAME(fast_two_sum)(s.high, correction.high);
  const CLOPT_PAIR sum = CLOPT_NAME(fast_two_sum)(parts.exponent * CLOPT_CONSTANT(LN2_HIGH), 2 * half_log.high);
  const CLOPT_REAL low =
      2 * (half_log.low + (s.low + correction.low)) + parts.exponent * CLOPT_CONSTANT(LN2_LOW);
  return CLOPT_NAME(fast_two_sum)(sum.high, sum.low + low);
}

CLOPT_SHARED CLOPT_REAL CLOPT_NAME(pow)(CLOPT_REAL x, CLOPT_REAL y) {
  const CLOPT_REAL base = fabs(x);
  const CLOPT_PAIR logarithm = CLOPT_NAME(log_pair)(base);
  /* |log| >= 2^-25, in double precision 2^-54, unless it is 0, so that larger |y| change nothing; bounded ones cannot
   * overflow in the product. */
  const CLOPT_REAL below = y < CLOPT_CONSTANT(LARGEST_POWER) ? y : CLOPT_CONSTANT(LARGEST_POWER);
  const CLOPT_REAL bounded = below > -CLOPT_CONSTANT(LARGEST_POWER) ? below : -CLOPT_CONSTANT(LARGEST_POWER);
  const CLOPT_PAIR product = CLOPT_NAME(two_product)(bounded, logarithm.high);
  const CLOPT_REAL low = product.low + bounded * logarithm.low;
  const CLOPT_REAL power = CLOPT_NAME(exp_pair)(product.high, low);

  const CLOPT_REAL edge = (base == 0) == (y < 0) ? CLOPT_CONSTANT(INFINITY) : 0;
  const CLOPT_REAL magnitude = base == 0 || base == CLOPT_CONSTANT(INFINITY) ? edge : power;
  const int integer = floor(y) == y;
  const CLOPT_REAL half_y = CLOPT_CONSTANT(HALF) * y;
  const int odd = integer && floor(half_y) != half_y;
  const CLOPT_WORD sign = CLOPT_AS_WORD(x) & CLOPT_CONSTANT(SIGN);
  const CLOPT_REAL result = odd ? CLOPT_AS_REAL(CLOPT_AS_WORD(magnitude) | sign) : magnitude;
  const int undefined = x != x || y != y || (x < 0 && base != CLOPT_CONSTANT(INFINITY) && !integer);
  return x == 1 || y == 0 ? 1 : (undefined ? CLOPT_CONSTANT(NAN) : result);
}

/* Reduces a finite |x| beyond CLOPT_CONSTANT(MODERATE): defined after this text, by each precision for itself. */
CLOPT_SHARED CLOPT_ANGLE CLOPT_NAME(reduce_large)(CLOPT_REAL magnitude);

/* Reduces |x| up to CLOPT_CONSTANT(MODERATE) to a quadrant and a remainder, without a branch. */
CLOPT_SHARED CLOPT_ANGLE CLOPT_NAME(reduce_moderate)(CLOPT_REAL magnitude) {
  /* pi/2 in four parts (Cody and Waite 1980). The first three are short enough for exact products with a moderate
   * quadrant's number, and so is the first difference: numbers lie as near as 2^-30 to multiples of pi/2, in double
   * precision 2^-61. Each sum's first number is a multiple of the second one's unit in the last place, which Dekker's
   * method needs. */
  const CLOPT_REAL shifted = magnitude * CLOPT_CONSTANT(TWO_OVER_PI) + CLOPT_CONSTANT(ROUNDER);
  const CLOPT_REAL quadrants = shifted - CLOPT_CONSTANT(ROUNDER);
  const CLOPT_REAL first = magnitude - quadrants * CLOPT_CONSTANT(HALF_PI_1);
  const CLOPT_PAIR second = CLOPT_NAME(fast_difference)(first, quadrants * CLOPT_CONSTANT(HALF_PI_2));
  const CLOPT_PAIR third = CLOPT_NAME(fast_difference)(second.high, quadrants * CLOPT_CONSTANT(HALF_PI_3));
  const CLOPT_REAL low = third.low + (second.low - quadrants * CLOPT_CONSTANT(HALF_PI_4));
  /* The lower bits are the quadrant's number. */
  const CLOPT_ANGLE angle = {CLOPT_NAME(fast_two_sum)(third.high, low), CLOPT_AS_WORD(shifted)};
  return angle;
}

/* Reduces |x| to a quadrant and a remainder. */
CLOPT_SHARED CLOPT_ANGLE CLOPT_NAME(reduce)(CLOPT_REAL magnitude) {
  if (magnitude > CLOPT_CONSTANT(MODERATE)) return CLOPT_NAME(reduce_large)(magnitude);
  return CLOPT_NAME(reduce_moderate)(magnitude);
}

/* sin(r) near 0: r + r^3 p(r^2); the lower part of r counts by the derivative, 1 - r^2/2. */
CLOPT_SHARED CLOPT_REAL CLOPT_NAME(sin_near_zero)(CLOPT_PAIR r) {
  const CLOPT_REAL z = r.high * r.high;
  return r.high + (r.high * z * CLOPT_NAME(sin_polynomial)(z) + r.low * (1 - CLOPT_CONSTANT(HALF) * z));
}

/* cos(r) near 0: 1 - r^2/2 + r^4 p(r^2), with what rounding takes from 1 - r^2/2 added again. */
CLOPT_SHARED CLOPT_REAL CLOPT_NAME(cos_near_zero)(CLOPT_PAIR r) {
  const CLOPT_REAL z = r.high * r.high;
  const CLOPT_PAIR leading = CLOPT_NAME(fast_two_sum)(1, -CLOPT_CONSTANT(HALF) * z);
  return leading.high + (leading.low + (z * z * CLOPT_NAME(cos_polynomial)(z) - r.high * r.low));
}

/* sin(angle + shift * pi/2). */
CLOPT_SHARED CLOPT_REAL CLOPT_NAME(sin_of_angle)(CLOPT_ANGLE angle, CLOPT_WORD shift) {
  const CLOPT_WORD quadrant = angle.quadrant + shift;
  const CLOPT_REAL sine = CLOPT_NAME(sin_near_zero)(angle.remainder);
  const CLOPT_REAL cosine = CLOPT_NAME(cos_near_zero)(angle.remainder);
  const CLOPT_REAL value = (quadrant & 1u) != 0u ? cosine : sine;
  return CLOPT_AS_REAL(CLOPT_AS_WORD(value) ^ ((quadrant & 2u) << CLOPT_CONSTANT(TWO_TO_SIGN)));
}

CLOPT_SHARED CLOPT_REAL CLOPT_NAME(sin)(CLOPT_REAL x) {
  const CLOPT_REAL magnitude = fabs(x);
  if (!(magnitude < CLOPT_CONSTANT(INFINITY))) return CLOPT_CONSTANT(NAN);
  const CLOPT_REAL value = CLOPT_NAME(sin_of_angle)(CLOPT_NAME(reduce)(magnitude), 0u);
  /* The sign goes through the bits, so that -0 keeps it. */
  return CLOPT_AS_REAL(CLOPT_AS_WORD(value) ^ (CLOPT_AS_WORD(x) & CLOPT_CONSTANT(SIGN)));
}

CLOPT_SHARED CLOPT_REAL CLOPT_NAME(cos)(CLOPT_REAL x) {
  const CLOPT_REAL magnitude = fabs(x);
  if (!(magnitude < CLOPT_CONSTANT(INFINITY))) return CLOPT_CONSTANT(NAN);
  return CLOPT_NAME(sin_of_angle)(CLOPT_NAME(reduce)(magnitude), 1u);
}

/* sin and cos without a branch, for loops over many arguments: NaN where |x| is beyond CLOPT_CONSTANT(MODERATE). */
CLOPT_SHARED CLOPT_REAL CLOPT_NAME(sin_moderate)(CLOPT_REAL x) {
  const CLOPT_REAL magnitude = fabs(x);
  const CLOPT_REAL value = CLOPT_NAME(sin_of_angle)(CLOPT_NAME(reduce_moderate)(magnitude), 0u);
  return magnitude <= CLOPT_CONSTANT(MODERATE)
             ? CLOPT_AS_REAL(CLOPT_AS_WORD(value) ^ (CLOPT_AS_WORD(x) & CLOPT_CONSTANT(SIGN)))
             : CLOPT_CONSTANT(NAN);
}

CLOPT_SHARED CLOPT_REAL CLOPT_NAME(cos_moderate)(CLOPT_REAL x) {
  const CLOPT_REAL magnitude = fabs(x);
  const CLOPT_REAL value = CLOPT_NAME(sin_of_angle)(CLOPT_NAME(reduce_moderate)(magnitude), 1u);
  return magnitude <= CLOPT_CONSTANT(MODERATE) ? value : CLOPT_CONSTANT(NAN);
}

/* sin(pi r) for |r| <= 1/2. */
CLOPT_SHARED CLOPT_REAL CLOPT_NAME(sinpi_fraction)(CLOPT_REAL r) {
  return r * (2 * CLOPT_CONSTANT(HALF_PI) + CLOPT_NAME(sinpi_polynomial)(r * r));
}

/* Whether a whole number is odd. */
CLOPT_SHARED uint CLOPT_NAME(is_odd)(CLOPT_REAL whole) {
  const CLOPT_REAL half_whole = CLOPT_CONSTANT(HALF) * whole;
  return floor(half_whole) != half_whole ? 1u : 0u;
}

/* sin(pi x) and cos(pi x), far cheaper than sin and cos: an argument in half turns is reduced exactly by a subtraction.
 * The errors stay under 2 units in the last place. */
CLOPT_SHARED CLOPT_REAL CLOPT_NAME(sinpi)(CLOPT_REAL x) {
  const CLOPT_REAL whole = rint(x);
  const CLOPT_REAL sine = CLOPT_NAME(sinpi_fraction)(x - whole);
  return CLOPT_NAME(is_odd)(whole) != 0u ? -sine : sine;
}

CLOPT_SHARED CLOPT_REAL CLOPT_NAME(cospi)(CLOPT_REAL x) {
  const CLOPT_REAL whole = rint(x);
  const CLOPT_REAL cosine = CLOPT_NAME(sinpi_fraction)(CLOPT_CONSTANT(HALF) - fabs(x - whole));
  return CLOPT_NAME(is_odd)(whole) != 0u ? -cosine : cosine;
}

#ifndef __OPENCL_VERSION__
/* For templates over the floating-point type. */
CLOPT_SHARED CLOPT_REAL clopt_exp(CLOPT_REAL x) { return CLOPT_NAME(exp)(x); }
CLOPT_SHARED CLOPT_REAL clopt_log(CLOPT_REAL x) { return CLOPT_NAME(log)(x); }
CLOPT_SHARED CLOPT_REAL clopt_sin(CLOPT_REAL x) { return CLOPT_NAME(sin)(x); }
CLOPT_SHARED CLOPT_REAL clopt_cos(CLOPT_REAL x) { return CLOPT_NAME(cos)(x); }
CLOPT_SHARED CLOPT_REAL clopt_sin_moderate(CLOPT_REAL x) { return CLOPT_NAME(sin_moderate)(x); }
CLOPT_SHARED CLOPT_REAL clopt_cos_moderate(CLOPT_REAL x) { return CLOPT_NAME(cos_moderate)(x); }
CLOPT_SHARED CLOPT_REAL clopt_pow(CLOPT_REAL x, CLOPT_REAL y) { return CLOPT_NAME(pow)(x, y); }
CLOPT_SHARED CLOPT_REAL clopt_sinpi_fraction(CLOPT_REAL r) { return CLOPT_NAME(sinpi_fraction)(r); }
CLOPT_SHARED CLOPT_REAL clopt_sinpi(CLOPT_REAL x) { return CLOPT_NAME(sinpi)(x); }
CLOPT_SHARED CLOPT_REAL clopt_cospi(CLOPT_REAL x) { return CLOPT_NAME(cospi)(x); }
#endif

#undef CLOPT_REAL
#undef CLOPT_WORD
#undef CLOPT_PAIR
#undef CLOPT_PARTS
#undef CLOPT_ANGLE
#undef CLOPT_AS_REAL
#undef CLOPT_AS_WORD
#undef CLOPT_AS_SIGNED
#undef CLOPT_CONVERT_REAL
#undef CLOPT_CONVERT_WORD
#undef CLOPT_NAME
#undef CLOPT_CONSTANT
