#include "patterns.hpp"

#include <support/numbers/vectorize.hpp>

#include <algorithm>

#include <openmp/simd/intrinsics.hpp>

namespace clopt::openmp::ecga {
namespace {

/// The rows of a group.
template <class Word>
struct GroupRows {
  Word* rows[ECGA_MOST_LOCI];
  std::uint32_t size;
  std::uint32_t words;
};

template <class Word>
GroupRows<Word> rows_of(std::span<Word> rows, const std::uint32_t* loci, std::uint32_t size, std::uint32_t words) {
  GroupRows<Word> group{{}, size, words};
  for (std::uint32_t s = 0; s < size; ++s) group.rows[s] = &rows[std::uint64_t{loci[s]} * words];
  return group;
}

CLOPT_VECTORIZE(void, pack_plain, (const GroupRows<const std::uint32_t>& group, std::uint16_t* patterns),
                (group, patterns)) {
  std::fill_n(patterns, 32 * group.words, std::uint16_t{0});
  for (std::uint32_t s = 0; s < group.size; ++s)
    for (std::uint32_t x = 0; x < group.words; ++x) {
      const std::uint32_t word = group.rows[s][x];
      for (std::uint32_t k = 0; k < 32; ++k)
        patterns[32 * x + k] = static_cast<std::uint16_t>(patterns[32 * x + k] | (word >> k & 1U) << s);
    }
}

CLOPT_VECTORIZE(void, unpack_plain, (const std::uint16_t* patterns, const GroupRows<std::uint32_t>& group),
                (patterns, group)) {
  for (std::uint32_t s = 0; s < group.size; ++s)
    for (std::uint32_t x = 0; x < group.words; ++x) {
      std::uint32_t word = 0;
      for (std::uint32_t k = 0; k < 32; ++k) word |= (std::uint32_t{patterns[32 * x + k]} >> s & 1U) << k;
      group.rows[s][x] = word;
    }
}

#if defined(__x86_64__)

// A word of a row is the mask of 32 patterns.
__attribute__((target("avx512f,avx512bw"))) void pack_avx512(const GroupRows<const std::uint32_t>& group,
                                                             std::uint16_t* patterns) {
  for (std::uint32_t x = 0; x < group.words; ++x) {
    __m512i all = _mm512_setzero_si512();
    for (std::uint32_t s = 0; s < group.size; ++s)
      all = _mm512_or_si512(all, _mm512_maskz_set1_epi16(group.rows[s][x], static_cast<short>(1 << s)));
    _mm512_storeu_si512(patterns + 32 * x, all);
  }
}

__attribute__((target("avx512f,avx512bw"))) void unpack_avx512(const std::uint16_t* patterns,
                                                               const GroupRows<std::uint32_t>& group) {
  for (std::uint32_t x = 0; x < group.words; ++x) {
    const __m512i all = _mm512_loadu_si512(patterns + 32 * x);
    for (std::uint32_t s = 0; s < group.size; ++s)
      group.rows[s][x] = _mm512_test_epi16_mask(all, _mm512_set1_epi16(static_cast<short>(1 << s)));
  }
}

// A bit of a word becomes all ones in its pattern's lane where it is set.
__attribute__((target("avx2"))) void pack_avx2(const GroupRows<const std::uint32_t>& group, std::uint16_t* patterns) {
  const __m256i own = _mm256_setr_epi16(1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 4, 1 << 5, 1 << 6, 1 << 7, 1 << 8, 1 << 9,
                                        1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, static_cast<short>(1U << 15));
  const auto bits_of = [&](std::uint32_t half, std::uint32_t s) __attribute__((target("avx2"), always_inline)) {
    const __m256i set = _mm256_and_si256(_mm256_set1_epi16(static_cast<short>(half)), own);
    return _mm256_and_si256(_mm256_cmpeq_epi16(set, own), _mm256_set1_epi16(static_cast<short>(1U << s)));
  };
  for (std::uint32_t x = 0; x < group.words; ++x) {
    __m256i low = _mm256_setzero_si256();
    __m256i high = _mm256_setzero_si256();
    for (std::uint32_t s = 0; s < group.size; ++s) {
      const auto word = group.rows[s][x];
      low = _mm256_or_si256(low, bits_of(word & 0xffffU, s));
      high = _mm256_or_si256(high, bits_of(word >> 16, s));
    }
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(patterns + 32 * x), low);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(patterns + 32 * x + 16), high);
  }
}

// The locus's bit goes to the sign of each pattern, which stays when patterns are narrowed to bytes.
__attribute__((target("avx2"))) void unpack_avx2(const std::uint16_t* patterns, const GroupRows<std::uint32_t>& group) {
  constexpr int halves_in_order = 0xd8;
  for (std::uint32_t x = 0; x < group.words; ++x) {
    const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(patterns + 32 * x));
    const __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(patterns + 32 * x + 16));
    for (std::uint32_t s = 0; s < group.size; ++s) {
      const __m128i shift = _mm_cvtsi32_si128(static_cast<int>(15 - s));
      const __m256i bytes = _mm256_packs_epi16(_mm256_sll_epi16(low, shift), _mm256_sll_epi16(high, shift));
      group.rows[s][x] =
          static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_permute4x64_epi64(bytes, halves_in_order)));
    }
  }
}

bool has_avx512() {
  static const bool has = uses_avx512() && __builtin_cpu_supports("avx512bw");
  return has;
}

#endif

CLOPT_VECTORIZE(void, make_passes, (const shared::ecga_bijection& bijection, std::uint32_t* images),
                (bijection, images)) {
  const auto b = bijection;
  for (std::uint32_t i = 0; i < b.count; ++i) images[i] = shared::ecga_pass(b, i);
}

}  // namespace

void pack_group(std::span<const std::uint32_t> rows, const std::uint32_t* loci, std::uint32_t size,
                std::uint32_t row_words, std::span<std::uint16_t> patterns) {
  const auto group = rows_of(rows, loci, size, row_words);
#if defined(__x86_64__)
  if (has_avx512()) return pack_avx512(group, patterns.data());
  if (uses_avx2()) return pack_avx2(group, patterns.data());
#endif
  pack_plain(group, patterns.data());
}

void unpack_group(std::span<const std::uint16_t> patterns, const std::uint32_t* loci, std::uint32_t size,
                  std::uint32_t row_words, std::span<std::uint32_t> rows) {
  const auto group = rows_of(rows, loci, size, row_words);
#if defined(__x86_64__)
  if (has_avx512()) return unpack_avx512(patterns.data(), group);
  if (uses_avx2()) return unpack_avx2(patterns.data(), group);
#endif
  unpack_plain(patterns.data(), group);
}

// Few images are out of range at first: they are mapped again one by one.
void make_images(const shared::ecga_bijection& bijection, std::uint32_t* images) {
  make_passes(bijection, images);
  for (std::uint32_t i = 0; i < bijection.count; ++i)
    if (images[i] >= bijection.count) images[i] = shared::ecga_image(bijection, images[i]);
}

}  // namespace clopt::openmp::ecga
