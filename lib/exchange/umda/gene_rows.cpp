#include "gene_rows.hpp"

#include <algorithm>
#include <cstring>

#include <support/numbers/vectorize.hpp>

namespace clopt::exchange {
namespace {

constexpr std::uint32_t byte_values = 256;
/// Words of 32 bytes, which devices read and write at once.
constexpr std::uint32_t piece_words = 8;

std::uint32_t whole_pieces(std::uint32_t words) { return (words + piece_words - 1) / piece_words * piece_words; }

// Pairs of bytes are read and written as memory, since words of other types lie there.
CLOPT_VECTORIZE(void, pack, (const std::uint32_t* genes, std::size_t count, unsigned char* low), (genes, count, low)) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto bytes = static_cast<std::uint16_t>(shared::exchange_low_half(genes[i]));
    std::memcpy(low + 2 * i, &bytes, sizeof bytes);
  }
}

CLOPT_VECTORIZE(void, unpack, (const unsigned char* low, std::size_t count, std::uint32_t* genes),
                (low, count, genes)) {
  for (std::size_t i = 0; i < count; ++i) {
    std::uint16_t bytes;
    std::memcpy(&bytes, low + 2 * i, sizeof bytes);
    genes[i] = shared::exchange_of_halves(bytes, 0);
  }
}

}  // namespace

Row compact_row(std::span<const Gene> table, std::uint32_t slots) {
  const auto wide = slots > byte_values ? table.begin()
                                        : std::find_if(table.begin(), table.end(),
                                                       [](const Gene& gene) { return gene.paths > byte_values; });
  Row row{};
  row.pairs = static_cast<std::uint32_t>((table.size() + 1) / 2);
  row.first_high = wide == table.end()
                       ? row.pairs
                       : static_cast<std::uint32_t>(wide - table.begin()) / (2 * piece_words) * piece_words;
  row.high = whole_pieces(row.pairs) - row.first_high;
  row.words = whole_pieces(row.pairs) + whole_pieces(row.pairs - row.first_high);
  return row;
}

Row plain_row(std::uint32_t genes) { return {0, genes, 0, 0}; }

void pack_genes(const Row& row, std::uint32_t first, std::span<const std::uint32_t> genes, std::uint32_t* own) {
  pack(genes.data(), genes.size(), reinterpret_cast<unsigned char*>(own + first / 2));
  auto* const high = reinterpret_cast<unsigned char*>(own + row.high);
  for (auto i = std::max(first, 2 * row.first_high); i < first + genes.size(); ++i) {
    const auto bytes = static_cast<std::uint16_t>(shared::exchange_high_half(genes[i - first]));
    std::memcpy(high + 2 * std::size_t{i}, &bytes, sizeof bytes);
  }
}

void unpack_genes(const Row& row, const std::uint32_t* own, std::uint32_t first, std::span<std::uint32_t> genes) {
  unpack(reinterpret_cast<const unsigned char*>(own + first / 2), genes.size(), genes.data());
  const auto* const high = reinterpret_cast<const unsigned char*>(own + row.high);
  for (auto i = std::max(first, 2 * row.first_high); i < first + genes.size(); ++i) {
    std::uint16_t bytes;
    std::memcpy(&bytes, high + 2 * std::size_t{i}, sizeof bytes);
    genes[i - first] |= shared::exchange_of_halves(0, bytes);
  }
}

}  // namespace clopt::exchange
