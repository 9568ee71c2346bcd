// How individuals are taken on the host: side by side where they lie so, else one by one. Included once for each
// objective and precision, so it has no guard; also compiled at run time with the texts of users. Before it stand
// two readings of the text: `exact`, and `moderate`, whose sin and cos are fit for loops and give NaN for large
// arguments (OBJECTIVE_MODERATE); what becomes NaN there is taken again.
using real = exact::real;

// The next loop's rounds do not depend on each other; what the next function calls is put into it, since only loops
// without calls become vectors. (clang finds both out, or warns that it cannot.)
#undef OBJECTIVE_LOOP
#if defined(__clang__)
#define OBJECTIVE_LOOP
#define OBJECTIVE_FLATTEN
#else
#define OBJECTIVE_LOOP _Pragma("GCC ivdep")
#define OBJECTIVE_FLATTEN __attribute__((flatten))
#endif

// Individuals that are taken together: some vectors of every processor's.
constexpr unsigned most_lanes = 64;

template <class Individual, class Gene>
[[maybe_unused, gnu::always_inline]] static inline Individual individual_at(const ObjectiveBatch& batch, ulong index) {
  return {static_cast<const Gene*>(batch.genes) + index * batch.individual_step,
          batch.gene_step,
          batch.gene_count,
          batch.column_count,
          static_cast<const real*>(batch.rows) + index * batch.row_step,
          static_cast<const real*>(batch.tables)};
}

[[maybe_unused, gnu::always_inline]] static inline exact::individual exact_individual(const ObjectiveBatch& batch,
                                                                                      ulong index) {
  return individual_at<exact::individual, exact::individual_gene>(batch, index);
}
[[maybe_unused, gnu::always_inline]] static inline moderate::individual moderate_individual(const ObjectiveBatch& batch,
                                                                                            ulong index) {
  return individual_at<moderate::individual, moderate::individual_gene>(batch, index);
}

// The individual `lane` places behind the first of those that lie side by side.
[[maybe_unused, gnu::always_inline]] static inline moderate::individual lane_of(const moderate::individual& first,
                                                                                unsigned lane, ulong row_step) {
  return {first.first + lane, first.stride, first.gene_count, first.column_count, first.row_values + lane * row_step,
          first.tables};
}

