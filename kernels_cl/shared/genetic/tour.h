/* A tour under local search: where each city is in it, and which cities are still to be looked at. All numbers are
 * whole, so that every device takes the same moves. `real` is float or double, the type of the table, which holds whole
 * numbers up to 2^24: count * count distances, from a city to another one, then for each city its GENETIC_NEAR nearest
 * ones, fewer where there are fewer, the nearest first, by number among equals. A directed tour, whose distances may be
 * others on the way back, has the cities that are nearest on the way to a city behind these lists.
 */
#ifndef CLOPT_SHARED_GENETIC_TOUR_H
#define CLOPT_SHARED_GENETIC_TOUR_H

#include "genetic.h"
#include "places.h"

#ifdef __OPENCL_VERSION__
#define GENETIC_TOUR_SPACE global
#define GENETIC_TOUR genetic_tour
#else
#define GENETIC_TOUR_SPACE
#define GENETIC_TOUR genetic_tour<real>
#endif

/* Cities of a list of near ones. */
#define GENETIC_NEAR 10u
/* The longest segment that an Or-opt move takes elsewhere. */
#define GENETIC_LONGEST_MOVED 3u
/* Words of a tour's state: the next city to visit; the number of visits since the last move; whether there was a
 * move since all cities were awake last; rounds of loops of this launch; whether a directed trip runs against the order
 * of places. A bit a city follows, whether it is awake; then what genetic_tour.excess points to. */
#define GENETIC_CURSOR 0u
#define GENETIC_CALM 1u
#define GENETIC_MOVED 2u
#define GENETIC_ROUNDS 3u
#define GENETIC_TURNED 4u
#define GENETIC_AWAKE 5u
/* Rounds of a visit to a city that is awake, but for those that turn parts of the tour around: two lists of near ones
 * for 2-opt, two for each length of Or-opt. Twice as many of a directed tour. */
#define GENETIC_VISIT_ROUNDS (2u * GENETIC_NEAR * (1u + GENETIC_LONGEST_MOVED))

CLOPT_SHARED_BEGIN

/* A tour and where each city is in it. */
#ifndef __OPENCL_VERSION__
template <class real>
#endif
struct genetic_tour {
  GENETIC_TOUR_SPACE uint* cities;
  GENETIC_TOUR_SPACE uint* places;
  GENETIC_TOUR_SPACE uint* state;
  GENETIC_TOUR_SPACE const real* table;
  /* Of a directed tour: by how much the edges before each place, and before the end, are longer in the order of places
   * than the other way round. */
  GENETIC_TOUR_SPACE int* excess;
  uint count;
  uint near;     /* cities of a list of near ones */
  uint metric;   /* 0: the table has distances; else it has places (places.h) */
  uint directed; /* whether a distance may be another one on the way back */
  uint anchor;   /* the only city for whose ways this holds; count: it holds for all, and there is an excess */
};
#ifdef __OPENCL_VERSION__
typedef struct genetic_tour genetic_tour;
#endif

/* The length of a list of near cities, by the number of cities. */
CLOPT_SHARED uint genetic_near_count(uint count) { return count == 0u ? 0u : min(GENETIC_NEAR, count - 1u); }
/* Words of places and state, one tour after the other. */
CLOPT_SHARED uint genetic_undirected_words(uint count) { return count + GENETIC_AWAKE + (count + 31u) / 32u; }
CLOPT_SHARED uint genetic_tour_words(uint count, uint directed) {
  return genetic_undirected_words(count) + (directed != 0u ? count + 1u : 0u);
}

CLOPT_SHARED_TEMPLATE(real) int genetic_apart(GENETIC_TOUR t, uint a, uint b) {
  if (t.metric == 0u) return convert_int(t.table[a * t.count + b]);
  return genetic_straight_way(t.metric, t.table[GENETIC_PLACES + 2u * a] - t.table[GENETIC_PLACES + 2u * b],
                              t.table[GENETIC_PLACES + 2u * a + 1u] - t.table[GENETIC_PLACES + 2u * b + 1u]);
}
CLOPT_SHARED_TEMPLATE(real) uint genetic_near_city(GENETIC_TOUR t, uint city, uint k) {
  const uint lists = t.metric == 0u ? t.count * t.count : GENETIC_PLACES + 2u * t.count;
  return convert_uint(t.table[lists + city * t.near + k]);
}

/* The city behind a city, forward or backward. */
CLOPT_SHARED_TEMPLATE(real) uint genetic_behind(GENETIC_TOUR t, uint city, uint forward) {
  const uint place = t.places[city];
  if (forward != 0u) return t.cities[place + 1u == t.count ? 0u : place + 1u];
  return t.cities[place == 0u ? t.count - 1u : place - 1u];
}

CLOPT_SHARED_TEMPLATE(real) void genetic_wake(GENETIC_TOUR t, uint city) {
  t.state[GENETIC_AWAKE + (city >> 5)] |= 1u << (city & 31u);
}

/* Turns around what lies from a place to a place, forward; or all the rest, which gives the same round trip. */
CLOPT_SHARED_TEMPLATE(real) void genetic_turn_around(GENETIC_TOUR t, uint first, uint last) {
  uint size = last >= first ? last - first + 1u : last + t.count - first + 1u;
  uint k;
  if (2u * size > t.count) {
    const uint end = first == 0u ? t.count - 1u : first - 1u;
    first = last + 1u == t.count ? 0u : last + 1u;
    last = end;
    size = t.count - size;
  }
  t.state[GENETIC_ROUNDS] += size / 2u;
  for (k = 0u; k < size / 2u; ++k) {
    const uint one = t.cities[first];
    const uint other = t.cities[last];
    t.cities[first] = other;
    t.places[other] = first;
    t.cities[last] = one;
    t.places[one] = last;
    first = first + 1u == t.count ? 0u : first + 1u;
    last = last == 0u ? t.count - 1u : last - 1u;
  }
}

CLOPT_SHARED_END

#endif
