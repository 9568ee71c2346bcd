/* Moves of a directed tour, whose distances may be others on the way back: of a matrix that is not symmetric, or of a
 * path that begins or ends at a city, its anchor. They are the moves of two_opt.h. What a part is longer or shorter once
 * it is turned around is the difference of two sums, which are kept for all places; with an anchor it depends on the
 * two edges there alone.
 *
 * `onward` is a direction: of the trip, or against it. From a city to the next one in that direction, `leg` is the
 * distance in the direction of the trip.
 */
#ifndef CLOPT_SHARED_GENETIC_DIRECTED_MOVES_H
#define CLOPT_SHARED_GENETIC_DIRECTED_MOVES_H

#include "tour.h"

CLOPT_SHARED_BEGIN

/* From city a onward to city b; with `behind` 0 from b to a. Where both ways are as long it is the one in the row of a,
 * which is read for other cities too. */
CLOPT_SHARED_TEMPLATE(real) int genetic_way(GENETIC_TOUR t, uint a, uint b, uint behind, uint onward) {
  if (behind == onward || (t.anchor < t.count && a != t.anchor && b != t.anchor)) return genetic_apart(t, a, b);
  return genetic_apart(t, b, a);
}
CLOPT_SHARED_TEMPLATE(real) int genetic_leg(GENETIC_TOUR t, uint a, uint b, uint onward) {
  return genetic_way(t, a, b, 1u, onward);
}

/* Of the cities that are near behind a city, or before it, as one goes onward. */
CLOPT_SHARED_TEMPLATE(real) uint genetic_near_leg(GENETIC_TOUR t, uint city, uint k, uint behind, uint onward) {
  const uint lists = t.count * (behind == onward ? t.count : t.count + t.near);
  return convert_uint(t.table[lists + city * t.near + k]);
}

CLOPT_SHARED_TEMPLATE(real) uint genetic_onward(GENETIC_TOUR t, uint city, uint onward) {
  return genetic_behind(t, city, onward ^ t.state[GENETIC_TURNED]);
}

/* By how much an edge is longer than the way back. */
CLOPT_SHARED_TEMPLATE(real) int genetic_edge_excess(GENETIC_TOUR t, uint a, uint b) {
  return genetic_apart(t, a, b) - genetic_apart(t, b, a);
}

/* How many steps onward a city is from another one. */
CLOPT_SHARED_TEMPLATE(real) uint genetic_steps_onward(GENETIC_TOUR t, uint from, uint to, uint onward) {
  const uint forward = onward ^ t.state[GENETIC_TURNED];
  const uint first = t.places[forward != 0u ? from : to];
  const uint last = t.places[forward != 0u ? to : from];
  return last >= first ? last - first : last + t.count - first;
}

CLOPT_SHARED_TEMPLATE(real) int genetic_anchor_excess(GENETIC_TOUR t, uint x, uint y, uint onward) {
  const uint size = genetic_steps_onward(t, x, y, onward);
  const uint steps = genetic_steps_onward(t, x, t.anchor, onward);
  int sum = 0;
  uint next;
  if (steps > size) return 0;
  if (steps > 0u) {
    next = genetic_onward(t, t.anchor, 1u - onward);
    sum += genetic_leg(t, next, t.anchor, onward) - genetic_leg(t, t.anchor, next, onward);
  }
  if (steps < size) {
    next = genetic_onward(t, t.anchor, onward);
    sum += genetic_leg(t, t.anchor, next, onward) - genetic_leg(t, next, t.anchor, onward);
  }
  return sum;
}

/* By how much a tour gets shorter inside the part from city x onward to city y, once that is turned around. */
CLOPT_SHARED_TEMPLATE(real) int genetic_part_excess(GENETIC_TOUR t, uint x, uint y, uint onward) {
  const uint turned = t.state[GENETIC_TURNED];
  const uint first = t.places[onward != turned ? x : y];
  const uint last = t.places[onward != turned ? y : x];
  int sum;
  if (t.anchor < t.count) return genetic_anchor_excess(t, x, y, onward);
  sum = t.excess[last] - t.excess[first] + (last < first ? t.excess[t.count] : 0);
  return turned != 0u ? -sum : sum;
}

