#include "philox.hpp"

#include <support/numbers/instruction_set.hpp>

#include <type_traits>

#include <openmp/simd/intrinsics.hpp>

namespace clopt::openmp {
namespace {

// `Z` is uint32_t where z is the same for all, else const uint32_t*.
template <class Z>
constexpr bool same_z = std::is_same_v<Z, std::uint32_t>;

constexpr std::uint32_t whole_lanes(std::uint32_t count) {
  return (count + random_lanes - 1) / random_lanes * random_lanes;
}

namespace plain {

template <class Z>
void blocks(std::uint64_t seed, std::uint32_t purpose, std::uint32_t x, const std::uint32_t* y, Z z,
            std::uint32_t count, std::uint64_t* ab, std::uint64_t* cd) {
  for (std::uint32_t i = 0; i < count; ++i) {
    shared::random_block block;
    if constexpr (same_z<Z>)
      block = shared::random_at(seed, purpose, x, y[i], z);
    else
      block = shared::random_at(seed, purpose, x, y[i], z[i]);
    ab[i] = shared::random_word_64(block.a, block.b);
    cd[i] = shared::random_word_64(block.c, block.d);
  }
}

void words(std::uint64_t seed, std::uint32_t purpose, std::uint32_t x, std::uint32_t z, std::size_t count,
           std::uint32_t* to) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto block = shared::random_at(seed, purpose, x, static_cast<std::uint32_t>(i), z);
    to[i] = block.a;
    to[count + i] = block.b;
    to[2 * count + i] = block.c;
    to[3 * count + i] = block.d;
  }
}

}  // namespace plain

#ifdef __x86_64__

// Philox4x32-10 as Random123 defines it: a round makes the words v0 to v3 into
//   high(v2 * factor2) ^ v1 ^ key0, low(v2 * factor2), high(v0 * factor0) ^ v3 ^ key1, low(v0 * factor0).
// Each word has a lane of 64 bits, so that a product's halves are where the next round needs them: its lower half is
// the next word as it is, since the upper half is ignored.
constexpr std::uint64_t factor0 = 0xD2511F53, factor2 = 0xCD9E8D57;
constexpr std::uint32_t weyl0 = 0x9E3779B9, weyl1 = 0xBB67AE85;
constexpr int rounds = 10;

// What the first rounds have in common for all lanes: x and the purpose are the same, and z may be. It is computed
// once.
struct CommonRounds {
  static constexpr int count = 3;
  std::uint64_t key0[rounds];
  std::uint64_t key1[rounds];
  // What is combined with a word of each lane to give the next one.
  std::uint64_t v0_of_1;  // with y; where z is not the same, with the high half of z's product, too
  std::uint64_t v2_of_2;  // with the high half of v0's product
  std::uint64_t v0_of_2;  // z the same: the word itself; else with the low half of z's product
  std::uint64_t v0_of_3;  // with the high half of v2's product
  std::uint64_t v2_of_3;  // z the same: with v3
  std::uint64_t v3_of_3;  // z the same: the word itself

  CommonRounds(std::uint64_t seed, std::uint32_t purpose, std::uint32_t x, std::uint32_t z) {
    auto next0 = static_cast<std::uint32_t>(seed);
    auto next1 = static_cast<std::uint32_t>(seed >> 32);
    for (int round = 0; round < rounds; ++round, next0 += weyl0, next1 += weyl1) {
      key0[round] = next0;
      key1[round] = next1;
    }
    const std::uint64_t of_x = x * factor0;
    const std::uint64_t of_z = z * factor2;
    const std::uint64_t of_v2 = low(high(of_x) ^ purpose ^ key1[0]) * factor2;
    v0_of_1 = high(of_z) ^ key0[0];
    v2_of_2 = low(of_x) ^ key1[1];
    v0_of_2 = high(of_v2) ^ low(of_z) ^ key0[1];
    v0_of_3 = low(of_v2) ^ key0[2];
    const std::uint64_t of_v0 = low(v0_of_2) * factor0;
    v2_of_3 = high(of_v0) ^ key1[2];
    v3_of_3 = low(of_v0);
  }

 private:
  static std::uint64_t low(std::uint64_t product) { return product & 0xffffffffU; }
  static std::uint64_t high(std::uint64_t product) { return product >> 32; }
};

