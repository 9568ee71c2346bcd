/* One order for the values of every type, as unsigned integers. */
#ifndef CLOPT_SHARED_ORDER_H
#define CLOPT_SHARED_ORDER_H

#include "language.h"

CLOPT_SHARED_BEGIN

/* The rank of NaN, and of no value at all. */
#define ORDER_LAST (~(ulong)0)

/* An integer as a ulong of the same order. `number` is uint, ulong, int or long. */
CLOPT_SHARED_TEMPLATE(number) ulong order_key(number value) {
  return (ulong)value ^ ((number)-1 > (number)1 ? 0 : (ulong)1 << 63);
}

/* A floating-point number, given by its bits, as a ulong of the same order: both zeros are one value, NaN is last.
 * sign: the type's sign bit; infinity: the bits of infinity; they also tell the type. */
CLOPT_SHARED ulong order_key_of_bits(ulong bits, ulong sign, ulong infinity) {
  const ulong magnitude = bits & (sign - 1);
  if (magnitude > infinity) return ORDER_LAST;
  return (bits & sign) != 0 ? sign - magnitude : sign + magnitude;
}

CLOPT_SHARED ulong order_key_float(float value) {
  return order_key_of_bits(as_uint(value), (ulong)1 << 31, (ulong)0xff << 23);
}
#if !defined(__OPENCL_VERSION__) || defined(CLOPT_FP64)
CLOPT_SHARED ulong order_key_double(double value) {
  return order_key_of_bits(as_ulong(value), (ulong)1 << 63, (ulong)0x7ff << 52);
}
#endif

/* The place of a value in the order from the smallest up, or from the largest down: the least rank comes first.
 * NaN comes last in both. `number` is uint, ulong, int, long, float or double. */
CLOPT_SHARED_TEMPLATE(number) ulong order_rank(number value, uint largest_first) {
  ulong key;
  /* Only a floating-point type has a half. */
  if ((number)0.5f > (number)0) {
#if !defined(__OPENCL_VERSION__) || defined(CLOPT_FP64)
    key = sizeof(number) == 8 ? order_key_double((double)value) : order_key_float((float)value);
#else
    key = order_key_float((float)value);
#endif
    if (key == ORDER_LAST) return ORDER_LAST;
  } else {
    key = order_key(value);
  }
  return largest_first != 0u ? ~key : key;
}

CLOPT_SHARED_END

#endif
