// Parts of a generation, compiled for each instruction set by simd/each_set.hpp.

namespace clopt::openmp::differential_evolution {
namespace {
namespace CLOPT_SET {

using namespace simd::CLOPT_SET;

// Counts on where an individual is not below one that is taken.
[[gnu::always_inline]] inline Words past(Words individual, Words taken) {
  return individual - (Words)is_not_below(individual, taken);
}

void draw_three(const std::uint32_t* words, std::size_t count, std::uint32_t population, std::uint32_t dimensions,
                std::uint32_t* drawn) {
  const auto without_one = broadcast(population - 1);
  const auto without_two = broadcast(population - 2);
  const auto without_three = broadcast(population - 3);
  const auto parameters = broadcast(dimensions);
  auto own = numbers<std::uint32_t>();
  for (std::size_t i = 0; i < count; i += lanes<std::uint32_t>) {
    const auto one = products(load(words + i), without_one);
    const auto three = products(load(words + count + i), without_three);
    const auto r1 = past(one.high, own);
    const auto lower = least(own, r1);
    const auto upper = greatest(own, r1);
    const auto r2 = past(past(high_products(one.low, without_two), lower), upper);
    const auto first = least(lower, r2);
    const auto second = greatest(lower, least(upper, r2));
    const auto third = greatest(upper, r2);
    store(drawn + i, r1);
    store(drawn + count + i, r2);
    store(drawn + 2 * count + i, past(past(past(three.high, first), second), third));
    store(drawn + 3 * count + i, high_products(three.low, parameters));
    own += lanes<std::uint32_t>;
  }
}

// evolution_toss() of many individuals.
struct Coins {
  Words word;
  Words range;
};
// Adds a bit where the decision is 1.
[[gnu::always_inline]] inline void toss(Coins& coins, Words share, Words bit, Words& bits) {
  // Where the word is below the share, their difference wraps around, beyond the word.
  const auto rest = coins.word - share;
  coins.word = least(coins.word, rest);
  const auto not_taken = coins.word == rest;
  coins.range = not_taken ? coins.range - share : share;
  bits |= ~(Words)not_taken & bit;
}

void draw_taken(const GroupWords& words, const TakenGroup& group, std::size_t count, std::uint32_t* taken) {
  const auto chance = broadcast(shared::evolution_chance(words.probability));
  const auto whole = ~Words{};
  const auto uncertain = words.probability >= BERNOULLI_ONE ? Words{} : whole;
  // The first decisions of both words divide the whole range.
  const auto first_share = high_products(whole, chance);
  const auto parameters = group.parameters;
  for (std::size_t i = 0; i < count; i += lanes<std::uint32_t>) {
    Coins coins{load(words.even + i) & uncertain, whole};
    Coins other{load(words.odd + i) & uncertain, whole};
    // No bit where the parameter is in another group.
    const auto place = load(group.forced + i) - group.first;
    auto bits =
        is_not_below(place, broadcast(EVOLUTION_GROUP)) ? Words{} : broadcast(1U) << (place & (EVOLUTION_GROUP - 1));
    toss(coins, first_share, broadcast(1U), bits);
    toss(other, first_share, broadcast(2U), bits);
#pragma GCC unroll 8
    for (std::uint32_t n = 2; n < EVOLUTION_GROUP; n += 2) {
      if (n >= parameters) break;
      toss(coins, high_products(coins.range, chance), broadcast(1U << n), bits);
      toss(other, high_products(other.range, chance), broadcast(2U << n), bits);
    }
    store(taken + i, bits);
  }
}

template <class Real>
[[gnu::always_inline]] inline Lanes<Real> mutant_of(Lanes<Real> base, Lanes<Real> weight, const Real* plus,
                                                    const Real* minus) {
  return base + weight * (load(plus) - load(minus));
}

// The bound where x is NaN.
template <class Real>
[[gnu::always_inline]] inline Lanes<Real> clipped(Lanes<Real> x, Lanes<Real> lower, Lanes<Real> upper) {
  const auto least = x > lower ? x : lower;
  return least < upper ? least : upper;
}

// Of a length that the compiler knows where vectors are one block.
template <bool has_second, Edge edge, bool is_block, class Real>
std::size_t make_rows_so(const TrialRows<Real>& all, Real* trials) {
  const auto rows = all;
  const std::size_t length = is_block ? lane_block : rows.length;
  std::size_t found = 0;
  for (std::size_t i = 0; i < rows.population; ++i) {
    const Real* const own = rows.vectors + i * length;
    const Real* const base = rows.vectors + rows.donors.base[i] * length;
    const Real* const plus = rows.vectors + rows.donors.plus[i] * length;
    const Real* const minus = rows.vectors + rows.donors.minus[i] * length;
    const Real* const second_plus = has_second ? rows.vectors + rows.donors.second_plus[i] * length : nullptr;
    const Real* const second_minus = has_second ? rows.vectors + rows.donors.second_minus[i] * length : nullptr;
    Real* const trial = trials + i * length;
    const auto weight = broadcast(rows.weights[i]);
    const std::uint32_t* taken = rows.taken + i;
    decltype(weight < weight) outside{};
    for (std::size_t block = 0; block < (is_block ? lane_block : rows.dimensions);
         block += lane_block, taken += rows.count) {
      const auto bits = *taken;
#pragma GCC unroll 8
      for (std::size_t l = 0; l < lane_block; l += lanes<Real>) {
        const auto j = block + l;
        if (l != 0 && j >= rows.dimensions) break;
        auto mutant = mutant_of(load(base + j), weight, plus + j, minus + j);
        if constexpr (has_second) mutant = mutant_of(mutant, weight, second_plus + j, second_minus + j);
        if constexpr (edge == Edge::clip) mutant = clipped<Real>(mutant, load(rows.lower + j), load(rows.upper + j));
        const auto crossed = choose<Real>(bits, l, load(own + j), mutant);
        store(trial + j, crossed);
        if constexpr (edge == Edge::find)
          outside |= crossed != clipped<Real>(crossed, load(rows.lower + j), load(rows.upper + j));
      }
    }
    if constexpr (edge == Edge::find) {
      constexpr auto vectors = 0xffffU / (0xffffU >> (lane_block - lanes<Real>));
      const auto bits = bits_of(outside);
      if (__builtin_expect(bits != 0, 0)) rows.outside[found++] = {static_cast<std::uint32_t>(i), bits * vectors};
    }
  }
  return found;
}

template <bool has_second, Edge edge, class Real>
std::size_t make_rows_of(const TrialRows<Real>& rows, Real* trials) {
  return rows.length == lane_block ? make_rows_so<has_second, edge, true>(rows, trials)
                                   : make_rows_so<has_second, edge, false>(rows, trials);
}
template <Edge edge, class Real>
std::size_t make_rows_at(const TrialRows<Real>& rows, Real* trials) {
  return rows.donors.second_plus ? make_rows_of<true, edge>(rows, trials) : make_rows_of<false, edge>(rows, trials);
}
template <class Real>
std::size_t make_rows(const TrialRows<Real>& rows, Real* trials) {
  if (rows.edge == Edge::clip) return make_rows_at<Edge::clip>(rows, trials);
  if (rows.edge == Edge::find) return make_rows_at<Edge::find>(rows, trials);
  return make_rows_at<Edge::none>(rows, trials);
}

// The trials from `first` on that are better, at most 64, a bit each.
template <class Real>
[[gnu::always_inline]] inline std::uint64_t find_better(const Selection<Real>& selection, std::size_t first) {
  const auto last = std::min<std::size_t>(first + 64, selection.population);
  std::uint64_t better = 0;
  auto i = first;
  for (; i + lanes<Real> <= last; i += lanes<Real>)
    better |= std::uint64_t{bits_of(load(selection.trial_values + i) < load(selection.values + i))} << (i - first);
  for (; i < last; ++i) better |= selection.trial_values[i] < selection.values[i] ? std::uint64_t{1} << (i - first) : 0;
  return better;
}

template <class Real>
std::uint32_t replace_rows(const Selection<Real>& all, std::size_t length) {
  const auto selection = all;
  std::uint32_t invalid = 0;
  for (std::uint32_t i = 0; i < selection.population; ++i)
    invalid += selection.trial_values[i] == selection.trial_values[i] ? 0U : 1U;
  for (std::size_t first = 0; first < selection.population; first += 64)
    for (auto better = find_better(selection, first); better != 0; better &= better - 1) {
      const auto i = first + static_cast<std::size_t>(std::countr_zero(better));
      selection.values[i] = selection.trial_values[i];
      // Of a size that the compiler knows, so that it is not a call.
      for (std::size_t j = i * length; j < (i + 1) * length; j += lane_block)
        std::memcpy(selection.vectors + j, selection.trials + j, lane_block * sizeof(Real));
    }
  return invalid;
}

#if CLOPT_LANE_BYTES >= 32
template <class Real>
struct Vector32 {
  typedef Real Type __attribute__((vector_size(32)));
};
using Eight = Vector32<float>::Type;
using Four = Vector32<double>::Type;

// Four columns of a row, and behind them of the fourth row after it.
[[gnu::always_inline]] inline Eight columns_of(const float* row, std::size_t length) {
  return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(row)), _mm_loadu_ps(row + 4 * length), 1);
}
[[gnu::always_inline]] inline Four columns_of(const double* row) {
  Four x;
  std::memcpy(&x, row, sizeof x);
  return x;
}
template <class Real>
[[gnu::always_inline]] inline void keep(Real* column, typename Vector32<Real>::Type x) {
  std::memcpy(column, &x, sizeof x);
}

// Eight rows and up to four columns: pairs, then fours.
[[gnu::always_inline]] inline void transpose_four(const float* rows, std::size_t length, float* columns,
                                                  std::size_t count, std::size_t used) {
  const Eight r0 = columns_of(rows, length);
  const Eight r1 = columns_of(rows + length, length);
  const Eight r2 = columns_of(rows + 2 * length, length);
  const Eight r3 = columns_of(rows + 3 * length, length);
  const Eight low = __builtin_shufflevector(r0, r1, 0, 8, 1, 9, 4, 12, 5, 13);
  const Eight next_low = __builtin_shufflevector(r2, r3, 0, 8, 1, 9, 4, 12, 5, 13);
  keep(columns, __builtin_shufflevector(low, next_low, 0, 1, 8, 9, 4, 5, 12, 13));
  if (used < 2) return;
  keep(columns + count, __builtin_shufflevector(low, next_low, 2, 3, 10, 11, 6, 7, 14, 15));
  if (used < 3) return;
  const Eight high = __builtin_shufflevector(r0, r1, 2, 10, 3, 11, 6, 14, 7, 15);
  const Eight next_high = __builtin_shufflevector(r2, r3, 2, 10, 3, 11, 6, 14, 7, 15);
  keep(columns + 2 * count, __builtin_shufflevector(high, next_high, 0, 1, 8, 9, 4, 5, 12, 13));
  if (used < 4) return;
  keep(columns + 3 * count, __builtin_shufflevector(high, next_high, 2, 3, 10, 11, 6, 7, 14, 15));
}

// Four rows and up to four columns.
[[gnu::always_inline]] inline void transpose_four(const double* rows, std::size_t length, double* columns,
                                                  std::size_t count, std::size_t used) {
  const Four r0 = columns_of(rows);
  const Four r1 = columns_of(rows + length);
  const Four r2 = columns_of(rows + 2 * length);
  const Four r3 = columns_of(rows + 3 * length);
  const Four low = __builtin_shufflevector(r0, r1, 0, 4, 2, 6);
  const Four next_low = __builtin_shufflevector(r2, r3, 0, 4, 2, 6);
  keep(columns, __builtin_shufflevector(low, next_low, 0, 1, 4, 5));
  if (used > 2) keep(columns + 2 * count, __builtin_shufflevector(low, next_low, 2, 3, 6, 7));
  if (used < 2) return;
  const Four high = __builtin_shufflevector(r0, r1, 1, 5, 3, 7);
  const Four next_high = __builtin_shufflevector(r2, r3, 1, 5, 3, 7);
  keep(columns + count, __builtin_shufflevector(high, next_high, 0, 1, 4, 5));
  if (used > 3) keep(columns + 3 * count, __builtin_shufflevector(high, next_high, 2, 3, 6, 7));
}

template <class Real>
void transpose(const Real* rows, std::size_t count, std::size_t length, std::size_t parameters, Real* columns) {
  constexpr std::size_t together = 32 / sizeof(Real);
  for (std::size_t i = 0; i < count; i += together)
    for (std::size_t j = 0; j < parameters; j += 4)
      transpose_four(rows + i * length + j, length, columns + j * count + i, count, parameters - j);
}
#else
template <class Real>
void transpose(const Real* rows, std::size_t count, std::size_t length, std::size_t parameters, Real* columns) {
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < parameters; ++j) columns[j * count + i] = rows[i * length + j];
}
#endif

}  // namespace CLOPT_SET
}  // namespace
}  // namespace clopt::openmp::differential_evolution