#if OBJECTIVE_FORM == 1
// A term of each of the individuals that lie side by side: where it is long (OBJECTIVE_TERMS_APART), in a function that
// is called, and else in each loop that adds one.
#if OBJECTIVE_TERMS_APART
OBJECTIVE_FLATTEN [[gnu::noinline]] static void take_terms(const moderate::individual& all, ulong row_step,
                                                           unsigned lanes, uint i, real* terms) {
  OBJECTIVE_KNOWN(i < moderate::objective_contributions(all));
#else
[[gnu::always_inline]] static inline void take_terms(const moderate::individual& all, ulong row_step, unsigned lanes,
                                                     uint i, real* terms) {
#endif
  OBJECTIVE_LOOP
  for (unsigned lane = 0; lane < lanes; ++lane) terms[lane] = moderate::objective_term(lane_of(all, lane, row_step), i);
}
#endif

// Values of `lanes` individuals from `first` on, which lie side by side.
[[gnu::always_inline]] static inline void take_lanes_of(const ObjectiveBatch& batch, ulong first, unsigned lanes) {
  real* const values = static_cast<real*>(batch.values) + first;
  const auto all = moderate_individual(batch, first);
  const ulong row_step = batch.row_step;
#if OBJECTIVE_FORM == 0
  OBJECTIVE_LOOP
  for (unsigned lane = 0; lane < lanes; ++lane) {
    values[lane] = moderate::objective_of(lane_of(all, lane, row_step));
  }
#else
  const uint contributions = moderate::objective_contributions(all);
  alignas(64) moderate::objective_sum sum[most_lanes];
#if OBJECTIVE_FORM == 1
  // The complete subtrees of 2, 4, 8, ... terms, as in objective_part(). A subtree is written where it stays.
  alignas(64) real level[32][most_lanes];
  const uint pairs = contributions / 2;
  for (uint pair = 0; pair < pairs; ++pair) {
    const bool completes = (pair & 1U) != 0;
    real* const pair_sum = completes ? sum : level[1];
#if OBJECTIVE_TERMS_APART
    alignas(64) real second[most_lanes];
    take_terms(all, row_step, lanes, 2 * pair, pair_sum);
    take_terms(all, row_step, lanes, 2 * pair + 1, second);
    for (unsigned lane = 0; lane < lanes; ++lane) pair_sum[lane] += second[lane];
#else
    OBJECTIVE_KNOWN(2 * pair < contributions);
    OBJECTIVE_KNOWN(2 * pair + 1 < contributions);
    OBJECTIVE_LOOP
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const auto x = lane_of(all, lane, row_step);
      pair_sum[lane] = moderate::objective_term(x, 2 * pair) + moderate::objective_term(x, 2 * pair + 1);
    }
#endif
    if (!completes) continue;
    unsigned k = 1;
    for (; (pair >> k & 1U) != 0; ++k)
      for (unsigned lane = 0; lane < lanes; ++lane) sum[lane] = level[k][lane] + sum[lane];
    for (unsigned lane = 0; lane < lanes; ++lane) level[k + 1][lane] = level[k][lane] + sum[lane];
  }
  for (unsigned lane = 0; lane < lanes; ++lane) sum[lane] = OBJECTIVE_ABSENT;
  if (contributions % 2 != 0) take_terms(all, row_step, lanes, contributions - 1, sum);
  for (unsigned k = 1; contributions >> k != 0; ++k)
    if ((contributions >> k & 1U) != 0)
      for (unsigned lane = 0; lane < lanes; ++lane) sum[lane] = level[k][lane] + sum[lane];
#else
  for (unsigned lane = 0; lane < lanes; ++lane) sum[lane] = 0;
  for (uint i = 0; i < contributions; ++i) {
    OBJECTIVE_LOOP
    for (unsigned lane = 0; lane < lanes; ++lane)
      sum[lane] += moderate::objective_contribution(lane_of(all, lane, row_step), i);
  }
#endif
  OBJECTIVE_LOOP
  for (unsigned lane = 0; lane < lanes; ++lane) {
    values[lane] = moderate::objective_value(lane_of(all, lane, row_step), sum[lane]);
  }
#endif
}

OBJECTIVE_CLONES(OBJECTIVE_FLATTEN, void, take_lanes, (const ObjectiveBatch& batch, ulong first, unsigned lanes),
                 (batch, first, lanes)) {
#if OBJECTIVE_FORM == 1 && !OBJECTIVE_TERMS_APART
  // Of a number of lanes that the compiler knows, or knows a factor of, sums are whole vectors.
  if (lanes == most_lanes) return take_lanes_of(batch, first, most_lanes);
  if (lanes % 8 == 0) return take_lanes_of(batch, first, lanes / 8 * 8);
#endif
  take_lanes_of(batch, first, lanes);
}

OBJECTIVE_CLONES(, bool, has_nan, (const real* values, ulong count), (values, count)) {
  uint found = 0;
  for (ulong i = 0; i < count; ++i) found |= values[i] != values[i] ? 1U : 0U;
  return found != 0;
}

#if OBJECTIVE_FORM == 1
// Terms that lie in memory at a time.
constexpr unsigned most_terms = 1024;

// The sum of terms, as objective_part() makes it; they are overwritten.
[[gnu::always_inline]] static inline real sum_of_terms(real* term, unsigned count) {
  for (; count > 1; count = (count + 1) / 2) {
    const unsigned pairs = count / 2;
    for (unsigned i = 0; i < pairs; ++i) term[i] = term[2 * i] + term[2 * i + 1];
    if (count % 2 != 0) term[pairs] = term[count - 1];
  }
  return term[0];
}

