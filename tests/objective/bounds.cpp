// What a text reads past an end is 0, in every form, for every kind, on every device and in every layout.
#include <clopt/objective.hpp>

#include <boost/test/unit_test.hpp>

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "evaluation.hpp"

namespace {

using namespace clopt;
using test::evaluate_every_way;

constexpr std::size_t individuals_past_ends = 70;

// Small whole numbers other than 0, whose sums are exact in a float.
template <class Gene>
std::vector<std::vector<Gene>> whole_numbers(std::size_t length, unsigned begin) {
  std::vector<std::vector<Gene>> all(individuals_past_ends, std::vector<Gene>(length));
  for (auto& each : all)
    for (auto& number : each) number = static_cast<Gene>(1 + begin++ * 7919 % 9);
  return all;
}

// The same with every bit set.
std::vector<std::vector<std::uint32_t>> all_ones(std::uint32_t genes) {
  std::vector<std::uint32_t> words((genes + 31) / 32, ~0U);
  if (genes % 32 != 0) words.back() = (1U << genes % 32) - 1;
  return std::vector<std::vector<std::uint32_t>>(individuals_past_ends, words);
}

// Element i, as a text should see it.
template <class Element>
double read(const std::vector<Element>& elements, std::int64_t i) {
  return i >= 0 && i < static_cast<std::int64_t>(elements.size())
             ? static_cast<double>(elements[static_cast<std::size_t>(i)])
             : 0.0;
}

// gene(x, i) and its neighbours on both sides, near and far.
constexpr const char* neighbours_of_a_gene =
    "gene(x, i) + 10 * gene(x, i + 1) + 20 * gene(x, i - 1) + gene(x, i + 1000) + gene(x, 99) + gene(x, 0xffffffffu)";

template <class Element>
double sum_of_neighbours(const std::vector<Element>& genes) {
  double sum = 0;
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(genes.size()); ++i)
    sum += read(genes, i) + 10 * read(genes, i + 1) + 20 * read(genes, i - 1) + read(genes, 99);
  return sum;
}

