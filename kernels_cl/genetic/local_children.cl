/* The children of a work-group's pairs while they are made. Those of bits are in local memory, so that what is done to
 * them costs no traffic; global memory sees each parent read and each child written once. */
#ifndef CLOPT_GENETIC_LOCAL_CHILDREN_CL
#define CLOPT_GENETIC_LOCAL_CHILDREN_CL

#if OBJECTIVE_KIND == 0
#define GENETIC_SPACE local
#else
#define GENETIC_SPACE global
#endif
#define COSTS_SPACE global
#include "genetic/lane_team_costs.cl"
#include "genetic/lane_team_parents.cl"

#if OBJECTIVE_KIND == 0

static inline global const ulong* parent_units(global const element* population, genetic_settings run,
                                               uint individual) {
  return (global const ulong*)(population + (ulong)individual * run.row);
}

/* A family whose children are in local memory. first_place: of the work-group's first pair on its island. */
static inline genetic_family family_in_group(genetic_settings run, uint first_place, uint slot) {
  genetic_family family;
  family.first_parent = 0u;
  family.second_parent = 0u;
  family.first_child = 2u * slot;
  family.second_child = 2u * slot + 1u;
  family.before = 0u;
  family.has_second = 2u * (first_place + slot) + 1u < genetic_bred(run) ? 1u : 0u;
  return family;
}

/* Lists a unit of both parents if it exists and they differ in it between the points, and copies it to where the
 * children are to be. first: the first child's units. */
static inline void copy_and_list_unit(subgroup sg, ulong from_a, ulong from_b, local ulong* first, local uint* listed,
                                      local uint* count, genetic_settings run, genetic_points points, uint exists,
                                      uint slot, uint unit) {
  const uint asked = exists != 0u && ((from_a ^ from_b) & genetic_between(points, unit)) != 0 ? 1u : 0u;
  const ulong all = subgroup_ballot(sg, asked != 0u);
  uint begin = 0u;
  if (sg.lane == 0u && all != 0) begin = atomic_add(count, (uint)popcount(all));
  begin = subgroup_broadcast_uint(sg, begin, 0u) + (uint)popcount(all & (((ulong)1 << sg.lane) - 1));
  if (asked != 0u) listed[begin] = slot << 16 | unit;
  if (exists != 0u) {
    first[unit] = from_a;
    first[run.units + unit] = from_b;
  }
}

/* Units that a lane reads and writes at once. */
#if defined(GENETIC_FIXED_UNITS)
#if GENETIC_FIXED_UNITS % 2 == 0
#define UNITS_AT_ONCE 2u
#endif
#endif
#ifndef UNITS_AT_ONCE
#define UNITS_AT_ONCE 1u
#endif

/* Copies the parents of a pair to where the children are to be, and lists the units in which they differ between the
 * points. How many a pair has, and how long each takes, differs so much that work-items share them out evenly. */
static inline void copy_and_list(subgroup sg, global const ulong* a, global const ulong* b, local ulong* children,
                                 local uint* listed, local uint* count, genetic_settings run, genetic_points points,
                                 uint active, uint slot, uint lane, uint lanes) {
  local ulong* first = children + (ulong)2u * slot * run.units;
  const uint parts = run.units / UNITS_AT_ONCE;
  const uint steps = (parts + lanes - 1u) / lanes;
#pragma unroll 2
  for (uint step = 0u; step < steps; ++step) {
    const uint part = lane + lanes * step;
    const uint exists = part < parts ? active : 0u;
#if UNITS_AT_ONCE == 2u
    const ulong2 from_a = ((global const ulong2*)a)[min(part, parts - 1u)];
    const ulong2 from_b = ((global const ulong2*)b)[min(part, parts - 1u)];
    copy_and_list_unit(sg, from_a.x, from_b.x, first, listed, count, run, points, exists, slot, 2u * part);
    copy_and_list_unit(sg, from_a.y, from_b.y, first, listed, count, run, points, exists, slot, 2u * part + 1u);
#else
    copy_and_list_unit(sg, a[min(part, parts - 1u)], b[min(part, parts - 1u)], first, listed, count, run, points,
                       exists, slot, part);
#endif
  }
}

/* Decides about what was listed, and swaps; every work-item takes its part. first_pair: of the work-group. */
static inline void swap_listed(local ulong* children, local const uint* listed, uint count, local const uint* points,
                               genetic_settings run, uint generation, uint first_pair) {
  const uint all_digits = (uint)(run.crossover & 0xffffffffu);
  uint next = (uint)get_local_id(0);
  uint slot = 0u;
  uint unit = 0u;
  uint digits = 0u;
  uint z = 0u;
  genetic_lanes decisions;
  decisions.below = 0;
  decisions.undecided = 0;
  if (run.crossover == 0) return;
  for (;;) {
    if (decisions.undecided == 0) {
      local ulong* first = children + (ulong)2u * slot * run.units + unit;
      if (decisions.below != 0) {
        first[0] ^= decisions.below;
        first[run.units] ^= decisions.below;
      }
      if (next >= count) return;
      slot = listed[next] >> 16;
      unit = listed[next] & 0xffffu;
      next += (uint)get_local_size(0);
      {
        genetic_points between;
        between.first = points[2u * slot];
        between.last = points[2u * slot + 1u];
        first = children + (ulong)2u * slot * run.units + unit;
        decisions.undecided = (first[0] ^ first[run.units]) & genetic_between(between, unit);
      }
      decisions.below = run.crossover >= BERNOULLI_ONE ? decisions.undecided : 0;
      digits = all_digits;
      z = unit << 4;
    }
    if (digits == 0u) {
      decisions.undecided = 0;
      continue;
    }
    decisions = genetic_two_digits(
        decisions, genetic_of_pair(run, GENETIC_CROSSOVER, generation, first_pair + slot, z), digits);
    digits <<= 2;
    ++z;
  }
}

/* Writes a pair's children. to: the first one's elements. */
static inline void store_units(local const element* children, global element* to, genetic_settings run,
                               genetic_family family, uint lane, uint lanes) {
  local const ulong* from = units_of(children, run, family.first_child);
  const uint parts = run.units / UNITS_AT_ONCE;
#if UNITS_AT_ONCE == 2u
  global ulong2* const first = (global ulong2*)to;
  for (uint part = lane; part < parts; part += lanes) first[part] = vload2(part, from);
  for (uint part = lane; part < parts && family.has_second != 0u; part += lanes)
    first[parts + part] = vload2(parts + part, from);
#else
  for (uint unit = lane; unit < parts; unit += lanes) {
    ((global ulong*)to)[unit] = from[unit];
    if (family.has_second != 0u) ((global ulong*)to)[run.units + unit] = from[run.units + unit];
  }
#endif
}

#endif
#endif
