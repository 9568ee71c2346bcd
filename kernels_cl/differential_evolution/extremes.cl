/* The least and the greatest value of a population, found by a work-group together. */
#ifndef CLOPT_DIFFERENTIAL_EVOLUTION_EXTREMES_CL
#define CLOPT_DIFFERENTIAL_EVOLUTION_EXTREMES_CL

#ifndef VALUE_SPACE
#define VALUE_SPACE global
#endif
#ifndef ORDER_SPACE
#define ORDER_SPACE global
#endif
/* How many individuals are alive, where a compiler can know. */
#if defined(POPULATION) && ADAPT != 3
#define KNOWN_ALIVE POPULATION
#endif

typedef struct {
  real least;
  real greatest;
  uint best; /* the first individual with the least value */
} extremes;

/* Each scratch array has an element for each work-item. The scratch may be used again after the next barrier. */
static inline extremes find_extremes(VALUE_SPACE const real* values, uint population, local real* least,
                                     local real* greatest, local uint* places) {
  const uint me = get_local_id(0);
  const uint size = get_local_size(0);
  extremes own = {(real)INFINITY, (real)-INFINITY, population};
  for (uint i = me; i < population; i += size) {
    const real value = values[i];
    own.best = value < own.least || own.best == population ? i : own.best;
    own.least = value < own.least ? value : own.least;
    own.greatest = value > own.greatest ? value : own.greatest;
  }
  least[me] = own.least;
  greatest[me] = own.greatest;
  places[me] = own.best;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint width = size; width > 1;) {
    const uint half_width = (width + 1) / 2;
    const uint other = me + half_width < width ? me + half_width : me;
    const real other_least = least[other];
    const real other_greatest = greatest[other];
    const uint other_best = places[other];
    barrier(CLK_LOCAL_MEM_FENCE);
    const bool better = other_least < own.least || (other_least == own.least && other_best < own.best);
    own.best = better ? other_best : own.best;
    own.least = better ? other_least : own.least;
    own.greatest = other_greatest > own.greatest ? other_greatest : own.greatest;
    least[me] = own.least;
    greatest[me] = own.greatest;
    places[me] = own.best;
    barrier(CLK_LOCAL_MEM_FENCE);
    width = half_width;
  }
  extremes result;
  result.least = least[0];
  result.greatest = greatest[0];
  result.best = places[0];
  return result;
}

/* order[r] = the individual of rank r: the r-th least value, the first of equal ones first. */
static inline void find_order(VALUE_SPACE const real* values, uint population, ORDER_SPACE uint* order) {
  for (uint i = get_local_id(0); i < population; i += get_local_size(0)) {
    const real value = values[i];
    uint rank = 0;
#ifdef KNOWN_ALIVE
#pragma unroll 32
#endif
    for (uint other = 0; other < population; ++other)
      rank += (values[other] < value ? 1u : 0u) | ((values[other] == value ? 1u : 0u) & (other < i ? 1u : 0u));
    order[rank] = i;
  }
}

static inline ulong bits_of(real value) {
#ifdef CLOPT_FP64
  if (sizeof(real) == 8) return value == value ? as_ulong((double)value) : (ulong)0x7ff8000000000000UL;
#endif
  return value == value ? as_uint((float)value) : 0x7fc00000u;
}

#endif
