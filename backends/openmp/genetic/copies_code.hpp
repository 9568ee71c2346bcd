// Copies of parents, compiled for each instruction set by simd/each_set.hpp.

namespace clopt::openmp::genetic {
namespace {
namespace CLOPT_SET {

using namespace simd::CLOPT_SET;

/// Copies a row of units to each child. \returns in which runs of 2^shift units the parents differ, a bit each.
[[gnu::always_inline]] inline uint64_t copy_pair(const uint64_t* a, const uint64_t* b, uint64_t* __restrict first,
                                                 uint64_t* __restrict second, uint32_t units, uint32_t shift) {
  uint64_t different = 0;
#if CLOPT_LANE_BYTES == 64
  // Rows of any length are taken without a rest.
  constexpr uint32_t together = lanes<uint64_t>;
  for (uint32_t unit = 0; unit < units; unit += together) {
    const auto count = std::min(together, units - unit);
    const auto from_a = load_first(a + unit, count);
    const auto from_b = load_first(b + unit, count);
    store_first(first + unit, from_a, count);
    store_first(second + unit, from_b, count);
    const uint64_t mask = different_lanes(from_a, from_b);
    if (shift == 0)
      different |= mask << unit;
    else
      for (uint32_t lane = 0; lane < together; ++lane) different |= (mask >> lane & 1) << ((unit + lane) >> shift);
  }
#else
  for (uint32_t unit = 0; unit < units; ++unit) {
    const auto from_a = a[unit];
    const auto from_b = b[unit];
    different |= uint64_t{from_a != from_b} << (unit >> shift);
    first[unit] = from_a;
    second[unit] = from_b;
  }
#endif
  return different;
}

/// Copies the parents of a batch's pairs to where the children are to be. different: of each pair, see copy_pair().
void copy_parents(const uint32_t* population, uint32_t* children, const uint32_t* parents, const Settings& run,
                  Batch batch, uint64_t* different) {
  constexpr uint32_t pairs_ahead = 6;
  const bool is_large = uint64_t{run.population} * run.row > elements_beyond_caches;
  const auto shift = Swaps::run_of_units(run);
  for (uint32_t i = 0; i < batch.size(); ++i) {
    if (is_large && i + pairs_ahead < batch.size())
      prefetch_parents(population, parents + 2 * (i + pairs_ahead), run, batch.begin + i + pairs_ahead);
    const auto pair = batch.begin + i;
    const auto family = family_of(run, pair, parents + 2 * i);
    const auto* a = units_of(population, run, family.first_parent);
    const auto* b = units_of(population, run, family.second_parent);
    auto* first = units_of(children, run, family.first_child);
    different[i] = ~uint64_t{0};
    if (family.has_second)
      different[i] = copy_pair(a, b, first, units_of(children, run, family.second_child), run.units, shift);
    else
      std::copy_n(a, run.units, first);
  }
}

}  // namespace CLOPT_SET
}  // namespace
}  // namespace clopt::openmp::genetic
