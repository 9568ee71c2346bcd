// Ones of rows, compiled for each instruction set by simd/each_set.hpp.

namespace clopt::openmp {
namespace {
namespace CLOPT_SET {

using namespace simd::CLOPT_SET;

std::uint64_t ones_of_row(const std::uint32_t* words, std::uint32_t count) {
  constexpr std::uint32_t words_of_vector = lanes<std::uint32_t>;
  LongWords sums{};
  std::uint32_t word = 0;
  while (count - word >= words_of_vector) {
    auto vectors = std::min((count - word) / words_of_vector, most_summed_bytes);
    Bytes bytes{};
    for (; vectors != 0; --vectors, word += words_of_vector) bytes += ones_of_bytes((Bytes)load(words + word));
    sums += sums_of_bytes(bytes);
  }
  auto ones = sum_of(sums);
  for (; word < count; ++word) ones += static_cast<std::uint64_t>(std::popcount(words[word]));
  return ones;
}

template <class Real>
void count_ones(const ObjectiveBatch& batch) {
  constexpr std::uint32_t bits_of_word = 32;
  const auto* const genes = static_cast<const std::uint32_t*>(batch.genes);
  auto* const values = static_cast<Real*>(batch.values);
  const auto words = (batch.gene_count + bits_of_word - 1) / bits_of_word;
  for (std::uint64_t i = 0; i < batch.count; ++i)
    values[i] = static_cast<Real>(static_cast<int>(ones_of_row(genes + i * batch.individual_step, words)));
}

}  // namespace CLOPT_SET
}  // namespace
}  // namespace clopt::openmp
