// Rows of bits and patterns, compiled for each instruction set by simd/each_set.hpp.

namespace clopt::openmp::ecga {
namespace {
namespace CLOPT_SET {

using namespace simd::CLOPT_SET;

// A word of a row has a bit for each of 32 patterns.
constexpr std::size_t patterns_in_vector = lanes<std::uint16_t>;
constexpr std::size_t vectors_of_word = 32 / patterns_in_vector;

void pack(const GroupRows<const std::uint32_t>& group, std::uint16_t* patterns) {
  for (std::uint32_t x = 0; x < group.words; ++x) {
    HalfWords packed[vectors_of_word]{};
    for (std::uint32_t s = 0; s < group.size; ++s) {
      const std::uint32_t word = group.rows[s][x];
#pragma GCC unroll 4
      for (std::size_t v = 0; v < vectors_of_word; ++v)
        packed[v] |= where(word >> patterns_in_vector * v, static_cast<std::uint16_t>(1U << s));
    }
    for (std::size_t v = 0; v < vectors_of_word; ++v) store(patterns + 32 * x + patterns_in_vector * v, packed[v]);
  }
}

void unpack(const std::uint16_t* patterns, const GroupRows<std::uint32_t>& group) {
  for (std::uint32_t x = 0; x < group.words; ++x) {
    HalfWords packed[vectors_of_word];
    for (std::size_t v = 0; v < vectors_of_word; ++v) packed[v] = load(patterns + 32 * x + patterns_in_vector * v);
    for (std::uint32_t s = 0; s < group.size; ++s) {
      HalfWords shifted[vectors_of_word];
#pragma GCC unroll 4
      for (std::size_t v = 0; v < vectors_of_word; ++v) shifted[v] = packed[v] << (15 - s);
      group.rows[s][x] = top_bits(shifted);
    }
  }
}

}  // namespace CLOPT_SET
}  // namespace
}  // namespace clopt::openmp::ecga
