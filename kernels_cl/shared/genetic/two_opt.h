/* Local search of a round trip: 2-opt and Or-opt moves over lists of near cities, with don't-look bits (Bentley, Fast
 * algorithms for geometric traveling salesman problems, 1992).
 */
#ifndef CLOPT_SHARED_GENETIC_TWO_OPT_H
#define CLOPT_SHARED_GENETIC_TWO_OPT_H

#include "directed_moves.h"
#include "tour.h"

CLOPT_SHARED_BEGIN

/* Replaces the edges a-b and c-d by a-c and b-d, where the tour runs a, b, ..., c, d in one of its directions. */
CLOPT_SHARED_TEMPLATE(real) void genetic_reconnect(GENETIC_TOUR t, uint a, uint b, uint c, uint d) {
  if (genetic_behind(t, a, 1u) == b && genetic_behind(t, c, 1u) == d)
    genetic_turn_around(t, t.places[b], t.places[c]);
  else
    genetic_turn_around(t, t.places[c], t.places[b]);
}

/* Looks for a 2-opt move that takes away the edge behind city a, and makes the first that shortens the tour. What the
 * new edge at a must be shorter than ends the list of near ones. Returns whether there was one. */
CLOPT_SHARED_TEMPLATE(real) uint genetic_two_opt_at(GENETIC_TOUR t, uint a, uint forward) {
  const uint b = genetic_behind(t, a, forward);
  const int before = genetic_apart(t, a, b);
  uint k;
  for (k = 0u; k < t.near; ++k) {
    const uint c = genetic_near_city(t, a, k);
    const int gained = before - genetic_apart(t, a, c);
    uint d;
    if (gained <= 0) return 0u;
    d = genetic_behind(t, c, forward);
    if (gained + genetic_apart(t, c, d) - genetic_apart(t, b, d) > 0) {
      genetic_reconnect(t, a, b, c, d);
      genetic_wake(t, a);
      genetic_wake(t, b);
      genetic_wake(t, c);
      genetic_wake(t, d);
      return 1u;
    }
  }
  return 0u;
}

/* Moves the segment from `first` to `last`, between the cities `before` and `behind`, to the edge from `left` to
 * `right`, all in one direction of the tour; turned around unless it is straight there. */
CLOPT_SHARED_TEMPLATE(real)
void genetic_move_segment(GENETIC_TOUR t, uint before, uint first, uint last, uint behind, uint left, uint right,
                          uint straight) {
  genetic_reconnect(t, before, first, left, right);
  genetic_reconnect(t, before, left, behind, last);
  if (straight != 0u && first != last) genetic_reconnect(t, left, last, first, right);
  genetic_wake(t, before);
  genetic_wake(t, first);
  genetic_wake(t, last);
  genetic_wake(t, behind);
  genetic_wake(t, left);
  genetic_wake(t, right);
}

/* Looks for an Or-opt move of a segment that begins at a city and continues in a direction: it is taken out and put
 * between a city that is near to the segment's first one and a neighbour of that city. Makes the first that shortens
 * the tour; returns whether there was one. */
CLOPT_SHARED_TEMPLATE(real) uint genetic_or_opt_at(GENETIC_TOUR t, uint first, uint forward) {
  const uint before = genetic_behind(t, first, 1u - forward);
  uint last = first;
  uint size;
  for (size = 1u; size <= GENETIC_LONGEST_MOVED && size + 3u <= t.count; ++size) {
    const uint behind = genetic_behind(t, last, forward);
    const int gained =
        genetic_apart(t, before, first) + genetic_apart(t, last, behind) - genetic_apart(t, before, behind);
    uint k;
    for (k = 0u; k < t.near; ++k) {
      const uint c = genetic_near_city(t, first, k);
      const int rest = gained - genetic_apart(t, first, c);
      uint ahead; /* how far c is from the segment's beginning, in the direction */
      uint d;
      if (rest <= 0) break;
      ahead = forward != 0u ? t.places[c] + t.count - t.places[first] : t.places[first] + t.count - t.places[c];
      if (ahead >= t.count) ahead -= t.count;
      if (ahead < size) continue;
      d = genetic_behind(t, c, forward);
      if (c != before && rest - genetic_apart(t, last, d) + genetic_apart(t, c, d) > 0) {
        genetic_move_segment(t, before, first, last, behind, c, d, 1u);
        return 1u;
      }
      d = genetic_behind(t, c, 1u - forward);
      if (c != behind && rest - genetic_apart(t, last, d) + genetic_apart(t, c, d) > 0) {
        genetic_move_segment(t, before, first, last, behind, d, c, 0u);
        return 1u;
      }
    }
    last = behind;
  }
  return 0u;
}