// The value of one individual, whose neighbouring terms are computed together.
OBJECTIVE_CLONES(OBJECTIVE_FLATTEN, real, take_row, (const ObjectiveBatch& batch, ulong index), (batch, index)) {
  const auto x = moderate_individual(batch, index);
  const uint contributions = moderate::objective_contributions(x);
#if OBJECTIVE_CHECKED
  // In a loop over all terms the compiler knows that their own genes are inside.
  if (contributions <= most_terms) {
    alignas(64) real all[most_terms];
    OBJECTIVE_LOOP
    for (uint i = 0; i < contributions; ++i) all[i] = moderate::objective_term(x, i);
    return moderate::objective_value(x, sum_of_terms(all, contributions));
  }
#endif
  alignas(64) real term[most_lanes];
  real level[32];
  uint blocks = 0;
  for (uint begin = 0; begin < contributions; begin += most_lanes, ++blocks) {
    const unsigned count = min(most_lanes, contributions - begin);
    OBJECTIVE_LOOP
    for (unsigned i = 0; i < count; ++i) term[i] = moderate::objective_term(x, begin + i);
    real sum = sum_of_terms(term, count);
    unsigned k = 0;
    for (; (blocks >> k & 1U) != 0; ++k) sum = level[k] + sum;
    level[k] = sum;
  }
  real sum = OBJECTIVE_ABSENT;
  for (unsigned k = 0; blocks >> k != 0; ++k)
    if ((blocks >> k & 1U) != 0) sum = level[k] + sum;
  return moderate::objective_value(x, sum);
}
#endif

// The values of individuals that lie one behind the other. A stride that the compiler knows lets words become vectors.
#if OBJECTIVE_FORM == 1
static void take_rows(const ObjectiveBatch& batch) {
  for (ulong i = 0; i < batch.count; ++i) static_cast<real*>(batch.values)[i] = take_row(batch, i);
}
#else
// The value of an individual whose row does not become vectors of words.
#if OBJECTIVE_FORM == 3 && !defined(__AVX512VPOPCNTDQ__)
// Several sums, since an addition waits for the one before it.
[[gnu::always_inline]] static inline real value_of_row(const exact::individual& x) {
  const uint contributions = exact::objective_contributions(x);
  int sum[4] = {};
  uint i = 0;
  for (; i + 4 <= contributions; i += 4)
    for (uint k = 0; k < 4; ++k) {
      OBJECTIVE_KNOWN(i + k < contributions);
      sum[k] += exact::objective_contribution(x, i + k);
    }
  for (; i < contributions; ++i) sum[0] += exact::objective_contribution(x, i);
  return exact::objective_value(x, sum[0] + sum[1] + sum[2] + sum[3]);
}
#else
[[gnu::always_inline]] static inline real value_of_row(const exact::individual& x) { return exact::objective_of(x); }
#endif
template <class Value>
[[gnu::always_inline]] static inline void take_rows_of(const ObjectiveBatch& batch, uint stride, Value value) {
  for (ulong i = 0; i < batch.count; ++i) {
    auto x = exact_individual(batch, i);
    x.stride = stride;
    static_cast<real*>(batch.values)[i] = value(x);
  }
}
OBJECTIVE_CLONES(OBJECTIVE_FLATTEN, void, take_rows, (const ObjectiveBatch& batch), (batch)) {
  const auto value = [](const exact::individual& x) __attribute__((always_inline)) { return value_of_row(x); };
  batch.gene_step == 1 ? take_rows_of(batch, 1, value) : take_rows_of(batch, batch.gene_step, value);
}
#endif
#if OBJECTIVE_FORM >= 2 && defined(OBJECTIVE_POPCOUNT)
#define OBJECTIVE_HAS_COUNTING_ROWS 1
// The same where a processor counts the bits of a vector's words.
OBJECTIVE_POPCOUNT OBJECTIVE_FLATTEN static void take_rows_counting(const ObjectiveBatch& batch) {
  const auto value = [](const exact::individual& x) __attribute__((always_inline)) { return exact::objective_of(x); };
  batch.gene_step == 1 ? take_rows_of(batch, 1, value) : take_rows_of(batch, batch.gene_step, value);
}
#endif

#ifdef OBJECTIVE_VECTOR_READING
// How many individuals a thread has taken by vectors, and how many of them did not go the first one's way.
struct VectorTally {
  ulong taken;
  ulong apart;
  // Whether enough stay together for vectors to be faster.
  bool is_worth() const { return taken < 512 || apart * 8 < taken; }
};
static thread_local VectorTally tally;

// Whether all genes that the text reads by a number are inside: then they need no check.
static bool has_least_genes([[maybe_unused]] const ObjectiveBatch& batch) {
#ifdef OBJECTIVE_LEAST_GENES
  return batch.gene_count >= OBJECTIVE_LEAST_GENES;
#else
  return true;
#endif
}