/* Turns around the places from one to another, which do not pass the end. */
CLOPT_SHARED_TEMPLATE(real) void genetic_turn_places(GENETIC_TOUR t, uint first, uint last) {
  const uint size = last - first + 1u;
  const uint end = last + 1u == t.count ? 0u : last + 1u;
  const int begin = first == 0u ? 0
                                : t.excess[first - 1u] + genetic_edge_excess(t, t.cities[first - 1u], t.cities[last]);
  const int added = begin - t.excess[last];
  const int end_before = t.excess[last + 1u];
  int changed;
  uint k;
  t.state[GENETIC_ROUNDS] += size / 2u + t.count - last;
  for (k = 0u; k < size / 2u; ++k) {
    const uint one = t.cities[first + k];
    const uint other = t.cities[last - k];
    const int excess = t.excess[first + k];
    t.cities[first + k] = other;
    t.places[other] = first + k;
    t.cities[last - k] = one;
    t.places[one] = last - k;
    t.excess[first + k] = t.excess[last - k] + added;
    t.excess[last - k] = excess + added;
  }
  if ((size & 1u) != 0u) t.excess[first + k] += added;
  changed = t.excess[last] + genetic_edge_excess(t, t.cities[last], t.cities[end]) - end_before;
  for (k = last + 1u; k <= t.count; ++k) t.excess[k] += changed;
  /* The edge from the last place to the first has changed too. */
  if (first == 0u && end != 0u)
    t.excess[t.count] +=
        genetic_edge_excess(t, t.cities[t.count - 1u], t.cities[0]) -
        genetic_edge_excess(t, t.cities[t.count - 1u], t.cities[last]);
}

/* Turns around the part from city x onward to city y. */
CLOPT_SHARED_TEMPLATE(real) void genetic_turn_part(GENETIC_TOUR t, uint x, uint y, uint onward) {
  const uint forward = onward ^ t.state[GENETIC_TURNED];
  const uint first = t.places[forward != 0u ? x : y];
  const uint last = t.places[forward != 0u ? y : x];
  if (t.anchor < t.count) {
    /* Where the rest is shorter, it is turned around, and the trip runs the other way. */
    if (2u * (genetic_steps_onward(t, x, y, onward) + 1u) > t.count) t.state[GENETIC_TURNED] ^= 1u;
    genetic_turn_around(t, first, last);
    return;
  }
  if (first <= last) {
    if (first != last) genetic_turn_places(t, first, last);
    return;
  }
  /* It passes the end: with the rest turned around, the trip runs the other way. */
  if (last + 1u < first - 1u) genetic_turn_places(t, last + 1u, first - 1u);
  t.state[GENETIC_TURNED] ^= 1u;
}

/* Replaces the leg from a onward to b, and another one, so that c is behind a, or else before it. As
 * genetic_two_opt_at(). */
CLOPT_SHARED_TEMPLATE(real) uint genetic_directed_two_opt_at(GENETIC_TOUR t, uint a, uint onward) {
  const uint b = genetic_onward(t, a, onward);
  const int before = genetic_leg(t, a, b, onward);
  uint behind;
  for (behind = 0u; behind < 2u; ++behind) {
    uint k;
    for (k = 0u; k < t.near; ++k) {
      const uint c = genetic_near_leg(t, a, k, behind, onward);
      const int gained = before - genetic_way(t, a, c, behind, onward);
      uint d;
      int rest;
      if (gained <= 0) break;
      d = genetic_onward(t, c, onward);
      rest = gained + genetic_leg(t, c, d, onward) - genetic_way(t, b, d, behind, onward);
      rest += behind != 0u ? genetic_part_excess(t, b, c, onward) : genetic_part_excess(t, d, a, onward);
      if (rest > 0) {
        if (behind != 0u)
          genetic_turn_part(t, b, c, onward);
        else
          genetic_turn_part(t, d, a, onward);
        genetic_wake(t, a);
        genetic_wake(t, b);
        genetic_wake(t, c);
        genetic_wake(t, d);
        return 1u;
      }
    }
  }
  return 0u;
}

