// Whether the tables of a text fit the number of genes.
#include <clopt/objective.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tokens.hpp"

namespace clopt {
namespace {

using objective::Token;

std::string_view text_of(const std::vector<Token>& tokens, std::size_t i) {
  return i < tokens.size() ? tokens[i].text : std::string_view{};
}

// Variables that count genes: the second parameter of a term or count, and what a loop compares with genes(x).
std::set<std::string_view> gene_indexes(const std::vector<Token>& tokens) {
  std::set<std::string_view> indexes;
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    const auto word = tokens[i].text;
    const bool is_sum = word == "objective_term" || word == "objective_count";
    const auto end = is_sum && tokens[i + 1].text == "(" ? objective::behind_group(tokens, i + 1) : 0;
    if (end > i + 3 && text_of(tokens, end) == "{") indexes.insert(tokens[end - 2].text);
    if (tokens[i + 1].text == "<" && tokens[i + 2].text == "genes") indexes.insert(word);
  }
  return indexes;
}

// How a table is read by genes.
struct Use {
  bool by_gene = false;   // its index is that of a gene, or a place of a permutation
  bool by_genes = false;  // its index has genes(x) in it: rows of as many
};

Use use_of(const std::vector<Token>& tokens, std::string_view table, bool is_permutation) {
  Use use;
  const auto indexes = gene_indexes(tokens);
  for (std::size_t i = 0; i + 4 < tokens.size(); ++i) {
    if (tokens[i].text != table || tokens[i + 1].text != "(" || tokens[i + 3].text != ",") continue;
    const auto begin = i + 4;
    const auto end = objective::behind_group(tokens, i + 1) - 1;
    const bool is_place = is_permutation && tokens[begin].text == "gene" && text_of(tokens, begin + 1) == "(" &&
                          objective::behind_group(tokens, begin + 1) == end;
    use.by_gene = use.by_gene || is_place || (end == begin + 1 && indexes.contains(tokens[begin].text));
    for (auto at = begin; at < end && !is_place; ++at) use.by_genes = use.by_genes || tokens[at].text == "genes";
  }
  return use;
}

}  // namespace

std::string Objective::warning_of_tables(std::uint64_t genes) const {
  if (function_ || builtin_ || tables_.empty() || genes == 0) return {};
  const auto tokens = objective::tokens_of(text_);
  for (const auto& [name, place] : tables_) {
    const auto size = place.second;
    const auto use = use_of(tokens, name, kind_ == GeneKind::permutation);
    const bool misfits = (use.by_gene && !use.by_genes && size != genes) || (use.by_genes && size % genes != 0) ||
                         (use.by_gene && size < genes);
    if (!misfits) continue;
    return fmt::format("the table {} of {} has {} numbers for {} genes: {}; give it the run's genes, or the run its",
                       name, name_, size, genes,
                       use.by_gene && size > genes ? "the last ones are not read" : "what is read beyond its end is 0");
  }
  return {};
}

}  // namespace clopt
