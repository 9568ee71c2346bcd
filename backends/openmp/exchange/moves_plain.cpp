/// \file
/// Moves for any processor.
#include "moves.hpp"

#include <bit>
#include <cstring>

#define MOVES_TARGET

namespace clopt::openmp::exchange {
namespace {

constexpr std::size_t cost_lanes = 16;

inline std::uint32_t equal_bits(const std::uint8_t* bytes, std::uint32_t value) {
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
}

inline std::uint32_t nth_bit(std::uint64_t bits, std::uint32_t n) {
  for (; n > 0; --n) bits &= bits - 1;
  return static_cast<std::uint32_t>(std::countr_zero(bits));
}

}  // namespace
}  // namespace clopt::openmp::exchange

#include "moves_code.hpp"

namespace clopt::openmp::exchange {

std::uint32_t make_moves_plain(const Replica& replica, const SearchTables& tables) {
  return make_moves_of_any(replica, tables);
}

}  // namespace clopt::openmp::exchange
