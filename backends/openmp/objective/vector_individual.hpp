// Individuals of vector_number.hpp, as individual.h has one. Included after that; so it has no guard.

// Individuals side by side, as individual.h has one.
typedef struct {
  const scalar* first;
  uint stride;
  uint gene_count;
  uint column_count;
  const scalar* row_values;
  ulong row_step;
  const scalar* tables;
} individual;

// What is read past an end is 0, as in individual.h; without a branch, so that a gene is read before the loop that uses
// it.
OBJECTIVE_INLINE number gene(individual x, uint i) {
  using truth_of_one = std::remove_cvref_t<decltype(vector_of_truths{}[0])>;
  const bool inside = OBJECTIVE_INSIDE(i < x.gene_count);
  const number loaded = number::load(x.first + static_cast<ulong>(inside ? i : 0) * x.stride);
  const truth_of_one mask = -static_cast<truth_of_one>(inside);
  return number((vector_of_reals)((vector_of_truths)loaded.low & mask),
                (vector_of_reals)((vector_of_truths)loaded.high & mask));
}
OBJECTIVE_INLINE number objective_row(individual x, uint place) {
  if (x.row_step == 0) return number(x.row_values[place]);
  alignas(OBJECTIVE_VECTOR_BYTES) scalar values[vector_lanes];
  for (unsigned l = 0; l < vector_lanes; ++l) values[l] = x.row_values[l * x.row_step + place];
  return number::load(values);
}
OBJECTIVE_INLINE number table_value(individual x, uint i) { return number(x.tables[i]); }