// Values of the individuals of a vector; NaN for those that are to be taken one by one.
OBJECTIVE_FLATTEN static unsigned take_vector(const ObjectiveBatch& batch, ulong first) {
  const vectors::individual all{static_cast<const real*>(batch.genes) + first,
                                batch.gene_step,
                                batch.gene_count,
                                batch.column_count,
                                static_cast<const real*>(batch.rows) + first * batch.row_step,
                                batch.row_step,
                                static_cast<const real*>(batch.tables)};
#ifdef OBJECTIVE_LEAST_GENES
  if (all.gene_count < OBJECTIVE_LEAST_GENES) __builtin_unreachable();
#endif
  constexpr auto all_true = ~vectors::vector_of_truths{};
  vectors::together = {all_true, all_true};
  const auto found = vectors::objective_of(all);
  const auto together = vectors::together;
  vectors::vector_select(together, found, vectors::number(NAN)).store(static_cast<real*>(batch.values) + first);
  vectors::truth_value all_together[vectors::vector_lanes];
  together.store(all_together);
  unsigned apart = 0;
  for (const auto each : all_together) apart += each != 0 ? 0U : 1U;
  return apart;
}

// At least a vector's individuals; the last vector may take some a second time.
static void take_vectors(const ObjectiveBatch& batch) {
  for (ulong first = 0; first < batch.count; first += vectors::vector_lanes)
    tally.apart += take_vector(batch, min<ulong>(first, batch.count - vectors::vector_lanes));
  tally.taken += batch.count;
}
#endif

#ifdef OBJECTIVE_RESIDUAL
// The residuals of all data of an individual, computed together.
OBJECTIVE_FLATTEN static void take_residuals(const ObjectiveBatch& batch, ulong index, real* residuals) {
  auto x = moderate_individual(batch, index);
  // An array of this function's own stays in registers.
  real genes[most_lanes];
  if (x.gene_count <= most_lanes) {
    for (uint i = 0; i < x.gene_count; ++i) genes[i] = x.first[static_cast<ulong>(i) * x.stride];
    x.first = genes;
    x.stride = 1;
  }
  const uint count = moderate::columns(x);
  OBJECTIVE_LOOP
  for (uint j = 0; j < count; ++j) residuals[j] = moderate::objective_residual(x, j);
}

// The residuals of each individual of a batch, one row behind the other.
[[maybe_unused]] static void residuals(const ObjectiveBatch& batch) {
  for (ulong i = 0; i < batch.count; ++i) {
    const auto x = exact_individual(batch, i);
    const uint count = exact::columns(x);
    real* const own = static_cast<real*>(batch.values) + i * count;
    take_residuals(batch, i, own);
    if (!has_nan(own, count)) continue;
    for (uint j = 0; j < count; ++j)
      if (own[j] != own[j]) own[j] = exact::objective_residual(x, j);
  }
}
#endif

// The values by the exact reading, one after the other: what other readings are compared with.
[[maybe_unused]] static void evaluate_exactly(const ObjectiveBatch& batch) {
  for (ulong i = 0; i < batch.count; ++i)
    static_cast<real*>(batch.values)[i] = exact::objective_of(exact_individual(batch, i));
}

static void evaluate(const ObjectiveBatch& batch) {
  real* const values = static_cast<real*>(batch.values);
#ifdef OBJECTIVE_VECTOR_READING
  if (batch.individual_step == 1 && batch.count >= vectors::vector_lanes && has_least_genes(batch) &&
      tally.is_worth()) {
    take_vectors(batch);
  } else
#endif
      if (batch.individual_step == 1 && batch.count > 1) {
    for (ulong first = 0; first < batch.count; first += most_lanes)
      take_lanes(batch, first, static_cast<unsigned>(min<ulong>(most_lanes, batch.count - first)));
#ifdef OBJECTIVE_HAS_COUNTING_ROWS
  } else if (OBJECTIVE_HAS_POPCOUNT) {
    take_rows_counting(batch);
#endif
  } else {
    take_rows(batch);
  }
  if (!has_nan(values, batch.count)) return;
  for (ulong i = 0; i < batch.count; ++i)
    if (values[i] != values[i]) values[i] = exact::objective_of(exact_individual(batch, i));
}
#undef OBJECTIVE_HAS_COUNTING_ROWS
