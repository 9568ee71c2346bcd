/* Iterated local search within a segment of a tour: cities in a row, of which the first and the last one stay. Two
 * segments beside each other in it change places, a double bridge of near edges (Martin, Otto and Felten, Large-step
 * Markov chains for the traveling salesman problem, 1991), 2-opt and Or-opt moves repair what that broke, and what is
 * longer then is taken back. All moves are made of parts that are turned around, which is what is taken back.
 *
 * Cities of a segment are numbered by their places when it was read.
 */
#ifndef CLOPT_SHARED_GENETIC_TOUR_SEGMENT_H
#define CLOPT_SHARED_GENETIC_TOUR_SEGMENT_H

#include "places.h"
#include "tour.h"

/* Cities of a segment, at most. */
#define GENETIC_SEGMENT 1000u
/* Double bridges of a segment in a generation. */
#define GENETIC_SEGMENT_STEPS 2048u
/* Cities of a part that changes places, at most. */
#define GENETIC_LONGEST_PART 50u
/* Parts that a double bridge and its repair turn around, at most. */
#define GENETIC_MOST_TURNS 200u
/* A near city that is not of the segment. */
#define GENETIC_ELSEWHERE 0xffffu
/* Words of 16 bits that a segment needs: near cities; which city is where; where each is; those that wait, and which
 * do; the turns. */
#define GENETIC_SEGMENT_WORDS (GENETIC_SEGMENT * (GENETIC_NEAR + 4u) + 2u * GENETIC_MOST_TURNS)

/* Segments lie in local memory where it has room for one (GENETIC_SEGMENTS_LOCAL). */
#ifdef __OPENCL_VERSION__
#define GENETIC_PART genetic_segment
#ifdef GENETIC_SEGMENTS_LOCAL
#define GENETIC_SEGMENT_SPACE local
#else
#define GENETIC_SEGMENT_SPACE global
#endif
#else
#define GENETIC_PART genetic_segment<real>
#define GENETIC_SEGMENT_SPACE
#endif

CLOPT_SHARED_BEGIN

#ifndef __OPENCL_VERSION__
template <class real>
#endif
struct genetic_segment {
  GENETIC_SEGMENT_SPACE real* coordinates; /* two of each city */
  GENETIC_SEGMENT_SPACE ushort* near;      /* GENETIC_NEAR of each city, the nearest first, then GENETIC_ELSEWHERE */
  GENETIC_SEGMENT_SPACE ushort* cities;
  GENETIC_SEGMENT_SPACE ushort* places;
  GENETIC_SEGMENT_SPACE ushort* waiting; /* for a visit */
  GENETIC_SEGMENT_SPACE ushort* waits;   /* whether a city does */
  GENETIC_SEGMENT_SPACE ushort* turns;   /* first and last place of each part that was turned around */
  uint count;
  uint metric;
  uint waiting_count;
  uint turn_count;
};
#ifdef __OPENCL_VERSION__
typedef struct genetic_segment genetic_segment;
#endif

/* The segments of a tour, alike in size, and where one begins. */
CLOPT_SHARED uint genetic_segments(uint cities) { return (cities + GENETIC_SEGMENT - 1u) / GENETIC_SEGMENT; }
CLOPT_SHARED uint genetic_segment_begin(uint cities, uint number) {
  return (uint)((ulong)cities * number / genetic_segments(cities));
}

/* A segment in scratch memory of that size. */
CLOPT_SHARED_TEMPLATE(real)
GENETIC_PART genetic_segment_in(GENETIC_SEGMENT_SPACE real* coordinates, GENETIC_SEGMENT_SPACE ushort* words,
                                uint count, uint metric) {
  GENETIC_PART s;
  s.coordinates = coordinates;
  s.near = words;
  s.cities = s.near + GENETIC_SEGMENT * GENETIC_NEAR;
  s.places = s.cities + GENETIC_SEGMENT;
  s.waiting = s.places + GENETIC_SEGMENT;
  s.waits = s.waiting + GENETIC_SEGMENT;
  s.turns = s.waits + GENETIC_SEGMENT;
  s.count = count;
  s.metric = metric;
  s.waiting_count = 0u;
  s.turn_count = 0u;
  return s;
}

CLOPT_SHARED_TEMPLATE(real) int genetic_segment_apart(const GENETIC_PART* s, uint a, uint b) {
  return genetic_straight_way(s->metric, s->coordinates[2u * a] - s->coordinates[2u * b],
                              s->coordinates[2u * a + 1u] - s->coordinates[2u * b + 1u]);
}

