#include "mutation.hpp"

#include <algorithm>

namespace clopt::exchange {

using shared::exchange_gene_slot;

Mutation::Mutation(const Population& population, std::span<const Gene> table, std::span<const std::uint16_t> paths)
    : table_(table), paths_(paths), links_(population.links) {
  if (population.tries < 2) return;
  rows_.resize(population.slots);
  uses_.resize(std::size_t{std::min(population.slots, population.tries)} * links_);
}

// All that the paper says.
void Mutation::draw_any(const Population& population, std::uint32_t k, std::uint32_t* own) const {
  for (std::uint32_t i = 0; i < population.mutations; ++i) {
    const auto drawn = shared::exchange_mutation(population, k, i);
    own[drawn.a] = shared::exchange_any_gene(drawn.b, drawn.c, population.slots, table_[drawn.a].paths);
  }
}

// A value that the gene has already would change nothing.
void Mutation::try_values(const Population& population, std::uint32_t k, std::uint32_t i, std::uint32_t gene,
                          std::uint32_t current) {
  tried_.clear();
  std::fill(rows_.begin(), rows_.end(), std::uint8_t{0});
  std::uint8_t rows = 0;
  for (std::uint32_t n = 0; n < population.tries; ++n) {
    const auto value = shared::exchange_tried_gene(population, k, i, n, table_[gene].paths);
    if (value == current) continue;
    tried_.push_back({value, 0});
    auto& row = rows_[exchange_gene_slot(value)];
    if (row == 0) row = ++rows;
  }
  std::fill_n(uses_.begin(), std::size_t{rows} * links_, 0U);
}

// Of all genes but one, in the slots that are tried.
void Mutation::count_uses(const std::uint32_t* own, std::uint32_t gene) {
  for (std::uint32_t other = 0; other < table_.size(); ++other) {
    const auto row = rows_[exchange_gene_slot(own[other])];
    if (row == 0 || other == gene) continue;
    auto* const uses = uses_.data() + std::size_t{row - 1U} * links_;
    for (const auto link : path(other, own[other])) ++uses[link];
  }
  for (auto& [value, cost] : tried_) {
    const auto* const uses = uses_.data() + std::size_t{rows_[exchange_gene_slot(value)] - 1U} * links_;
    for (const auto link : path(gene, value)) cost += uses[link];
  }
}

// The nearest transfer from the gene `first` on, going round, that a gene meets with a value.
std::uint32_t Mutation::met_gene(const std::uint32_t* own, std::uint32_t gene, std::uint32_t value,
                                 std::uint32_t first) const {
  const auto links = path(gene, value);
  const auto genes = static_cast<std::uint32_t>(table_.size());
  for (std::uint32_t i = 0; i < genes; ++i) {
    const auto other = first + i < genes ? first + i : first + i - genes;
    if (other == gene || exchange_gene_slot(own[other]) != exchange_gene_slot(value)) continue;
    const auto its = path(other, own[other]);
    if (std::find_first_of(its.begin(), its.end(), links.begin(), links.end()) != its.end()) return other;
  }
  return gene;
}

void Mutation::mutate(const Population& population, std::uint32_t k, std::uint32_t* own) {
  if (population.tries < 2) return draw_any(population, k, own);
  auto gene = shared::exchange_mutation(population, k, 0).a;
  for (std::uint32_t i = 0; i < population.mutations; ++i) {
    try_values(population, k, i, gene, own[gene]);
    if (tried_.empty()) return;
    count_uses(own, gene);
    const auto best =
        *std::min_element(tried_.begin(), tried_.end(), [](const Tried& a, const Tried& b) { return a.cost < b.cost; });
    own[gene] = best.value;
    if (best.cost == 0 || i + 1 == population.mutations) return;
    gene = met_gene(own, gene, best.value, shared::exchange_mutation(population, k, i + 1).a);
  }
}

}  // namespace clopt::exchange
