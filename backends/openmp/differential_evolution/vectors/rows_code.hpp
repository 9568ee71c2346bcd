// make_rows() by a processor's vectors. Included once for each instruction set, within a namespace, with ROWS_TARGET
// defined as the attribute of its functions; so it has no guard. Vectors says what it needs of the vectors.

template <class Vectors, bool has_second, bool has_bounds, class Real>
ROWS_TARGET void make_rows_so(const TrialRows<Real>& all, Real* trials) {
  const auto rows = all;
  for (std::size_t i = 0; i < rows.population; ++i) {
    const Real* const own = rows.vectors + i * rows.length;
    const Real* const base = rows.vectors + rows.donors.base[i] * rows.length;
    const Real* const plus = rows.vectors + rows.donors.plus[i] * rows.length;
    const Real* const minus = rows.vectors + rows.donors.minus[i] * rows.length;
    const Real* const second_plus = has_second ? rows.vectors + rows.donors.second_plus[i] * rows.length : nullptr;
    const Real* const second_minus = has_second ? rows.vectors + rows.donors.second_minus[i] * rows.length : nullptr;
    Real* const trial = trials + i * rows.length;
    const auto weight = Vectors::set(rows.weights[i]);
    const std::uint32_t* taken = rows.taken + i;
    for (std::size_t block = 0; block < rows.dimensions; block += lane_block, taken += rows.count) {
      const auto bits = *taken;
#pragma GCC unroll 4
      for (std::size_t l = 0; l < lane_block; l += Vectors::lanes) {
        const auto j = block + l;
        if (l != 0 && j >= rows.dimensions) break;
        auto mutant =
            Vectors::mutant(Vectors::load(base + j), weight, Vectors::load(plus + j), Vectors::load(minus + j));
        if constexpr (has_second)
          mutant = Vectors::mutant(mutant, weight, Vectors::load(second_plus + j), Vectors::load(second_minus + j));
        if constexpr (has_bounds)
          mutant = Vectors::clip(mutant, Vectors::load(rows.lower + j), Vectors::load(rows.upper + j));
        Vectors::store(trial + j, Vectors::choose(bits >> l, Vectors::load(own + j), mutant));
      }
    }
  }
}

template <class Vectors, class Real>
void make_rows_of(const TrialRows<Real>& rows, Real* trials) {
  if (rows.donors.second_plus && rows.lower) return make_rows_so<Vectors, true, true>(rows, trials);
  if (rows.donors.second_plus) return make_rows_so<Vectors, true, false>(rows, trials);
  if (rows.lower) return make_rows_so<Vectors, false, true>(rows, trials);
  make_rows_so<Vectors, false, false>(rows, trials);
}