namespace avx2 {

#define PHILOX_TARGET __attribute__((target("avx2")))
#define LANES [[gnu::always_inline]] PHILOX_TARGET static inline

struct Lanes {
  using Vector = __m256i;
  static constexpr std::uint32_t count = 4;
  LANES Vector all(std::uint64_t word) { return _mm256_set1_epi64x(static_cast<long long>(word)); }
  LANES Vector even_from(std::uint64_t i) { return _mm256_add_epi64(all(i), _mm256_set_epi64x(6, 4, 2, 0)); }
  LANES Vector load(const std::uint32_t* words) {
    return _mm256_cvtepu32_epi64(_mm_loadu_si128(reinterpret_cast<const __m128i*>(words)));
  }
  LANES void store(void* to, Vector a) { _mm256_storeu_si256(static_cast<__m256i*>(to), a); }
  LANES Vector product(Vector a, Vector b) { return _mm256_mul_epu32(a, b); }
  LANES Vector high(Vector a) { return _mm256_srli_epi64(a, 32); }
  LANES Vector combine(Vector a, Vector b) { return _mm256_xor_si256(a, b); }
  LANES Vector combine(Vector a, Vector b, Vector c) { return combine(a, combine(b, c)); }
  LANES Vector join(Vector low, Vector high) { return _mm256_blend_epi32(low, _mm256_slli_epi64(high, 32), 0xAA); }
};

#include "philox_code.hpp"

#undef PHILOX_TARGET

}  // namespace avx2

namespace avx512 {

#define PHILOX_TARGET __attribute__((target("avx512f")))

struct Lanes {
  using Vector = __m512i;
  static constexpr std::uint32_t count = 8;
  LANES Vector all(std::uint64_t word) { return _mm512_set1_epi64(static_cast<long long>(word)); }
  LANES Vector even_from(std::uint64_t i) {
    return _mm512_add_epi64(all(i), _mm512_set_epi64(14, 12, 10, 8, 6, 4, 2, 0));
  }
  LANES Vector load(const std::uint32_t* words) {
    return _mm512_cvtepu32_epi64(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(words)));
  }
  LANES void store(void* to, Vector a) { _mm512_storeu_si512(to, a); }
  LANES Vector product(Vector a, Vector b) { return _mm512_mul_epu32(a, b); }
  LANES Vector high(Vector a) { return _mm512_srli_epi64(a, 32); }
  LANES Vector combine(Vector a, Vector b) { return _mm512_xor_si512(a, b); }
  LANES Vector combine(Vector a, Vector b, Vector c) { return _mm512_ternarylogic_epi64(a, b, c, 0x96); }
  LANES Vector join(Vector low, Vector high) {
    return _mm512_mask_blend_epi32(0xAAAA, low, _mm512_slli_epi64(high, 32));
  }
};

#include "philox_code.hpp"

#undef PHILOX_TARGET
#undef LANES

}  // namespace avx512

#endif

template <class Z>
auto best_blocks() {
#ifdef __x86_64__
  if (uses_avx512()) return avx512::blocks<Z>;
  if (uses_avx2()) return avx2::blocks<Z>;
#endif
  return plain::blocks<Z>;
}

auto best_words() {
#ifdef __x86_64__
  if (uses_avx512()) return avx512::words;
  if (uses_avx2()) return avx2::words;
#endif
  return plain::words;
}

}  // namespace

void random_blocks(std::uint64_t seed, std::uint32_t purpose, std::uint32_t x, const std::uint32_t* y,
                   const std::uint32_t* z, std::uint32_t count, std::uint64_t* ab, std::uint64_t* cd) {
  static const auto blocks = best_blocks<const std::uint32_t*>();
  blocks(seed, purpose, x, y, z, whole_lanes(count), ab, cd);
}

void random_blocks(std::uint64_t seed, std::uint32_t purpose, std::uint32_t x, const std::uint32_t* y, std::uint32_t z,
                   std::uint32_t count, std::uint64_t* ab, std::uint64_t* cd) {
  static const auto blocks = best_blocks<std::uint32_t>();
  blocks(seed, purpose, x, y, z, whole_lanes(count), ab, cd);
}

void random_words(std::uint64_t seed, std::uint32_t purpose, std::uint32_t x, std::uint32_t z, std::size_t count,
                  std::uint32_t* words) {
  static const auto best = best_words();
  best(seed, purpose, x, z, count, words);
}

}  // namespace clopt::openmp
