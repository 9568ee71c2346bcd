/* Local search of tours: children are local optima before they replace their parents. */
#include "shared/genetic/two_opt.h"

/* The part of both kernels; what is constant in one of them costs it nothing. */
void improve_tour(global uint* population, global real* costs, global const real* tables, global uint* scratch,
                  global uint* unfinished, global const uint* marks, global const genetic_settings* settings,
                  uint generation, uint all, uint begins, uint most, uint directed, uint anchor) {
  const genetic_settings run = genetic_settings_of(settings);
  const uint each = all != 0u ? run.population : genetic_bred(run);
  const ulong number = get_global_id(0);
  const ulong i = number / each * run.population + number % each;
  genetic_tour t;
  if (number >= (ulong)each * run.islands || marks[GENETIC_STOP] < generation) return;
  t.cities = population + i * run.row;
  t.places = scratch + i * genetic_tour_words(run.genes, directed);
  t.state = t.places + run.genes;
  t.excess = (GENETIC_TOUR_SPACE int*)(t.places + genetic_undirected_words(run.genes));
  t.table = tables;
  t.count = run.genes;
  t.near = genetic_near_count(run.genes);
  t.metric = 0u;
  t.directed = directed;
  t.anchor = anchor;
  if (begins != 0u)
    genetic_begin_tour(t);
  else if (genetic_is_shortened(t) != 0u)
    return;
  genetic_shorten(t, most);
  if (genetic_is_shortened(t) == 0u) atomic_inc(unfinished);
  costs[i] = (real)genetic_tour_length(t);
}

/* Shortens the tours of a generation by 2-opt and Or-opt moves, those that were bred or, with `all`, every one, and
 * writes their lengths to costs. tables: distances and near cities; scratch: genetic_tour_words() for each tour;
 * unfinished: counts the tours that have still moves after `most` rounds of loops, so that a launch that is not the
 * first one (begins) continues. Launched over tours. */
kernel void improve(global uint* population, global real* costs, global const real* tables, global uint* scratch,
                    global uint* unfinished, global const uint* marks, global const genetic_settings* settings,
                    uint generation, uint all, uint begins, uint most) {
  improve_tour(population, costs, tables, scratch, unfinished, marks, settings, generation, all, begins, most, 0u, 0u);
}

/* The same of directed tours. anchor: the only city whose ways have others back, or the number of cities. */
kernel void improve_directed(global uint* population, global real* costs, global const real* tables,
                             global uint* scratch, global uint* unfinished, global const uint* marks,
                             global const genetic_settings* settings, uint generation, uint all, uint begins, uint most,
                             uint anchor) {
  improve_tour(population, costs, tables, scratch, unfinished, marks, settings, generation, all, begins, most, 1u,
               anchor);
}
