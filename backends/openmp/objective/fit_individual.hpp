// Fits side by side as individual.h has one, for vector_number.hpp; included after that, so it has no guard.

#define FIT_POWER(x) fit_power_of_all(x)
#define FIT_ANY(condition) any_of(condition)
OBJECTIVE_INLINE number fit_power_of_all(number all) {
  return vector_of(
      all, [](scalar x) __attribute__((always_inline)) { return clopt::shared::fit_power_of(x); });
}
OBJECTIVE_INLINE bool any_of(truth condition) {
  const auto both = condition.low | condition.high;
  truth_value any = 0;
  for (unsigned l = 0; l < vector_lanes / 2; ++l) any |= both[l];
  return any != 0;
}

typedef struct {
  const number* first;  // FIT_PARAMETERS of them
  uint column_count;
#if FIT_LONG_ROWS
  const scalar* row_values;  // of one row, of which a number here has consecutive data
#else
  const number* row_values;
#endif
  const scalar* tables;
} individual;

OBJECTIVE_INLINE number gene(individual x, uint i) { return i < FIT_PARAMETERS ? x.first[i] : number(0); }
#if FIT_LONG_ROWS
OBJECTIVE_INLINE number objective_row(individual x, uint place) { return number::load(x.row_values + place); }
#else
OBJECTIVE_INLINE number objective_row(individual x, uint place) { return x.row_values[place]; }
#endif
OBJECTIVE_INLINE number table_value(individual x, uint i) { return number(x.tables[i]); }
