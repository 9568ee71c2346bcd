// Calls every function of lanes.hpp for 64 bytes, a vector after the other. Compiled for each set by each_set.hpp.

namespace {
namespace CLOPT_SET {

using namespace clopt::openmp::simd::CLOPT_SET;

template <class Number>
inline void put(Results& results, const char* function, std::size_t first, Lanes<Number> x) {
  Number each[lanes<Number>];
  store(each, x);
  for (std::size_t l = 0; l < lanes<Number>; ++l) note(results, function, first + l, bits_of(each[l]));
}

/// \returns the bytes of a vector.
inline std::size_t run(const Input& in, Results& to) {
  static_assert(8 * most_summed_bytes <= 0xff);
  HalfWords halves[64 / CLOPT_LANE_BYTES];
  for (std::size_t v = 0; v < 64 / CLOPT_LANE_BYTES; ++v) {
    const auto at8 = v * lanes<std::uint8_t>, at16 = v * lanes<std::uint16_t>, at32 = v * lanes<std::uint32_t>,
               at64 = v * lanes<std::uint64_t>;
    const auto bytes = load(in.bytes + at8);
    const auto x = load(in.x + at32), y = load(in.y + at32);
    const auto p = load(in.p + at64), q = load(in.q + at64), r = load(in.r + at64);
    halves[v] = load(in.halves + at16);
    put<std::uint16_t>(to, "broadcast 16", at16, broadcast(in.number));
    put<std::uint32_t>(to, "broadcast 32", at32, broadcast(in.factor));
    put<std::uint64_t>(to, "broadcast 64", at64, broadcast(in.p[0]));
    put<float>(to, "broadcast float", at32, broadcast(in.f[0]));
    put<double>(to, "broadcast double", at64, broadcast(in.d[0]));
    put<std::uint32_t>(to, "numbers 32", at32, numbers<std::uint32_t>());
    put<std::uint64_t>(to, "numbers 64", at64, numbers<std::uint64_t, 2>());
    put<std::uint16_t>(to, "lane_bits 16", at16, lane_bits<std::uint16_t>());
    put<std::uint64_t>(to, "lane_bits 64", at64, lane_bits<std::uint64_t>());
    put<float>(to, "choose float", at32, choose<float>(in.bits, at32, load(in.f + at32), load(in.g + at32)));
    put<double>(to, "choose double", at64, choose<double>(in.bits, at64, load(in.d + at64), load(in.e + at64)));
    put<std::uint16_t>(to, "where", at16, where(in.bits >> at16, in.number));
    put<std::uint32_t>(to, "least", at32, least(x, y));
    put<std::uint32_t>(to, "greatest", at32, greatest(x, y));
    put<std::int32_t>(to, "is_not_below", at32, is_not_below(x, y));
    put<std::uint8_t>(to, "ones_of_bytes", at8, ones_of_bytes(bytes));
    put<std::uint64_t>(to, "sums_of_bytes", at64, sums_of_bytes(bytes));
    const auto squares = squares_of_bytes(bytes & 0x7f);
    note(to, "squares_of_bytes", v, sum_of(((LongWords)squares >> 32) + ((LongWords)squares & 0xffff'ffffU)));
    note(to, "sum_of", v, sum_of(p));
    note(to, "any", v, any(p));
    note(to, "any of none", v, any(LongWords{}));
    bool any_of_one = true;
    for (std::size_t bit = 0; bit < 8 * sizeof p; ++bit) {
      LongWords one{};
      one[bit / 64] = std::uint64_t{1} << bit % 64;
      any_of_one = any_of_one && any(one);
    }
    note(to, "any of one", v, any_of_one);
    put<std::uint32_t>(to, "blend", at32, blend(x, y));
    put<std::uint64_t>(to, "product", at64, product(p, q));
    put<std::uint64_t>(to, "load_longer", at64, load_longer(in.x + at64));
    put<std::uint64_t>(to, "join", at64, join(p, q));
    put<std::uint64_t>(to, "combine", at64, combine(p, q, r));
    const auto both = products(x, broadcast(in.factor));
    put<std::uint32_t>(to, "products high", at32, both.high);
    put<std::uint32_t>(to, "products low", at32, both.low);
    put<std::uint32_t>(to, "high_products", at32, high_products(x, broadcast(in.factor)));
  }
  note(to, "top_bits", 0, top_bits(halves));
  for (std::size_t i : {0U, 1U, 32U}) note(to, "equal_bits", i, equal_bits(in.bytes + i, in.byte));
  for (std::uint32_t n = 0; n < static_cast<std::uint32_t>(std::popcount(in.p[0])); ++n)
    note(to, "nth_bit", n, nth_bit(in.p[0], n));
#if CLOPT_LANE_BYTES == 64
  for (std::uint32_t count = 1; count <= 8; ++count) {
    put<std::uint64_t>(to, "load_first", 8 * (count - 1), load_first(in.p + 8 - count, count));
    std::uint64_t stored[8];
    store(stored, load(in.r));
    store_first(stored, load(in.p), count);
    put<std::uint64_t>(to, "store_first", 8 * (count - 1), load(stored));
  }
  note(to, "different_lanes", 0, different_lanes(load(in.p), load(in.q)));
#endif
  return CLOPT_LANE_BYTES;
}

}  // namespace CLOPT_SET
}  // namespace
