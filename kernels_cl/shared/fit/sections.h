/* Sums over the sections of a long row: what a pass found, as numbers of which each is added for itself. Included after
 * errors.h. */

#define FIT_SUMS (FIT_PAIRS + FIT_PARAMETERS + 1)

/* Number `sum` of what a pass found. */
OBJECTIVE_FUNCTION real fit_sum(const fit_found* found, uint sum) {
  if (sum < FIT_PAIRS) return found->normal[sum];
  return sum < FIT_PAIRS + FIT_PARAMETERS ? found->gradient[sum - FIT_PAIRS] : found->value;
}

/* Adds `count` sums of each kind, one kind behind the other. */
OBJECTIVE_FUNCTION void fit_add_sums(OBJECTIVE_GLOBAL const real* sums, uint count, fit_found* found) {
  uint sum;
  for (sum = 0; sum < FIT_SUMS; ++sum) {
    real whole = (real)0;
    uint i;
    for (i = 0; i < count; ++i) whole += sums[(ulong)sum * count + i];
    if (sum < FIT_PAIRS)
      found->normal[sum] = whole;
    else if (sum < FIT_PAIRS + FIT_PARAMETERS)
      found->gradient[sum - FIT_PAIRS] = whole;
    else
      found->value = whole;
  }
}
