/* A team of neighbouring lanes of a sub-group, which has a pair from the choice of its parents to the costs of its
 * children: the work-items of the kernels breed and generations. GENETIC_SPACE is where genes are, COSTS_SPACE where costs
 * are. */
#ifndef CLOPT_GENETIC_LANE_TEAM_CL
#define CLOPT_GENETIC_LANE_TEAM_CL

#define INDIVIDUAL_SPACE GENETIC_SPACE
#ifndef COSTS_SPACE
#define COSTS_SPACE GENETIC_SPACE
#endif
#undef GENETIC_TEAM
#define GENETIC_TEAM 2
#include "genetic/team.cl"
#include "genetic/pair_crossover.cl"
#include "genetic/pair_mutation.cl"

/* Functions with barriers or exchanges between lanes: PoCL 3.1 gives one that is not inlined other local arrays than
 * its caller's. */
#define ALWAYS_INLINED static inline __attribute__((always_inline))

/* The largest work-group of the fused kernels. */
#define FUSED_GROUP_SIZE 1024
/* The fewest lanes that draw tries and points in one go. */
#define FUSED_LANES 4u
/* Lanes from which on a block each is enough. */
#define FUSED_ROLES 8u
/* Where a program is made for one run, the lanes of a team are known to the compiler. */
#ifdef GENETIC_FIXED_LANES
#define FUSED_TEAM(lanes) ((uint)GENETIC_FIXED_LANES)
#else
#define FUSED_TEAM(lanes) (lanes)
#endif

/* A compiler that knows the size of work-groups divides the registers accordingly, unless their number is given. */
#if defined(GENETIC_FIXED_ITEMS) && !defined(CLOPT_GIVEN_REGISTERS)
#define FUSED_REQUIRE SUBGROUP_REQUIRE __attribute__((reqd_work_group_size(GENETIC_FIXED_ITEMS, 1, 1)))
#else
#define FUSED_REQUIRE SUBGROUP_REQUIRE
#endif

#if OBJECTIVE_DOUBLE
#define SHUFFLE_XOR_REAL(sg, value, mask) as_double(subgroup_shuffle_xor_ulong(sg, as_ulong(value), mask))
#else
#define SHUFFLE_XOR_REAL(sg, value, mask) subgroup_shuffle_xor_float(sg, value, mask)
#endif
#if OBJECTIVE_FORM == 1
#define SHUFFLE_XOR_SUM(sg, value, mask) SHUFFLE_XOR_REAL(sg, value, mask)
#else
#define SHUFFLE_XOR_SUM(sg, value, mask) subgroup_shuffle_xor_int(sg, value, mask)
#endif

#endif
