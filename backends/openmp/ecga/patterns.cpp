#include "patterns.hpp"

#include <support/numbers/vectorize.hpp>

namespace clopt::openmp::ecga {
namespace {

/// The rows of a group.
template <class Word>
struct GroupRows {
  Word* rows[ECGA_MOST_LOCI];
  std::uint32_t size;
  std::uint32_t words;
};

template <class Word>
GroupRows<Word> rows_of(std::span<Word> rows, const std::uint32_t* loci, std::uint32_t size, std::uint32_t words) {
  GroupRows<Word> group{{}, size, words};
  for (std::uint32_t s = 0; s < size; ++s) group.rows[s] = &rows[std::uint64_t{loci[s]} * words];
  return group;
}

}  // namespace
}  // namespace clopt::openmp::ecga

#define CLOPT_CODE <openmp/ecga/patterns_code.hpp>
#include <openmp/simd/each_set.hpp>

namespace clopt::openmp::ecga {
namespace {

CLOPT_VECTORIZE(void, make_passes, (const shared::ecga_bijection& bijection, std::uint32_t* images),
                (bijection, images)) {
  const auto b = bijection;
  for (std::uint32_t i = 0; i < b.count; ++i) images[i] = shared::ecga_pass(b, i);
}

}  // namespace

void pack_group(std::span<const std::uint32_t> rows, const std::uint32_t* loci, std::uint32_t size,
                std::uint32_t row_words, std::span<std::uint16_t> patterns) {
  CLOPT_BEST(pack)(rows_of(rows, loci, size, row_words), patterns.data());
}

void unpack_group(std::span<const std::uint16_t> patterns, const std::uint32_t* loci, std::uint32_t size,
                  std::uint32_t row_words, std::span<std::uint32_t> rows) {
  CLOPT_BEST(unpack)(patterns.data(), rows_of(rows, loci, size, row_words));
}

// Few images are out of range at first: they are mapped again one by one.
void make_images(const shared::ecga_bijection& bijection, std::uint32_t* images) {
  make_passes(bijection, images);
  for (std::uint32_t i = 0; i < bijection.count; ++i)
    if (images[i] >= bijection.count) images[i] = shared::ecga_image(bijection, images[i]);
}

}  // namespace clopt::openmp::ecga
