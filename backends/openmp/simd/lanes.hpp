// Vectors of numbers as wide as an instruction set's, by the compiler's own vector types: their operators (+, &, <<, <,
// ?:) work lane by lane on every processor, and a comparison is all ones where it holds. Instructions that no operator
// stands for are functions here. each_set.hpp includes this once for each set, so it has no guard.

#define CLOPT_LANES [[gnu::always_inline]] inline
#ifdef __x86_64__
// The instruction of the set's width.
#if CLOPT_LANE_BYTES == 64
#define CLOPT_X86(name) _mm512_##name
#elif CLOPT_LANE_BYTES == 32
#define CLOPT_X86(name) _mm256_##name
#else
#define CLOPT_X86(name) _mm_##name
#endif
#endif

namespace clopt::openmp::simd::CLOPT_SET {

template <class Number>
inline constexpr std::size_t lanes = CLOPT_LANE_BYTES / sizeof(Number);

template <class Number>
struct VectorOf {
  typedef Number Type __attribute__((vector_size(CLOPT_LANE_BYTES)));
};
template <class Number>
using Lanes = typename VectorOf<Number>::Type;

using Bytes = Lanes<std::uint8_t>;
using HalfWords = Lanes<std::uint16_t>;
using Words = Lanes<std::uint32_t>;
using LongWords = Lanes<std::uint64_t>;
/// What intrinsics take.
using Register = Lanes<long long>;

template <class Number>
CLOPT_LANES Lanes<Number> load(const Number* from) {
  Lanes<Number> x;
  std::memcpy(&x, from, sizeof x);
  return x;
}
template <class Number>
CLOPT_LANES void store(Number* to, Lanes<Number> x) {
  std::memcpy(to, &x, sizeof x);
}

/// The same number in all lanes. Less 0, since a sum with it would make -0 positive.
template <class Number>
CLOPT_LANES Lanes<Number> broadcast(Number x) {
  return x - Lanes<Number>{};
}

/// The numbers of the lanes, times a step.
template <class Number, Number step = 1>
CLOPT_LANES Lanes<Number> numbers() {
  static constexpr auto numbers = [] {
    std::array<Number, lanes<Number>> made{};
    for (std::size_t l = 0; l < made.size(); ++l) made[l] = static_cast<Number>(step * l);
    return made;
  }();
  return load(numbers.data());
}

/// 2 to the power of the number of the lane: the bit of each lane.
template <class Integer>
CLOPT_LANES Lanes<Integer> lane_bits() {
  static constexpr auto powers = [] {
    std::array<Integer, lanes<Integer>> made{};
    for (std::size_t l = 0; l < made.size(); ++l) made[l] = static_cast<Integer>(Integer{1} << l);
    return made;
  }();
  return load(powers.data());
}

/// `other` in the lanes whose bits are set, else `own`. \param bits that of the first lane is the bit `first`.
template <class Real>
CLOPT_LANES Lanes<Real> choose(std::uint32_t bits, std::size_t first, Lanes<Real> own, Lanes<Real> other) {
#if CLOPT_LANE_BYTES == 64
  if constexpr (sizeof(Real) == sizeof(float))
    return _mm512_mask_mov_ps(own, static_cast<__mmask16>(bits >> first), other);
  else
    return _mm512_mask_mov_pd(own, static_cast<__mmask8>(bits >> first), other);
#elif CLOPT_LANE_BYTES == 32
  // A blend looks at the highest bit of a lane.
  if constexpr (sizeof(Real) == sizeof(float))
    return _mm256_blendv_ps(
        own, other,
        (Lanes<float>)(broadcast(bits) << (static_cast<std::uint32_t>(31 - first) - numbers<std::uint32_t>())));
  else
    return _mm256_blendv_pd(own, other,
                            (Lanes<double>)((LongWords)broadcast(bits) << (63 - first - numbers<std::uint64_t>())));
#else
  using Integer = std::conditional_t<sizeof(Real) == sizeof(float), std::uint32_t, std::uint64_t>;
  const auto set = lane_bits<Integer>();
  return (broadcast<Integer>(bits >> first) & set) == set ? other : own;
#endif
}

/// A bit for each lane of a comparison that holds, of numbers of 32 or of 64 bits.
template <class Comparison>
CLOPT_LANES std::uint32_t bits_of(Comparison holds) {
  constexpr bool is_short = sizeof(holds[0]) == 4;
#if CLOPT_LANE_BYTES == 64
  if constexpr (is_short)
    return _mm512_test_epi32_mask((Register)holds, (Register)holds);
  else
    return _mm512_test_epi64_mask((Register)holds, (Register)holds);
#elif defined(__x86_64__)
  if constexpr (is_short)
    return static_cast<std::uint32_t>(CLOPT_X86(movemask_ps)((Lanes<float>)holds));
  else
    return static_cast<std::uint32_t>(CLOPT_X86(movemask_pd)((Lanes<double>)holds));
#else
  std::uint32_t bits = 0;
  for (std::uint32_t l = 0; l < CLOPT_LANE_BYTES / (is_short ? 4 : 8); ++l) bits |= holds[l] != 0 ? 1U << l : 0U;
  return bits;
#endif
}

/// A number in the lanes whose bits are set, else 0.
CLOPT_LANES HalfWords where(std::uint32_t bits, std::uint16_t number) {
#if CLOPT_LANE_BYTES == 64
  return (HalfWords)_mm512_maskz_set1_epi16(bits, static_cast<short>(number));
#else
  const auto set = lane_bits<std::uint16_t>();
  return (HalfWords)((broadcast(static_cast<std::uint16_t>(bits)) & set) == set) & broadcast(number);
#endif
}

/// The highest bits of 32 numbers, a bit each.
CLOPT_LANES std::uint32_t top_bits(const HalfWords (&x)[64 / CLOPT_LANE_BYTES]) {
#if CLOPT_LANE_BYTES == 64
  return _mm512_movepi16_mask((Register)x[0]);
#elif CLOPT_LANE_BYTES == 32
  constexpr int halves_in_order = 0xd8;
  const auto bytes = _mm256_packs_epi16((Register)x[0], (Register)x[1]);
  return static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_permute4x64_epi64(bytes, halves_in_order)));
