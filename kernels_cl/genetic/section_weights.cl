/* The weight of a section of a wheel, by a work-group. */
#ifndef CLOPT_GENETIC_SECTION_WEIGHTS_CL
#define CLOPT_GENETIC_SECTION_WEIGHTS_CL

#include "genetic/wheel.cl"

/* Adds up the weights of a section's individuals, which are whole numbers: their order does not matter. parts: a number
 * a work-item. */
static inline __attribute__((always_inline)) void weigh_section(genetic_wheel w, genetic_settings run, uint section,
                                                                global ulong* weight, local ulong* parts) {
  const uint item = (uint)get_local_id(0);
  const uint items = (uint)get_local_size(0);
  const uint end = min((section + 1u) * GENETIC_SECTION, run.population);
  ulong sum = 0;
  for (uint i = section * GENETIC_SECTION + item; i < end; i += items) sum += genetic_weight_on(w, run, i);
  parts[item] = sum;
  for (uint reach = 1u; reach < items; reach <<= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item % (2u * reach) == 0u && item + reach < items) parts[item] += parts[item + reach];
  }
  if (item == 0u) *weight = parts[0];
}

#endif
