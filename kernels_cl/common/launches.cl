/* Launches that count themselves, so that the host finds out when one is lost: see
 * lib/device/verification/fault_detection.hpp. */
#ifndef CLOPT_COMMON_LAUNCHES_CL
#define CLOPT_COMMON_LAUNCHES_CL

/* Adds 1 to a word that no other kernel uses meanwhile. One work-item of the launch does so; all call it. */
static inline void count_launch(global uint* launches) {
  if (get_global_id(0) == 0 && get_global_id(1) == 0) *launches += 1u;
}

#endif