CLOPT_SHARED_TEMPLATE(real) void genetic_segment_turn(GENETIC_PART* s, uint first, uint last) {
  for (; first < last; ++first, --last) {
    const ushort one = s->cities[first];
    const ushort other = s->cities[last];
    s->cities[first] = other;
    s->places[other] = (ushort)first;
    s->cities[last] = one;
    s->places[one] = (ushort)last;
  }
}

CLOPT_SHARED_TEMPLATE(real) void genetic_segment_turn_noted(GENETIC_PART* s, uint first, uint last) {
  if (first >= last) return;
  s->turns[2u * s->turn_count] = (ushort)first;
  s->turns[2u * s->turn_count + 1u] = (ushort)last;
  ++s->turn_count;
  genetic_segment_turn(s, first, last);
}

/* Two parts beside each other change places: what is from `first` on, and what is from `second` to `last`. */
CLOPT_SHARED_TEMPLATE(real) void genetic_segment_exchange(GENETIC_PART* s, uint first, uint second, uint last) {
  genetic_segment_turn_noted(s, first, last);
  genetic_segment_turn_noted(s, first, first + last - second);
  genetic_segment_turn_noted(s, first + last - second + 1u, last);
}

CLOPT_SHARED_TEMPLATE(real) void genetic_segment_wake(GENETIC_PART* s, uint city) {
  if (s->waits[city] != 0u) return;
  s->waits[city] = 1u;
  s->waiting[s->waiting_count] = (ushort)city;
  ++s->waiting_count;
}

/* Makes the first 2-opt move that takes away the edge behind a city, in a direction, and shortens the segment. Returns
 * by how much. */
CLOPT_SHARED_TEMPLATE(real) int genetic_segment_two_opt(GENETIC_PART* s, uint a, uint forward) {
  const uint end = forward != 0u ? s->count - 1u : 0u;
  const uint place = s->places[a];
  uint b;
  uint k;
  int before;
  if (place == end) return 0;
  b = s->cities[forward != 0u ? place + 1u : place - 1u];
  before = genetic_segment_apart(s, a, b);
  for (k = 0u; k < GENETIC_NEAR; ++k) {
    const uint c = s->near[a * GENETIC_NEAR + k];
    uint other;
    uint d;
    int gained;
    if (c == GENETIC_ELSEWHERE) return 0;
    gained = before - genetic_segment_apart(s, a, c);
    if (gained <= 0) return 0;
    other = s->places[c];
    if (other == end) continue;
    d = s->cities[forward != 0u ? other + 1u : other - 1u];
    gained += genetic_segment_apart(s, c, d) - genetic_segment_apart(s, b, d);
    if (gained <= 0) continue;
    genetic_segment_turn_noted(s, min(place, other) + forward, max(place, other) + forward - 1u);
    genetic_segment_wake(s, a);
    genetic_segment_wake(s, b);
    genetic_segment_wake(s, c);
    genetic_segment_wake(s, d);
    return gained;
  }
  return 0;
}

/* Moves what is from `first` to `last` between the cities at `left` and at `left` + 1, turned around or not. */
CLOPT_SHARED_TEMPLATE(real)
void genetic_segment_move(GENETIC_PART* s, uint first, uint last, uint left, uint turned) {
  const uint size = last - first + 1u;
  if (left > last) {
    genetic_segment_exchange(s, first, last + 1u, left);
    if (turned != 0u) genetic_segment_turn_noted(s, left + 1u - size, left);
  } else {
    genetic_segment_exchange(s, left + 1u, first, last);
    if (turned != 0u) genetic_segment_turn_noted(s, left + 1u, left + size);
  }
}

/* Makes the first Or-opt move that takes what is from a place to a place elsewhere, with the city `a` at one of its
 * ends beside one that is near to it, and shortens the segment. Returns by how much. */
