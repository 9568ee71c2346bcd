/* Iterated local search of tours whose cities have places: a work-item has a segment of a tour, or a work-group whose
 * items read it together, and whose first one searches it. */
#include "shared/genetic/tour_segment.h"

#ifdef GENETIC_SEGMENTS_LOCAL
#define SEGMENT_BARRIER barrier(CLK_LOCAL_MEM_FENCE)
#else
#define SEGMENT_BARRIER
#endif

/* Makes the steps `first` to `end` of a generation in each segment of each tour. Segments begin elsewhere in each
 * generation. places: of each city in its tour; coordinates, words: scratch memory where there is no local one. Launched
 * over segments. */
kernel void iterate(global uint* population, global const uint* places, global const real* tables,
                    global real* coordinates, global ushort* words, global const uint* marks,
                    global const genetic_settings* settings, uint generation, uint first, uint end) {
  const genetic_settings run = genetic_settings_of(settings);
#ifdef GENETIC_SEGMENTS_LOCAL
  local real own_coordinates[2u * GENETIC_SEGMENT];
  local ushort own_words[GENETIC_SEGMENT_WORDS];
  const uint number = (uint)get_group_id(0);
  const uint lane = (uint)get_local_id(0);
  const uint lanes = (uint)get_local_size(0);
#else
  const uint number = (uint)get_global_id(0);
  const uint lane = 0u;
  const uint lanes = 1u;
#endif
  const uint segments = genetic_segments(run.genes);
  const uint tour = number / segments;
  const uint segment = number - tour * segments;
  if (tour >= run.population * run.islands || marks[GENETIC_STOP] < generation) return;
  {
    const uint individual = genetic_individual_address(run, tour);
    const uint begin = genetic_segment_begin(run.genes, segment);
    const uint count = genetic_segment_begin(run.genes, segment + 1u) - begin;
    /* The place in the tour where the segment begins. */
    const uint origin =
        (uint)(((ulong)genetic_below(run.seed, GENETIC_SEGMENTS, generation, individual, 0u, run.genes) + begin) %
               run.genes);
    const uint near = genetic_near_count(run.genes);
    global uint* cities = population + (ulong)tour * run.row;
    global const uint* at = places + (ulong)tour * run.genes;
    global const real* lists = tables + GENETIC_PLACES + 2u * (ulong)run.genes;
#ifdef GENETIC_SEGMENTS_LOCAL
    genetic_segment s = genetic_segment_in(own_coordinates, own_words, count, (uint)tables[0]);
#else
    genetic_segment s = genetic_segment_in(coordinates + (ulong)number * (2u * GENETIC_SEGMENT),
                                           words + (ulong)number * GENETIC_SEGMENT_WORDS, count, (uint)tables[0]);
#endif
    for (uint place = lane; place < count; place += lanes) {
      const uint city = cities[(origin + place) % run.genes];
      uint listed = 0u;
      s.coordinates[2u * place] = tables[GENETIC_PLACES + 2u * (ulong)city];
      s.coordinates[2u * place + 1u] = tables[GENETIC_PLACES + 2u * (ulong)city + 1u];
      s.cities[place] = (ushort)place;
      s.places[place] = (ushort)place;
      s.waits[place] = 0u;
      for (uint k = 0u; k < near; ++k) {
        const uint other = at[(uint)lists[(ulong)city * near + k]];
        const uint ahead = other >= origin ? other - origin : other + run.genes - origin;
        if (ahead < count) s.near[place * GENETIC_NEAR + listed++] = (ushort)ahead;
      }
      for (; listed < GENETIC_NEAR; ++listed) s.near[place * GENETIC_NEAR + listed] = GENETIC_ELSEWHERE;
    }
    SEGMENT_BARRIER;
    for (uint step = lane == 0u && count >= 4u ? first : end; step < end; ++step)
      genetic_segment_step(&s, random_at(run.seed, GENETIC_DOUBLE_BRIDGE, generation, individual,
                                         segment * GENETIC_SEGMENT_STEPS + step));
    SEGMENT_BARRIER;
    /* Cities are read before any is written: they wait, in halves, where the near ones were. */
    for (uint place = lane; place < count; place += lanes) {
      const uint city = cities[(origin + place) % run.genes];
      s.near[2u * place] = (ushort)(city & 0xffffu);
      s.near[2u * place + 1u] = (ushort)(city >> 16);
    }
    SEGMENT_BARRIER;
    for (uint place = lane; place < count; place += lanes) {
      const uint from = s.cities[place];
      cities[(origin + place) % run.genes] = (uint)s.near[2u * from] | (uint)s.near[2u * from + 1u] << 16;
    }
  }
}
