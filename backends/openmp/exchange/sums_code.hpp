// Sums of uses, compiled for each instruction set by simd/each_set.hpp.

namespace clopt::openmp::exchange {
namespace {
namespace CLOPT_SET {

using namespace simd::CLOPT_SET;

Sums take_sums(std::uint8_t* uses, std::size_t count) {
  LongWords added{};
  LongWords squares{};
  Bytes all{};
  std::size_t i = 0;
  while (i + sizeof all <= count) {
    // The sum of this many squares of four uses fits a word of 32 bits.
    const std::size_t end = std::min(count, i + sizeof all * 0x8000);
    Words part{};
    for (; i + sizeof all <= end; i += sizeof all) {
      const auto some = load(uses + i);
      store(uses + i, Bytes{});
      added += sums_of_bytes(some);
      part += squares_of_bytes(some);
      all |= some;
    }
    squares += ((LongWords)part >> 32) + ((LongWords)part & 0xffff'ffffU);
  }
  Sums sums = take_plainly(uses + i, count - i);
  sums.uses += sum_of(added);
  sums.squares += sum_of(squares);
  sums.are_small = sums.are_small && !any((LongWords)all & 0x8080'8080'8080'8080U);
  return sums;
}

}  // namespace CLOPT_SET
}  // namespace
}  // namespace clopt::openmp::exchange
