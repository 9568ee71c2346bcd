// Ones of the ands of rows, compiled for each instruction set by simd/each_set.hpp.

namespace clopt::openmp::ecga {
namespace {
namespace CLOPT_SET {

using namespace simd::CLOPT_SET;

void count(const std::uint32_t* const* p, const std::uint32_t* const* q, Ends ends, std::uint32_t* counts) {
  constexpr std::uint32_t words = lanes<std::uint32_t>;
  for (std::uint32_t i = 0; i < block_rows; ++i) {
    LongWords sums[block_rows]{};
    std::uint32_t x = 0;
    for (const auto end : ends) {
      for (auto& sum : sums) sum += sum;
      while (x < end) {
        const auto stop = std::min(x + words * most_summed_bytes, end);
        Bytes bytes[block_rows]{};
        for (; x < stop; x += words) {
          const auto left = load(p[i] + x);
#pragma GCC unroll 4
          for (std::uint32_t j = 0; j < block_rows; ++j) bytes[j] += ones_of_bytes((Bytes)(left & load(q[j] + x)));
        }
        for (std::uint32_t j = 0; j < block_rows; ++j) sums[j] += sums_of_bytes(bytes[j]);
      }
    }
    for (std::uint32_t j = 0; j < block_rows; ++j)
      counts[block_rows * i + j] = static_cast<std::uint32_t>(sum_of(sums[j]));
  }
}

}  // namespace CLOPT_SET
}  // namespace
}  // namespace clopt::openmp::ecga
