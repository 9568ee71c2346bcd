// Philox4x32-10 in vectors. Compiled for each instruction set by each_set.hpp.

namespace clopt::openmp {
namespace {
namespace CLOPT_SET {

using namespace simd::CLOPT_SET;

struct State {
  LongWords x[4];
};

// The state after the rounds that all lanes have in common, where z is the same for all.
[[gnu::always_inline]] inline State begin(const CommonRounds& common, LongWords y) {
  const auto first = product(y ^ common.v0_of_1, broadcast(factor0));
  const auto second = product(first >> 32 ^ common.v2_of_2, broadcast(factor2));
  return {{second >> 32 ^ common.v0_of_3, second, first ^ common.v2_of_3, broadcast(common.v3_of_3)}};
}

// The same where each lane has a z; that of `common` is 0.
[[gnu::always_inline]] inline State begin(const CommonRounds& common, LongWords y, LongWords z) {
  const auto of_z = product(z, broadcast(factor2));
  const auto first = product(combine(y, broadcast(common.v0_of_1), of_z >> 32), broadcast(factor0));
  const auto second = product(first >> 32 ^ common.v2_of_2, broadcast(factor2));
  const auto fourth = product(of_z ^ common.v0_of_2, broadcast(factor0));
  return {{second >> 32 ^ common.v0_of_3, second, combine(fourth >> 32, first, broadcast(common.key1[2])), fourth}};
}

// The other rounds of several vectors: one proceeds while another waits for its products.
template <std::size_t count>
[[gnu::always_inline]] inline void finish(const CommonRounds& common, State (&all)[count]) {
#pragma GCC unroll 8
  for (int round = CommonRounds::count; round < rounds; ++round) {
    const auto key0 = broadcast(common.key0[round]);
    const auto key1 = broadcast(common.key1[round]);
#pragma GCC unroll 4
    for (auto& [x] : all) {
      const auto first = product(x[0], broadcast(factor0));
      const auto second = product(x[2], broadcast(factor2));
      x[0] = combine(second >> 32, x[1], key0);
      x[1] = second;
      x[2] = combine(first >> 32, x[3], key1);
      x[3] = first;
    }
  }
}

template <class Z>
void blocks(std::uint64_t seed, std::uint32_t purpose, std::uint32_t x, const std::uint32_t* y, Z z,
            std::uint32_t count, std::uint64_t* ab, std::uint64_t* cd) {
  // More do not fit into the registers.
  constexpr std::uint32_t vectors = 2;
  static_assert(random_lanes % (lanes<std::uint64_t> * vectors) == 0);
  std::uint32_t common_z = 0;
  if constexpr (same_z<Z>) common_z = z;
  const CommonRounds common(seed, purpose, x, common_z);
  for (std::uint32_t i = 0; i < count; i += lanes<std::uint64_t> * vectors) {
    State all[vectors];
#pragma GCC unroll 2
    for (std::uint32_t v = 0; v < vectors; ++v) {
      const auto at = i + v * lanes<std::uint64_t>;
      if constexpr (same_z<Z>)
        all[v] = begin(common, load_longer(y + at));
      else
        all[v] = begin(common, load_longer(y + at), load_longer(z + at));
    }
    finish(common, all);
#pragma GCC unroll 2
    for (std::uint32_t v = 0; v < vectors; ++v) {
      const auto at = i + v * lanes<std::uint64_t>;
      store(ab + at, join(all[v].x[0], all[v].x[1]));
      store(cd + at, join(all[v].x[2], all[v].x[3]));
    }
  }
}

// Lanes of even and of odd items go side by side. \returns the items that were done.
template <std::size_t pairs>
[[gnu::always_inline]] inline std::size_t words_of(const CommonRounds& common, std::size_t i, std::size_t count,
                                                   std::uint32_t* words) {
  constexpr std::size_t items = 2 * lanes<std::uint64_t>;
  const auto even = numbers<std::uint64_t, 2>();
  State all[2 * pairs];
#pragma GCC unroll 2
  for (std::size_t p = 0; p < pairs; ++p) {
    all[2 * p] = begin(common, even + (i + p * items));
    all[2 * p + 1] = begin(common, even + (i + p * items + 1));
  }
  finish(common, all);
#pragma GCC unroll 2
  for (std::size_t p = 0; p < pairs; ++p) {
    constexpr bool low_is_first = std::endian::native == std::endian::little;
    const auto& low = all[2 * p + (low_is_first ? 0 : 1)];
    const auto& high = all[2 * p + (low_is_first ? 1 : 0)];
    for (std::size_t w = 0; w < 4; ++w) store(words + w * count + i + p * items, (Words)join(low.x[w], high.x[w]));
  }
  return pairs * items;
}

inline void words(std::uint64_t seed, std::uint32_t purpose, std::uint32_t x, std::uint32_t z, std::size_t count,
                  std::uint32_t* to) {
  const CommonRounds common(seed, purpose, x, z);
  for (std::size_t i = 0; i < count;)
    i += lanes<std::uint64_t> == 4 && count - i >= 16 ? words_of<2>(common, i, count, to)
                                                      : words_of<1>(common, i, count, to);
}

}  // namespace CLOPT_SET
}  // namespace
}  // namespace clopt::openmp
