/* A team: the work-items that work on one pair, or on one individual. GENETIC_TEAM selects them.
 *
 *   kernel SUBGROUP_REQUIRE void example(...) {
 *     TEAM_BEGIN(t, teams_per_group);
 *
 *   t.index  the team's number in the launch
 *   t.lane   this work-item in its team, below t.lanes
 *   TEAM_FIRST_UINT(t, value)  lane 0's value, in every lane
 *   TEAM_FENCE(t)              what lanes wrote is seen by the others behind it
 *   TEAM_SUM(t, value)         the sum of the lanes' values over the tree of neighbours, right in lane 0
 *
 * As with sub-groups, all work-items of a work-group call these together. */
#ifndef CLOPT_GENETIC_TEAM_CL
#define CLOPT_GENETIC_TEAM_CL

#define GENETIC_THREAD 0   /* one work-item */
#define GENETIC_GROUP 1    /* a slice of a work-group */
#define GENETIC_SUBGROUP 2 /* a sub-group */
#define GENETIC_MIXED 3    /* a sub-group; what needs no exchange between its lanes is shared out among a work-group */
#define GENETIC_SUBGROUPS 4 /* a slice of a work-group, of several sub-groups */
#define GENETIC_GENE 5      /* a slice of a work-group; bits are not packed */

/* The largest work-group, which bounds local memory. */
#define GENETIC_GROUP_SIZE 1024

#if GENETIC_TEAM == GENETIC_GENE && OBJECTIVE_KIND == 0
#define OBJECTIVE_UNPACKED
#endif

#include "common/objective.cl"
#include "shared/genetic/genes.h"

#define GENETIC_SLICES \
  (GENETIC_TEAM == GENETIC_GROUP || GENETIC_TEAM == GENETIC_SUBGROUPS || GENETIC_TEAM == GENETIC_GENE)
#define GENETIC_GATHERS (GENETIC_SLICES || GENETIC_TEAM == GENETIC_MIXED)

typedef struct {
  uint index;
  uint lane;
  uint lanes;
  uint slot; /* of the team in its work-group */
} team;

#if GENETIC_TEAM == GENETIC_THREAD

#define SUBGROUP_REQUIRE
#define TEAM_BEGIN(t, teams) const team t = {(uint)get_global_id(0), 0u, 1u, 0u}
#define TEAM_FIRST_UINT(t, value) (value)
#define TEAM_FENCE(t)
#define TEAM_SUM(t, value) (value)

#else

#if GENETIC_TEAM == GENETIC_GROUP || GENETIC_TEAM == GENETIC_GENE
#define SUBGROUP_REQUIRE
#else
#include "common/subgroup.cl"
#if OBJECTIVE_FORM != 1
#define SUBGROUP_SUM(sg, value) subgroup_reduce_add_int(sg, value)
#elif OBJECTIVE_DOUBLE
#define SUBGROUP_SUM(sg, value) subgroup_sum_double(sg, value)
static inline double subgroup_sum_double(subgroup sg, double left) {
  for (uint offset = 1u; offset < SUBGROUP_WIDTH; offset <<= 1) {
    const double right = as_double(subgroup_shuffle_xor_ulong(sg, as_ulong(left), offset));
    if ((sg.lane ^ offset) < sg.size) left += right;
  }
  return left;
}
#else
#define SUBGROUP_SUM(sg, value) subgroup_reduce_add_float(sg, value)
#endif
#endif

#if GENETIC_SLICES

#if GENETIC_TEAM == GENETIC_SUBGROUPS
/* Sub-groups add up their lanes' values by shuffles, so that local memory has a value a sub-group. */
#define TEAM_SUBGROUP SUBGROUP_BEGIN(sg, GENETIC_GROUP_SIZE)
#define TEAM_SUM(t, value) team_sum(t, SUBGROUP_SUM(sg, value), SUBGROUP_WIDTH, t##_sums)
#else
#define TEAM_SUBGROUP
#define TEAM_SUM(t, value) team_sum(t, value, 1u, t##_sums)
#endif
#define TEAM_BEGIN(t, teams)                        \
  TEAM_SUBGROUP;                                    \
  local uint t##_words[GENETIC_GROUP_SIZE];         \
  local objective_sum t##_sums[GENETIC_GROUP_SIZE]; \
  const team t = team_of_group(teams)
#define TEAM_FIRST_UINT(t, value) team_first(t, value, t##_words)
#define TEAM_FENCE(t) barrier(CLK_GLOBAL_MEM_FENCE)

static inline team team_of_group(uint teams) {
  team t;
  const uint item = (uint)get_local_id(0);
  t.lanes = (uint)get_local_size(0) / teams;
  t.slot = item / t.lanes;
  t.lane = item - t.slot * t.lanes;
  t.index = (uint)get_group_id(0) * teams + t.slot;
  return t;
}

static inline uint team_first(team t, uint value, local uint* words) {
  barrier(CLK_LOCAL_MEM_FENCE);
  if (t.lane == 0u) words[t.slot] = value;
  barrier(CLK_LOCAL_MEM_FENCE);
  return words[t.slot];
}

#if OBJECTIVE_FORM != 0
/* width: neighbouring lanes whose values the first of them has added up. */
static inline objective_sum team_sum(team t, objective_sum value, uint width, local objective_sum* sums) {
  const uint item = (uint)get_local_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  sums[item] = value;
  for (uint offset = width; offset < t.lanes; offset <<= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t.lane % (2u * offset) == 0u && t.lane + offset < t.lanes) sums[item] += sums[item + offset];
  }
  return sums[item];
}
#endif

#else

#define TEAM_BEGIN(t, teams)              \
  SUBGROUP_BEGIN(sg, GENETIC_GROUP_SIZE); \
  const team t = {(uint)get_group_id(0) * sg.count + sg.index, sg.lane, sg.size, sg.index}
#define TEAM_FIRST_UINT(t, value) subgroup_broadcast_uint(sg, value, 0u)
#define TEAM_FENCE(t) subgroup_fence(sg)
#define TEAM_SUM(t, value) SUBGROUP_SUM(sg, value)

#endif

#endif

#if OBJECTIVE_FORM == 0
typedef int objective_sum;
#endif

#if OBJECTIVE_FORM >= 2

/* A lane's part of an objective's sum, of whole numbers that neighbouring lanes take turns in, since their order does
 * not matter. turn: which of its numbers a lane begins with; teams that share local memory have different turns, so
 * that they do not ask for the same banks. */
static inline objective_sum lane_part(individual x, uint lane, uint lanes, uint turn) {
  const uint count = objective_contributions(x);
  const uint steps = (count + lanes - 1u) / lanes;
  objective_sum sum = 0;
  uint step = turn % steps;
  for (uint k = 0u; k < steps; ++k) {
    const uint i = lane + lanes * step;
    /* A compiler that knows both numbers reads without asking. */
    if (count % lanes == 0u || i < count) sum += objective_contribution(x, i);
    step = step + 1u == steps ? 0u : step + 1u;
  }
  return sum;
}

#elif OBJECTIVE_FORM == 1

/* A lane's part of an objective's sum: a subtree, so that floating point sums have one value. */
static inline objective_sum lane_part(individual x, uint lane, uint lanes, uint turn) {
  const uint count = objective_contributions(x);
  uint part = 8u;
  while (part * lanes < count) part <<= 1;
  {
    const ulong begin = min((ulong)lane * part, (ulong)count);
    const ulong end = min(begin + part, (ulong)count);
    return begin < end ? objective_part(x, (uint)begin, (uint)end) : OBJECTIVE_ABSENT;
  }
}

#endif

#endif
