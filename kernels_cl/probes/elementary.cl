/* Runs shared/elementary/elementary.h and the arithmetic that it stands on, to compare their bits with C++'s.
 * results: one row a function, of as many numbers as there are arguments. */
#include "shared/elementary/elementary.h"

/* Rows: exp, log, sin, cos of x, pow of x and y. */
kernel void elementary_float(global const float* x, global const float* y, global float* results, ulong count) {
  const ulong i = get_global_id(0);
  if (i >= count) return;
  results[i] = clopt_exp_float(x[i]);
  results[count + i] = clopt_log_float(x[i]);
  results[2 * count + i] = clopt_sin_float(x[i]);
  results[3 * count + i] = clopt_cos_float(x[i]);
  results[4 * count + i] = clopt_pow_float(x[i], y[i]);
}

/* Rows: x + y, x - y, x * y, x / y, sqrt x, x * y + x. */
kernel void arithmetic_float(global const float* x, global const float* y, global float* results, ulong count) {
  const ulong i = get_global_id(0);
  if (i >= count) return;
  results[i] = x[i] + y[i];
  results[count + i] = x[i] - y[i];
  results[2 * count + i] = x[i] * y[i];
  results[3 * count + i] = x[i] / y[i];
  results[4 * count + i] = sqrt(x[i]);
  results[5 * count + i] = x[i] * y[i] + x[i];
}

#ifdef CLOPT_FP64

kernel void elementary_double(global const double* x, global const double* y, global double* results, ulong count) {
  const ulong i = get_global_id(0);
  if (i >= count) return;
  results[i] = clopt_exp_double(x[i]);
  results[count + i] = clopt_log_double(x[i]);
  results[2 * count + i] = clopt_sin_double(x[i]);
  results[3 * count + i] = clopt_cos_double(x[i]);
  results[4 * count + i] = clopt_pow_double(x[i], y[i]);
}

kernel void arithmetic_double(global const double* x, global const double* y, global double* results, ulong count) {
  const ulong i = get_global_id(0);
  if (i >= count) return;
  results[i] = x[i] + y[i];
  results[count + i] = x[i] - y[i];
  results[2 * count + i] = x[i] * y[i];
  results[3 * count + i] = x[i] / y[i];
  results[4 * count + i] = sqrt(x[i]);
  results[5 * count + i] = x[i] * y[i] + x[i];
}

#endif