CLOPT_SHARED_TEMPLATE(real) uint genetic_shorten_at(GENETIC_TOUR t, uint city) {
  uint forward;
  for (forward = 0u; forward < 2u; ++forward) {
    if (t.directed != 0u) {
      if (genetic_directed_two_opt_at(t, city, forward) != 0u || genetic_directed_or_opt_at(t, city, forward) != 0u)
        return 1u;
    } else if (genetic_two_opt_at(t, city, forward) != 0u || genetic_or_opt_at(t, city, forward) != 0u) {
      return 1u;
    }
  }
  return 0u;
}

CLOPT_SHARED_TEMPLATE(real) void genetic_wake_all(GENETIC_TOUR t) {
  uint word;
  t.state[GENETIC_CALM] = 0u;
  t.state[GENETIC_MOVED] = 0u;
  for (word = 0u; word < (t.count + 31u) / 32u; ++word) t.state[GENETIC_AWAKE + word] = 0xffffffffu;
}

CLOPT_SHARED_TEMPLATE(real) void genetic_begin_tour(GENETIC_TOUR t) {
  uint place;
  for (place = 0u; place < t.count; ++place) t.places[t.cities[place]] = place;
  t.state[GENETIC_CURSOR] = 0u;
  if (t.directed != 0u) genetic_begin_directed(t);
  genetic_wake_all(t);
}

/* The most rounds of a visit to a city of a tour that is not directed: a move turns around half of the tour at most,
 * three times. */
CLOPT_SHARED uint genetic_most_visit_rounds(uint count) { return GENETIC_VISIT_ROUNDS + 3u * (count / 4u); }

/* Whether no move of the lists shortens a tour. */
CLOPT_SHARED_TEMPLATE(real) uint genetic_is_shortened(GENETIC_TOUR t) {
  return t.state[GENETIC_CALM] == t.count && t.state[GENETIC_MOVED] == 0u ? 1u : 0u;
}

/* Visits cities one after the other, until `most` rounds of loops are done; of four cities and more. A city without a
 * move falls asleep until an edge at it changes. Once all sleep they are woken again, until they all fall asleep
 * without a move. The cities of a directed tour are in order then. */
CLOPT_SHARED_TEMPLATE(real) void genetic_shorten(GENETIC_TOUR t, uint most) {
  t.state[GENETIC_ROUNDS] = 0u;
  while (t.state[GENETIC_ROUNDS] < most && genetic_is_shortened(t) == 0u) {
    const uint city = t.state[GENETIC_CURSOR];
    if (t.state[GENETIC_CALM] == t.count) genetic_wake_all(t);
    ++t.state[GENETIC_ROUNDS];
    if ((t.state[GENETIC_AWAKE + (city >> 5)] >> (city & 31u) & 1u) == 0u) {
      ++t.state[GENETIC_CALM];
    } else {
      t.state[GENETIC_ROUNDS] += (1u + t.directed) * GENETIC_VISIT_ROUNDS - 1u;
      if (genetic_shorten_at(t, city) != 0u) {
        t.state[GENETIC_CALM] = 0u;
        t.state[GENETIC_MOVED] = 1u;
      } else {
        t.state[GENETIC_AWAKE + (city >> 5)] &= ~(1u << (city & 31u));
        ++t.state[GENETIC_CALM];
      }
    }
    t.state[GENETIC_CURSOR] = city + 1u == t.count ? 0u : city + 1u;
  }
  if (t.directed != 0u && genetic_is_shortened(t) != 0u) genetic_end_directed(t);
}

CLOPT_SHARED_TEMPLATE(real) int genetic_tour_length(GENETIC_TOUR t) {
  int length = 0;
  uint place;
  for (place = 0u; place < t.count; ++place)
    length += genetic_apart(t, t.cities[place], t.cities[place + 1u == t.count ? 0u : place + 1u]);
  return length;
}

CLOPT_SHARED_END

#endif
