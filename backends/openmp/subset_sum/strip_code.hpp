// A strip takes an item, compiled for each instruction set by simd/each_set.hpp.

namespace clopt::openmp::subset_sum {
namespace {
namespace CLOPT_SET {

using namespace simd::CLOPT_SET;

using Word = std::uint64_t;
constexpr std::int64_t vector_words = lanes<Word>;

#if CLOPT_LANE_BYTES == 64
/// What stays the same for all vectors of a strip, and the last one that was read below.
struct Shifted {
  std::uint32_t shift;
  LongWords before;
};

// Takes `count` vectors, and writes them only if that changes any: what is only read need not go back to the
// second-level cache. A word's lower neighbour comes from the vector before, not from memory a second time: a vector
// that lies across two cache lines is read at half the rate.
template <int count>
[[gnu::always_inline]] inline void take_vectors(Word* reached, const Word* high, Shifted& shifted) {
  LongWords complementary[count];
  LongWords fresh{};
#pragma GCC unroll 8
  for (int i = 0; i < count; ++i) {
    const auto here = load(high + vector_words * i);
    complementary[i] = shift_left(here, behind(shifted.before, here), shifted.shift);
    fresh |= complementary[i] & ~load(reached + vector_words * i);
    shifted.before = here;
  }
  if (!any(fresh)) return;
#pragma GCC unroll 8
  for (int i = 0; i < count; ++i)
    store(reached + vector_words * i, complementary[i] | load(reached + vector_words * i));
}

void take(Word* reached, const Word* high, std::uint32_t shift, std::int64_t words) {
  constexpr std::int64_t together = 8;  // as many as registers hold
  Shifted shifted{shift, load(high - vector_words)};
  std::int64_t x = 0;
  for (; x + together * vector_words <= words; x += together * vector_words)
    take_vectors<together>(reached + x, high + x, shifted);
  for (; x < words; x += vector_words) take_vectors<1>(reached + x, high + x, shifted);
}
#else
void take(Word* reached, const Word* high, std::uint32_t shift, std::int64_t words) {
  for (std::int64_t x = 0; x < words; x += vector_words)
    store(reached + x, load(reached + x) | shift_left(load(high + x), load(high + x - 1), shift));
}
#endif

}  // namespace CLOPT_SET
}  // namespace
}  // namespace clopt::openmp::subset_sum
