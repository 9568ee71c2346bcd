#include "ecga_patterns.hpp"

#include <support/vectorize.hpp>

namespace clopt::openmp::ecga {

CLOPT_VECTORIZE void pack_row(const std::uint32_t* row, std::uint32_t words, std::uint32_t s, std::uint16_t* patterns) {
  for (std::uint32_t x = 0; x < words; ++x) {
    const std::uint32_t word = row[x];
    for (std::uint32_t k = 0; k < 32; ++k)
      patterns[32 * x + k] = static_cast<std::uint16_t>(patterns[32 * x + k] | (word >> k & 1U) << s);
  }
}

CLOPT_VECTORIZE void unpack_row(const std::uint16_t* patterns, std::uint32_t words, std::uint32_t s,
                                std::uint32_t* row) {
  for (std::uint32_t x = 0; x < words; ++x) {
    std::uint32_t word = 0;
    for (std::uint32_t k = 0; k < 32; ++k) word |= (std::uint32_t{patterns[32 * x + k]} >> s & 1U) << k;
    row[x] = word;
  }
}

namespace {

CLOPT_VECTORIZE void make_passes(const shared::ecga_bijection& bijection, std::uint32_t* images) {
  const auto b = bijection;
  for (std::uint32_t i = 0; i < b.count; ++i) images[i] = shared::ecga_pass(b, i);
}

}  // namespace

// Few images fall outside at first: they are sent round again one by one.
void make_images(const shared::ecga_bijection& bijection, std::uint32_t* images) {
  make_passes(bijection, images);
  for (std::uint32_t i = 0; i < bijection.count; ++i)
    if (images[i] >= bijection.count) images[i] = shared::ecga_image(bijection, images[i]);
}

}  // namespace clopt::openmp::ecga