/* As genetic_move_segment(). The segment changes places with the shorter one of its two sides. */
CLOPT_SHARED_TEMPLATE(real)
void genetic_move_directed(GENETIC_TOUR t, uint before, uint first, uint last, uint behind, uint left, uint right,
                           uint straight, uint onward) {
  if (2u * genetic_steps_onward(t, behind, left, onward) <= t.count) {
    genetic_turn_part(t, first, left, onward);
    genetic_turn_part(t, left, behind, onward);
  } else {
    genetic_turn_part(t, right, last, onward);
    genetic_turn_part(t, before, right, onward);
  }
  if (straight != 0u) genetic_turn_part(t, last, first, onward);
  genetic_wake(t, before);
  genetic_wake(t, first);
  genetic_wake(t, last);
  genetic_wake(t, behind);
  genetic_wake(t, left);
  genetic_wake(t, right);
}

/* As genetic_or_opt_at(): straight, where the near city is before the segment then; else turned around. */
CLOPT_SHARED_TEMPLATE(real) uint genetic_directed_or_opt_at(GENETIC_TOUR t, uint first, uint onward) {
  const uint before = genetic_onward(t, first, 1u - onward);
  uint last = first;
  int inside = 0; /* by how much the segment gets shorter, turned around */
  uint size;
  for (size = 1u; size <= GENETIC_LONGEST_MOVED && size + 2u <= t.count; ++size) {
    const uint next = genetic_onward(t, last, onward);
    const int removed = genetic_leg(t, before, first, onward) + genetic_leg(t, last, next, onward) -
                        genetic_leg(t, before, next, onward);
    uint behind;
    for (behind = 0u; behind < 2u; ++behind) {
      const int gained = behind != 0u ? removed + inside : removed;
      uint k;
      for (k = 0u; k < t.near; ++k) {
        const uint c = genetic_near_leg(t, first, k, behind, onward);
        const int rest = gained - genetic_way(t, first, c, behind, onward);
        uint d;
        if (rest <= 0) break;
        if (c == (behind != 0u ? next : before) || genetic_steps_onward(t, first, c, onward) < size) continue;
        d = genetic_onward(t, c, onward ^ behind);
        if (rest - genetic_way(t, last, d, 1u - behind, onward) + genetic_way(t, c, d, 1u - behind, onward) > 0) {
          genetic_move_directed(t, before, first, last, next, behind != 0u ? d : c, behind != 0u ? c : d, 1u - behind,
                                onward);
          return 1u;
        }
      }
    }
    inside += genetic_leg(t, last, next, onward) - genetic_way(t, last, next, 0u, onward);
    last = next;
  }
  return 0u;
}

/* Of a tour whose trip has the order of places. */
CLOPT_SHARED_TEMPLATE(real) void genetic_begin_directed(GENETIC_TOUR t) {
  int sum = 0;
  uint place;
  t.state[GENETIC_TURNED] = 0u;
  if (t.anchor < t.count) return;
  for (place = 0u; place < t.count; ++place) {
    t.excess[place] = sum;
    sum += genetic_edge_excess(t, t.cities[place], t.cities[place + 1u == t.count ? 0u : place + 1u]);
  }
  t.excess[t.count] = sum;
}

/* Puts cities into the order of the trip; where they are is not needed any more. */
CLOPT_SHARED_TEMPLATE(real) void genetic_end_directed(GENETIC_TOUR t) {
  uint place;
  if (t.state[GENETIC_TURNED] == 0u) return;
  for (place = 0u; place < t.count / 2u; ++place) {
    const uint one = t.cities[place];
    t.cities[place] = t.cities[t.count - 1u - place];
    t.cities[t.count - 1u - place] = one;
  }
  t.state[GENETIC_TURNED] = 0u;
}

CLOPT_SHARED_END

#endif
