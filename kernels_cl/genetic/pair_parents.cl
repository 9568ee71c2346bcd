/* The choice of a pair's parents by one work-item. */
#ifndef CLOPT_GENETIC_PAIR_PARENTS_CL
#define CLOPT_GENETIC_PAIR_PARENTS_CL

#include "genetic/wheel.cl"

/* Compilers that put everything into one function slow down what happens all the time by what seldom does, and take
 * long.
 */
#define RARELY_CALLED __attribute__((noinline))

/* The parents of a pair of any island. */
static RARELY_CALLED genetic_parents parents_alone(COSTS_SPACE const real* costs, global const ulong* sections,
                                                   uint has_sections, real least, real greatest, uint number,
                                                   global const genetic_settings* settings, uint generation,
                                                   uint pair) {
  const genetic_wheel w = wheel_of(costs, sections, has_sections, least, greatest, number);
  return genetic_parents_of(w, genetic_settings_of(settings), generation, pair);
}

#endif