CLOPT_SHARED_TEMPLATE(real) int genetic_segment_or_opt(GENETIC_PART* s, uint a, uint first, uint last) {
  const uint begin = s->cities[first];
  const uint end = s->cities[last];
  const uint before = s->cities[first - 1u];
  const uint behind = s->cities[last + 1u];
  const uint tail = a == begin ? end : begin;
  const int won = genetic_segment_apart(s, before, begin) + genetic_segment_apart(s, end, behind) -
                  genetic_segment_apart(s, before, behind);
  uint k;
  uint side;
  for (k = 0u; k < GENETIC_NEAR; ++k) {
    const uint c = s->near[a * GENETIC_NEAR + k];
    int rest;
    if (c == GENETIC_ELSEWHERE) return 0;
    rest = won - genetic_segment_apart(s, a, c);
    if (rest <= 0) return 0;
    for (side = 0u; side < 2u; ++side) {
      const uint place = s->places[c];
      const uint beside = side != 0u ? place + 1u : place - 1u;
      uint d;
      int gained;
      if ((place >= first && place <= last) || (beside >= first && beside <= last) || beside >= s->count) continue;
      d = s->cities[beside];
      gained = rest - genetic_segment_apart(s, tail, d) + genetic_segment_apart(s, c, d);
      if (gained <= 0) continue;
      /* Between c and d, of which the one on the left is before a where that is the begin. */
      genetic_segment_move(s, first, last, min(place, beside), (side != 0u) == (a == begin) ? 0u : 1u);
      genetic_segment_wake(s, before);
      genetic_segment_wake(s, behind);
      genetic_segment_wake(s, begin);
      genetic_segment_wake(s, end);
      genetic_segment_wake(s, c);
      genetic_segment_wake(s, d);
      return gained;
    }
  }
  return 0;
}

/* Makes the first move at a city that shortens the segment. Returns by how much. */
CLOPT_SHARED_TEMPLATE(real) int genetic_segment_shorten_at(GENETIC_PART* s, uint a) {
  uint forward;
  uint more;
  for (forward = 0u; forward < 2u; ++forward) {
    const int gained = genetic_segment_two_opt(s, a, forward);
    if (gained != 0) return gained;
  }
  for (forward = 0u; forward < 2u; ++forward)
    for (more = 0u; more < GENETIC_LONGEST_MOVED; ++more) {
      const uint place = s->places[a];
      int gained;
      if (forward != 0u ? place == 0u || place + more + 1u >= s->count : place + 1u >= s->count || place < more + 1u)
        break;
      gained = forward != 0u ? genetic_segment_or_opt(s, a, place, place + more)
                             : genetic_segment_or_opt(s, a, place - more, place);
      if (gained != 0) return gained;
    }
  return 0;
}

/* Visits the cities that wait, until none does or no more can be noted. Returns by how much that shortened. */
CLOPT_SHARED_TEMPLATE(real) int genetic_segment_shorten(GENETIC_PART* s) {
  int gained = 0;
  while (s->waiting_count != 0u) {
    const uint a = s->waiting[--s->waiting_count];
    int more = 1;
    s->waits[a] = 0u;
    /* A move turns around four parts at most. */
    while (more != 0 && s->turn_count + 4u <= GENETIC_MOST_TURNS) {
      more = genetic_segment_shorten_at(s, a);
      gained += more;
    }
  }
  return gained;
}

/* A double bridge and its repair, taken back where the segment is longer then; of four cities and more. Returns by how
 * much that shortened. */
CLOPT_SHARED_TEMPLATE(real) int genetic_segment_step(GENETIC_PART* s, random_block block) {
  const uint longest = min(GENETIC_LONGEST_PART, (s->count - 2u) / 2u);
  const uint one = 1u + uniform_below(block.a, longest);
  const uint other = 1u + uniform_below(block.b, longest);
  const uint first = 1u + uniform_below(block.c, s->count - 1u - one - other);
  const uint second = first + one;
  const uint last = second + other - 1u;
  const uint a = s->cities[first - 1u];
  const uint b = s->cities[first];
  const uint c = s->cities[second - 1u];
  const uint d = s->cities[second];
  const uint e = s->cities[last];
  const uint f = s->cities[last + 1u];
  int gained = genetic_segment_apart(s, a, b) + genetic_segment_apart(s, c, d) + genetic_segment_apart(s, e, f) -
               genetic_segment_apart(s, a, d) - genetic_segment_apart(s, e, b) - genetic_segment_apart(s, c, f);
  s->turn_count = 0u;
  genetic_segment_exchange(s, first, second, last);
  genetic_segment_wake(s, a);
  genetic_segment_wake(s, b);
  genetic_segment_wake(s, c);
  genetic_segment_wake(s, d);
  genetic_segment_wake(s, e);
  genetic_segment_wake(s, f);
  gained += genetic_segment_shorten(s);
  if (gained >= 0) return gained;
  while (s->turn_count != 0u) {
    --s->turn_count;
    genetic_segment_turn(s, (uint)s->turns[2u * s->turn_count], (uint)s->turns[2u * s->turn_count + 1u]);
  }
  return 0;
}

CLOPT_SHARED_END

#endif
