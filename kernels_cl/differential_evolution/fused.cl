/* The paper's method (its figure 3): a work-group is a whole optimisation, and one launch carries many generations. */
#if LOCAL_POPULATION
#define POPULATION_SPACE local
#else
#define POPULATION_SPACE global
#endif
/* Beside the population, local memory may have what SHADE remembers, and the order of the individuals. */
#if REMEMBERS_LOCALLY
#define CONTROL_SPACE local
#define ORDER_SPACE local
#endif
/* What SHADE archives is always in global memory. */
#if LOCAL_POPULATION && ADAPT < 2
#define POPULATION_FENCE CLK_LOCAL_MEM_FENCE
#else
#define POPULATION_FENCE (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#endif
#if PRIVATE_TRIAL
#define TRIAL_SPACE private
#else
#define TRIAL_SPACE POPULATION_SPACE
#endif
#define INDIVIDUAL_SPACE TRIAL_SPACE
#define VALUE_SPACE POPULATION_SPACE
#include "differential_evolution/trial.cl"
#include "differential_evolution/value.cl"
#include "differential_evolution/extremes.cl"
#include "differential_evolution/renew.cl"

/* Keeps an individual's value after a generation, where statistics are wanted: `history` holds `step` values for each
 * generation of the launch. */
static inline void keep_value(global real* history, ulong step, uint generation, ulong place, real value) {
#if KEEPS_HISTORY
  history[generation * step + place] = value;
#endif
}

#if PROBLEMS_OF_GROUP
#include "differential_evolution/fused_in_registers.cl"
#elif ROWS_AT_ONCE
#include "differential_evolution/fused_by_rows.cl"
#else
#include "differential_evolution/fused_generally.cl"
#endif

#ifdef WORK_GROUP
#define FUSED_REQUIRE __attribute__((reqd_work_group_size(WORK_GROUP, 1, 1)))
#else
#define FUSED_REQUIRE
#endif

/* Generations first_generation to last_generation of the problems in `running` (their places in the buffers), a
 * work-group each, or, with PROBLEMS_OF_GROUP, several to a work-group. `spare` has room for as much as `vectors`.
 * `memory` is for two populations with their values and for what REMEMBERS_LOCALLY says, or for the rows of one;
 * `places` is for three numbers an individual then; `least`, `greatest` and `places` have an element for each work-item,
 * too, where each generation needs the best individual or the spread. With KEEPS_HISTORY the
 * values after each generation go to `history`, `history_step` of them for each, as they lie in `values`. */
kernel FUSED_REQUIRE void fused(global real* vectors, global real* spare, global real* values, global real* controls,
                                global evolution_state* states, global uint* order, global real* archive,
                                global const uint* running, global const real* bounds, global const real* rows,
                                global const real* tables, evolution_settings settings, real weight, real target,
                                real spread, uint first_generation, uint last_generation, global real* history,
                                ulong history_step, local real* memory, local real* least, local real* greatest,
                                local uint* places) {
#if PROBLEMS_OF_GROUP
  local uint reached[PROBLEMS_OF_GROUP];
  evolve_in_registers(vectors, values, controls, states, running, bounds, rows, tables, settings, weight, target,
                      first_generation, last_generation, history, history_step, memory, reached);
#elif ROWS_AT_ONCE
  local uint reached[3];
  evolve_by_rows(vectors, spare, values, controls, states, running, bounds, rows, tables, settings, weight, target,
                 first_generation, last_generation, history, history_step, memory, reached);
#else
  local uint reached[3];
  evolve_generally(vectors, spare, values, controls, states, order, archive, running, bounds, rows, tables, settings,
                   weight, target, spread, first_generation, last_generation, history, history_step, memory, least,
                   greatest, places, reached);
#endif
}