#elif defined(__x86_64__)
  const auto half = [](HalfWords low, HalfWords high) {
    return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_packs_epi16((Register)low, (Register)high)));
  };
  return half(x[0], x[1]) | half(x[2], x[3]) << 16;
#else
  std::uint32_t bits = 0;
  for (std::uint32_t v = 0; v < 4; ++v) {
    const HalfWords set = (x[v] >> 15) * lane_bits<std::uint16_t>();
    for (std::uint32_t l = 0; l < lanes<std::uint16_t>; ++l) bits |= std::uint32_t{set[l]} << 8 * v;
  }
  return bits;
#endif
}

CLOPT_LANES Words least(Words x, Words y) { return x < y ? x : y; }
CLOPT_LANES Words greatest(Words x, Words y) { return x > y ? x : y; }

/// All ones where x is not below y.
CLOPT_LANES Lanes<std::int32_t> is_not_below(Words x, Words y) {
#if CLOPT_LANE_BYTES == 32
  // AVX2 compares no unsigned numbers.
  return greatest(x, y) == x;
#else
  return x >= y;
#endif
}

/// The number of ones of each byte.
CLOPT_LANES Bytes ones_of_bytes(Bytes x) {
#if CLOPT_LANE_BYTES > 16
  // A table has those of each half of a byte (Mula).
  alignas(64) static constexpr std::uint8_t table[64] = {
      0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
      0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
  const auto ones = (Register)load(table);
  constexpr std::uint8_t half = 15;
  const auto upper = (Bytes)((HalfWords)x >> 4) & half;
  return (Bytes)CLOPT_X86(shuffle_epi8)(ones, (Register)(x & half)) +
         (Bytes)CLOPT_X86(shuffle_epi8)(ones, (Register)upper);
#elif defined(__aarch64__)
  return (Bytes)vcntq_u8((uint8x16_t)x);
#else
  auto sums = (LongWords)x;
  sums -= sums >> 1 & 0x5555'5555'5555'5555U;
  sums = (sums & 0x3333'3333'3333'3333U) + (sums >> 2 & 0x3333'3333'3333'3333U);
  return (Bytes)((sums + (sums >> 4)) & 0x0f0f'0f0f'0f0f'0f0fU);
#endif
}

/// As many of these can be added up before a byte overflows.
inline constexpr std::uint32_t most_summed_bytes = 31;

/// The sums of eight bytes each.
CLOPT_LANES LongWords sums_of_bytes(Bytes x) {
#if defined(__x86_64__)
  return (LongWords)CLOPT_X86(sad_epu8)((Register)x, Register{});
#elif defined(__aarch64__)
  return (LongWords)vpaddlq_u32(vpaddlq_u16(vpaddlq_u8((uint8x16_t)x)));
#else
  constexpr std::uint64_t even = 0x00ff'00ff'00ff'00ffU;
  const auto pairs = ((LongWords)x & even) + ((LongWords)x >> 8 & even);
  return pairs * 0x0001'0001'0001'0001U >> 48;
#endif
}

/// Sums of squares of numbers below 128, four in a lane; all lanes together have those of all bytes.
CLOPT_LANES Words squares_of_bytes(Bytes x) {
#if CLOPT_LANE_BYTES > 16
  return (Words)CLOPT_X86(madd_epi16)(CLOPT_X86(maddubs_epi16)((Register)x, (Register)x), CLOPT_X86(set1_epi16)(1));
#elif defined(__aarch64__)
  const auto low = vget_low_u8((uint8x16_t)x);
  return (Words)vpaddlq_u16(vmull_u8(low, low)) + (Words)vpaddlq_u16(vmull_high_u8((uint8x16_t)x, (uint8x16_t)x));
#else
  const auto even = (HalfWords)x & 0xffU;
  const auto odd = (HalfWords)x >> 8;
  const auto pairs = (Words)(even * even + odd * odd);
  return (pairs & 0xffffU) + (pairs >> 16);
#endif
}

/// The sum of all lanes.
CLOPT_LANES std::uint64_t sum_of(LongWords x) {
  std::uint64_t sum = 0;
  for (std::size_t l = 0; l < lanes<std::uint64_t>; ++l) sum += x[l];
  return sum;
}

/// Whether a bit is set.
CLOPT_LANES bool any(LongWords x) {
#if CLOPT_LANE_BYTES == 64
  return _mm512_test_epi64_mask((Register)x, (Register)x) != 0;
#elif CLOPT_LANE_BYTES == 32
  return _mm256_testz_si256((Register)x, (Register)x) == 0;
#else
  return (x[0] | x[1]) != 0;
#endif
}

#if CLOPT_LANE_BYTES == 64
/// Only the first lanes, at least one; the others are 0, and are neither read nor written.
CLOPT_LANES LongWords load_first(const std::uint64_t* from, std::uint32_t count) {
  return (LongWords)_mm512_maskz_loadu_epi64(static_cast<__mmask8>(0xffU >> (8 - count)), from);
}
CLOPT_LANES void store_first(std::uint64_t* to, LongWords x, std::uint32_t count) {
  _mm512_mask_storeu_epi64(to, static_cast<__mmask8>(0xffU >> (8 - count)), (Register)x);
}

/// A bit for each lane that is not the same in both.
CLOPT_LANES std::uint32_t different_lanes(LongWords x, LongWords y) {
  return _mm512_cmpneq_epi64_mask((Register)x, (Register)y);
}
#endif

/// Which of 32 bytes are equal to a value, a bit each.
CLOPT_LANES std::uint32_t equal_bits(const std::uint8_t* bytes, std::uint32_t value) {
#if CLOPT_LANE_BYTES >= 32
  const auto some = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes));
  const auto wanted = _mm256_set1_epi8(static_cast<char>(value));
#if CLOPT_LANE_BYTES == 64
  return _mm256_cmpeq_epi8_mask(some, wanted);
#else
  return static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(some, wanted)));