std::string with_neighbours(const std::string& before, const std::string& after) {
  return before + neighbours_of_a_gene + after;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(bounds, *boost::unit_test::label("device"))

BOOST_AUTO_TEST_CASE(genes_of_terms) {
  const auto objective = Objective::from_text(
      with_neighbours("real objective_term(individual x, uint i) { return ", "; }\n"), "neighbours.cl");
  for (const std::uint32_t genes : {1U, 2U, 7U, 33U}) {
    const auto all = whole_numbers<float>(genes, genes);
    const auto values = evaluate_every_way(objective, all, genes);
    for (std::size_t k = 0; k < all.size(); ++k) BOOST_TEST(values[k] == sum_of_neighbours(all[k]));
  }
}

BOOST_AUTO_TEST_CASE(genes_rows_and_tables_of_a_general_text) {
  const auto objective = Objective::from_text(
                             "// clopt: reals\n"
                             "real objective(individual x) {\n"
                             "  real sum = 0;\n"
                             "  for (uint i = 0; i < genes(x) + 9; ++i) sum += (i + 1) * gene(x, i);\n"
                             "  for (uint j = 0; j < columns(x) + 5; ++j) sum += (j + 1) * row(x, j);\n"
                             "  for (uint k = 0; k < steps_size + 3; ++k) sum += (k + 1) * steps(x, k);\n"
                             "  return sum + steps(x, 0u - 1u) + 7 * gene(x, (uint)gene(x, 0)) + gene(x, 99);\n"
                             "}\n",
                             "past.cl")
                             .table("first", {1000, 2000})
                             .table("steps", {1, 2, 3})
                             .table("third", {4000, 5000});
  for (const std::uint32_t genes : {1U, 3U, 7U}) {
    const auto all = whole_numbers<float>(genes, 5);
    for (const std::size_t columns : {0U, 1U, 13U}) {
      const auto rows = columns == 0 ? std::vector<std::vector<float>>{} : whole_numbers<float>(columns, 11);
      const auto values = evaluate_every_way(objective, all, genes, rows);
      for (std::size_t k = 0; k < all.size(); ++k) {
        double sum = 1 * 1 + 2 * 2 + 3 * 3 + 7 * read(all[k], static_cast<std::int64_t>(all[k][0]));
        for (std::uint32_t i = 0; i < genes; ++i) sum += static_cast<double>(i + 1) * all[k][i];
        for (std::size_t j = 0; j < columns; ++j) sum += static_cast<double>(j + 1) * rows[k][j];
        BOOST_TEST(values[k] == sum);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(integers_and_permutations_of_both_forms, *boost::unit_test::label("long")) {
  const std::string term = with_neighbours("real objective_term(individual x, uint i) { return ", "; }\n");
  const std::string general =
      with_neighbours("real objective(individual x) {\n  real sum = 0;\n  for (uint i = 0; i < genes(x); ++i) sum += ",
                      ";\n  return sum;\n}\n");
  for (const auto& text : {term, general}) {
    const std::uint32_t genes = 7;
    const auto integers = whole_numbers<std::int32_t>(genes, 3);
    const auto values = evaluate_every_way(Objective::from_text("// clopt: integers\n" + text), integers, genes);
    for (std::size_t k = 0; k < integers.size(); ++k) BOOST_TEST(values[k] == sum_of_neighbours(integers[k]));
    std::vector<std::vector<std::uint32_t>> orders(individuals_past_ends, {4, 2, 6, 1, 3, 5, 0});
    const auto lengths = evaluate_every_way(Objective::from_text("// clopt: permutation\n" + text), orders, genes);
    for (std::size_t k = 0; k < orders.size(); ++k) BOOST_TEST(lengths[k] == sum_of_neighbours(orders[k]));
  }
}

BOOST_AUTO_TEST_CASE(bits_and_words) {
  const auto counts = Objective::from_text(
      with_neighbours("// clopt: bits\nint objective_count(individual x, uint i) { return ", "; }\n"), "counts.cl");
  const auto words = Objective::from_text(
      "int objective_word(individual x, uint w) {\n"
      "  return popcount(gene_word(x, w)) + 100 * popcount(gene_word(x, w + 1)) + popcount(gene_word(x, w - 1)) +\n"
      "         popcount(gene_word(x, 99)) + popcount(gene_word(x, 0xffffffffu));\n"
      "}\n",
      "words.cl");
  const auto whole = Objective::from_text(
      "// clopt: bits\n"
      "real objective(individual x) {\n"
      "  uint sum = 0;\n"
      "  for (uint i = 0; i < genes(x) + 70; ++i) sum += gene(x, i);\n"
      "  for (uint w = 0; w < 9; ++w) sum += popcount(gene_word(x, w));\n"
      "  return (real)sum;\n"
      "}\n",
      "whole.cl");
  for (const std::uint32_t genes : {1U, 31U, 32U, 33U, 97U}) {
    const auto all = all_ones(genes);
    const auto of_counts = evaluate_every_way(counts, all, genes);
    const auto of_words = evaluate_every_way(words, all, genes);
    const auto of_whole = evaluate_every_way(whole, all, genes);
    std::vector<int> ones;
    for (const auto word : all[0]) ones.push_back(std::popcount(word));
    double sum_of_words = 0;
    for (std::int64_t w = 0; w < static_cast<std::int64_t>(ones.size()); ++w)
      sum_of_words += read(ones, w) + 100 * read(ones, w + 1) + read(ones, w - 1);
    for (std::size_t k = 0; k < all.size(); ++k) {
      BOOST_TEST(of_counts[k] == sum_of_neighbours(std::vector<int>(genes, 1)));
      BOOST_TEST(of_words[k] == sum_of_words);
      BOOST_TEST(of_whole[k] == 2.0 * genes);
    }
  }
}

// They are compiled without checks, since they read nothing past an end: else the two would differ somewhere.
BOOST_AUTO_TEST_CASE(built_in_objectives_stay_inside, *boost::unit_test::label("long")) {
  std::size_t number = 0;
  for (const auto& name : Objective::names()) {
    if (number++ % 3 != 0 && !test::tries_all()) continue;
    const auto builtin = Objective::named(name);
    // A user's literals get their precision without that word.
    auto copy = builtin.text();
    if (const auto word = copy.find("OBJECTIVE_REAL"); word != std::string::npos) copy.erase(word, 14);
    const auto text = Objective::from_text(copy, "copy.cl");
    for (const std::uint32_t genes : {1U, 2U, 16U, 49U}) {
      if (name == "hiff" && genes == 49) continue;
      if (!test::tries_all() && genes != 1 && genes != 16) continue;
      BOOST_TEST_CONTEXT(name << " of " << genes) {
        if (builtin.kind() == GeneKind::bits)
          BOOST_TEST(
              evaluate_every_way(text, all_ones(genes), genes) == evaluate_every_way(builtin, all_ones(genes), genes),
              boost::test_tools::per_element());
        else
          BOOST_TEST(evaluate_every_way(text, whole_numbers<float>(genes, genes), genes) ==
                         evaluate_every_way(builtin, whole_numbers<float>(genes, genes), genes),
                     boost::test_tools::per_element());
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
