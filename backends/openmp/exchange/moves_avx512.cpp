/// \file
/// Moves for processors with vectors of 64 bytes and masks.
#include "moves.hpp"

#ifdef __x86_64__
#include <immintrin.h>

#define MOVES_TARGET __attribute__((target("avx512f,avx512bw,avx512vl,bmi,bmi2,popcnt")))

namespace clopt::openmp::exchange {
namespace {

constexpr std::size_t cost_lanes = 64;

MOVES_TARGET inline std::uint32_t equal_bits(const std::uint8_t* bytes, std::uint32_t value) {
  return _mm256_cmpeq_epi8_mask(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes)),
                                _mm256_set1_epi8(static_cast<char>(value)));
}

MOVES_TARGET inline std::uint32_t nth_bit(std::uint64_t bits, std::uint32_t n) {
  return static_cast<std::uint32_t>(_tzcnt_u64(_pdep_u64(std::uint64_t{1} << n, bits)));
}

}  // namespace
}  // namespace clopt::openmp::exchange

#include "moves_code.hpp"

namespace clopt::openmp::exchange {

std::uint32_t make_moves_avx512(const Replica& replica, const SearchTables& tables) {
  return make_moves_of_any(replica, tables);
}

}  // namespace clopt::openmp::exchange
#endif
