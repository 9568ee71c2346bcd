/* The least values of each generation of a launch, for statistics. */
#include "differential_evolution/population.cl"

/* The least of each `population` values of `history`: those of a problem in a generation. Zeros have no sign, so that the
 * order does not matter. `count` of them, a work-item each. */
kernel void least_values(global const real* history, global real* least, uint population, ulong count) {
  const ulong n = get_global_id(0);
  if (n >= count) return;
  global const real* const own = history + n * population;
  real found = (real)INFINITY;
  for (uint i = 0; i < population; ++i) found = own[i] < found ? own[i] : found;
  least[n] = found + (real)0;
}

#ifdef CLOPT_FP64
#define TOTALS_GROUP 64u
#define TOTALS_STAGE 1024u

/* The totals of a generation's `problems` least values. Launched with a work-group of at most 64 work-items for each
 * generation. The values come to local memory part by part, since each sum is added up by one work-item in the order of
 * the problems. */
kernel void total_values(global const real* least, global evolution_totals* totals, uint problems) {
  local real stage[TOTALS_STAGE];
  local double least_parts[TOTALS_GROUP];
  local double greatest_parts[TOTALS_GROUP];
  local double sums[EVOLUTION_TOTAL_SUMS];
  const uint item = (uint)get_local_id(0);
  const uint items = (uint)get_local_size(0);
  global const real* const own = least + get_group_id(0) * problems;
  double low = INFINITY;
  double high = -INFINITY;
  for (uint lane = item; lane < EVOLUTION_TOTAL_SUMS; lane += items) sums[lane] = 0;
  for (uint first = 0; first < problems; first += TOTALS_STAGE) {
    const uint count = min(TOTALS_STAGE, problems - first);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = item; k < count; k += items) {
      const real number = own[first + k];
      stage[k] = number;
      low = (double)number < low ? (double)number : low;
      high = (double)number > high ? (double)number : high;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint lane = item; lane < EVOLUTION_TOTAL_SUMS; lane += items) {
      double sum = sums[lane];
      for (uint k = lane; k < count; k += EVOLUTION_TOTAL_SUMS) sum += (double)stage[k];
      sums[lane] = sum;
    }
  }
  least_parts[item] = low;
  greatest_parts[item] = high;
  barrier(CLK_LOCAL_MEM_FENCE);
  global evolution_totals* const own_totals = totals + get_group_id(0);
  for (uint lane = item; lane < EVOLUTION_TOTAL_SUMS; lane += items) own_totals->sums[lane] = sums[lane];
  if (item == 0) {
    for (uint k = 1; k < items; ++k) {
      low = least_parts[k] < low ? least_parts[k] : low;
      high = greatest_parts[k] > high ? greatest_parts[k] : high;
    }
    own_totals->least = low;
    own_totals->greatest = high;
  }
}
#endif
