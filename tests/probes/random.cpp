#include <shared/random.h>
#include <generated/operations/random_numbers.hpp>

#include <boost/test/unit_test.hpp>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include <support/philox.hpp>
#include <support/skip.hpp>
#include "support.hpp"

namespace {

using namespace clopt;
using test::device;
namespace generators = random_numbers::operations;
using Block = std::array<std::uint32_t, 4>;

Block block_at(std::uint64_t seed, std::uint32_t purpose, std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  return test::philox({x, y, z, purpose}, seed);
}

// Each lane compares its own fraction, all 32 digits of it, with the probability.
std::uint32_t bernoulli_at(std::uint64_t seed, std::uint32_t purpose, std::uint32_t x, std::uint32_t y, std::uint32_t z,
                           std::uint64_t probability) {
  std::array<std::uint64_t, 32> fractions{};
  for (std::uint32_t digit = 0; digit < 32; ++digit) {
    const auto word = block_at(seed, purpose, x, y, 8 * z + digit / 4)[digit % 4];
    for (std::uint32_t lane = 0; lane < 32; ++lane) fractions[lane] = fractions[lane] << 1 | (word >> lane & 1);
  }
  std::uint32_t result = 0;
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    if (fractions[lane] < probability) result |= 1U << lane;
  return result;
}

constexpr std::uint64_t seed = 0x0123456789abcdefULL;
constexpr std::uint32_t purpose = 77;
constexpr std::uint32_t y = 5;
constexpr std::uint32_t z = 6;
const std::vector<std::uint64_t> probabilities = {0,          1,          1ULL << 31,       3ULL << 30,
                                                  0x0fedcba9, 0x80000001, (1ULL << 32) - 1, 1ULL << 32};

// What an operation writes. \param arguments makes the operation's arguments of the buffer for its results.
template <class T, class Arguments>
std::vector<T> run(std::size_t results, std::uint64_t items, const Arguments& arguments) {
  const auto queue = device().queue();
  const auto buffer = device().buffer<T>("random", results);
  const auto kernel = device().kernel<decltype(arguments(buffer))>();
  queue->launch(kernel, Range::of_items(items), arguments(buffer));
  return test::download(*queue, buffer, results);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(random_numbers)

BOOST_AUTO_TEST_CASE(philox_known_answers) {
  const auto words = [](shared::random_block block) { return Block{block.a, block.b, block.c, block.d}; };
  const auto check = [&](Block counter, std::uint64_t key, Block expected) {
    const auto block = words(shared::random_at(key, counter[3], counter[0], counter[1], counter[2]));
    BOOST_TEST(block == expected, boost::test_tools::per_element());
    const auto oracle = block_at(key, counter[3], counter[0], counter[1], counter[2]);
    BOOST_TEST(oracle == expected, boost::test_tools::per_element());
  };
  // Random123's kat_vectors.
  check({0, 0, 0, 0}, 0, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  check({~0U, ~0U, ~0U, ~0U}, ~0ULL, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  check({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, 0x299f31d0a4093822ULL,
        {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

BOOST_AUTO_TEST_CASE(words, *boost::unit_test::label("device")) {
  for (const std::size_t blocks : {1U, 7U, 1000U, 70001U}) {
    std::vector<std::uint32_t> expected;
    for (std::uint32_t x = 0; x < blocks; ++x)
      for (const auto word : block_at(seed, purpose, x, y, z)) expected.push_back(word);
    BOOST_TEST((run<std::uint32_t>(4 * blocks, blocks, [&](const auto& words) {
                  return generators::RandomWords{
                      .words = words, .count = blocks, .seed = seed, .purpose = purpose, .y = y, .z = z};
                }) == expected));
  }
}

// The oracle takes the draw's definition literally: floor(word * n / 2^bits), of the first word whose product's lower
// half is not among the 2^bits mod n smallest ones.
BOOST_AUTO_TEST_CASE(uniform_integers, *boost::unit_test::label("device")) {
  constexpr std::size_t count = 20000;
  for (const std::uint32_t n : {1U, 2U, 10U, 1000003U, 0x80000001U, 0xffffffffU}) {
    std::vector<std::uint32_t> expected(count);
    for (std::uint32_t i = 0; i < count; ++i)
      for (std::uint32_t draw = 0;; ++draw) {
        const std::uint64_t product = std::uint64_t{block_at(seed, purpose, i, 0, draw / 4)[draw % 4]} * n;
        expected[i] = static_cast<std::uint32_t>(product >> 32);
        if (static_cast<std::uint32_t>(product) >= (1ULL << 32) % n) break;
      }
    BOOST_TEST((run<std::uint32_t>(count, count,
                                   [&](const auto& numbers) {
                                     return generators::UniformNumbers{
                                         .numbers = numbers, .count = count, .seed = seed, .purpose = purpose, .n = n};
                                   }) == expected),
               "below " << n);
  }
  for (const std::uint64_t n : {1ULL, 10ULL, 1ULL << 32, (1ULL << 63) + 1, ~0ULL}) {
    std::vector<std::uint64_t> expected(count);
    for (std::uint32_t i = 0; i < count; ++i)
      for (std::uint32_t draw = 0;; ++draw) {
        const auto block = block_at(seed, purpose, i, 0, draw / 2);
        const std::uint64_t word = block[draw % 2 * 2] | std::uint64_t{block[draw % 2 * 2 + 1]} << 32;
        const auto product = static_cast<unsigned __int128>(word) * n;
        expected[i] = static_cast<std::uint64_t>(product >> 64);
        if (static_cast<std::uint64_t>(product) >=
            static_cast<std::uint64_t>((static_cast<unsigned __int128>(1) << 64) % n))
          break;
      }
    BOOST_TEST((run<std::uint64_t>(count, count,
                                   [&](const auto& numbers) {
                                     return generators::UniformNumbers64{
                                         .numbers = numbers, .count = count, .seed = seed, .purpose = purpose, .n = n};
                                   }) == expected),
               "below " << n);
  }
}

BOOST_AUTO_TEST_CASE(bernoulli, *boost::unit_test::label("device")) {
  constexpr std::size_t count = 3000;
  for (const auto probability : probabilities) {
    std::vector<std::uint32_t> expected(2 * count);
    for (std::uint32_t i = 0; i < expected.size(); ++i) expected[i] = bernoulli_at(seed, purpose, i, y, z, probability);
    BOOST_TEST((run<std::uint32_t>(2 * count, 2 * count,
                                   [&](const auto& words) {
                                     return generators::BernoulliWords{.words = words,
                                                                       .count = 2 * count,
                                                                       .seed = seed,
                                                                       .purpose = purpose,
                                                                       .y = y,
                                                                       .z = z,
                                                                       .probability = probability};
                                   }) == expected),
               "probability " << probability);
    // A word of 64 bits is two of 32.
    std::vector<std::uint64_t> wide(count);
    for (std::size_t i = 0; i < count; ++i) wide[i] = expected[2 * i] | std::uint64_t{expected[2 * i + 1]} << 32;
    BOOST_TEST((run<std::uint64_t>(count, count,
                                   [&](const auto& words) {
                                     return generators::BernoulliWords64{.words = words,
                                                                         .count = count,
                                                                         .seed = seed,
                                                                         .purpose = purpose,
                                                                         .y = y,
                                                                         .z = z,
                                                                         .probability = probability};
                                   }) == wide),
               "probability " << probability);
  }
}

BOOST_AUTO_TEST_CASE(floats, *boost::unit_test::label("device")) {
  constexpr std::size_t count = 20000;
  std::vector<float> expected(count);
  for (std::uint32_t i = 0; i < count; ++i)
    expected[i] = std::ldexp(static_cast<float>(block_at(seed, purpose, i, y, z)[0] >> 8), -24);
  BOOST_TEST((run<float>(count, count, [&](const auto& fractions) {
                return generators::UniformFloats{
                    .fractions = fractions, .count = count, .seed = seed, .purpose = purpose, .y = y, .z = z};
              }) == expected));
}

BOOST_AUTO_TEST_CASE(doubles, *boost::unit_test::label("device")) {
  if (!device().info().has_double) return test::skip("no double precision");
  constexpr std::size_t count = 20000;
  std::vector<double> expected(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto block = block_at(seed, purpose, i, y, z);
    const std::uint64_t word = block[0] | std::uint64_t{block[1]} << 32;
    expected[i] = std::ldexp(static_cast<double>(word >> 11), -53);
  }
  BOOST_TEST((run<double>(count, count, [&](const auto& fractions) {
                return generators::UniformDoubles{
                    .fractions = fractions, .count = count, .seed = seed, .purpose = purpose, .y = y, .z = z};
              }) == expected));
}

BOOST_AUTO_TEST_CASE(fractions_reach_both_ends_and_never_one) {
  BOOST_TEST(shared::uniform_float(0) == 0.0F);
  BOOST_TEST(shared::uniform_float(255) == 0.0F);
  BOOST_TEST(shared::uniform_float(~0U) == 1.0F - 0x1p-24F);
  BOOST_TEST(shared::uniform_double(2047) == 0.0);
  BOOST_TEST(shared::uniform_double(~0ULL) == 1.0 - 0x1p-53);
}

// A Bernoulli count has variance n p (1 - p); five standard deviations are passed once in two million seeds.
BOOST_AUTO_TEST_CASE(bernoulli_frequency_in_every_lane) {
  constexpr std::uint32_t words = 40000;
  for (const auto probability : probabilities) {
    const double p = std::ldexp(static_cast<double>(probability), -32);
    std::array<std::uint32_t, 32> ones{};
    std::uint64_t both = 0;  // neighbouring lanes, which must be independent
    for (std::uint32_t i = 0; i < words; ++i) {
      const auto word = shared::bernoulli_word(seed, purpose, i, y, z, probability);
      for (std::uint32_t lane = 0; lane < 32; ++lane) ones[lane] += word >> lane & 1;
      both += static_cast<std::uint64_t>(std::popcount(word & (word >> 1)));
    }
    for (const auto count : ones)
      BOOST_TEST(std::fabs(count - words * p) <= 5 * std::sqrt(words * p * (1 - p)) + 1e-3, "probability " << p);
    const double pairs = words * 31.0;
    // Overlapping pairs are correlated: variance at most three times that of independent ones.
    BOOST_TEST(std::fabs(static_cast<double>(both) - pairs * p * p) <=
               5 * std::sqrt(3 * pairs * p * p * (1 - p * p)) + 1e-3);
  }
}

// Chi-square with 999 degrees of freedom: mean 999, standard deviation 44.7.
BOOST_AUTO_TEST_CASE(uniform_integers_fill_their_range_evenly) {
  constexpr std::uint32_t cells = 1000;
  constexpr std::uint32_t draws = 200000;
  std::vector<std::uint32_t> counts(cells);
  std::vector<std::uint32_t> counts_64(cells);
  for (std::uint32_t i = 0; i < draws; ++i) {
    ++counts[shared::uniform_at(seed, purpose, i, cells)];
    ++counts_64[shared::uniform_at_64(seed, purpose + 1, i, cells)];
  }
  for (const auto& part : {counts, counts_64}) {
    double chi_square = 0;
    for (const auto count : part) chi_square += std::pow(count - double{draws} / cells, 2) / (double{draws} / cells);
    BOOST_TEST(chi_square > 999 - 5 * 44.7);
    BOOST_TEST(chi_square < 999 + 5 * 44.7);
  }
}

// n = 3 * 2^30 refuses a quarter of the words: without the refusal, every third result would come twice as often.
BOOST_AUTO_TEST_CASE(uniform_integers_are_unbiased_where_many_words_are_refused) {
  constexpr std::uint32_t n = 3U << 30;
  constexpr std::uint32_t draws = 300000;
  std::array<std::uint32_t, 3> counts{};
  for (std::uint32_t i = 0; i < draws; ++i) ++counts[shared::uniform_at(seed, purpose, i, n) % 3];
  for (const auto count : counts) BOOST_TEST(std::fabs(count - draws / 3.0) < 5 * std::sqrt(draws * 2.0 / 9));
}

BOOST_AUTO_TEST_SUITE_END()