#endif
#else
  std::uint32_t bits = 0;
  for (int i = 0; i < 4; ++i) {
    std::uint64_t word;
    std::memcpy(&word, bytes + 8 * i, sizeof word);
    // The first byte is the lowest.
    if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
    const std::uint64_t x = word ^ value * 0x0101'0101'0101'0101U;
    constexpr std::uint64_t low = 0x7f7f'7f7f'7f7f'7f7fU;
    const std::uint64_t equal = ~(((x & low) + low) | x | low) >> 7;
    // The lowest bits of eight bytes, moved next to each other at the top.
    bits |= static_cast<std::uint32_t>(equal * 0x0102'0408'1020'4080U >> 56) << 8 * i;
  }
  return bits;
#endif
}

/// The place of the n-th bit that is set, from 0 on.
CLOPT_LANES std::uint32_t nth_bit(std::uint64_t bits, std::uint32_t n) {
#if CLOPT_LANE_BYTES >= 32
  bits = _pdep_u64(std::uint64_t{1} << n, bits);
#else
  for (; n > 0; --n) bits &= bits - 1;
#endif
  return static_cast<std::uint32_t>(std::countr_zero(bits));
}

/// The even lanes of one and the odd lanes of another.
CLOPT_LANES Words blend(Words even, Words odd) {
#if CLOPT_LANE_BYTES == 64
  return __builtin_shufflevector(even, odd, 0, 17, 2, 19, 4, 21, 6, 23, 8, 25, 10, 27, 12, 29, 14, 31);
#elif CLOPT_LANE_BYTES == 32
  return __builtin_shufflevector(even, odd, 0, 9, 2, 11, 4, 13, 6, 15);
#else
  const LongWords upper = broadcast<std::uint64_t>(0xffff'ffff'0000'0000);
  return (Words)(((LongWords)odd & upper) | ((LongWords)even & ~upper));
#endif
}

/// The products of the lower halves.
CLOPT_LANES LongWords product(LongWords x, LongWords y) {
#if defined(__x86_64__)
  return (LongWords)CLOPT_X86(mul_epu32)((Register)x, (Register)y);
#elif defined(__aarch64__)
  return (LongWords)vmull_u32(vmovn_u64((uint64x2_t)x), vmovn_u64((uint64x2_t)y));
#else
  constexpr std::uint64_t lower = 0xffff'ffff;
  return (x & lower) * (y & lower);
#endif
}

/// Numbers of half the length.
CLOPT_LANES LongWords load_longer(const std::uint32_t* from) {
#if CLOPT_LANE_BYTES == 64
  return (LongWords)_mm512_cvtepu32_epi64(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
#elif CLOPT_LANE_BYTES == 32
  return (LongWords)_mm256_cvtepu32_epi64(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
#else
  return LongWords{from[0], from[1]};
#endif
}

/// The lower halves of two vectors, one in the lower and one in the upper halves.
CLOPT_LANES LongWords join(LongWords lower, LongWords upper) {
  return (LongWords)blend((Words)lower, (Words)(upper << 32));
}

/// Bits that one or all of three have.
CLOPT_LANES LongWords combine(LongWords x, LongWords y, LongWords z) {
#if CLOPT_LANE_BYTES == 64
  return (LongWords)_mm512_ternarylogic_epi64((Register)x, (Register)y, (Register)z, 0x96);
#else
  return x ^ (y ^ z);
#endif
}

/// Both halves of the products of numbers with one number, which all lanes have.
struct Products {
  Words high;
  Words low;
};
CLOPT_LANES Products products(Words x, Words factor) {
  const auto even = product((LongWords)x, (LongWords)factor);
  const auto odd = product((LongWords)x >> 32, (LongWords)factor);
  return {blend((Words)(even >> 32), (Words)odd), blend((Words)even, (Words)(odd << 32))};
}
CLOPT_LANES Words high_products(Words x, Words factor) { return products(x, factor).high; }

}  // namespace clopt::openmp::simd::CLOPT_SET

#undef CLOPT_LANES
#undef CLOPT_X86
