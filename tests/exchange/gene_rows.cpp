/// \file
/// Rows of genes as devices hold them.
#include "networks.hpp"

#include <exchange/umda/gene_rows.hpp>
#include <exchange/umda/genes.hpp>

#include <boost/test/unit_test.hpp>

#include <random>

namespace {

using namespace clopt;
using namespace clopt::exchange;

BOOST_AUTO_TEST_SUITE(rows)

/// Genes of random slots and paths, of which those from \p wide on have many paths.
std::vector<Gene> random_table(std::size_t genes, std::size_t wide) {
  std::vector<Gene> table(genes, {0, 1, 256});
  for (std::size_t i = wide; i < genes; ++i) table[i].paths = 257 + static_cast<std::uint32_t>(i % 2) * 65'000;
  return table;
}

BOOST_AUTO_TEST_CASE(genes_come_back_from_their_rows) {
  std::mt19937_64 random(7);
  for (const std::size_t genes : {1U, 2U, 7U, 16U, 49U, 127U, 130U, 500U})
    for (const std::size_t wide : {std::size_t{0}, genes / 2, genes - 1, genes})
      for (const std::uint32_t slots : {1U, 256U, 257U, 65'536U}) {
        const auto table = random_table(genes, wide);
        const Row row = compact_row(table, slots);
        BOOST_TEST(row.words % 8 == 0U);
        std::vector<std::uint32_t> given(genes);
        for (std::size_t i = 0; i < genes; ++i)
          given[i] = static_cast<std::uint32_t>(random() % slots << 16 | random() % table[i].paths);
        // Neighbouring rows stay as they are.
        std::vector<std::uint32_t> memory(std::size_t{3} * row.words, 0xabababab);
        pack_genes(row, 0, given, memory.data() + row.words);
        for (std::size_t i = 0; i < row.words; ++i) {
          BOOST_TEST(memory[i] == 0xababababU);
          BOOST_TEST(memory[2 * row.words + i] == 0xababababU);
        }
        std::vector<std::uint32_t> found(genes);
        unpack_genes(row, memory.data() + row.words, 0, found);
        BOOST_TEST(found == given, boost::test_tools::per_element());
        const std::size_t begin = genes / 4 * 2;
        std::vector<std::uint32_t> part(genes - begin);
        unpack_genes(row, memory.data() + row.words, static_cast<std::uint32_t>(begin), part);
        BOOST_TEST(std::equal(part.begin(), part.end(), given.begin() + static_cast<std::ptrdiff_t>(begin)));
      }
}

BOOST_AUTO_TEST_CASE(only_genes_that_need_them_have_upper_bytes) {
  BOOST_TEST(compact_row(random_table(1000, 1000), 256).words == 504U);
  // Gene 990 is in pair 495, whose piece of 8 words begins with pair 488.
  BOOST_TEST(compact_row(random_table(1000, 990), 256).words == 504U + 16);
  BOOST_TEST(compact_row(random_table(1000, 992), 256).words == 504U + 8);
  BOOST_TEST(compact_row(random_table(1000, 0), 256).words == 2 * 504U);
  BOOST_TEST(compact_row(random_table(1000, 1000), 257).words == 2 * 504U);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
