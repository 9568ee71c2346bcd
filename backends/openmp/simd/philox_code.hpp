// Philox4x32-10 by a processor's vectors. Included once for each instruction set, within a namespace, with
// PHILOX_TARGET defined as the attribute of its functions; so it has no guard. Lanes says what it needs of the vectors.

struct Vectors {
  Lanes::Vector x[4];
};

// The state after the rounds that all lanes have in common, where z is the same for all.
[[gnu::always_inline]] PHILOX_TARGET inline Vectors begin(const CommonRounds& common, Lanes::Vector y) {
  const auto word = Lanes::combine(y, Lanes::all(common.v0_of_1));
  const auto first = Lanes::product(word, Lanes::all(factor0));
  const auto third = Lanes::combine(Lanes::high(first), Lanes::all(common.v2_of_2));
  const auto second = Lanes::product(third, Lanes::all(factor2));
  return {{Lanes::combine(Lanes::high(second), Lanes::all(common.v0_of_3)), second,
           Lanes::combine(first, Lanes::all(common.v2_of_3)), Lanes::all(common.v3_of_3)}};
}

// The same where each lane has a z; that of `common` is 0.
[[gnu::always_inline]] PHILOX_TARGET inline Vectors begin(const CommonRounds& common, Lanes::Vector y,
                                                          Lanes::Vector z) {
  const auto of_z = Lanes::product(z, Lanes::all(factor2));
  const auto word = Lanes::combine(y, Lanes::all(common.v0_of_1), Lanes::high(of_z));
  const auto first = Lanes::product(word, Lanes::all(factor0));
  const auto third = Lanes::combine(Lanes::high(first), Lanes::all(common.v2_of_2));
  const auto second = Lanes::product(third, Lanes::all(factor2));
  const auto fourth = Lanes::product(Lanes::combine(of_z, Lanes::all(common.v0_of_2)), Lanes::all(factor0));
  return {{Lanes::combine(Lanes::high(second), Lanes::all(common.v0_of_3)), second,
           Lanes::combine(Lanes::high(fourth), first, Lanes::all(common.key1[2])), fourth}};
}

// The other rounds of several vectors: one proceeds while another waits for its products.
template <std::size_t count>
[[gnu::always_inline]] PHILOX_TARGET inline void finish(const CommonRounds& common, Vectors (&all)[count]) {
#pragma GCC unroll 8
  for (int round = CommonRounds::count; round < rounds; ++round) {
    const auto key0 = Lanes::all(common.key0[round]);
    const auto key1 = Lanes::all(common.key1[round]);
#pragma GCC unroll 4
    for (auto& [x] : all) {
      const auto first = Lanes::product(x[0], Lanes::all(factor0));
      const auto second = Lanes::product(x[2], Lanes::all(factor2));
      x[0] = Lanes::combine(Lanes::high(second), x[1], key0);
      x[1] = second;
      x[2] = Lanes::combine(Lanes::high(first), x[3], key1);
      x[3] = first;
    }
  }
}

template <class Z>
PHILOX_TARGET void blocks(std::uint64_t seed, std::uint32_t purpose, std::uint32_t x, const std::uint32_t* y, Z z,
                          std::uint32_t count, std::uint64_t* ab, std::uint64_t* cd) {
  // More do not fit into the registers.
  constexpr std::uint32_t vectors = 2;
  static_assert(random_lanes % (Lanes::count * vectors) == 0);
  std::uint32_t common_z = 0;
  if constexpr (same_z<Z>) common_z = z;
  const CommonRounds common(seed, purpose, x, common_z);
  for (std::uint32_t i = 0; i < count; i += Lanes::count * vectors) {
    Vectors all[vectors];
#pragma GCC unroll 2
    for (std::uint32_t v = 0; v < vectors; ++v) {
      const auto at = i + v * Lanes::count;
      if constexpr (same_z<Z>)
        all[v] = begin(common, Lanes::load(y + at));
      else
        all[v] = begin(common, Lanes::load(y + at), Lanes::load(z + at));
    }
    finish(common, all);
#pragma GCC unroll 2
    for (std::uint32_t v = 0; v < vectors; ++v) {
      const auto at = i + v * Lanes::count;
      Lanes::store(ab + at, Lanes::join(all[v].x[0], all[v].x[1]));
      Lanes::store(cd + at, Lanes::join(all[v].x[2], all[v].x[3]));
    }
  }
}

// Lanes of even and of odd items go side by side. \returns the items that were done.
template <std::size_t pairs>
[[gnu::always_inline]] PHILOX_TARGET inline std::size_t words_of(const CommonRounds& common, std::size_t i,
                                                                 std::size_t count, std::uint32_t* words) {
  constexpr std::size_t items = 2 * Lanes::count;
  Vectors all[2 * pairs];
#pragma GCC unroll 2
  for (std::size_t p = 0; p < pairs; ++p) {
    all[2 * p] = begin(common, Lanes::even_from(i + p * items));
    all[2 * p + 1] = begin(common, Lanes::even_from(i + p * items + 1));
  }
  finish(common, all);
#pragma GCC unroll 2
  for (std::size_t p = 0; p < pairs; ++p)
    for (std::size_t w = 0; w < 4; ++w)
      Lanes::store(words + w * count + i + p * items, Lanes::join(all[2 * p].x[w], all[2 * p + 1].x[w]));
  return pairs * items;
}

PHILOX_TARGET inline void words(std::uint64_t seed, std::uint32_t purpose, std::uint32_t x, std::uint32_t z,
                                std::size_t count, std::uint32_t* to) {
  const CommonRounds common(seed, purpose, x, z);
  for (std::size_t i = 0; i < count;)
    i += Lanes::count == 4 && count - i >= 16 ? words_of<2>(common, i, count, to) : words_of<1>(common, i, count, to);
}
