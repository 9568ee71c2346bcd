/* What a work-group's items found, joined: least[0] and where it first is, greatest[0]. All work-items call it; only
 * the first one sees the result without a barrier. Of large work-groups the first LIMITS_ITEMS items have something. */
#ifndef CLOPT_GENETIC_JOIN_LIMITS_CL
#define CLOPT_GENETIC_JOIN_LIMITS_CL

#define LIMITS_ITEMS 256

static inline __attribute__((always_inline)) void join_limits(local real* least, local real* greatest,
                                                              local uint* place) {
  const uint item = (uint)get_local_id(0);
  const uint items = min((uint)get_local_size(0), (uint)LIMITS_ITEMS);
  for (uint reach = 1u; reach < items; reach <<= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item % (2u * reach) == 0u && item + reach < items) {
      const uint other = item + reach;
      if (least[other] < least[item] || (least[other] == least[item] && place[other] < place[item])) {
        least[item] = least[other];
        place[item] = place[other];
      }
      greatest[item] = max(greatest[item], greatest[other]);
    }
  }
}

#endif
