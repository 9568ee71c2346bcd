#include "ones.hpp"

#include <bit>
#include <cstdint>

#include <openmp/simd/intrinsics.hpp>

namespace clopt::openmp {

#ifdef __x86_64__
namespace {

// Mula's method: a table has the number of ones of each half of a byte, and the bytes' numbers are added up.
__attribute__((target("avx2,popcnt"))) std::uint64_t ones_of_row(const std::uint32_t* words, std::uint32_t count) {
  constexpr std::uint32_t words_of_vector = 8;
  // Bytes hold the sum of this many vectors, whose bytes have 8 ones at most.
  constexpr std::uint32_t most_vectors = 31;
  const __m256i table = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
  const __m256i halves = _mm256_set1_epi8(0x0f);
  __m256i sums = _mm256_setzero_si256();
  std::uint32_t word = 0;
  while (count - word >= words_of_vector) {
    auto vectors = (count - word) / words_of_vector;
    if (vectors > most_vectors) vectors = most_vectors;
    __m256i bytes = _mm256_setzero_si256();
    for (; vectors != 0; --vectors, word += words_of_vector) {
      const __m256i bits = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(words + word));
      const __m256i lower = _mm256_and_si256(bits, halves);
      const __m256i upper = _mm256_and_si256(_mm256_srli_epi16(bits, 4), halves);
      bytes =
          _mm256_add_epi8(bytes, _mm256_add_epi8(_mm256_shuffle_epi8(table, lower), _mm256_shuffle_epi8(table, upper)));
    }
    sums = _mm256_add_epi64(sums, _mm256_sad_epu8(bytes, _mm256_setzero_si256()));
  }
  const __m128i two = _mm_add_epi64(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
  auto ones = static_cast<std::uint64_t>(_mm_cvtsi128_si64(two)) +
              static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm_unpackhi_epi64(two, two)));
  for (; word < count; ++word) ones += static_cast<std::uint64_t>(std::popcount(words[word]));
  return ones;
}

}  // namespace

template <class Real>
__attribute__((target("avx2,popcnt"))) void count_ones(const ObjectiveBatch& batch) {
  constexpr std::uint32_t bits_of_word = 32;
  const auto* const genes = static_cast<const std::uint32_t*>(batch.genes);
  auto* const values = static_cast<Real*>(batch.values);
  const auto words = (batch.gene_count + bits_of_word - 1) / bits_of_word;
  for (std::uint64_t i = 0; i < batch.count; ++i)
    values[i] = static_cast<Real>(static_cast<int>(ones_of_row(genes + i * batch.individual_step, words)));
}
template void count_ones<float>(const ObjectiveBatch&);
template void count_ones<double>(const ObjectiveBatch&);
#endif

}  // namespace clopt::openmp
