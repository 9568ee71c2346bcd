/// \file
/// Every function of the backend's vectors gives what a loop gives, in each instruction set that the processor has.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace {

// What 64 bytes of vectors are made of.
struct Input {
  std::uint8_t bytes[64];
  std::uint16_t halves[32];
  std::uint32_t x[16], y[16];
  std::uint64_t p[8], q[8], r[8];
  float f[16], g[16];
  double d[8], e[8];
  std::uint32_t bits, factor;
  std::uint16_t number;
  std::uint8_t byte;
};

// The bits of each number that a function gives.
using Results = std::map<std::string, std::vector<std::uint64_t>>;

void note(Results& results, const char* function, std::size_t index, std::uint64_t value) {
  auto& values = results[function];
  if (values.size() <= index) values.resize(index + 1);
  values[index] = value;
}

template <class Number>
std::uint64_t bits_of(Number x) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &x, sizeof x);
  return bits;
}

}  // namespace

#define CLOPT_CODE <common/lanes_code.hpp>
#include <openmp/simd/each_set.hpp>

namespace {

// By plain loops.
Results expected(const Input& in, std::size_t vector_bytes) {
  Results to;
  const auto bit = [&](std::size_t i) { return in.bits >> i & 1; };
  const auto low = [](std::uint64_t x) { return x & 0xffff'ffffU; };
  for (std::size_t i = 0; i < 64; ++i)
    note(to, "ones_of_bytes", i, static_cast<std::uint64_t>(std::popcount(in.bytes[i])));
  for (std::size_t i = 0; i < 32; ++i) {
    note(to, "broadcast 16", i, in.number);
    note(to, "lane_bits 16", i, std::uint16_t(1U << i % (vector_bytes / 2)));
    note(to, "where", i, bit(i) ? in.number : 0);
    to["top_bits"].resize(1);
    to["top_bits"][0] |= std::uint64_t{in.halves[i]} >> 15 << i;
  }
  for (std::size_t i = 0; i < 16; ++i) {
    const std::uint64_t product = std::uint64_t{in.x[i]} * in.factor;
    note(to, "broadcast 32", i, in.factor);
    note(to, "broadcast float", i, bits_of(in.f[0]));
    note(to, "numbers 32", i, i % (vector_bytes / 4));
    note(to, "choose float", i, bits_of(bit(i) ? in.g[i] : in.f[i]));
    note(to, "least", i, std::min(in.x[i], in.y[i]));
    note(to, "greatest", i, std::max(in.x[i], in.y[i]));
    note(to, "is_not_below", i, in.x[i] < in.y[i] ? 0 : 0xffff'ffffU);
    note(to, "blend", i, i % 2 == 0 ? in.x[i] : in.y[i]);
    note(to, "products high", i, product >> 32);
    note(to, "products low", i, low(product));
    note(to, "high_products", i, product >> 32);
  }
  for (std::size_t i = 0; i < 8; ++i) {
    const auto lane = i % (vector_bytes / 8);
    note(to, "broadcast 64", i, in.p[0]);
    note(to, "broadcast double", i, bits_of(in.d[0]));
    note(to, "numbers 64", i, 2 * lane);
    note(to, "lane_bits 64", i, std::uint64_t{1} << lane);
    note(to, "choose double", i, bits_of(bit(i) ? in.e[i] : in.d[i]));
    std::uint64_t sum = 0;
    for (std::size_t b = 8 * i; b < 8 * i + 8; ++b) sum += in.bytes[b];
    note(to, "sums_of_bytes", i, sum);
    note(to, "product", i, low(in.p[i]) * low(in.q[i]));
    note(to, "load_longer", i, in.x[i]);
    note(to, "join", i, low(in.p[i]) | in.q[i] << 32);
    note(to, "combine", i, in.p[i] ^ in.q[i] ^ in.r[i]);
  }
  for (std::size_t v = 0; v < 64 / vector_bytes; ++v) {
    std::uint64_t squares = 0, sum = 0, all = 0;
    for (std::size_t i = v * vector_bytes; i < (v + 1) * vector_bytes; ++i)
      squares += (in.bytes[i] & 0x7fU) * (in.bytes[i] & 0x7fU);
    for (std::size_t i = v * vector_bytes / 8; i < (v + 1) * vector_bytes / 8; ++i) sum += in.p[i], all |= in.p[i];
    note(to, "squares_of_bytes", v, squares);
    note(to, "sum_of", v, sum);
    note(to, "any", v, all != 0);
    note(to, "any of none", v, 0);
    note(to, "any of one", v, 1);
  }
  for (std::size_t first : {0U, 1U, 32U}) {
    std::uint64_t equal = 0;
    for (std::size_t i = 0; i < 32; ++i) equal |= std::uint64_t{in.bytes[first + i] == in.byte} << i;
    note(to, "equal_bits", first, equal);
  }
  for (std::size_t i = 0, n = 0; i < 64; ++i)
    if ((in.p[0] >> i & 1) != 0) note(to, "nth_bit", n++, i);
  if (vector_bytes < 64) return to;
  for (std::size_t count = 1; count <= 8; ++count)
    for (std::size_t i = 0; i < 8; ++i) {
      note(to, "load_first", 8 * (count - 1) + i, i < count ? in.p[8 - count + i] : 0);
      note(to, "store_first", 8 * (count - 1) + i, i < count ? in.p[i] : in.r[i]);
    }
  std::uint64_t different = 0;
  for (std::size_t i = 0; i < 8; ++i) different |= std::uint64_t{in.p[i] != in.q[i]} << i;
  note(to, "different_lanes", 0, different);
  return to;
}

// A third are at the ends of their range; whole inputs may be 0 or all ones.
Input random_input(std::mt19937_64& random, std::uint64_t number) {
  const auto draw = [&]<class Number>(Number& x) {
    using Limits = std::numeric_limits<Number>;
    const Number ends[] = {0, Limits::max(), Limits::max() / 2, Limits::max() / 2 + 1, 1, Limits::lowest()};
    x = random() % 3 == 0 ? ends[random() % 6] : static_cast<Number>(random());
    if (number < 2) x = number == 0 ? Number{0} : Limits::max();
    if (std::is_floating_point_v<Number> && random() % 2 == 0) x = -x;
  };
  const auto fill = [&](auto&... arrays) { (std::for_each(std::begin(arrays), std::end(arrays), draw), ...); };
  Input in;
  fill(in.bytes, in.halves, in.x, in.y, in.p, in.q, in.r, in.f, in.g, in.d, in.e);
  draw(in.bits), draw(in.factor), draw(in.number), draw(in.byte);
  for (auto& x : in.bytes)
    if (random() % 4 == 0) x = static_cast<std::uint8_t>(in.byte ^ (random() % 2 << random() % 8));
  for (std::size_t i = 0; i < 8; ++i) {
    if (random() % 2 == 0) in.q[i] = in.p[i];
    if (random() % 2 == 0) in.y[2 * i] = in.x[2 * i] + static_cast<std::uint32_t>(random() % 3) - 1;
  }
  return in;
}

BOOST_AUTO_TEST_SUITE(lanes)

BOOST_AUTO_TEST_CASE(functions_of_each_set) {
  const auto seed = std::random_device{}();
  for (const auto set : {clopt::InstructionSet::plain, clopt::InstructionSet::avx2, clopt::InstructionSet::avx512}) {
    if (set > clopt::instruction_set()) continue;
    std::mt19937_64 random(seed);
    for (std::uint64_t number = 0; number < 300; ++number)
      BOOST_TEST_CONTEXT("seed " << seed << ", input " << number << ", " << clopt::name_of(set)) {
        const auto in = random_input(random, number);
        Results found;
        const auto right = expected(in, CLOPT_FOR(set, run)(in, found));
        BOOST_TEST(found.size() == right.size());
        for (const auto& [function, values] : right)
          BOOST_TEST(found[function] == values, function << boost::test_tools::per_element());
      }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
