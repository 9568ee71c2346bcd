/// \file
/// The backend's vectors of random numbers are Random123's, in each instruction set that the processor has.
#include <boost/test/unit_test.hpp>

#include <random>
#include <vector>

// Its functions of each set are in an unnamed namespace.
#include <openmp/simd/philox.cpp>

BOOST_AUTO_TEST_SUITE(lanes)

BOOST_AUTO_TEST_CASE(random_numbers_of_each_set) {
  using namespace clopt::openmp;
  using Words = std::array<std::uint32_t, 4>;
  const auto random_seed = std::random_device{}();
  std::mt19937_64 random(random_seed);
  const auto word = [&] { return static_cast<std::uint32_t>(random() % 5 == 0 ? 0 - random() % 2 : random()); };
  for (const auto set : {clopt::InstructionSet::plain, clopt::InstructionSet::avx2, clopt::InstructionSet::avx512})
    for (const std::uint32_t count : {1U, 7U, 8U, 9U, 15U, 16U, 17U, 31U, 32U, 33U, 48U, 49U}) {
      if (set > clopt::instruction_set()) continue;
      BOOST_TEST_CONTEXT("seed " << random_seed << ", count " << count << ", " << clopt::name_of(set)) {
        const std::uint64_t seed = random();
        const auto purpose = word(), x = word();
        const auto right = [&](std::uint32_t y, std::uint32_t z) {
          const auto block = clopt::shared::random_at(seed, purpose, x, y, z);
          return Words{block.a, block.b, block.c, block.d};
        };
        const auto padded = whole_lanes(count);
        std::vector<std::uint32_t> y(padded), z(padded);
        for (std::uint32_t i = 0; i < padded; ++i) y[i] = word(), z[i] = word();
        // One number more than are written.
        const std::vector<std::uint64_t> untouched(padded + 1, 0x0123'4567'89ab'cdefU);
        auto ab = untouched, cd = untouched;
        const auto check = [&](auto z_of) {
          for (std::uint32_t i = 0; i < padded; ++i) {
            const auto block = block_of(ab[i], cd[i]);
            BOOST_TEST((Words{block.a, block.b, block.c, block.d} == right(y[i], z_of(i))));
          }
          BOOST_TEST((ab.back() == untouched.back() && cd.back() == untouched.back()));
          ab = cd = untouched;
        };
        const auto each_z = [&](std::uint32_t i) { return z[i]; };
        const auto same_z = [&](std::uint32_t) { return z[0]; };
        const auto blocks_of_each_z = CLOPT_FOR(set, blocks<const std::uint32_t*>);
        blocks_of_each_z(seed, purpose, x, y.data(), z.data(), padded, ab.data(), cd.data());
        check(each_z);
        const auto blocks_of_same_z = CLOPT_FOR(set, blocks<std::uint32_t>);
        blocks_of_same_z(seed, purpose, x, y.data(), z[0], padded, ab.data(), cd.data());
        check(same_z);
        // The functions that choose a set round up the count.
        random_blocks(seed, purpose, x, y.data(), z.data(), count, ab.data(), cd.data());
        check(each_z);
        random_blocks(seed, purpose, x, y.data(), z[0], count, ab.data(), cd.data());
        check(same_z);

        const std::size_t items = set == clopt::InstructionSet::avx512 ? padded : (count + 7) / 8 * 8;
        std::vector<std::uint32_t> each(4 * items + 1, 0x0123'4567U);
        CLOPT_FOR(set, words)(seed, purpose, x, z[0], items, each.data());
        for (std::uint32_t i = 0; i < items; ++i)
          BOOST_TEST((Words{each[i], each[items + i], each[2 * items + i], each[3 * items + i]} == right(i, z[0])));
        BOOST_TEST(each.back() == 0x0123'4567U);
      }
    }
}

BOOST_AUTO_TEST_SUITE_END()
