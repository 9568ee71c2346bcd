/* The table T[x] = x log2 x of numbers of individuals. */
#ifndef CLOPT_ECGA_LOGARITHMS_CL
#define CLOPT_ECGA_LOGARITHMS_CL

/* T[count]. Where a launch was lost, counts do not fit each other and their differences are not numbers of individuals:
 * nothing beyond the table is read for them. */
static inline long logarithm_of(global const long* logarithms, uint count, uint individuals) {
  return logarithms[min(count, individuals)];
}

#endif
