/* The wheel of an island. COSTS_SPACE is where costs are. */
#ifndef CLOPT_GENETIC_WHEEL_CL
#define CLOPT_GENETIC_WHEEL_CL

#include "shared/genetic/parents.h"

static inline genetic_wheel wheel_of(COSTS_SPACE const real* costs, global const ulong* sections, uint has_sections,
                                     real least, real greatest, uint number) {
  genetic_wheel w;
  w.costs = costs;
  w.sections = sections;
  w.has_sections = has_sections;
  w.least = least;
  w.greatest = greatest;
  w.number = number;
  return w;
}

/* costs, sections, limits: of all islands. */
static inline genetic_wheel wheel_of_island(COSTS_SPACE const real* costs, global const ulong* sections,
                                            global const real* limits, genetic_settings run, uint island,
                                            uint has_sections) {
  return wheel_of(costs + island * run.population, sections + island * GENETIC_SECTIONS(run), has_sections,
                  limits[island * GENETIC_LIMITS + GENETIC_LEAST], limits[island * GENETIC_LIMITS + GENETIC_GREATEST],
                  island);
}

#endif
